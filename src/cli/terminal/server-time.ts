/** The server's time of an answer, by which its runs have their age, in milliseconds; this machine's where the answer has none. */
export function readServerTime({ response }: { readonly response: Response }): number {
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}
