import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openNetwork } from '../../../src/action/connect/network.ts';
import { readInputs } from '../../../src/action/inputs/inputs.ts';
import { readStepContext } from '../../../src/action/inputs/step-context.ts';
import { postAction } from '../../../src/action/post-action.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { explainRefusal, mayHaveStarted } from '../../../src/action/start/refusal.ts';
import { createApiError } from '../../../src/client/errors/answer-errors.ts';
import {
  ConnectionError,
  NotFoundError,
  StartUnknownError,
  UnexpectedResponseError,
} from '../../../src/client/index.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost } from '../fake-host.ts';

const reset = new ConnectionError('agents.example.com: the connection broke', {
  host: 'agents.example.com',
  fault: 'unreachable',
  neverLeft: false,
});

/** Returns the message for an error. `hasBegun`: a create was sent. */
async function refuse(error: unknown, words: Readonly<Record<string, string>> = {}, hasBegun = true) {
  const host = createFakeHost({ prompt: 'x', base_url: 'https://agents.example.com', ...words });
  const [inputs, network] = [await readInputs(host), await openNetwork({ variables: {} })];
  return await explainRefusal({
    host,
    error,
    context: readStepContext(host),
    inputs,
    network,
    isOpen: hasBegun && mayHaveStarted(error),
  });
}

test('if a run may have been started, no message says that none was', async () => {
  const refusal = await refuse(new StartUnknownError({ idempotencyKey: 'step-1', cause: reset }));
  expect(refusal).toMatchObject({
    kind: 'not_started',
    phase: 'start',
    why: expect.stringMatching(
      /^It is unclear whether a run was started: agents.example.com: the connection broke.*step-1/,
    ),
  });
  expect(refusal).not.toMatchObject({ why: expect.stringContaining('No run was started') });
  expect(await refuse(reset, {}, false)).toMatchObject({
    why: expect.stringMatching(/^No run was started, because the server cannot/),
  });
});

test('an unexpected error after the create began leaves open whether a run was started', async () => {
  for (const error of [new TypeError('x is undefined'), reset, 'a text'])
    expect(await refuse(error)).toMatchObject({
      why: expect.stringMatching(/^It is unclear whether a run was started: .*Check the list of runs/),
    });
  expect(await refuse(new TypeError('x is undefined'), {}, false)).toMatchObject({
    why: 'No run was started: x is undefined',
  });
});

test('a run whose response breaks the step is left to the post step and not called unstarted', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const readStatus = Object.getOwnPropertyDescriptor(Response.prototype, 'status')?.get;
  // Only the body of a create response is used, and no Response can be made with this status.
  const status = vi.spyOn(Response.prototype, 'status', 'get').mockImplementation(function (this: Response) {
    return this.url.endsWith('/runs') ? 204 : readStatus?.call(this);
  });
  onTestFinished(() => status.mockRestore());
  const words = { base_url: server.baseUrl, api_key: server.apiKey, prompt: fenced('sleep 60') };
  const host = createFakeHost(words, { GITHUB_RUN_ID: '1', GITHUB_JOB: 'a', GITHUB_EVENT_NAME: 'push' });
  await runAction(host);
  expect(host.outputs).toMatchObject({
    conclusion: 'start_failed',
    failure_reason: expect.stringMatching(/^It is unclear whether a run was started: /),
  });
  await postAction(host);
  expect(host.lines.join()).toMatch(/run \S+ was still running and was told to stop/);
});

test('a run whose ID fits no address still counts as started', async () => {
  const server = await createTestServer({
    faults: [
      { kind: 'answer', status: 200, body: { run_id: '\ud800', state: 'QUEUED' }, route: 'createRun', times: 'all' },
    ],
  });
  onTestFinished(() => server.stop());
  const host = createFakeHost({ base_url: server.baseUrl, api_key: server.apiKey, prompt: fenced('sleep 60') });
  await runAction(host);
  expect(host.outputs).toMatchObject({
    conclusion: 'lost',
    failure_reason: expect.stringContaining('The step lost contact with the run'),
  });
});

test('an unknown authority points to `ca_file`, whether it is set or not', async () => {
  const unknown = new ConnectionError('agents.example.com: the certificate is not trusted', {
    host: 'agents.example.com',
    fault: 'certificate',
    neverLeft: true,
    cause: Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
  });
  expect(await refuse(unknown)).toMatchObject({ why: expect.stringContaining('Set `ca_file` to the authority') });
  const given = await refuse(unknown, { ca_file: 'authority.pem' });
  expect(given).toMatchObject({ why: expect.stringContaining('`ca_file` does not contain') });
});

test('an address of a web page or another service points to `base_url`', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const step = async (inputs: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>> = {}) => {
    const words = { base_url: server.baseUrl, api_key: server.apiKey, prompt: 'x', ...inputs };
    const host = createFakeHost(words, variables);
    await runAction(host);
    // A person finds the run by this ID.
    expect([host.outputs.run_id, host.outputs.attached]).toEqual([
      inputs.run_id ?? '',
      inputs.run_id === undefined ? 'false' : 'true',
    ]);
    return host.outputs.failure_reason;
  };
  const page = `${new URL(server.baseUrl).origin}/runs`;
  const run = { prompt: '', run_id: '0192f000-0000-7000-8000-000000000000' };
  expect(await step({ base_url: page })).toMatch(/\. Check `base_url`: its path is \/runs,/);
  expect(await step({ base_url: page, ...run })).toMatch(/\. Check `base_url`: its path is \/runs,/);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['AGENT_RUN_BASE_URL', 'OZ_API_BASE_URL']) {
    // The client reads the environment itself.
    vi.stubEnv(name, page);
    const ofVariable = await step({ base_url: '' }, { [name]: page });
    expect(ofVariable).toContain(`. Check ${name}: its path is /runs,`);
    expect(ofVariable).not.toContain('base_url');
    vi.unstubAllEnvs();
  }
  // An ID that the server does not know is not a fault of its address.
  expect(await step(run)).not.toContain('base_url');
  expect(await step({ environment_id: 'none' })).not.toContain('base_url');
  const facts = { method: 'POST', path: '/agent/runs', headers: new Headers(), body: '<h1>Not found</h1>' };
  expect(await refuse(new NotFoundError({ ...facts, status: 404 }))).toMatchObject({
    why: expect.stringMatching(/\. Check `base_url`$/),
  });
});

