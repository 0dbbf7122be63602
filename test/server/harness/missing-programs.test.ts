import { expect, test } from 'vitest';
import { describeMissingPrograms } from '../../../src/server/harness/missing-programs.ts';
import { settings } from './agents/fake-agent.ts';
import { createTask, searchPath } from './harness-fixture.ts';

const command = (program: string, env: Readonly<Record<string, string>> = {}) => ({ argv: [program] as [string], env });

test('an existing program is not reported, by name, by path or on a PATH of its own', async () => {
  const commands = { a: command('bash'), b: command('/bin/sh'), c: command('sh', { PATH: searchPath }) };
  expect(await describeMissingPrograms({ script: true, commands }, searchPath)).toEqual([]);
  expect(await describeMissingPrograms({ script: false, commands: { c: commands.c } }, '/nowhere')).toEqual([]);
});

test('every missing program is reported with the setting that names it', async () => {
  const { workspace } = await createTask();
  const commands = { a: command('no-such-agent'), b: command('/no/such/agent'), c: command(workspace) };
  expect(await describeMissingPrograms({ script: false, commands }, searchPath)).toEqual([
    "harnesses.a.command: no-such-agent was not found on the server's PATH, so every run with it will fail",
    'harnesses.b.command: /no/such/agent does not exist or is not executable, so every run with it will fail',
    `harnesses.c.command: ${workspace} does not exist or is not executable, so every run with it will fail`,
  ]);
  expect(await describeMissingPrograms({ script: true, commands: {} }, '/nowhere')).toEqual([
    "harnesses.script: bash was not found on the server's PATH, so every run with it will fail",
  ]);
});

test('a missing agent is reported with the command to install it; the built-in needs none', async () => {
  const agents = {
    fast: { kind: 'claude', ...settings },
    mine: { kind: 'codex', ...settings, program: '/nowhere/codex' },
    own: { kind: 'builtin', ...settings },
    here: { kind: 'gemini', ...settings, program: 'sh' },
  };
  expect(await describeMissingPrograms({ script: false, commands: {}, agents }, '/usr/bin:/bin')).toEqual([
    'harnesses.fast: Claude Code needs the program claude, which is not on the PATH of the server. Run `npx agent-run agents install claude`, or set its path as `program`',
    'harnesses.mine: Codex needs the program /nowhere/codex, which does not exist. Install Codex there, or change the setting `program`',
  ]);
});
