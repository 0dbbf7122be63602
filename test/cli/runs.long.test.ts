import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/arguments.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { readRunBody } from '../../src/cli/create-body.ts';
import type { Run, RunEvent } from '../../src/client/index.ts';
import { limitsSchema } from '../../src/server/config/config-schema.ts';
import { environmentOf } from '../server/worker/environment-fixture.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced, openTestServer, type TestServer } from '../support/test-server.ts';
import { type CommandEnd, type RunningCommand, startCommand } from './command.ts';
import { createFakeShell } from './fake-shell.ts';

const limits = limitsSchema.parse({ min_lease_seconds: 1 });
const envOf = ({ url, key }: TestServer) => ({ AGENT_RUN_BASE_URL: url, AGENT_RUN_API_KEY: key });

function start(server: TestServer, args: readonly string[], input?: string): RunningCommand {
  return startCommand(args, { env: envOf(server), ...(input === undefined ? {} : { input }) });
}

function command(server: TestServer, args: readonly string[], input?: string): Promise<CommandEnd> {
  return start(server, args, input).ended;
}

/** Runs the command in this process. */
async function call({ url, key }: TestServer, ...args: readonly string[]): Promise<CommandEnd> {
  const shell = createFakeShell({ cwd: '/' });
  const code = await runCommandLine(['--base-url', url, '--api-key', key, ...args], shell);
  return { code, stdout: shell.printed.join('\n'), stderr: shell.notes.join('\n') };
}

const runIdOf = ({ stderr }: CommandEnd): string => /^run ([\w-]+)$/m.exec(stderr)?.[1] ?? 'no run id';

test('run prints only the result on stdout, and no control characters on stdout or stderr', async () => {
  const server = await openTestServer();
  const block = String.raw`
    printf '\033]0;owned\007out \033[31mred\033[0m\n'
    printf 'state: SUCCEEDED' >&2
    printf '# Done\033[2J\n\tall \302\233of it\n' > "$AGENT_RUN_RESULT"`;
  const end = await command(server, ['run', fenced(block), '--name', 'nightly', '--title', 'Look']);
  expect([end.code, end.stdout]).toEqual([0, '# Done\n\tall of it\n']);
  const runId = runIdOf(end);
  const lines = end.stderr.split('\n');
  expect(lines.slice(0, 2)).toEqual([`run ${runId}`, expect.stringContaining(`/runs/${runId}?`)]);
  // The agent's output is behind a bar and cannot pass for a line of the command.
  expect(lines).toContain('│ out red');
  expect(lines).toContain('│ state: SUCCEEDED');
  expect(lines.filter(line => line === 'state: SUCCEEDED')).toHaveLength(1);
  expect(lines.at(-2)).toBe('The run succeeded');
  for (const control of '\x1b\x9b\x07') expect(end.stderr).not.toContain(control);
  const run = await server.client.runs.retrieve(runId);
  expect(run).toMatchObject({ source: 'CLI', title: 'Look', agent_config: { name: 'nightly' } });
  expect(run.result?.text).toContain('\x1b[2J');
});

test('run exits with 1 for a failure, with the reason as the last line', async () => {
  const server = await openTestServer();
  const end = await call(server, 'run', fenced('echo "the run succeeded" >&2; exit 3'));
  expect([end.code, end.stdout]).toEqual([1, '']);
  expect(end.stderr).toMatch(/\nThe run failed \(agent_failed\): [^\n]*exit code 3[^\n]*$/);
});

test('run on a terminal does not repeat an answer that the log showed', async () => {
  const { url, key } = await openTestServer();
  const args = ['run', fenced('echo hello'), '--base-url', url, '--api-key', key];
  const shell = { ...createFakeShell({ cwd: '/' }), isTerminal: true };
  expect(await runCommandLine(args, shell)).toBe(0);
  expect([shell.printed, shell.notes]).toEqual([[], expect.arrayContaining(['│ hello', 'The run succeeded'])]);
});

test('run prints a long result in full', async () => {
  const server = await openTestServer();
  const end = await call(server, 'run', fenced('head -c 200000 /dev/zero | tr "\\0" x > "$AGENT_RUN_RESULT"'));
  expect([end.code, end.stdout.length]).toEqual([0, 200_000]);
});

