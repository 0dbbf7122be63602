/**
 * Every input has a visible effect when changed from its default: in the run, outputs, log, summary or conclusion.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { runAction } from '../../src/action/run-action.ts';
import { AgentRuns, type Run } from '../../src/client/index.ts';
import { agentPrograms } from '../../src/server/index.ts';
import { createTestServer, type TestServer, type TestServerOptions } from '../../src/testing/index.ts';
import { openFakeGitHub } from '../support/fake-github.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced } from '../support/test-server.ts';
import { createFakeHost, type FakeHost } from './fake-host.ts';

type Words = Readonly<Record<string, string>>;

/** A server, and a job that runs its steps one after another. */
interface Job {
  readonly server: TestServer;
  readonly client: AgentRuns;
  readonly workspace: string;
  step(inputs: Words, more?: { readonly variables?: Words; readonly event?: unknown }): Promise<FakeHost>;
  runOf(host: FakeHost): Promise<Run>;
}

const quick = fenced('echo at work', 'echo "the result" > "$AGENT_RUN_RESULT"');
const sleeping = fenced('sleep 30');
/** No listener there. */
const noEndpoint = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
const soon = { prompt: sleeping, timeout_minutes: '0.004' };

async function openJob(options: TestServerOptions = {}): Promise<Job> {
  const server = await createTestServer(options);
  onTestFinished(() => server.stop());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
  const [workspace, tempDir] = [createTempFolder(), createTempFolder()];
  return {
    server,
    client,
    workspace,
    async step(inputs, { variables = {}, event = {} } = {}) {
      writeFileSync(join(tempDir, 'event.json'), JSON.stringify(event));
      const host = createFakeHost(
        { base_url: server.baseUrl, api_key: server.apiKey, prompt: quick, ...inputs },
        {
          PATH: process.env.PATH ?? '',
          GITHUB_WORKSPACE: workspace,
          RUNNER_TEMP: tempDir,
          GITHUB_REPOSITORY: 'octo-org/shop',
          GITHUB_RUN_ID: '1658821493',
          GITHUB_JOB: 'agent',
          GITHUB_ACTION: '__self',
          GITHUB_SERVER_URL: 'https://github.com',
          GITHUB_EVENT_PATH: join(tempDir, 'event.json'),
          ...variables,
        },
      );
      await runAction(host);
      return host;
    },
    runOf: async host => await client.runs.retrieve(host.outputs.run_id ?? ''),
  };
}

/** A service whose every run SUCCEEDED without output. */
async function openSilentService(features: string): Promise<string> {
  const run_id = '0192f000-0000-7000-8000-000000000000';
  const run = { run_id, task_id: run_id, state: 'SUCCEEDED', title: 't', prompt: 'x' };
  const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:01.000Z' };
  const service = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Agent-Run-Features': features });
    outgoing.end(JSON.stringify({ ...run, ...times }));
  });
  await new Promise<void>(ready => service.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    service.close();
    service.closeAllConnections();
  });
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

/** A job with a fake GitHub where mona may write. */
async function openCommentingJob() {
  const github = await openFakeGitHub();
  github.permissions.set('mona', { permission: 'write', id: 7 });
  const job = await openJob();
  const step: Job['step'] = (inputs, { variables, event } = {}) =>
    job.step(inputs, { event, variables: { ...variables, GITHUB_API_URL: github.apiUrl } });
  return { github, job: { ...job, step }, on: { github_token: 'token-of-the-job' } };
}