test('a web page with a success status points to `base_url`, for a create and for a read', async () => {
  const web = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>');
  });
  await new Promise<void>(open => web.listen(0, '127.0.0.1', open));
  onTestFinished(() => {
    web.close();
    web.closeAllConnections();
  });
  const { port } = web.address() as AddressInfo;
  const words = { base_url: `http://127.0.0.1:${port}`, api_key: 'some-key', prompt: 'x' };
  const host = createFakeHost(words);
  await runAction(host);
  expect(host.outputs.failure_reason).toBe(
    'No run was started: POST /agent/runs: 200 is not JSON (text/html): "<h1>Hello</h1>". Check `base_url`',
  );
  const page = { method: 'GET', path: '/agent/runs/x', headers: new Headers(), text: '', why: 'is not JSON' };
  expect(await refuse(new UnexpectedResponseError({ ...page, status: 200 }))).toMatchObject({
    why: expect.stringMatching(/\. Check `base_url`$/),
  });
  const cut = await refuse(new UnexpectedResponseError({ ...page, status: 200, cut: true }));
  expect(cut).not.toMatchObject({ why: expect.stringContaining('base_url') });
});

test.each([429, 503])('a %i that asks for a longer wait than the step has is reported with that wait', async status => {
  const server = await createTestServer({
    faults: [
      { kind: 'answer', status, body: {}, headers: { 'Retry-After': '99999' }, route: 'createRun', times: 'all' },
    ],
  });
  onTestFinished(() => server.stop());
  const words = { base_url: server.baseUrl, api_key: server.apiKey, prompt: 'x', timeout_minutes: '0.1' };
  const host = createFakeHost(words);
  await runAction(host);
  expect(host.outputs).toMatchObject({
    conclusion: 'start_failed',
    failure_reason: expect.stringMatching(
      status === 429
        ? /^No run was started: POST \/agent\/runs: 429: .*; the server asks to wait 99999 s, which is longer than the step waits$/
        : /^It is unclear whether a run was started: POST \/agent\/runs: 503: .*; the server asks to wait 99999 s\. Check the list/,
    ),
  });
});

test("request members in a server's message are named by their inputs", async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const host = createFakeHost({
    base_url: server.baseUrl,
    api_key: server.apiKey,
    prompt: 'x',
    mcp_servers: 'web: { comand: x }',
  });
  await runAction(host);
  expect(host.outputs.failure_reason).toMatch(
    /^No run was started: POST \/agent\/runs: 400 invalid_request: `mcp_servers\.web`: unknown member "comand"/,
  );
});

test('a web page with status 401 or 403 points to address, proxy and firewall, not to the key', async () => {
  const facts = { method: 'POST', path: '/agent/runs', headers: new Headers({ 'Content-Type': 'text/html' }) };
  for (const status of [400, 401, 403]) {
    const page = createApiError({ ...facts, status, body: '<html>nginx</html>' });
    expect(await refuse(page)).toMatchObject({
      kind: 'not_started',
      why: `Probably no run was started: a proxy or firewall seems to have answered in place of the server: POST /agent/runs: ${status}: text/html "<html>nginx</html>". Check \`base_url\`${status === 400 ? '' : ', `api_key`'}, and the proxy or firewall`,
    });
  }
  const word = createApiError({ ...facts, status: 401, body: { error: 'Invalid API key' } });
  expect(await refuse(word)).toMatchObject({
    why: expect.stringMatching(/does not accept the key.*Check `api_key` \(401\)$/),
  });
});

test.skipIf(process.platform === 'win32')(
  'a model key that the event withholds is explained by the event, like a server key',
  async () => {
    const step = async (inputs: Readonly<Record<string, string>>, actor = 'dependabot[bot]') => {
      const variables = {
        PATH: process.env.PATH ?? '',
        MODEL_TOKEN: '',
        ANTHROPIC_API_KEY: '',
        GITHUB_EVENT_NAME: 'push',
        GITHUB_REPOSITORY: 'octo-org/shop',
        GITHUB_ACTOR: actor,
        RUNNER_TEMP: createTempFolder(),
        GITHUB_WORKSPACE: createTempFolder(),
      };
      const host = createFakeHost({ prompt: 'x', event_context: 'off', ...inputs }, variables);
      await runAction(host);
      return host.outputs;
    };
    const dependabot = 'empty: a workflow that Dependabot starts gets Dependabot secrets instead of Actions secrets';
    for (const inputs of [
      { model_id: 'm-1' },
      { command: 'cat', pass_env: 'MODEL_TOKEN', on_missing_credentials: 'skip' },
    ])
      expect((await step(inputs)).failure_reason).toContain(dependabot);
    const unset = await step({ model_id: 'gpt-9' });
    expect(unset.failure_reason).toMatch(
      /OPENAI_API_KEY under `env:` of the step, but it is not set\. Set `[^`]*` there$/,
    );
    expect(await step({ model_id: 'm-1' }, 'mona')).toMatchObject({
      conclusion: 'start_failed',
      failure_reason: expect.stringMatching(
        /is empty: the secret is not set .*misspel.*\. Set the one of your provider there/,
      ),
    });
  },
);