test('run keeps a prompt from standard input or a file unchanged', async () => {
  const server = await openTestServer();
  const prompt = `  ünïcode: $HOME "quotes"\n${fenced('echo fine')}\n\n`;
  const file = join(createTempFolder(), 'prompt.md');
  writeFileSync(file, prompt);
  const ends = await Promise.all([
    command(server, ['run', '--prompt', '-', '--no-wait'], prompt),
    call(server, 'run', '--prompt-file', file, '--no-wait'),
  ]);
  for (const end of ends) {
    expect(end.code).toBe(0);
    expect((await server.client.runs.retrieve(end.stdout.trim())).prompt).toBe(prompt);
  }
});

test("run prints the server's warnings about the request on stderr", async () => {
  const answer = { run_id: 'r-1', task_id: 'r-1', state: 'QUEUED', warnings: ['"x" is not known here.'] };
  const service = createServer((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify(answer));
  });
  await new Promise<void>(ready => service.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    service.close();
    service.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const end = await call({ url, key: 'key-of-the-service' } as TestServer, 'run', 'x', '--no-wait');
  expect(end).toEqual({ code: 0, stdout: 'r-1', stderr: 'run r-1\nwarning: "x" is not known here.' });
});

test('run --no-wait prints only the id on stdout, and takes no lease', async () => {
  const server = await openTestServer();
  const { stdout, stderr } = await call(server, 'run', fenced('sleep 30'), '--no-wait');
  expect(stderr.split('\n')[0]).toBe(`run ${stdout}`);
  expect((await server.client.runs.retrieve(stdout)).lease_expires_at).toBeUndefined();
});

test('run holds a lease only while it follows, longer than it tolerates an outage', async () => {
  const server = await openTestServer();
  const running = start(server, ['run', fenced('echo ready; sleep 30')]);
  await running.says('│ ready');
  const [run] = (await server.client.runs.list()).runs;
  const leftMs = Date.parse(run?.lease_expires_at ?? '') - Date.now();
  expect(leftMs).toBeGreaterThan(300_000);
  expect(leftMs).toBeLessThan(600_000);
});

test('--json prints one document, or one event a line, and nothing else on stdout', async () => {
  const server = await openTestServer();
  const failed = await command(server, ['run', '--json', fenced(String.raw`printf '\033[1mx\n'; exit 1`)]);
  const run = JSON.parse(failed.stdout) as Run;
  expect([failed.code, run.state, run.run_id]).toEqual([1, 'FAILED', runIdOf(failed)]);
  // Reading a failed run is a successful request.
  const got = await call(server, 'get', '--json', run.run_id);
  expect([got.code, JSON.parse(got.stdout)]).toEqual([0, await server.client.runs.retrieve(run.run_id)]);
  const list = await call(server, 'list', '--json', '--state', 'failed');
  expect([list.code, (JSON.parse(list.stdout) as Run[]).map(item => item.run_id)]).toEqual([0, [run.run_id]]);
  const followed = await call(server, 'logs', '--follow', '--json', run.run_id);
  const events = followed.stdout.split('\n').map(line => JSON.parse(line) as RunEvent);
  expect([followed.code, events.map(event => event.seq)]).toEqual([1, events.map((_, index) => index + 1)]);
  expect(events.find(event => event.type === 'log' && event.data.stream === 'stdout')?.data).toMatchObject({
    text: '\x1b[1mx\n',
  });
  expect(events.at(-1)).toMatchObject({ type: 'state', data: { state: 'FAILED' } });
  const started = await call(server, 'run', '--json', '--no-wait', fenced('true'));
  expect([started.code, JSON.parse(started.stdout)]).toEqual([0, expect.objectContaining({ state: 'QUEUED' })]);
});

test('list prints a table of 80 columns with the requested number of runs, and says if there are more', async () => {
  const server = await openTestServer();
  for (const title of ['First', `Second ${'long '.repeat(30)}\x1b[31m`, 'Third'])
    await server.client.runs.create({ prompt: 'x', title, config: { name: 'job' } });
  const { code, stdout, stderr } = await call(server, 'list', '--name', 'job', '--limit', '2');
  const lines = stdout.split('\n');
  expect([code, lines.length]).toEqual([0, 3]);
  expect(lines[0]).toMatch(/^RUN {7}STATE +AGE +NAME +TITLE$/);
  for (const line of lines.slice(1)) expect(line).toMatch(/^\w{8} {2}[A-Z]+ +\d+ s +job {3}(Third|Second)/);
  expect(lines.every(line => line.length <= 80)).toBe(true);
  expect(stderr).toContain('There are more runs');
  expect((await call(server, 'list', '--name', 'job', '--limit', '3')).stderr).toBe('');
  expect(await call(server, 'list', '--name', 'nobody')).toEqual({ code: 0, stdout: '', stderr: 'No runs found' });
});