const embedded = { base_url: '', api_key: '' };
const mona = { login: 'mona', id: 7, type: 'User' };
const helper = { login: 'helper[bot]', id: 9, type: 'Bot' };
const comment = {
  action: 'created',
  issue: { number: 7, title: 'It does not work', user: mona },
  comment: { id: 1, body: '/agent look', user: mona, author_association: 'OWNER' },
  repository: { id: 1, full_name: 'octo-org/shop', owner: { login: 'octo-org', type: 'Organization' } },
  sender: mona,
};
const byMona = {
  event: comment,
  variables: { GITHUB_EVENT_NAME: 'issue_comment', GITHUB_ACTOR: 'mona', GITHUB_TRIGGERING_ACTOR: 'mona' },
};
const byStranger = { ...byMona, event: { ...comment, comment: { ...comment.comment, author_association: 'NONE' } } };
const byBot = {
  event: { ...comment, sender: helper },
  variables: { ...byMona.variables, GITHUB_ACTOR: 'helper[bot]', GITHUB_TRIGGERING_ACTOR: 'helper[bot]' },
};
const waitFor = async (client: AgentRuns, body: Parameters<AgentRuns['runs']['create']>[0]) =>
  (await client.runs.create(body)).run_id;
const logOf = (host: FakeHost) => host.lines.join('\n');

