/** One result of the doctor. `warn` means that it works, but perhaps not as expected. */
export interface Finding {
  /** Such as `git`, or `harness claude: program`. */
  readonly subject: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** Never contains a key. */
  readonly text: string;
  /** What to do. Set unless `ok`. */
  readonly remedy?: string;
}
