/** A real server with every kind of harness, environments that work and that fail, and skills; gone after the test. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeEnvironmentUid } from '../../src/server/environments/environment.ts';
import { type ModelScript, startModelServer } from '../../src/testing/index.ts';
import { environmentOf, repositoryAt } from '../server/worker/environment-fixture.ts';
import { openFakeGitHub } from '../support/fake-github.ts';
import { createOrigin, openGitHost } from '../support/git-host.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const recordings = resolve(import.meta.dirname, '../server/harness/agents/fixtures');
const modelKey = 'key-of-the-scripted-model';
const hostToken = 'token-of-the-host-0123456789';

/** Chosen by words of the prompt. */
const script: ModelScript = ({ messages, toolResults }) => {
  const said = messages.map(({ text }) => text).join('\n');
  if (said.includes('Ask me.') && !said.includes('The blue one.'))
    return toolResults.length === 0
      ? { tools: [{ shell: 'echo "Red or blue?" > "$AGENT_RUN_QUESTION"' }] }
      : { text: 'I have asked.' };
  if (said.includes('Never stop.')) return { tools: [{ shell: 'true' }] };
  if (said.includes('Wait.')) return { tools: [{ shell: 'sleep 60' }] };
  return { text: 'Done.', usage: { input: 100, output: 20 } };
};

/**
 * A program in place of a real one: prints what the real one printed once, and ends as that did. `play:NAME` on its
 * standard input names another recording than that of a success, or `silence`.
 */
function writePlayer(folder: string, kind: string): string {
  const program = join(folder, kind);
  const lines = [
    `#!${process.execPath}`,
    "const { readFileSync } = require('node:fs');",
    "const name = /play:([\\w-]+)/.exec(readFileSync(0, 'utf8'))?.[1] ?? 'success';",
    "if (name === 'silence') setTimeout(() => {}, 60_000);",
    'else {',
    `  const [head, ...lines] = readFileSync(${JSON.stringify(join(recordings, kind))} + '/' + name + '.jsonl', 'utf8').trimEnd().split('\\n');`,
    '  const { exit_code, stderr } = JSON.parse(head);',
    '  process.stderr.write(stderr);',
    "  process.stdout.write(lines.join('\\n') + '\\n');",
    '  process.exitCode = exit_code;',
    '}',
  ];
  writeFileSync(program, `${lines.join('\n')}\n`);
  chmodSync(program, 0o755);
  return program;
}

/** Pushes to it are refused. */
function createRefusingOrigin(): ReturnType<typeof createOrigin> {
  const origin = createOrigin({ 'a.txt': 'a\n' }, { name: 'octo-org/closed' });
  writeFileSync(join(origin.folder, 'hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return origin;
}

function writeSkills(): string {
  const folder = createTempFolder();
  const files = {
    greet: '---\nname: greet\ndescription: Says hello\n---\n```sh\necho hello\n```\n',
    broken: '---\nname: [\n---\nx\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, '.agents/skills', name), { recursive: true });
    writeFileSync(join(folder, '.agents/skills', name, 'SKILL.md'), text);
  }
  return folder;
}

export interface TourServer extends TestServer {
  /** The same server on the same data, after this one was stopped, with a shorter time for runs. */
  restart(): Promise<TestServer>;
}

export async function openTourServer(): Promise<TourServer> {
  const model = await startModelServer(script, { apiKey: modelKey });
  onTestFinished(() => model.close());
  const folder = createTempFolder();
  const agent = <const Kind extends string, const Api extends string>(kind: Kind, api: Api) => ({
    kind,
    endpoint: { api, root: model.url, apiKey: modelKey },
    model: 'm-1',
    models: undefined,
    program: kind === 'builtin' ? undefined : writePlayer(folder, kind),
    steps: 20,
    stallMs: 60_000,
    env: {},
  });
  const [host, gitHub] = [await openGitHost({ token: hostToken }), await openFakeGitHub()];
  gitHub.faults.push({
    on: 'POST /repos/octo-org/shop/pulls',
    status: 201,
    body: { html_url: 'https://example.com/pull/1' },
  });
  createOrigin({ 'a.txt': 'a\n' }, { root: host.root });
  const [open, closed] = [createOrigin({ 'a.txt': 'a\n' }, { name: 'octo-org/notes' }), createRefusingOrigin()];
  const named = (name: string, more: Parameters<typeof environmentOf>[1]) =>
    environmentOf(undefined, { name, uid: makeEnvironmentUid(name), ...more });
  const settings = {
    harnesses: {
      default: 'script',
      script: true,
      commands: { echo: { argv: ['cat'], env: {} }, silent: { argv: ['true'], env: {} } },
      agents: {
        builtin: agent('builtin', 'openai-chat'),
        short: { ...agent('builtin', 'openai-chat'), steps: 2 },
        claude: agent('claude', 'anthropic'),
        reviewer: { ...agent('claude', 'anthropic'), stallMs: 500 },
        codex: agent('codex', 'openai-responses'),
        gemini: agent('gemini', 'gemini'),
        opencode: agent('opencode', 'openai-chat'),
        missing: { ...agent('codex', 'openai-responses'), program: join(folder, 'gone') },
      },
    },
    environments: [
      named('shop', {
        description: 'A shop',
        repositories: [repositoryAt(`${host.url}/octo-org/shop.git`)],
        publish: 'pull_request',
      }),
      named('notes', { repositories: [repositoryAt(open.url)], publish: 'branch' }),
      named('closed', { repositories: [repositoryAt(closed.url)], publish: 'branch' }),
      named('broken', { setup: ['exit 3'] }),
    ],
    git: { hosts: { [host.host]: { token: hostToken, apiUrl: gitHub.apiUrl } }, env: {} },
    skillRepositories: { 'octo-org/tools': writeSkills() },
  } as const;
  const limits = { concurrency: 3, body_bytes: 100_000 };
  const server = await openTestServer({ ...settings, limits });
  return {
    ...server,
    restart: () => openTestServer({ ...settings, dataDir: server.dataDir, limits: { ...limits, run_minutes: 1 / 60 } }),
  };
}