test('list reads several pages, each run once', async () => {
  const server = await openTestServer();
  const prompt = 'long '.repeat(199_000);
  for (let count = 0; count < 6; count += 1) await server.client.runs.create({ prompt });
  expect((await server.client.runs.list({ limit: 6 })).runs.length).toBeLessThan(6);
  const { stdout } = await call(server, 'list', '--json', '--limit', '6');
  expect(new Set((JSON.parse(stdout) as Run[]).map(run => run.run_id)).size).toBe(6);
});

test('cancel stops a working run, and exits with 1 for an ended or unknown one', async () => {
  const server = await openTestServer();
  const { run_id: runId } = await server.client.runs.create({ prompt: fenced('sleep 30') });
  expect(await call(server, 'cancel', '--reason', 'not today', runId)).toEqual({
    code: 0,
    stdout: `Canceling run ${runId}`,
    stderr: '',
  });
  expect(await server.client.runs.wait(runId)).toMatchObject({
    state: 'CANCELLED',
    status_message: { message: expect.stringContaining(': not today') },
  });
  const late = await call(server, 'cancel', '--json', runId);
  expect(late).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^agent-run: [^\n]* over [^\n]*$/) });
  const unknown = await call(server, 'cancel', '0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55');
  expect(unknown).toEqual({
    code: 1,
    stdout: '',
    stderr: 'agent-run: This server has no run 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55; see npx agent-run list',
  });
  expect((await call(server, 'get', runId)).stdout).toMatch(/^state +CANCELLED$/m);
});

test('a wrong key exits with 3, and no key is shown', async () => {
  const server = await openTestServer();
  const { code, stdout, stderr } = await call({ ...server, key: 'a-wrong-secret' }, 'run', 'x');
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(
    /^agent-run: No run was started. The server does not accept the API key\. Check --api-key or AGENT_RUN_API_KEY\.$/,
  );
  expect(stderr).not.toContain('a-wrong-secret');
});

test('an unknown skill starts nothing and exits with 3', async () => {
  const server = await openTestServer();
  const { code, stderr } = await call(server, 'run', '--skill', 'octo-org/nowhere:none');
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^agent-run: No run was started. The server refused the request: [^\n]+$/),
  ]);
  expect((await server.client.runs.list()).runs).toEqual([]);
});

test('list in a pipe cuts nothing', async () => {
  const server = await openTestServer();
  const title = 'long '.repeat(30).trim();
  await server.client.runs.create({ prompt: 'x', title, config: { name: 'n'.repeat(40) } });
  expect((await command(server, ['list'])).stdout).toMatch(new RegExp(`  n{40}  ${title}\n$`));
});

test("a refusal exits with 3 and shows the server's words without HTTP terms", async () => {
  const server = await openTestServer();
  const { code, stderr } = await call(server, 'list', '--created-after', 'yesterday');
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^agent-run: The server refused the request: --created-after: must be an RFC 3339 time/),
  ]);
});

test('ctrl-C on run cancels the run and waits for its end', async () => {
  const server = await openTestServer();
  const running = start(server, ['run', fenced('echo ready; sleep 60')]);
  await running.says('│ ready');
  running.child.kill('SIGINT');
  const end = await running.ended;
  expect([end.code, end.stdout]).toEqual([1, '']);
  expect(end.stderr).toMatch(/\nThe run was canceled[^\n]*\n$/);
  expect((await server.client.runs.retrieve(runIdOf(end))).state).toBe('CANCELLED');
});

test('a second ctrl-C on run ends it at once, and the run is still canceled', async () => {
  const server = await openTestServer({ limits: { ...limits, grace_seconds: 3 } });
  const running = start(server, ['run', fenced('trap "" TERM; echo ready; while :; do sleep 0.1; done')]);
  await running.says('│ ready');
  running.child.kill('SIGINT');
  await running.says('Canceling the run');
  const runId = (await server.client.runs.list()).runs[0]?.run_id ?? '';
  for await (const run of server.client.runs.follow(runId)) if (run.cancel_requested_at !== undefined) break;
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  expect((await server.client.runs.retrieve(runId)).state).toBe('INPROGRESS');
  expect((await server.client.runs.wait(runId)).state).toBe('CANCELLED');
});

