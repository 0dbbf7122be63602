import { readRetryAfterMs } from '../../border/answers.ts';
import type { Failure } from './github-error.ts';

/** What plugin-throttling knows a limit by. */
export const limitWords = 'secondary rate limit';

/**
 * Puts what GitHub says about a limit of the rate into the terms of plugin-throttling, which knows neither a limit without these words, nor a
 * date, nor that a moment is by GitHub's clock. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function markLimit(error: Failure, now: number): void {
  const { status, message, response: { headers } = {} } = error;
  // Without a status: what the plugin found in an answer of GraphQL.
  if (headers === undefined || ![undefined, 403, 429].includes(status)) return;
  const reset = headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset']) : Number.NaN;
  const told: typeof headers = { 'retry-after': new Date(reset * 1000).toUTCString(), ...headers };
  const waitMs = readRetryAfterMs(name => told[name]?.toString(), now);
  if (status === 403 && waitMs === undefined && !/rate limit/i.test(message)) return;
  error.message = limitWords;
  if (waitMs !== undefined) headers['retry-after'] = String(Math.max(waitMs, 100) / 1000);
}
