/** The server's time in a response, in ms, for the age of its runs; this machine's if the response has none. */
export function readServerTime({ response }: { readonly response: Response }): number {
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}
