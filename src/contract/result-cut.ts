/**
 * A result of which only the end was kept: its first line says so, to whoever reads the text and nothing else of the run. Programs read
 * `left_out_bytes` of the run instead.
 */

/** A first line that says what is missing, and below it what was kept. */
export function markAsCut(kept: string, leftOutBytes: number): string {
  return `[the first ${leftOutBytes} bytes of the result were cut]\n${kept}`;
}

/** What stands below such a line, and the number in it; the text as it is and 0 where there is none. */
export function splitCut(text: string): { readonly kept: string; readonly leftOutBytes: number } {
  const [line, count] = /^\[the first (\d{1,15}) bytes of the result were cut\]\n/.exec(text.slice(0, 100)) ?? [];
  return line === undefined
    ? { kept: text, leftOutBytes: 0 }
    : { kept: text.slice(line.length), leftOutBytes: Number(count) };
}
