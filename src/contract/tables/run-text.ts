/** A result. Only the end of a long one is kept, because agents put their conclusion there. */
export interface RunText {
  readonly text: string;
  /** Bytes (UTF-8) missing at the beginning. The text itself does not say so. */
  readonly leftOutBytes: number;
}

export function wholeText(text: string): RunText {
  return { text, leftOutBytes: 0 };
}

/** For a reader who sees only the text: the first line says what is missing. */
export function printRunText({ text, leftOutBytes }: RunText): string {
  return leftOutBytes === 0 ? text : `[the first ${leftOutBytes} bytes of the result were cut]\n${text}`;
}
