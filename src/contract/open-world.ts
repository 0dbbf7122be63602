/** Types for the answers of a server that may be newer than this code. */

/** A known word of the contract, or one that a newer server says. */
export type OpenWord<Known extends string> = Known | (string & {});

/**
 * The tag of a union's rest: any text that is no known tag. TypeScript cannot say that, and a rest tagged `string`, or `string & {}`, takes the known tags
 * as well, so that no `switch` tells the members apart. No word of the contract has a blank in it, so this pattern stands for the others.
 */
export type UnknownWord = `${string} ${string}`;

/** Members that may be left out or be undefined, which `exactOptionalPropertyTypes` takes for two things. */
export type Optional<T> = { readonly [P in keyof T]?: T[P] | undefined };

/**
 * What a caller gives: nothing of it is written to, so constants and readonly lists will do. Words are passed on whole, for one by one an
 * open word is any text.
 */
export type Given<T> = [T] extends [Plain]
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Given<Item>[]
    : T extends object
      ? { readonly [P in keyof T]: Given<T[P]> }
      : T;
type Plain = string | number | boolean | null | undefined;
