/**
 * A result of which only the end was kept: its first line says so, to whoever reads the text and nothing else of the run. Programs read
 * `left_out_bytes` of the run instead, and never the number in the line: any text can begin like one.
 */

/** A first line that says what is missing, and below it what was kept. */
export function markAsCut(kept: string, leftOutBytes: number): string {
  return `${printCut(leftOutBytes)}${kept}`;
}

/** What stands below the line for so many bytes; the text as it is where it does not begin with that line. */
export function readKept(text: string, leftOutBytes: number): string {
  const line = printCut(leftOutBytes);
  return text.startsWith(line) ? text.slice(line.length) : text;
}

function printCut(leftOutBytes: number): string {
  return `[the first ${leftOutBytes} bytes of the result were cut]\n`;
}
