import { readRetryAfterMs } from '../../border/answers.ts';
import type { Failure } from './github-error.ts';

/** Text by which plugin-throttling recognizes a limit. */
export const limitWords = 'secondary rate limit';

/**
 * Rewrites GitHub's rate limits for plugin-throttling. The plugin recognizes only limits with these words, and
 * neither dates nor times by GitHub's clock.
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function markLimit(error: Failure, now: number): void {
  const { status, message, response: { headers } = {} } = error;
  // The plugin's errors for GraphQL responses have no status.
  if (headers === undefined || ![undefined, 403, 429].includes(status)) return;
  const reset = headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset']) : Number.NaN;
  const told: typeof headers = { 'retry-after': new Date(reset * 1000).toUTCString(), ...headers };
  const waitMs = readRetryAfterMs(name => told[name]?.toString(), now);
  if (status === 403 && waitMs === undefined && !/rate limit/i.test(message)) return;
  error.message = limitWords;
  if (waitMs !== undefined) headers['retry-after'] = String(Math.max(waitMs, 100) / 1000);
}
