import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { agentPrograms } from '../../src/server/index.ts';
import { startModelServer } from '../../src/testing/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { createFakeShell } from './fake-shell.ts';

const path = '/usr/bin:/bin';
const { package: packageName, version, file } = agentPrograms.opencode;

/** A folder with opencode installed. */
function createAgentsFolder(): { readonly folder: string; readonly program: string } {
  const folder = createTempFolder();
  const program = join(folder, `opencode@${version}/node_modules`, packageName, file);
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, `#!/bin/sh\necho ${version}\n`);
  chmodSync(program, 0o755);
  return { folder, program };
}

async function call(args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = createTempFolder()) {
  const shell = createFakeShell({ cwd, env: { PATH: path, HOME: cwd, ...env } });
  return { code: await runCommandLine(args, shell), printed: shell.printed.join('\n'), notes: shell.notes.join('\n') };
}

test('agents lists each agent with its pinned and installed versions', async () => {
  const { folder, program } = createAgentsFolder();
  const env = { AGENT_RUN_AGENTS: folder };
  const { code, printed } = await call(['agents'], env);
  expect(code).toBe(0);
  expect(printed).toMatch(new RegExp(`^opencode +${version} +${version} +${program}$`, 'm'));
  expect(printed).toMatch(/^claude +2\.1\.332 +none +npx agent-run agents install claude$/m);
  const listed = JSON.parse((await call(['agents', 'list', '--json'], env)).printed);
  expect(listed).toHaveLength(4);
  expect(listed[3]).toEqual({
    name: 'opencode',
    pinned: version,
    package: packageName,
    licence: 'MIT',
    version,
    file: program,
  });
  expect(listed[0]).toMatchObject({ name: 'claude', version: null, file: null });
});

test('agents install keeps an installed version and prints its size and license', async () => {
  const { folder } = createAgentsFolder();
  const { code, printed, notes } = await call(['agents', 'install', 'opencode'], { AGENT_RUN_AGENTS: folder });
  expect([code, printed]).toEqual([0, `${join(folder, `opencode@${version}`)} (0 MB)`]);
  expect(notes).toContain(`opencode-ai@${version} from npm, about 360 MB, license: MIT`);
  expect(notes).toContain('is already installed');
});

test('agents remove takes one version or all of them, and a missing one does not stop the others', async () => {
  const { folder } = createAgentsFolder();
  for (const name of ['opencode@1.0.0', 'codex@0.1.0']) mkdirSync(join(folder, name));
  const env = { AGENT_RUN_AGENTS: folder };
  expect((await call(['agents'], env)).notes).toContain('codex@0.1.0 is also installed');
  const one = await call(['agents', 'remove', 'opencode@1.0.0', 'claude', 'codex@0.2.0'], env);
  expect([one.code, one.printed]).toEqual([1, `${join(folder, 'opencode@1.0.0')} (0 MB)`]);
  expect(one.notes).toContain(`claude is not installed in ${folder}`);
  expect(one.notes).toContain(`codex@0.2.0 is not installed in ${folder}. Installed: codex@0.1.0`);
  expect(readdirSync(folder)).toEqual(['codex@0.1.0', `opencode@${version}`]);
  const rest = await call(['agents', 'remove', 'opencode', 'codex', 'codex@0.1.0', '--json'], env);
  expect([rest.code, JSON.parse(rest.printed)]).toMatchObject([
    0,
    [
      { name: 'opencode', version, folder: join(folder, `opencode@${version}`), bytes: expect.any(Number) },
      { name: 'codex', version: '0.1.0' },
    ],
  ]);
  expect(rest.notes).toContain('Runs that need opencode will now fail');
  expect(readdirSync(folder)).toEqual([]);
});

test('agents remove keeps a program in use and names its process', async () => {
  const { folder, program } = createAgentsFolder();
  writeFileSync(program, '#!/bin/sh\necho up\nread line\n');
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  const { code, notes } = await call(['agents', 'remove', 'opencode'], { AGENT_RUN_AGENTS: folder });
  expect([code, notes]).toEqual([
    1,
    expect.stringContaining(`opencode@${version} is in use by the process ${child.pid}; wait for the run to end`),
  ]);
  expect(readdirSync(folder)).toEqual([`opencode@${version}`]);
});

