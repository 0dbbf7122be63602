import { headerNames } from '../../../contract/tables/headers.ts';
import { sizes } from '../../../contract/tables/sizes.ts';

/** Seconds of `Prefer: wait=N` (RFC 7240), capped; undefined without it. */
export function readWaitSeconds(headers: Headers): number | undefined {
  const match = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(headers.get(headerNames.prefer) ?? '');
  return match === null ? undefined : Math.min(Number(match[1]), sizes.waitSeconds);
}
