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
 * open word is any text. Where other members may stand beside the known ones, a caller's own interface will do, which has no index signature.
 */
export type Given<T> = [T] extends [Plain]
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Given<Item>[]
    : T extends object
      ? Members<T> | KnownMembers<T>
      : T;
type Plain = string | number | boolean | null | undefined;
type Members<T> = { readonly [P in keyof T]: Given<T[P]> };
type KnownMembers<T> = T extends { readonly [name: string]: infer Other }
  ? unknown extends Other
    ? OrAny<{ readonly [P in keyof T as string extends P ? never : P]: Given<T[P]> }>
    : never
  : never;
/** Where no member is known, `{}` would take a text as well. */
type OrAny<T> = keyof T extends never ? object : T;
