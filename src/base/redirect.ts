/** A server answered with another address. What is sent there, a token perhaps, would go to somebody else. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

/** The redirect that an error comes of, whoever wrapped it; undefined where it is another one. */
export function findRedirect(error: unknown): RedirectError | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    if (inner instanceof RedirectError) return inner;
    inner = inner.cause;
  }
  return undefined;
}

/** Throws a RedirectError, `it redirects, to https://example.com (status 302), REST`, where that is what an answer says. */
export async function refuseRedirect({ status, headers, body, url }: Response, rest: string): Promise<void> {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return;
  await body?.cancel();
  // What stands behind the host may hold a token.
  const target = URL.parse(location, url)?.origin;
  throw new RedirectError(`it redirects${target === undefined ? '' : ` to ${target}`} (status ${status}), ${rest}`);
}
