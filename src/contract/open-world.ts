/** Types for the answers of a server that may be newer than this code. */

/** A known word of the contract, or one that a newer server says. */
export type OpenWord<Known extends string> = Known | (string & {});

/**
 * The tag of a union's rest: any text that is no known tag. TypeScript cannot say that, and a rest tagged `string`, or `string & {}`, takes the known tags
 * as well, so that no `switch` tells the members apart. No word of the contract has a blank in it, so this pattern stands for the others.
 */
export type UnknownWord = `${string} ${string}`;
