/** How long a step's report may take, and what it reports meanwhile. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../../src/action/connect/connect.ts';
import { readInputs } from '../../../src/action/inputs/inputs.ts';
import { readStepContext } from '../../../src/action/inputs/step-context.ts';
import { reportEnd } from '../../../src/action/report/report.ts';
import { waitWithin } from '../../../src/action/report/report-time.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { decide } from '../../../src/action/verdict/verdict.ts';
import { AgentRuns, type Run } from '../../../src/client/index.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost, type FakeHost } from '../fake-host.ts';

/** A service whose responses never end. Counts the requests for each path. */
async function openDrippingService() {
  const asked: string[] = [];
  const service = createServer((incoming, outgoing) => {
    asked.push((incoming.url ?? '').replace('/api/v1/agent', ''));
    outgoing.writeHead(200, { 'Content-Type': 'text/plain' });
    const drip = setInterval(() => outgoing.write('x'), 20);
    outgoing.on('close', () => clearInterval(drip));
  });
  await new Promise<void>(ready => service.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    service.close();
    service.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  return { asked, client: new AgentRuns({ baseUrl, apiKey: 'key-of-the-service', logLevel: 'off' }) };
}

const run = {
  run_id: 'r-1',
  state: 'SUCCEEDED',
  title: 't',
  result: { text: 'the first part', truncated: true },
  artifacts: [{ artifact_type: 'FILE', created_at: 'x', data: { artifact_uid: 'a-1', filename: 'changes.patch' } }],
} as unknown as Run;

/** Reports a run's end while no request or report completes. */
async function openReport() {
  const { asked, client } = await openDrippingService();
  const host = createFakeHost({ prompt: 'x' }, { RUNNER_TEMP: createTempFolder() });
  const stop = new AbortController();
  const comment = {
    isAsked: false,
    end() {
      this.isAsked = true;
      return new Promise<void>(() => {});
    },
  };
  const end = {
    host,
    context: readStepContext(host),
    inputs: (await readInputs(host)).report,
    verdict: decide({ kind: 'ended' }, run, { requiresResult: false }),
    run,
    runId: run.run_id,
    connection: { client, fetch: globalThis.fetch, linkOf: () => undefined } as unknown as Connection,
    liveLog: undefined,
    address: '',
    signal: stop.signal,
    label: undefined,
    title: undefined,
    comment,
  };
  return { asked, host, stop, end };
}

const told = {
  conclusion: 'succeeded',
  state: 'SUCCEEDED',
  result: expect.stringMatching(/^the first part\n\n\(only the beginning/),
  result_file: '',
  result_truncated: 'true',
  patch_file: '',
};

/** Reads the file that the step names. */
const readPart = ({ warnings }: FakeHost) =>
  readFileSync(/the part that was read is in (.*)$/m.exec(warnings.join('\n'))?.[1] ?? '', 'utf8');

test('a report has one deadline, and available parts are reported even if others never arrive', async () => {
  const { asked, host, end } = await openReport();
  host.outputs.patch_file = '';
  const startedMs = performance.now();
  await reportEnd(end, { wholeMs: 1500, readMs: 1000 });
  expect(performance.now() - startedMs).toBeLessThan(15_000);
  expect(asked.toSorted()).toEqual(['/artifacts/a-1', '/runs/r-1/result']);
  expect(host.outputs).toMatchObject(told);
  expect(readPart(host)).toMatch(/^the first part\n\n\(only the beginning/);
  expect(host.summary.join('')).toContain('the first part');
  expect(host.summary.join('')).toContain('- ⚠️ the comment could not be written: the limit of 1.5 s');
  expect(host.warnings).toEqual([
    'the complete result could not be read: the limit of 1 s for reporting was reached',
    'the patch could not be written: the limit of 1 s for reporting was reached',
    expect.stringContaining('the result is incomplete'),
    'the comment could not be written: the limit of 1.5 s for reporting was reached',
  ]);
  expect(host.lines.at(-1)).toBe('conclusion: succeeded');
});

test.each(['reading', 'telling'] as const)(
  'a step that is canceled while its report is %s ends at once',
  async stage => {
    const { asked, host, stop, end } = await openReport();
    host.outputs.patch_file = '';
    const done = reportEnd(end, { wholeMs: 60_000, readMs: stage === 'reading' ? 60_000 : 100 });
    const isThere = () => (stage === 'reading' ? asked.length === 2 : end.comment.isAsked);
    await expect.poll(isThere, { interval: 10 }).toBe(true);
    const stoppedMs = performance.now();
    stop.abort();
    await done;
    expect(performance.now() - stoppedMs).toBeLessThan(15_000);
    expect(host.outputs).toMatchObject(told);
    expect(readPart(host)).toContain('the first part');
    expect([host.summary.length, host.lines.at(-1)]).toEqual([1, 'conclusion: succeeded']);
  },
);

test('a canceled step without its full result reports the part on the run', async () => {
  const server = await createTestServer({ faults: [{ kind: 'hang', route: 'readResult', times: 'all' }] });
  onTestFinished(() => server.stop());
  const prompt = fenced(`head -c 100000 /dev/zero | tr '\\0' x > "$AGENT_RUN_RESULT"`);
  const host = createFakeHost(
    { base_url: server.baseUrl, api_key: server.apiKey, prompt },
    { PATH: process.env.PATH ?? '', RUNNER_TEMP: createTempFolder() },
  );
  const ended = runAction(host);
  const isAsked = () => server.requests.some(({ route }) => route === 'readResult');
  await expect.poll(isAsked, { interval: 10 }).toBe(true);
  // Before anything that may never arrive.
  expect(host.outputs).toMatchObject({ conclusion: 'succeeded', result_truncated: 'true', result_empty: 'false' });
  const stoppedMs = performance.now();
  host.cancel();
  await ended;
  expect(performance.now() - stoppedMs).toBeLessThan(15_000);
  expect(host.summary.join('')).toContain('xxx');
});

test('the first to end counts: the work or the signal', async () => {
  const over = AbortSignal.abort(new Error('no time'));
  await expect(waitWithin(over, new Promise(() => {}))).rejects.toThrow('no time');
  const { signal } = new AbortController();
  expect(await waitWithin(signal, Promise.resolve(1))).toBe(1);
  await expect(waitWithin(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