/** A check for each input. */
const shown: Readonly<Record<string, () => Promise<void>>> = {
  async prompt() {
    const job = await openJob();
    expect((await job.runOf(await job.step({}))).prompt).toBe(quick);
  },
  async prompt_file() {
    const job = await openJob();
    writeFileSync(join(job.workspace, 'p.md'), fenced('echo from a file'));
    expect((await job.runOf(await job.step({ prompt: '', prompt_file: 'p.md' }))).prompt).toContain('from a file');
  },
  async skill_spec() {
    const job = await openJob();
    expect((await job.step({ skill_spec: 'octo-org/shop:none' })).outputs.failure_reason).toContain('octo-org/shop');
  },
  async model_id() {
    const job = await openJob();
    expect((await job.runOf(await job.step({ model_id: 'm-1' }))).agent_config?.model_id).toBe('m-1');
  },
  async environment_id() {
    const job = await openJob();
    expect((await job.step({ environment_id: 'e-1' })).outputs.failure_reason).toContain(': `environment_id`');
  },
  async name() {
    const job = await openJob();
    const host = await job.step({ name: 'nightly' });
    expect([(await job.runOf(host)).agent_config?.name, host.outputs.name]).toEqual(['nightly', 'nightly']);
  },
  async title() {
    const job = await openJob();
    const host = await job.step({ title: 'A look' });
    expect([(await job.runOf(host)).title, host.outputs.title]).toEqual(['A look', 'A look']);
  },
  async base_prompt() {
    const job = await openJob();
    expect((await job.runOf(await job.step({ base_prompt: 'Be short.' }))).agent_config?.base_prompt).toBe('Be short.');
  },
  async mcp_servers() {
    const job = await openJob();
    const host = await job.step({ mcp_servers: '{"docs":{"url":"https://mcp.example.com"}}' });
    expect(host.outputs.failure_reason).toContain(': `mcp_servers`: ');
  },
  async output_schema() {
    const job = await openJob();
    expect((await job.step({ output_schema: 'type: object' })).outputs.failure_reason).toContain(
      'does not satisfy the output schema: ',
    );
  },
  async harness() {
    const job = await openJob();
    expect((await job.step({ harness: 'claude' })).outputs.failure_reason).toContain('no harness "claude"');
  },
  async harness_version() {
    const job = await openJob();
    const RUNNER_TOOL_CACHE = createTempFolder();
    const { package: name, file } = agentPrograms.claude;
    const program = join(RUNNER_TOOL_CACHE, 'agent-run/claude@2.1.999/node_modules', name, file);
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const agent = { base_url: '', api_key: '', prompt: 'x', model_id: 'm', harness: 'claude' };
    const variables = { ANTHROPIC_API_KEY: 'a-key-of-the-model', RUNNER_TOOL_CACHE, ...noEndpoint };
    const host = await job.step({ ...agent, harness_version: '2.1.999' }, { variables });
    expect(logOf(host)).toContain(`Claude Code 2.1.999: ${program}`);
    expect(host.outputs.failure_reason).toContain('exit code 3');
    const builtin = await job.step({ ...agent, harness: 'builtin', harness_version: '2.1.999' }, { variables });
    expect(builtin.outputs.failure_reason).toContain(
      '`harness_version` is the version of an agent program. Set `harness`',
    );
    const remote = await job.step({ harness: 'claude', harness_version: '2.1.999' });
    expect(remote.outputs.failure_reason).toContain(
      '`harness_version` is for an agent in this step, but `base_url` names',
    );
  },
  async metadata() {
    const job = await openJob();
    expect((await job.runOf(await job.step({ metadata: 'team=platform' }))).metadata).toMatchObject({
      team: 'platform',
    });
  },
  async base_url() {
    const job = await openJob();
    const host = await job.step({ base_url: 'https://agents.example.com:0x' });
    expect([host.outputs.conclusion, host.outputs.failure_reason]).toEqual([
      'start_failed',
      expect.stringContaining('`base_url` must be a URL'),
    ]);
    // The log begins with the run, without additions to the address.
    expect(logOf(await job.step({}))).toMatch(/^run \S+\nsee http/);
  },
  async api_key() {
    const job = await openJob();
    const host = await job.step({ api_key: 'not-a-key-of-this-server' });
    expect(host.outputs.failure_reason).toContain('does not accept the key');
    expect(host.masks).toContain('not-a-key-of-this-server');
    // The post step has nothing to look for.
    expect(host.state.step_key).toBe('');
  },
  async ca_file() {
    const job = await openJob();
    expect((await job.step({ ca_file: 'none.pem' })).outputs.failure_reason).toContain('none.pem');
  },
  async allow_http() {
    const job = await openJob();
    // Loopback in a spelling that does not look like it.
    const base_url = job.server.baseUrl.replace('127.0.0.1', '[::ffff:127.0.0.1]');
    expect((await job.step({ base_url })).outputs.failure_reason).toContain(
      'would send the key unencrypted. Use "https:',
    );
    expect((await job.step({ base_url, allow_http: 'true' })).outputs.conclusion).toBe('succeeded');
  },
  async command() {
    const job = await openJob();
    const host = await job.step({ ...embedded, prompt: 'count me', command: 'wc -c' });
    expect([host.outputs.conclusion, host.outputs.result?.trim()]).toEqual(['succeeded', '8']);
    expect(job.server.requests).toEqual([]);
  },
  async pass_env() {
    const job = await openJob();
    const step = (inputs: Words) =>
      job.step(
        { ...embedded, prompt: 'x', command: '["sh", "-c", "echo ${MODEL_KEY:-none} ${MODEL_MODE:-none}"]', ...inputs },
        { variables: { MODEL_KEY: 'of-the-model', MODEL_MODE: 'of-the-tools' } },
      );
    expect((await step({})).outputs.result).toBe('none none\n');
    expect((await step({ pass_env: 'MODEL_KEY MODEL_MODE' })).outputs.result).toBe('*** of-the-tools\n');
  },
  async working_directory() {
    const job = await openJob();
    const repository = join(job.workspace, 'repo');
    for (const folder of ['repo/src', 'elsewhere']) mkdirSync(join(job.workspace, folder), { recursive: true });
    execFileSync('git', ['init', '--quiet', repository]);
    const command = `sh -c 'pwd; echo new > file.txt'`;
    const step = (inputs: Words) => job.step({ ...embedded, prompt: 'x', command, ...inputs });
    const host = await step({ working_directory: 'repo/src' });
    expect(host.outputs.result).toBe(`${realpathSync(join(repository, 'src'))}\n`);
    expect(readFileSync(host.outputs.patch_file ?? '', 'utf8')).toContain('+++ b/repo/src/file.txt');
    const asked = { ...embedded, prompt: 'x', model_id: 'large', working_directory: 'elsewhere' };
    const empty = await job.step(asked, { variables: { ANTHROPIC_API_KEY: 'key-of-the-model', ...noEndpoint } });
    expect(empty.warnings).toContainEqual(expect.stringMatching(/^The workspace is empty, so the agent sees no code/));
    expect(empty.summary.join('')).toContain('- ⚠️ The workspace is empty, so the agent sees no code');
    const onServer = await job.step({ working_directory: 'repo' });
    expect(onServer.outputs.failure_reason).toContain('`working_directory` is a folder of this job');
  },
  async allow_script() {
    const job = await openJob();
    expect((await job.step(embedded)).outputs.failure_reason).toContain('allow_script');
    expect((await job.step({ ...embedded, allow_script: 'true' })).outputs.result).toBe('the result\n');
  },
  async wait() {
    const job = await openJob();
    const host = await job.step({ prompt: sleeping, wait: 'false' });
    expect([host.outputs.conclusion, host.failures]).toEqual(['started', []]);
    expect((await job.runOf(host)).lease_expires_at).toBeUndefined();
    expect(host.outputs.created_at).toMatch(/^\d{4}-/);
  },
  async run_id() {
    const job = await openJob();
    const run_id = await waitFor(job.client, { prompt: quick });
    const host = await job.step({ prompt: '', run_id });
    expect(host.outputs).toMatchObject({ run_id, attached: 'true', conclusion: 'succeeded', result: 'the result\n' });
    expect((await job.client.runs.list()).runs).toHaveLength(1);
  },
  async cancel() {
    const job = await openJob();
    const run_id = await waitFor(job.client, { prompt: sleeping });
    const host = await job.step({ prompt: '', run_id, cancel: 'true' });
    expect([host.outputs.conclusion, host.outputs.state, host.failures]).toEqual(['cancelled', 'CANCELLED', []]);
    const { run_id: over } = await job.client.runs.create({ prompt: quick });
    await job.client.runs.wait(over);
    const late = await job.step({ prompt: '', run_id: over, cancel: 'true', wait: 'false' });
    expect(late.outputs).toMatchObject({ conclusion: 'succeeded', state: 'SUCCEEDED', result: 'the result\n' });
  },
  async timeout_minutes() {
    const job = await openJob();
    const host = await job.step(soon);
    expect(host.outputs).toMatchObject({ conclusion: 'timed_out', failure_phase: 'run', state: 'CANCELLED' });
  },
  async queue_timeout_minutes() {
    const job = await openJob({ limits: { concurrency: 1 } });
    await waitFor(job.client, { prompt: sleeping });
    const host = await job.step({ queue_timeout_minutes: '0.004' });
    expect(host.outputs).toMatchObject({
      conclusion: 'timed_out',
      failure_phase: 'queue',
      failure_reason: expect.stringContaining('Raise `queue_timeout_minutes`'),
    });
  },
  async stall_timeout_minutes() {
    const job = await openJob();
    const host = await job.step({ prompt: sleeping, stall_timeout_minutes: '0.01' });
    expect(host.outputs.failure_reason).toContain(
      'The run stalled: it showed no activity for 0.6 s. Raise `stall_timeout_minutes`',
    );
  },
  async on_timeout() {
    const job = await openJob();
    const host = await job.step({ ...soon, on_timeout: 'leave' });
    expect(host.outputs).toMatchObject({
      conclusion: 'timed_out',
      failure_reason: expect.stringContaining('The run continues'),
    });
    const run = await job.runOf(host);
    expect([run.state, run.lease_expires_at, host.state.is_done]).toEqual(['INPROGRESS', undefined, 'true']);
  },
  async on_blocked() {
    const blocked = { kind: 'unknown-state', state: 'BLOCKED', route: 'readRun' } as const;
    const step = async (on_blocked: string) => {
      const job = await openJob({ faults: [blocked] });
      const { outputs, failures } = await job.step({ prompt: fenced('sleep 0.3; echo done'), on_blocked });
      return [outputs.conclusion, failures.length];
    };
    expect(await step('fail')).toEqual(['blocked', 1]);
    expect(await step('neutral')).toEqual(['blocked', 0]);
    expect(await step('wait')).toEqual(['succeeded', 0]);
  },
  async rerun() {
    const job = await openJob();
    const first = await job.step({ ...soon, on_timeout: 'leave' });
    const again = { variables: { GITHUB_RUN_ATTEMPT: '2' } };
    const attached = await job.step({ ...soon, on_timeout: 'leave' }, again);
    expect([attached.outputs.run_id, attached.outputs.attached]).toEqual([first.outputs.run_id, 'true']);
    const anew = await job.step({ ...soon, rerun: 'new' }, again);
    expect(anew.outputs.run_id).not.toBe(first.outputs.run_id);
  },
  async lease() {
    // An ended run shows no lease, so the test reads it while the step follows it.
    const leaseOf = async (lease: string) => {
      const job = await openJob();
      const ended = job.step({ prompt: fenced('sleep 1'), require_result: 'false', lease });
      const working = async () => (await job.client.runs.list()).runs.find(({ state }) => state === 'INPROGRESS');
      let run: Run | undefined;
      const look = async () => {
        run ??= await working();
        return run;
      };
      await expect.poll(look, { interval: 20 }).toBeDefined();
      expect((await ended).outputs.conclusion).toBe('succeeded');
      return [run?.state, run?.lease_expires_at];
    };
    expect(await Promise.all([leaseOf('true'), leaseOf('false')])).toEqual([
      ['INPROGRESS', expect.stringMatching(/^\d{4}-/)],
      ['INPROGRESS', undefined],
    ]);
  },
  async fail_on() {
    const job = await openJob();
    const host = await job.step({ prompt: fenced('exit 3'), fail_on: 'lost' });
    expect([host.outputs.conclusion, host.failures]).toEqual(['failed', []]);
    expect(host.warnings.join()).toContain('exit code 3');
    const wanted = await job.step({ prompt: fenced('exit 0'), fail_on: 'succeeded' });
    expect(wanted.failures).toEqual([expect.stringContaining('conclusion: succeeded, which `fail_on` lists. See')]);
  },
  async fail_when() {
    const job = await openJob();
    const output_schema = 'properties: { verdict: { type: string } }';
    const answer = (verdict: string) => fenced(`echo '{"verdict":"${verdict}"}' > "$AGENT_RUN_RESULT"`);
    const gated = { output_schema, fail_when: 'verdict == request_changes', fail_on: 'none' };
    const rejected = await job.step({ ...gated, prompt: answer('request_changes') });
    expect([rejected.outputs.conclusion, rejected.outputs.result_json]).toEqual([
      'rejected',
      '{"verdict":"request_changes"}',
    ]);
    expect(rejected.failures).toEqual([expect.stringContaining('The result meets `fail_when: verdict == request_ch')]);
    const passed = await job.step({ ...gated, prompt: answer('approve') });
    expect([passed.outputs.conclusion, passed.failures]).toEqual(['succeeded', []]);
  },
  async require_result() {
    const step = async (features: string, require_result: string) => {
      const job = await openJob();
      const base_url = await openSilentService(features);
      return (await job.step({ base_url, require_result })).outputs.conclusion;
    };
    expect(await step('result', '')).toBe('failed');
    expect(await step('result', 'false')).toBe('succeeded');
    expect(await step('', '')).toBe('succeeded');
    expect(await step('', 'true')).toBe('failed');
  },
  async log() {
    const job = await openJob();
    expect(logOf(await job.step({ log: 'normal' }))).toContain('│ at work');
    expect(logOf(await job.step({ log: 'quiet' }))).not.toContain('at work');
    expect(logOf(await job.step({ log: 'full', prompt: fenced('seq 5000') }))).toContain('│ 4500');
    expect(logOf(await job.step({ prompt: fenced('seq 5000') }))).not.toContain('│ 4500');
  },
  async summary() {
    const job = await openJob();
    expect((await job.step({})).summary.join()).toContain('the result');
    expect((await job.step({ summary: 'false' })).summary).toEqual([]);
  },
  async result_file() {
    const job = await openJob();
    const host = await job.step({ result_file: 'out/result.md' });
    expect(host.outputs.result_file).toBe(join(job.workspace, 'out/result.md'));
    expect(readFileSync(host.outputs.result_file ?? '', 'utf8')).toBe('the result\n');
    const usual = await job.step({});
    expect([existsSync(usual.outputs.result_file ?? ''), usual.outputs.result_file?.includes(job.workspace)]).toEqual([
      true,
      false,
    ]);
  },
  async annotations() {
    const job = await openJob();
    const failing = { prompt: fenced('exit 3') };
    expect((await job.step(failing)).failures.length).toBe(1);
    const plain = await job.step({ ...failing, annotations: 'false', name: 'again' });
    expect([plain.plainFailures.length, plain.failures.length]).toEqual([1, 0]);
  },
  async comment() {
    const { job, github, on } = await openCommentingJob();
    await job.step({ ...on, comment: 'off' }, byMona);
    await job.step({ ...on, comment: 'on_failure' }, byMona);
    expect(github.comments).toEqual([]);
    await job.step({ ...on, comment: 'on_failure', prompt: fenced('exit 3') }, byMona);
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('exit code 3')]);
    // A step that passes after a failure updates the comment.
    await job.step({ ...on, comment: 'on_failure', name: 'mended' }, byMona);
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('succeeded')]);
    await job.step({ ...on, comment: 'on', name: 'again' }, byMona);
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('the result')]);
    // A failure without a run is an end too.
    await job.step({ ...on, comment: 'on', api_key: 'not-a-key-of-this-server' }, byMona);
    expect(github.comments.map(({ body }) => body)).toEqual([expect.stringContaining('start failed')]);
  },
  async review() {
    const { job, github, on } = await openCommentingJob();
    await job.step({ ...on, review: 'off' }, byMona);
    expect(github.requests.filter(({ path }) => path.includes('/pulls/'))).toEqual([]);
    // The event is a comment on an issue.
    const refused = await job.step({ ...on, review: 'on' }, byMona);
    expect([refused.outputs.conclusion, refused.outputs.failure_reason]).toEqual([
      'start_failed',
      expect.stringContaining('`review`'),
    ]);
  },
  async comment_key() {
    const { job, github, on } = await openCommentingJob();
    for (const comment_key of ['a', 'b', 'a']) await job.step({ ...on, comment: 'on', comment_key }, byMona);
    expect(github.comments.map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- agent-run:a -->',
      '<!-- agent-run:b -->',
    ]);
  },
  async github_token() {
    const { job, github, on } = await openCommentingJob();
    const without = await job.step({ ...on, comment: 'on', github_token: '' }, byMona);
    expect([without.warnings.join(), github.requests]).toEqual([expect.stringContaining('`github_token`'), []]);
    await job.step({ ...on, comment: 'on', name: 'again' }, byMona);
    expect(github.requests.map(({ token }) => token)).toContain(`token ${on.github_token}`);
  },
  async allow_bots() {
    const job = await openJob();
    const refused = await job.step({}, byBot);
    expect([refused.outputs.conclusion, refused.failures]).toEqual(['skipped', []]);
    expect(refused.outputs.failure_reason).toContain('helper[bot]');
    expect((await job.step({ allow_bots: 'helper[bot]' }, byBot)).outputs.conclusion).toBe('succeeded');
  },
  async require_permission() {
    const job = await openJob();
    const { job: asked, github: knowing, on: withToken } = await openCommentingJob();
    knowing.permissions.set('mona', { permission: 'read', id: 7 });
    const refused = await asked.step(withToken, byMona);
    expect(refused.outputs).toMatchObject({ conclusion: 'skipped', failure_phase: 'permission' });
    expect(refused.failures).toEqual([]);
    expect((await job.step({ require_permission: 'none' }, byStranger)).outputs.conclusion).toBe('succeeded');
    expect((await job.client.runs.list()).runs).toHaveLength(1);
    // An unknown permission prevents the start and fails the step. A stranger gets no comment.
    const { job: asking, github, on } = await openCommentingJob();
    github.faults.push({ on: 'GET', status: 401, body: { message: 'Bad credentials' }, times: 99 });
    const unknown = await asking.step({ ...on, comment: 'on' }, byMona);
    expect(unknown.outputs).toMatchObject({ conclusion: 'start_failed', failure_phase: 'permission', run_id: '' });
    expect([unknown.failures.length, github.calls().filter(call => !call.includes('/permission'))]).toEqual([1, []]);
  },
  async event_context() {
    const job = await openJob();
    const { prompt: told, title } = await job.runOf(await job.step({}, byMona));
    expect(title).toBe('echo at work');
    expect([told.endsWith(quick), told.includes('It does not work'), told.includes('/agent look')]).toEqual([
      true,
      true,
      true,
    ]);
    expect((await job.runOf(await job.step({ event_context: 'off' }, byMona))).prompt).toBe(quick);
  },
  async on_missing_credentials() {
    const job = await openJob();
    const failed = await job.step({ api_key: '' });
    expect([failed.outputs.conclusion, failed.failures.length]).toEqual(['start_failed', 1]);
    const skipped = await job.step({ api_key: '', on_missing_credentials: 'skip' });
    expect([skipped.outputs.conclusion, skipped.failures]).toEqual(['skipped', []]);
    expect(skipped.outputs.failure_reason).toContain('`api_key` is empty');
    // A set key is not one that the event withholds.
    const skip = { on_missing_credentials: 'skip' };
    const wrong = await job.step({ api_key: 'Bearer abcdefgh', ...skip });
    expect(wrong.outputs.failure_reason).toContain('`api_key` contains a space');
    const variables = { AGENT_RUN_BASE_URL: 'https://agents.example.com', AGENT_RUN_API_KEY: 'key-of-another' };
    vi.stubEnv('AGENT_RUN_BASE_URL', variables.AGENT_RUN_BASE_URL);
    vi.stubEnv('AGENT_RUN_API_KEY', variables.AGENT_RUN_API_KEY);
    const foreign = await job.step({ api_key: '', ...skip }, { variables });
    vi.unstubAllEnvs();
    expect(foreign.outputs.failure_reason).toMatch(/the key in AGENT_RUN_API_KEY belongs to https:.*give `api_key`/);
    // Without a server it is the agent's key, named by its variable or its provider.
    const own = { ...embedded, prompt: 'x', command: 'cat' };
    const env = { variables: { MODEL_KEY: '', FLAG: '' } };
    const keyless = await job.step({ ...own, pass_env: 'MODEL_KEY', ...skip }, env);
    expect([keyless.outputs.conclusion, keyless.failures]).toEqual(['skipped', []]);
    expect(keyless.outputs.failure_reason).toContain('`pass_env`: MODEL_KEY is empty');
    expect((await job.step({ ...own, pass_env: 'FLAG', ...skip }, env)).outputs.conclusion).toBe('succeeded');
    const warned = await job.step({ ...own, pass_env: 'MODEL_KEY' }, env);
    expect([warned.outputs.conclusion, warned.warnings.join()]).toEqual([
      'succeeded',
      expect.stringContaining('MODEL_KEY is empty, so the agent does not get it'),
    ]);
    for (const agent of [{ model_id: 'm' }, { model_id: 'm', harness: 'claude' }]) {
      const [left, red] = [
        await job.step({ ...embedded, ...agent, prompt: 'x', ...skip }),
        await job.step({ ...embedded, ...agent, prompt: 'x' }),
      ];
      expect([left.outputs.conclusion, red.outputs.conclusion]).toEqual(['skipped', 'start_failed']);
    }
    // A step without any agent is a mistake, not a missing key.
    expect((await job.step({ ...embedded, prompt: 'x', ...skip })).outputs.conclusion).toBe('start_failed');
    for (const { outputs, failures } of [wrong, foreign])
      expect([outputs.conclusion, failures.length]).toEqual(['start_failed', 1]);
    expect(job.server.requests).toEqual([]);
  },
  async matrix_context() {
    const job = await openJob();
    const step = (matrix_context: string) => job.step({ ...soon, on_timeout: 'leave', matrix_context });
    const [a, again, b] = [await step('{"p":"a"}'), await step('{ "p": "a" }'), await step('{"p":"b"}')];
    expect(again.outputs.run_id).toBe(a.outputs.run_id);
    expect(b.outputs.run_id).not.toBe(a.outputs.run_id);
  },
  async job_index() {
    const job = await openJob();
    const step = (job_index: string) => job.step({ ...soon, on_timeout: 'leave', job_index });
    expect((await step('1')).outputs.run_id).not.toBe((await step('0')).outputs.run_id);
  },
};

