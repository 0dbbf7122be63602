/** One thing that was looked at. `warn` is for what works, and not as one may think. */
export interface Finding {
  /** Such as `git`, or `harness claude: program`. */
  readonly subject: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** What was found. Never a key. */
  readonly text: string;
  /** What to do; of everything that is not ok. */
  readonly remedy?: string;
}
