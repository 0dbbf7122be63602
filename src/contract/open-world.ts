/** Types for responses from a server that may be newer than this code. */

/** A known word of the contract, or a newer server's. */
export type OpenWord<Known extends string> = Known | (string & {});

/**
 * The tag of a union's unknown members: any text except a known tag. TypeScript cannot express that, and a tag of
 * `string` or `string & {}` would include the known tags, so no `switch` could narrow the union. No word of the
 * contract contains a space, so this pattern stands for all unknown words.
 */
export type UnknownWord = `${string} ${string}`;

/** Members that may be missing or undefined. `exactOptionalPropertyTypes` distinguishes the two. */
export type Optional<T> = { readonly [P in keyof T]?: T[P] | undefined };

/**
 * A caller's argument. It is read-only, so constants and readonly lists fit. Open words stay whole, because their
 * parts would include any string. Objects with unknown members accept a caller's own interface, which has no index
 * signature.
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
/** With no known member, `{}` would also accept a string. */
type OrAny<T> = keyof T extends never ? object : T;