test.each(Object.entries(shown))('%s', async (_name, look) => await look());

test('a manually started run knows repository, ref and commit', async () => {
  const job = await openJob();
  const sha = 'c0ffee'.padEnd(40, '0');
  const variables = { GITHUB_EVENT_NAME: 'workflow_dispatch', GITHUB_REF: 'refs/heads/main', GITHUB_SHA: sha };
  const runOf = async (event_context: string) => job.runOf(await job.step({ event_context }, { variables }));
  const [told, untold] = await Promise.all([runOf('auto'), runOf('off')]);
  expect(told).toMatchObject({ repository: 'octo-org/shop', ref: 'refs/heads/main', sha, prompt: quick });
  expect([untold.repository, untold.ref, untold.sha]).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['workflow_dispatch', { inputs: { task: 'tidy' } }, '"inputs":{"task":"tidy"}'],
  ['schedule', { schedule: '17 4 * * 1' }, '"schedule":"17 4 * * 1"'],
  ['push', { before: 'b'.repeat(40) }, `"before":"${'b'.repeat(40)}"`],
])("the agent reads %s, and the run's title still comes from the prompt", async (name, payload, told) => {
  const job = await openJob();
  const event = join(createTempFolder(), 'event.json');
  writeFileSync(event, JSON.stringify(payload));
  const variables = { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: event };
  const runOf = async (event_context: string) => job.runOf(await job.step({ event_context }, { variables }));
  const [run, untold] = await Promise.all([runOf('auto'), runOf('off')]);
  expect(run.prompt).toContain(`{"event":"${name}"`);
  expect(run.prompt).toContain(told);
  expect([untold.prompt, run.title]).toEqual([quick, untold.title]);
});

