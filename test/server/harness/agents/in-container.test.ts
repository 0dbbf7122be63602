import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgentHarness } from '../../../../src/server/harness/agents/agent-harness.ts';
import { locateProgramFolder } from '../../../../src/server/harness/agents/agents-folder.ts';
import { builtinAdapter } from '../../../../src/server/harness/agents/builtin/builtin.ts';
import { claudeAdapter } from '../../../../src/server/harness/agents/claude/claude.ts';
import { codexAdapter } from '../../../../src/server/harness/agents/codex/codex.ts';
import { locateInContainer, locateOwn } from '../../../../src/server/harness/agents/in-container.ts';
import { type AgentProgramName, agentPrograms } from '../../../../src/server/harness/agents/programs.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { createFakeAgent, settings } from './fake-agent.ts';

/** Puts a file where the program of an agent would be installed. */
function install(agentsFolder: string, name: AgentProgramName): string {
  const folder = locateProgramFolder(agentsFolder, name, agentPrograms[name]);
  const file = join(folder, 'node_modules', agentPrograms[name].package, agentPrograms[name].file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
}

test('an installed program is mounted, and the image’s Node runs JavaScript', async () => {
  const agentsFolder = createTempFolder();
  const [claude, codex] = [install(agentsFolder, 'claude'), install(agentsFolder, 'codex')];
  const folderOf = (name: AgentProgramName) => locateProgramFolder(agentsFolder, name, agentPrograms[name]);
  expect(await locateInContainer(claudeAdapter, { agentsFolder })).toEqual({
    command: [claude],
    readable: [folderOf('claude')],
  });
  expect(await locateInContainer(codexAdapter, { agentsFolder })).toEqual({
    command: ['node', codex],
    readable: [folderOf('codex')],
  });
});

test('a configured program, and one that is not installed, is that of the image', async () => {
  const agentsFolder = createTempFolder();
  expect(await locateInContainer(claudeAdapter, { agentsFolder })).toEqual({ command: ['claude'], readable: [] });
  install(agentsFolder, 'claude');
  const program = '/opt/claude/bin/claude';
  expect(await locateInContainer(claudeAdapter, { agentsFolder, program })).toEqual({
    command: [program],
    readable: [],
  });
});

test('a container sees the server’s programs, but never their folder, which may have the data', async () => {
  const own = await locateInContainer(builtinAdapter, {});
  expect(own.command[0]).toBe('node');
  const names = own.readable.map(path => path.slice(path.lastIndexOf('/') + 1));
  expect(names.slice(0, 3)).toEqual(['src', 'package.json', 'node_modules']);
  expect(names.slice(3).filter(name => name !== 'package.json' && name !== 'node_modules')).toEqual([]);
  expect(locateOwn('/srv/agent-run/dist/builtin-agent.js')).toEqual({
    command: ['node', '/srv/agent-run/dist/builtin-agent.js'],
    readable: ['/srv/agent-run/dist'],
  });
});

test('files of the agent are written into the run’s folder, never through an agent’s links', async () => {
  const [stateDir, outside] = [createTempFolder(), createTempFolder()];
  const harness = createAgentHarness('fake', createFakeAgent(), settings);
  const task = {
    ...{ runId: 'one', instructions: [], prompt: { origin: 'the prompt', text: 'do it', firstLine: 1 } },
    ...{
      modelId: undefined,
      mcpServers: [],
      skills: [],
      sessionId: undefined,
      searchPath: '/usr/bin:/bin',
      variables: {},
    },
    ...{ image: 'tools:1', workspace: stateDir, stateDir, tempDir: stateDir, resultFile: join(stateDir, 'result') },
  };
  await harness.prepare(task);
  const file = join(stateDir, 'fake/settings.json');
  writeFileSync(join(outside, 'settings.json'), 'kept');
  for (const [place, target] of [
    [file, join(outside, 'settings.json')],
    [dirname(file), outside],
  ] as const) {
    rmSync(place, { recursive: true });
    symlinkSync(target, place);
    await harness.prepare(task);
    expect(lstatSync(dirname(file)).isDirectory() && lstatSync(file).isFile()).toBe(true);
    expect(readFileSync(join(outside, 'settings.json'), 'utf8')).toBe('kept');
  }
});
