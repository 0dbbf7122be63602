/** Words that may be keys. The runner knows the job's secrets and masks them in a summary only where they stand letter by letter. */

/** Runs of what keys are made of: base64 and base64url, with the dots of a JWT. Of any length, for a count in an expression needs the stack. */
export const keyWords = /[\w.+/=~-]+/g;

/** Whether a run of such characters is more than a long word or a path: it has digits, or changes its case within. */
export function isKeyLike(word: string): boolean {
  return word.length >= 16 && /\d|[a-z][A-Z]/.test(word);
}
