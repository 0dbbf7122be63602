/** Words that may be keys. The runner masks the job's secrets in a summary only if they appear letter by letter. */

/** Characters of base64, base64url and JWTs. Unbounded, because a counted repetition needs stack. */
export const keyWords = /[\w.+/=~-]+/g;

/** True if a run of such characters has digits or mixed case, unlike a long word or a path. */
export function isKeyLike(word: string): boolean {
  return word.length >= 16 && /\d|[a-z][A-Z]/.test(word);
}
