/**
 * `node scripts/record-agents.ts KIND [CASE…]`: runs an agent program, which is on PATH, through its cases against
 * the scripted model, and writes what it printed to test/server/harness/agents/fixtures/KIND/CASE.jsonl: a head line
 * with how it ended, then its events as far as readers look at them.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentHarness } from '../src/server/harness/agents/agent-harness.ts';
import { agentAdapters } from '../src/server/harness/agents/agent-table.ts';
import { startModelServer } from '../src/testing/index.ts';
import { type AgentCase, agentCases } from './agent-cases.ts';
import { type Recording, trimRecording } from './trim-recording.ts';

const key = 'key-of-the-recording';
/** Until a program has told of the tool that it runs. */
const settleMs = 1000;
const [kind = '', ...wanted] = process.argv.slice(2);
const adapter = agentAdapters[kind];
if (adapter === undefined) throw new RangeError(`there is no agent ${kind}; there are ${Object.keys(agentAdapters)}`);
const folder = join(import.meta.dirname, '../test/server/harness/agents/fixtures', kind);
await mkdir(folder, { recursive: true });
for (const name of wanted.length > 0 ? wanted : Object.keys(agentCases)) {
  const agentCase = agentCases[name];
  if (agentCase === undefined) throw new RangeError(`there is no case ${name}`);
  const startMs = Date.now();
  const recording = await record(agentCase);
  await writeFile(join(folder, `${name}.jsonl`), trimRecording(kind, recording));
  console.log(`${name}: ${JSON.stringify(recording.exit)} after ${(Date.now() - startMs) / 1000} s`);
}

async function record(agentCase: AgentCase): Promise<Recording> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'agent-recording-')));
  try {
    for (const name of ['workspace', 'state', 'temp', 'home']) await mkdir(join(root, name));
    const { before, resume } = agentCase;
    const first = before && (await runOnce(root, { script: before }, undefined));
    return await runOnce(root, agentCase, first?.sessionId ?? resume);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function runOnce(root: string, agentCase: AgentCase, sessionId: string | undefined): Promise<Recording> {
  if (adapter === undefined) throw new Error('there is no adapter');
  await using server = await startModelServer(agentCase.script, { apiKey: key });
  const [api] = adapter.apis;
  if (api === undefined) throw new Error('it speaks no language');
  const { steps = 50 } = agentCase;
  const harness = createAgentHarness(kind, adapter, {
    endpoint: {
      api,
      root: agentCase.isUnreachable ? 'http://127.0.0.1:9' : server.url,
      apiKey: agentCase.key ?? key,
    },
    model: 'm-1',
    models: undefined,
    program: undefined,
    steps,
    stallMs: 60_000,
    env: {},
  });
  const workspace = join(root, 'workspace');
  const { argv, env, stdin, reader } = await harness.prepare({
    instructions: [],
    prompt: { origin: 'the prompt', text: 'Do it.', firstLine: 1 },
    modelId: undefined,
    mcpServers: agentCase.mcpServers ?? [],
    skills: [],
    sessionId,
    searchPath: process.env.PATH ?? '',
    variables: {},
    workspace,
    stateDir: join(root, 'state'),
    tempDir: join(root, 'temp'),
  });
  const { PATH = '' } = process.env;
  const child = spawn(argv[0], argv.slice(1), {
    cwd: workspace,
    env: {
      PATH,
      LANG: 'C.UTF-8',
      CI: 'true',
      TERM: 'dumb',
      HOME: join(root, 'home'),
      TMPDIR: join(root, 'temp'),
      ...env,
    },
    detached: true,
  });
  child.stdin.end(stdin);
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  let read = 0;
  const looking = setInterval(() => {
    for (let end = printed.stdout.indexOf('\n', read); end >= 0; end = printed.stdout.indexOf('\n', read)) {
      reader?.readLine(printed.stdout.slice(read, end));
      read = end + 1;
    }
    // Not every program keeps to a limit of steps by itself.
    const isBeyond = (reader?.steps ?? 0) > steps;
    const signal = isBeyond ? 'SIGTERM' : existsSync(join(workspace, 'started')) ? agentCase.signal : undefined;
    if (signal === undefined || child.pid === undefined) return;
    clearInterval(looking);
    const { pid } = child;
    setTimeout(() => process.kill(-pid, signal), isBeyond ? 0 : settleMs);
  }, 100);
  const exit = await new Promise<Recording['exit']>(resolve => {
    child.on('close', (code, signal) => resolve({ exit_code: code, signal }));
  });
  clearInterval(looking);
  for (const line of printed.stdout.slice(read).split('\n')) reader?.readLine(line);
  return { ...printed, exit, root, url: server.url, sessionId: reader?.sessionId };
}