test('ctrl-C on logs --follow leaves the run alone and says so', async () => {
  const server = await openTestServer();
  const { run_id: runId } = await server.client.runs.create({ prompt: fenced('echo ready; sleep 60') });
  const running = start(server, ['logs', '--follow', runId]);
  await running.says('│ ready');
  running.child.kill('SIGINT');
  const end = await running.ended;
  expect([end.code, end.stderr]).toEqual([
    130,
    expect.stringContaining(`may still be running on the server.\nLook again: npx agent-run get ${runId}\n`),
  ]);
  expect(await server.client.runs.retrieve(runId)).toMatchObject({ state: 'INPROGRESS' });
});

test("logs prints a run's log; with --follow the exit code says how it ended", async () => {
  const server = await openTestServer();
  const { run_id: runId } = await server.client.runs.create({ prompt: fenced('printf "a\nno end"; exit 3') });
  await server.client.runs.wait(runId);
  const lines = /^state: QUEUED\nstate: INPROGRESS\n[\s\S]*│ a\n│ no end\nstate: FAILED$/;
  const end = await call(server, 'logs', runId);
  expect(end).toEqual({ code: 0, stdout: expect.stringMatching(lines), stderr: '' });
  const followed = await call(server, 'logs', '--follow', runId);
  expect([followed.code, followed.stdout]).toEqual([1, end.stdout]);
  expect(followed.stderr).toMatch(/^The run failed \(agent_failed\): [^\n]+$/);
});

test('logs of a working run ends with its log so far', async () => {
  const server = await openTestServer();
  const { run_id: runId } = await server.client.runs.create({ prompt: fenced('echo so far; sleep 60') });
  await expect.poll(async () => (await call(server, 'logs', runId)).stdout, { timeout: 10_000 }).toContain('│ so far');
});

test('wait prints only how the run ended, and exits with its verdict', async () => {
  const server = await openTestServer();
  const { run_id: good } = await server.client.runs.create({ prompt: fenced('echo x; sleep 0.3') });
  expect(await call(server, 'wait', good)).toEqual({ code: 0, stdout: '', stderr: 'The run succeeded' });
  const { run_id: bad } = await server.client.runs.create({ prompt: fenced('exit 3') });
  const { code, stdout } = await call(server, 'wait', '--json', bad);
  expect([code, JSON.parse(stdout).state]).toEqual([1, 'FAILED']);
});

test('run --timeout-minutes cancels a run that has not ended by then', async () => {
  const server = await openTestServer();
  const end = await call(server, 'run', '--timeout-minutes', '0.02', fenced('sleep 60'));
  expect(end.code).toBe(1);
  expect(end.stderr).toContain('Timed out after 0.02 minutes (--timeout-minutes). Canceling the run.\n');
  expect(await server.client.runs.retrieve(runIdOf(end))).toMatchObject({
    state: 'CANCELLED',
    status_message: { message: expect.stringContaining(': timed out after 0.02 minutes (--timeout-minutes)') },
  });
});

test('a closed stdout (`| head`) ends the output without an error', async () => {
  const server = await openTestServer();
  const { run_id: runId } = await server.client.runs.create({ prompt: fenced('while :; do echo x; sleep 0.2; done') });
  const listing = start(server, ['list']);
  const following = start(server, ['logs', '--follow', '--json', runId]);
  listing.child.stdout.destroy();
  await following.says('"seq":3');
  following.child.stdout.destroy();
  expect(await listing.ended).toEqual({ code: 0, stdout: '', stderr: '' });
  const end = await following.ended;
  expect([end.code, end.stderr]).toEqual([130, '']);
  expect(await server.client.runs.retrieve(runId)).toMatchObject({ state: 'INPROGRESS' });
});

/** A server with an environment and an agent that leaves files. Its events include tool calls. */
async function openLeavingServer() {
  const server = await openTestServer({
    environments: [environmentOf(undefined, { uid: 'E'.repeat(22), name: 'shop' })],
  });
  const script = 'mkdir "$AGENT_RUN_ARTIFACTS/out"; echo page > "$AGENT_RUN_ARTIFACTS/out/a.html"; echo done';
  const end = await call(server, 'run', '--environment', 'shop', fenced(script));
  return { server, end, runId: runIdOf(end) };
}

test("get and run print a run's artifacts, agent and place, each name once", async () => {
  const { server, end, runId } = await openLeavingServer();
  expect(end.stderr).toContain(
    `\nleft: file: out/a.html, 5 bytes\nGet the files: npx agent-run artifacts ${runId} --download DIR\nThe run succeeded`,
  );
  const { stdout } = await call(server, 'get', runId);
  for (const row of [/^harness +script$/m, /^environment +shop$/m, /^left +file: out\/a\.html, 5 bytes$/m])
    expect(stdout).toMatch(row);
  expect(stdout).toMatch(new RegExp(`^conversation +${runId}$`, 'm'));
  const run = JSON.parse((await call(server, 'get', '--json', runId)).stdout) as Run;
  expect([run.environment_name, run.artifacts?.length]).toEqual(['shop', 1]);
});