test('agents install of an unavailable program exits with 1 and a sentence, and leaves no files', async () => {
  const folder = createTempFolder();
  const env = { AGENT_RUN_AGENTS: folder, npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0' };
  const { code, printed, notes } = await call(['agents', 'install', 'gemini', '--json'], env);
  expect([code, printed, readdirSync(folder)]).toEqual([1, '[]', []]);
  expect(notes).toMatch(
    /^agent-run: npm could not install @google\/gemini-cli@0\.61\.0: FetchError: [^\n]+ECONNREFUSED[^\n]*; check the network/m,
  );
});

test.each([
  [
    ['agents', 'instal'],
    'agents must be followed by `install NAME...` or `remove NAME...`, not "instal". Did you mean "install"?',
  ],
  [['agents', 'install'], 'agents install needs a name: claude, codex, gemini, opencode'],
  [['agents', 'install', 'claud'], 'Unknown agent "claud". Did you mean "claude"?'],
  [['agents', 'install', 'codex', 'aider'], 'Unknown agent "aider". Agents: claude, codex, gemini, opencode'],
  [['agents', 'install', 'builtin'], 'builtin is part of agent-run and needs no installation'],
  [['agents', 'remove'], 'agents remove needs a name: claude, codex, gemini, opencode'],
  [['agents', 'remove', '../opencode'], 'Unknown agent "../opencode"'],
  [['agents', 'list', 'claude'], 'agents list does not take names'],
])('%j exits with 2', async (args, sentence) => {
  const { code, notes } = await call(args);
  expect([code, notes]).toEqual([2, expect.stringContaining(sentence)]);
});

function writeConfig(text: string): string {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), text);
  return cwd;
}

test('doctor exits with 0 if all is well and 1 otherwise, and shows no key', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }), { apiKey: 'key-of-the-model' });
  const cwd = writeConfig(
    `harnesses: { builtin: { model: m-1, endpoint: { url: '${model.url}', api: anthropic, key: MODEL_KEY } } }`,
  );
  const well = await call(['doctor', '--call'], { MODEL_KEY: 'key-of-the-model' }, cwd);
  expect(well.code, well.printed).toBe(0);
  expect(well.printed).toMatch(/^ok +harness builtin: model +m-1 at http\S+ answered$/m);
  const ill = await call(['doctor', '--call', '--json'], { MODEL_KEY: 'another-key' }, cwd);
  expect(ill.code).toBe(1);
  expect(JSON.parse(ill.printed)).toMatchObject({
    ok: false,
    findings: expect.arrayContaining([expect.objectContaining({ subject: 'harness builtin: model', status: 'fail' })]),
  });
  expect(`${well.printed}${ill.printed}`).not.toMatch(/key-of-the-model|another-key/);
  // Without a flag it asks no model.
  const asked = model.requests.length;
  await call(['doctor'], { MODEL_KEY: 'key-of-the-model' }, cwd);
  expect(model.requests.length).toBe(asked);
});

test('doctor without a configuration says where it looked and how to name another file', async () => {
  const cwd = createTempFolder();
  const { code, printed } = await call(['doctor', '--json'], {}, cwd);
  expect([code, JSON.parse(printed).findings[0]]).toEqual([
    1,
    {
      subject: 'configuration',
      status: 'warn',
      text: `none found: ${join(cwd, 'agent-run.yaml')} does not exist`,
      remedy: 'create it, or name another file with --config FILE',
    },
  ]);
});

test('doctor lists every fault of the configuration', async () => {
  const cwd = writeConfig('prot: 1\nlimits: { concurrency: 0 }\n');
  const { code, printed } = await call(['doctor', '--json'], {}, cwd);
  const { findings } = JSON.parse(printed);
  expect([code, findings.length]).toEqual([1, 2]);
  expect(printed).toContain('Did you mean \\"port\\"?');
});

test('doctor refuses an address with a password and does not show it', async () => {
  const cwd = writeConfig(
    "harnesses: { codex: { model: m-1, endpoint: { url: 'https://octo:open-sesame@models.example.com' } } }",
  );
  const { code, printed, notes } = await call(['doctor'], {}, cwd);
  expect(code).toBe(1);
  expect(printed).toContain('harnesses.codex.endpoint.url: must not contain a user name or password');
  expect(`${printed}${notes}`).not.toContain('open-sesame');
});
