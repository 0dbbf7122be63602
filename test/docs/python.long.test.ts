/** The Python programs of the docs: each takes the types of the client, and runs to its end against a real server. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { type ModelScript, startModelServer } from '../../src/testing/index.ts';
import { testInPython } from '../python/python-tests.ts';
import { pythonFolder, runPython } from '../support/python.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTestServer, type TestServer, watchToEnd } from '../support/test-server.ts';

const pages = ['docs/python.md', 'docs/coming-from-another-client.md', 'python/README.md'];
const root = resolve(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/python.md'), 'utf8');
const guideCode = readFencedBlocks(guide)
  .map(({ code }) => code)
  .join('\n');
const examples = pages.flatMap(page =>
  readFencedBlocks(readFileSync(join(root, page), 'utf8'))
    .filter(({ language }) => language === 'python')
    .map(({ code, line }) => ({ place: `${page}:${line}`, code })),
);
const sources = { PYTHONPATH: join(pythonFolder, 'src') };
const timeoutMs = 120_000;

/** Leaves a file, and a result that is longer than the part inside a run. */
const work = 'cat; id > "$AGENT_RUN_ARTIFACTS/id.txt"; seq 20000';

/** The model of an agent that asks a question first. */
const asks: ModelScript = ({ toolResults }) =>
  toolResults.length > 0 ? { text: 'Done.' } : { tools: [{ shell: 'echo Really? > "$AGENT_RUN_QUESTION"' }] };

/** With two runs, which make two pages of a list. Its agent asks if the program answers. */
async function openServer(code: string): Promise<TestServer> {
  const model = await startModelServer(asks);
  onTestFinished(() => model.close());
  const builtin = {
    kind: 'builtin',
    endpoint: { api: 'anthropic', root: model.url, apiKey: undefined },
    model: 'any-model',
    models: undefined,
    program: undefined,
    steps: 10,
    stallMs: 60_000,
    env: {},
  } as const;
  // A run has to last until the program has renewed its lease.
  const seconds = code.includes('renew_lease') ? 3 : 0.2;
  const commands = {
    worker: { argv: ['sh', '-c', `sleep ${seconds}; ${work}`], env: {} },
    quick: { argv: ['sh', '-c', work], env: {} },
  } as const;
  const isAsking = code.includes('followup');
  const server = await openTestServer({
    harnesses: { default: isAsking ? 'builtin' : 'worker', script: false, commands, agents: { builtin } },
  });
  const config = { harness: { name: 'quick' } };
  for (const prompt of ['one', 'two'])
    await watchToEnd(server.client, (await server.client.runs.create({ prompt, config })).run_id);
  return server;
}

for (const { place, code } of examples)
  testInPython(
    ['httpx'],
    `${place} runs to its end`,
    async python => {
      const server = await openServer(code);
      const cwd = createTempFolder();
      const files = { 'program.py': code, 'api-key.txt': server.key, 'ca.pem': rootCertificates[0] ?? '' };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
      const service = { AGENT_RUN_BASE_URL: server.url, AGENT_RUN_API_KEY: server.key };
      const env = { ...sources, ...service, PATH: process.env.PATH };
      // What is left open or never awaited is a warning.
      const args = ['-W', 'always::ResourceWarning', 'program.py'];
      const { stdout, stderr } = await promisify(execFile)(python, args, { cwd, env, timeout: timeoutMs });
      expect(stderr).toBe('');
      expect(stdout).not.toBe('');
    },
    timeoutMs,
  );

testInPython(
  ['httpx', 'mypy'],
  'mypy --strict finds nothing in the Python programs of the docs',
  async python => {
    const cwd = createTempFolder();
    examples.forEach(({ code }, index) => {
      writeFileSync(join(cwd, `example_${index}.py`), code);
    });
    const args = ['-m', 'mypy', '--strict', '--enable-incomplete-feature=Unpack', '.'];
    const env = { MYPYPATH: sources.PYTHONPATH };
    expect(await runPython(python, args, { cwd, timeoutMs, env })).toMatch(/^Success/);
  },
  timeoutMs,
);

const listNames = `
import inspect, json, agent_run
from agent_run import *

def members(kind):
    return [name for name in dir(kind) if not name.startswith("_")]

client = AgentRuns(base_url="http://127.0.0.1:1", api_key="a-key")
parts = [client, client.runs, client.agent, client.artifacts]
public = {name: value for name, value in vars(agent_run).items() if not name.startswith("_")}
options = [CallOptions, ClientOptions, FollowOptions, WaitOptions]
print(json.dumps({
    "called": sorted({name for part in parts for name in members(part)} - {"close"}),
    "named": sorted(
        {name for kind in (AsyncAgentRuns, RunsPage, AsyncRunsPage, RawResponse) for name in members(kind)}
        | {name for kind in options for name in kind.__annotations__}
        | {name for name, value in public.items() if inspect.isclass(value) and issubclass(value, Exception)}
    ),
}))
client.close()
`;

testInPython(
  ['httpx'],
  'docs/python.md shows every call in a program, and names every option and error',
  async python => {
    const { called, named } = JSON.parse(await runPython(python, ['-c', listNames], { timeoutMs, env: sources }));
    expect(called).toContain('renew_lease');
    expect(called.filter((name: string) => !new RegExp(`\\.${name}\\b`).test(guideCode))).toEqual([]);
    expect(named.filter((name: string) => !new RegExp(`\\b${name}\\b`).test(guide))).toEqual([]);
  },
);