test('a step that holds a lease renews that of an attached run at once', async () => {
  const job = await openJob();
  const left = { ...soon, on_timeout: 'leave' };
  const first = await job.step(left);
  const renewals = () => job.server.requests.filter(({ route }) => route === 'renewLease').length;
  const again = (lease: string) => job.step({ ...left, lease }, { variables: { GITHUB_RUN_ATTEMPT: '2' } });
  expect([(await again('false')).outputs.run_id, renewals()]).toEqual([first.outputs.run_id, 0]);
  expect([(await again('true')).outputs.run_id, renewals()]).toEqual([first.outputs.run_id, 1]);
});

test('a runner without facts about job, event and folders is enough for a run', async () => {
  const { server, client } = await openJob();
  const host = createFakeHost({ base_url: server.baseUrl, api_key: server.apiKey, prompt: quick });
  await runAction(host);
  expect(host.outputs).toMatchObject({ conclusion: 'succeeded', result: 'the result\n', attached: 'false' });
  expect(host.warnings).toEqual([]);
  expect((await client.runs.retrieve(host.outputs.run_id ?? '')).trigger_url).toBeUndefined();
  rmSync(dirname(host.outputs.result_file ?? ''), { recursive: true });
});

test('every input is in this table', () => {
  const { inputs } = parse(readFileSync(resolve(import.meta.dirname, '../../action.yml'), 'utf8'));
  expect(Object.keys(shown).toSorted()).toEqual(Object.keys(inputs).toSorted());
});
