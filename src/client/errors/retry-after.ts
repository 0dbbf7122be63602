/** The wait that an answer asks for, in ms (`retry-after-ms`, `Retry-After` in seconds or as a date), or undefined where it names none that can be read. `now` is for a date without a `Date` beside it. */
export function readRetryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = readNumber(headers.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const text = headers.get('retry-after');
  const seconds = readNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  // Date.parse takes nearly anything; a date of HTTP begins with the day of the week.
  const at = /^[A-Z][a-z]{2}/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  // The date is by the server's clock, and so is the answer's own.
  const sent = Date.parse(headers.get('date') ?? '');
  return at - (Number.isNaN(sent) ? now : sent);
}

function readNumber(text: string | null): number | undefined {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
