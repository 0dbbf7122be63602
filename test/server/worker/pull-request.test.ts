import { expect, test } from 'vitest';
import { openPullRequest } from '../../../src/server/worker/pull-request.ts';
import { type Fault, openFakeGitHub } from '../../support/fake-github.ts';

const asked = { repository: 'octo-org/shop', title: 'x', body: 'x', head: 'agent-run/1', base: 'main' };
const pulls = 'POST /repos/octo-org/shop/pulls';
const gone = { on: 'GET /repos/octo-org/shop/pulls', status: 500 };

async function refusal(fault: Omit<Fault, 'on'>): Promise<{ said: string; apiUrl: string }> {
  const { apiUrl, faults } = await openFakeGitHub();
  faults.push({ on: pulls, ...fault }, gone);
  const opening = openPullRequest(asked, { host: { token: 't-1', apiUrl }, signal: new AbortController().signal });
  return { said: await opening.then(String, (error: Error) => error.message), apiUrl };
}

test.each([
  [
    { status: 422, body: { message: 'Validation Failed', errors: [{ field: 'base', code: 'invalid' }] } },
    /: Validation Failed; base: invalid$/,
  ],
  [
    { status: 422, body: { message: 'Validation Failed', errors: ['no such head', 7, {}] } },
    /: Validation Failed; no such head$/,
  ],
  [
    { status: 403, body: { message: 'Resource not accessible by personal access token' } },
    /^the host answered 403: Resource not accessible by personal access token; the token needs `pull-requests: write`$/,
  ],
  [{ status: 403, body: { message: 'No' } }, /^the host answered 403: No$/],
])('a refusal is told with all that the host says of it: %j', async (fault, message) => {
  expect((await refusal(fault)).said).toMatch(message);
});

test('a host that answered is not said to have been silent', async () => {
  const failed = await refusal({ status: 500, body: { message: 'oops' } });
  expect(failed.said).toBe(`${failed.apiUrl} answered 500: oops`);
  const page = await refusal({ status: 502, how: 'html' });
  expect(page.said).toBe(`${page.apiUrl} answered 502`);
  const strange = await refusal({ status: 200, body: {} });
  expect(strange.said).toBe(`${strange.apiUrl} answered with no pull request`);
  const lost = await refusal({ how: 'lost' });
  expect(lost.said).toContain(`${lost.apiUrl} did not answer: `);
});
