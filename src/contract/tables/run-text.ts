/** A result. Of one that is too long only the end is kept, where agents put what counts. */
export interface RunText {
  readonly text: string;
  /** What is missing at its beginning, in bytes of UTF-8. The text itself does not say so. */
  readonly leftOutBytes: number;
}

export function wholeText(text: string): RunText {
  return { text, leftOutBytes: 0 };
}

/** For a person who sees the text alone: the first line says what is missing. */
export function printRunText({ text, leftOutBytes }: RunText): string {
  return leftOutBytes === 0 ? text : `[the first ${leftOutBytes} bytes of the result were cut]\n${text}`;
}
