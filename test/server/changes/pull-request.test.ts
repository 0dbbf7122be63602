import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { openPullRequest } from '../../../src/server/changes/pull-request.ts';
import { type Fault, openFakeGitHub } from '../../support/fake-github.ts';

const asked = { repository: 'octo-org/shop', title: 'x', body: 'x', head: 'agent-run/1', base: 'main' };
const pulls = 'POST /repos/octo-org/shop/pulls';
const list = 'GET /repos/octo-org/shop/pulls';
const gone = { on: list, status: 500, times: 2 };
const made = { on: pulls, status: 201, body: { html_url: 'https://example.com/pull/1' } };

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
])('a refusal contains everything that the host says: %j', async (fault, message) => {
  expect((await refusal(fault)).said).toMatch(message);
});

test('a host that answered is not reported as silent', async () => {
  const failed = await refusal({ status: 500, body: { message: 'oops' } });
  expect(failed.said).toBe(`${failed.apiUrl} answered 500: oops`);
  const proxyResponse = await refusal({ status: 502, how: 'html' });
  expect(proxyResponse.said).toBe(`${proxyResponse.apiUrl} answered 502`);
  const unknownResponse = await refusal({ status: 200, body: {} });
  expect(unknownResponse.said).toBe(`${unknownResponse.apiUrl} answered with no pull request`);
  const lost = await refusal({ how: 'lost' });
  expect(lost.said).toContain(`${lost.apiUrl} did not answer: `);
});

test('a request whose response got lost is not repeated; the list is asked, twice if that fails', async () => {
  const { apiUrl, faults, calls } = await openFakeGitHub();
  faults.push(
    { on: pulls, how: 'lost' },
    { on: list, status: 502 },
    { on: list, status: 200, body: [{ html_url: 'https://example.com/pull/7' }] },
  );
  const opening = openPullRequest(asked, { host: { token: 't-1', apiUrl }, signal: new AbortController().signal });
  expect(await opening).toBe('https://example.com/pull/7');
  expect(calls()).toEqual([pulls, list, list]);
});

const limited = (seconds: number) => ({
  on: pulls,
  status: 403,
  headers: { 'retry-after': String(seconds) },
  body: { message: 'You have exceeded a secondary rate limit' },
});

test('a rate limit is retried once after the given delay, if that is short', async () => {
  const [soon, late] = [await openFakeGitHub(), await openFakeGitHub()];
  soon.faults.push(limited(1), made);
  late.faults.push(limited(600));
  const open = (apiUrl: string) =>
    openPullRequest(asked, { host: { token: 't-1', apiUrl }, signal: new AbortController().signal });
  expect(await open(soon.apiUrl)).toBe('https://example.com/pull/1');
  expect(soon.calls()).toEqual([pulls, pulls]);
  await expect(open(late.apiUrl)).rejects.toThrow('the host answered 403: You have exceeded a secondary rate limit');
  expect(late.calls()).toEqual([pulls]);
});

test('the signal ends every wait at once, and nothing is printed', async () => {
  const sleep = vi.spyOn(systemClock, 'sleep');
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map(name => vi.spyOn(console, name));
  const [limiting, silent] = [await openFakeGitHub(), await openFakeGitHub()];
  limiting.faults.push(limited(60));
  silent.faults.push({ on: pulls, how: 'silent' });
  const stopping = new AbortController();
  const openings = [limiting, silent].map(({ apiUrl }) =>
    expect(openPullRequest(asked, { host: { token: 't-1', apiUrl }, signal: stopping.signal })).rejects.toThrow('stop'),
  );
  await expect.poll(() => sleep.mock.calls.map(([ms]) => ms)).toEqual([60_000]);
  await expect.poll(() => silent.requests.length).toBe(1);
  stopping.abort(new Error('stop'));
  await Promise.all(openings);
  // Its timer is gone by then.
  await expect(sleep.mock.results[0]?.value).rejects.toThrow('stop');
  expect([...limiting.calls(), ...silent.calls()]).toEqual([pulls, pulls]);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