test('artifacts prints a list or JSON, and saves files; an existing file stays and exits with 1', async () => {
  const { server, runId } = await openLeavingServer();
  expect(await call(server, 'artifacts', runId)).toEqual({ code: 0, stdout: 'file  out/a.html  5 bytes', stderr: '' });
  const { artifacts } = await server.client.runs.retrieve(runId);
  expect(JSON.parse((await call(server, 'artifacts', runId, '--json')).stdout)).toEqual(artifacts);
  const folder = join(createTempFolder(), 'left');
  const path = join(folder, 'out/a.html');
  expect(await call(server, 'artifacts', runId, '--download', folder)).toEqual({ code: 0, stdout: path, stderr: '' });
  expect(readFileSync(path, 'utf8')).toBe('page\n');
  writeFileSync(path, 'mine');
  const again = await call(server, 'artifacts', runId, '--download', folder);
  expect(again).toEqual({
    code: 1,
    stdout: '',
    stderr: 'agent-run: out/a.html already exists and was not overwritten',
  });
  expect(readFileSync(path, 'utf8')).toBe('mine');
  const other = join(createTempFolder(), 'left');
  const json = (await call(server, 'artifacts', runId, '--json', '--download', other)).stdout;
  expect(JSON.parse(json)[0].data.path).toBe(join(other, 'out/a.html'));
});

test('artifacts says that a run left nothing', async () => {
  const server = await openTestServer();
  const { run_id: runId } = await server.client.runs.create({ prompt: fenced('echo x') });
  await server.client.runs.wait(runId);
  const end = await call(server, 'artifacts', runId);
  expect(end).toEqual({ code: 0, stdout: '', stderr: 'The run left no artifacts' });
});

test('run has a flag for each agent input of the action, and the server gets it', async () => {
  const folder = createTempFolder();
  const servers = { docs: { command: 'docs-server', args: ['--stdio'] } };
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  writeFileSync(join(folder, 'schema.yaml'), 'type: object\nrequired: [risk]\n');
  const shell = createFakeShell({ cwd: folder });
  const args = parseCommandLine([
    ...['run', 'Look.', '--harness', 'claude', '--model', 'm-1', '--base-prompt', 'Be short.'],
    ...[
      '--mcp-servers',
      '.mcp.json',
      '--output-schema',
      'schema.yaml',
      '--metadata',
      'team=shop',
      '--metadata',
      'a=b=c',
    ],
    ...['--skill', 'octo-org/shop:review', '--skill', 'octo-org/shop:style'],
  ]);
  if (args.kind !== 'command') throw new Error('it is no command');
  expect(await readRunBody(args.args, shell, undefined)).toEqual({
    prompt: 'Look.',
    metadata: { team: 'shop', a: 'b=c' },
    config: {
      harness: { type: 'claude' },
      model_id: 'm-1',
      base_prompt: 'Be short.',
      mcp_servers: servers,
      output_schema: { type: 'object', required: ['risk'] },
      skills: ['octo-org/shop:review', 'octo-org/shop:style'],
    },
  });
});

test.each([
  [3, ['--harness', 'claude'], ' --harness: this server has no harness "claude"; it has script'],
  [3, ['--mcp-servers', '{"docs":{"url":"https://mcp.example.com"}}'], ' --mcp-servers: the harness script'],
  [3, ['--mcp-servers', '{"docs":{"url":5}}'], ' --mcp-servers.docs'],
  [3, ['--environment', 'none'], ' --environment: this server has no environment "none"'],
  [3, ['--conversation', '0'.repeat(36)], ' --conversation: this server has no conversation'],
  [2, ['--output-schema', 'none.json'], 'Cannot read none.json: the file does not exist'],
  [2, ['--mcp-servers', '[1]'], '--mcp-servers: the value must be an object'],
  [2, ['--metadata', 'team'], '--metadata must be key=value, not "team"'],
  [2, ['--metadata', 'a=1', '--metadata', 'a=2'], '--metadata "a" is given twice'],
])('exit code %d: run %j starts nothing and says why', async (expected, flags, words) => {
  const server = await openTestServer();
  const { code, stderr } = await call(server, 'run', 'Look.', ...flags);
  expect([code, stderr]).toEqual([expected, expect.stringContaining(words)]);
  expect((await server.client.runs.list()).runs).toEqual([]);
});
