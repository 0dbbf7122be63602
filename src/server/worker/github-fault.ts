import { describeCause, findCause } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import { ellipsis } from '../../base/text.ts';
import { createRedactor } from '../../border/secrets.ts';

/** Why GitHub gave no answer that can be used. `unavailable` may be over later: what was read before may be used meanwhile. */
export class GitHubFault extends Error {
  override readonly name = 'GitHubFault';
  readonly kind: 'missing' | 'refused' | 'unavailable';
  /** Whether the same question may be answered in a moment. */
  readonly mayPass: boolean;

  constructor(kind: GitHubFault['kind'], message: string, { mayPass = false, cause }: FaultMore = {}) {
    super(message, { cause });
    this.kind = kind;
    this.mayPass = mayPass;
  }
}

interface FaultMore {
  readonly mayPass?: boolean;
  readonly cause?: unknown;
}

interface Asked {
  readonly apiUrl: string;
  readonly token: string | undefined;
}

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

const saidMax = 300;

/** The fault that an error of octokit stands for. */
export function describeFault(error: unknown, asked: Asked): GitHubFault {
  const response = isObject(error) ? error.response : undefined;
  if (isObject(response) && typeof response.status === 'number' && isObject(response.headers))
    return readAnswerFault({ ...(response as unknown as Refusal), ...asked });
  const inner = findCause(error);
  const isLate = inner instanceof Error && inner.name === 'TimeoutError';
  const why = isLate ? 'no answer in time' : describeCause(inner);
  const message = `${hostOf(asked)} cannot be reached: ${redactToken(why, asked)}`;
  return new GitHubFault('unavailable', message, { mayPass: true, cause: error });
}

/** The fault that an answer stands for which is none. */
export function readAnswerFault({ status, headers, data, ...asked }: Refusal & Asked): GitHubFault {
  const host = hostOf(asked);
  const message = isObject(data) && typeof data.message === 'string' ? data.message : '';
  const said = ellipsis(redactToken(message, asked).replace(/\s+/g, ' '), saidMax);
  const words = said === '' ? '' : `: ${said}`;
  if (status < 400) return new GitHubFault('missing', `it has been renamed (${host} answered ${status})`);
  if (isLimited(status, headers, message))
    return new GitHubFault(
      'unavailable',
      `${host} limits the rate of requests (${status})${describeWait(headers, asked)}`,
    );
  if (status >= 500) return new GitHubFault('unavailable', `${host} answered ${status}${words}`, { mayPass: true });
  if (status === 401)
    return new GitHubFault(
      'refused',
      `${host} rejected the token in skills.github.token (401${words}); set another one`,
    );
  // A repository without a commit is answered with 409, a name that leads nowhere with 422.
  if ([404, 409, 410, 422, 451].includes(status)) {
    const hint =
      asked.token === undefined
        ? '; a private repository needs a token, named in skills.github.token'
        : '; the token in skills.github.token needs read access to it';
    return new GitHubFault('missing', `${host} answered ${status}${words}${status === 404 ? hint : ''}`);
  }
  return new GitHubFault('refused', `${host} answered ${status}${words}`);
}

function isLimited(status: number, headers: Refusal['headers'], message: string): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined || /rate limit/i.test(message)
  );
}

function describeWait(headers: Refusal['headers'], { token }: Asked): string {
  const seconds = Number(headers['retry-after']);
  const reset = Number(headers['x-ratelimit-reset']);
  const wait =
    seconds > 0
      ? ` for ${seconds} s`
      : reset > 0 && reset < 1e11
        ? ` until ${new Date(reset * 1000).toISOString()}`
        : '';
  return token === undefined ? `${wait}; more are allowed with a token, named in skills.github.token` : wait;
}

function hostOf({ apiUrl }: Asked): string {
  return new URL(apiUrl).host;
}

function redactToken(text: string, { token = '' }: Pick<Asked, 'token'>): string {
  return createRedactor([token]).redact(text);
}
