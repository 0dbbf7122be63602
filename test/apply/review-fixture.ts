import type { Finding, ReviewAnswer } from '../../src/contract/tables/review-schema.ts';
import { type FakeGitHub, type FakeGitHubOptions, openFakeGitHub } from '../support/fake-github.ts';
import { createFakePull, type FakePull } from '../support/github/fake-pull.ts';
import { headSha } from './apply-step.ts';

/** Lines 10 to 16 of the new file: 11 and 12 are new, and 20 to 22. The old line 11 was removed. */
export const patch = [
  '@@ -10,4 +10,7 @@ function total() {',
  '   let sum = 0;',
  '-  return sum;',
  '+  for (const item of items) sum += item.price;',
  '+  return sum;',
  ' }',
  ' ',
  ' // rest',
  ' // more',
  '@@ -17,1 +20,3 @@',
  '+export const a = 1;',
  '+export const b = 2;',
  ' export const c = 3;',
].join('\n');

export const otherSha = '0123456789abcdef0123456789abcdef01234567';
export const writes = { pull_requests: 'write', contents: 'write' } as const;
export const reviews = { review: 'true' } as const;

export interface Reviewed {
  readonly github: FakeGitHub;
  readonly pull: FakePull;
}

export async function openReviewed(options: FakeGitHubOptions = {}): Promise<Reviewed> {
  const pull = createFakePull({
    number: 12,
    head: headSha,
    files: [{ filename: 'src/till.ts', status: 'modified', patch }],
  });
  return { pull, github: await openFakeGitHub({ granted: writes, pull, ...options }) };
}

export function findingOf(parts: Partial<Finding> = {}): Finding {
  return { path: 'src/till.ts', line: 11, severity: 'high', text: 'An empty list gives 0, not an error.', ...parts };
}

export function reviewOf(findings: readonly Finding[], parts: Partial<ReviewAnswer> = {}): ReviewAnswer {
  return { summary: 'It adds up prices.', verdict: 'comment', findings, ...parts };
}

/** What a step changed, as `METHOD path`. */
export function mutationsOf({ requests }: FakeGitHub): readonly string[] {
  return requests.flatMap(({ method, path, body }) => {
    if (path.endsWith('/graphql')) return JSON.stringify(body).includes('mutation') ? ['resolveReviewThread'] : [];
    return method === 'GET' ? [] : [`${method} ${path.replace('/repos/octo-org/demo/', '')}`];
  });
}
