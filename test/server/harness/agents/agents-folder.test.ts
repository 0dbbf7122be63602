import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgentHarness } from '../../../../src/server/harness/agents/agent-harness.ts';
import { findAgentProgram, locateAgentsFolder } from '../../../../src/server/harness/agents/agents-folder.ts';
import { claudeAdapter } from '../../../../src/server/harness/agents/claude/claude.ts';
import { agentPrograms } from '../../../../src/server/harness/agents/programs.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { createFakeAgent, settings } from './fake-agent.ts';

function writeProgram(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
}

function createPlaces() {
  const [agentsFolder, searchPath] = [createTempFolder(), createTempFolder()];
  const pathOf = (name: keyof typeof agentPrograms, version = agentPrograms[name].version) =>
    join(agentsFolder, `${name}@${version}`, 'node_modules', agentPrograms[name].package, agentPrograms[name].file);
  return { agentsFolder, searchPath, pathOf };
}

test('a program is taken from the setting, then the agents folder, then PATH', async () => {
  const { agentsFolder, searchPath, pathOf } = createPlaces();
  const look = async (program?: string) => await findAgentProgram('claude', { program, agentsFolder, searchPath });
  expect(await look()).toBeUndefined();
  const onPath = writeProgram(join(searchPath, 'claude'));
  expect(await look()).toEqual({ command: [onPath], place: 'path', file: onPath });
  const installed = writeProgram(pathOf('claude'));
  expect(await look()).toEqual({ command: [installed], place: 'agents_folder', file: installed });
  const other = writeProgram(join(searchPath, 'other'));
  expect(await look('other')).toEqual({ command: [other], place: 'setting', file: other });
  expect(await look(other)).toMatchObject({ place: 'setting' });
  // A missing configured program is not replaced with an installed one.
  expect(await look('no-such-program')).toBeUndefined();
});

test('a version of another agent-run is not used', async () => {
  const { agentsFolder, searchPath, pathOf } = createPlaces();
  writeProgram(pathOf('claude', '1.0.0' as typeof agentPrograms.claude.version));
  expect(await findAgentProgram('claude', { agentsFolder, searchPath })).toBeUndefined();
});

test('the server’s Node runs JavaScript, not the one on PATH', async () => {
  const { agentsFolder, searchPath, pathOf } = createPlaces();
  const file = writeProgram(pathOf('gemini'));
  const found = await findAgentProgram('gemini', { agentsFolder, searchPath });
  expect(found?.command).toEqual([process.execPath, file]);
});

test('a run without its program is told the one command that installs it', async () => {
  const { agentsFolder, searchPath } = createPlaces();
  const prepare = async (adapter: typeof claudeAdapter, program?: string) => {
    const harness = createAgentHarness('fast', adapter, { ...settings, agentsFolder, program });
    const [workspace, stateDir, tempDir] = [createTempFolder(), createTempFolder(), createTempFolder()];
    const prompt = { origin: 'the prompt', text: 'x', firstLine: 1 };
    const task = { runId: 'r', instructions: [], prompt, modelId: undefined, mcpServers: [], skills: [] };
    const folders = { workspace, stateDir, tempDir, resultFile: join(stateDir, 'result') };
    return await harness.prepare({ ...task, ...folders, sessionId: undefined, searchPath, variables: {} });
  };
  await expect(prepare(claudeAdapter)).rejects.toThrow(
    'the harness fast needs the program claude, which is not on the PATH of the server. Run `npx agent-run agents install claude`, or set its path as `program`',
  );
  await expect(prepare(claudeAdapter, '/nowhere/claude')).rejects.toThrow(
    'the harness fast needs the program /nowhere/claude, which does not exist. Install Claude Code there, or change the setting `program`',
  );
  await expect(prepare(createFakeAgent())).rejects.toThrow('Install Fake Agent, or set its path as `program`');
});

test('the agents folder is that of the variable, otherwise one in the user’s home', () => {
  expect(locateAgentsFolder({ AGENT_RUN_AGENTS: 'mine', HOME: '/home/octo' }, '/srv')).toBe('/srv/mine');
  expect(locateAgentsFolder({ AGENT_RUN_AGENTS: ' ', HOME: '/home/octo' }, '/srv')).toBe(
    '/home/octo/.agent-run/agents',
  );
  expect(locateAgentsFolder({}, '/srv')).toBe(join(homedir(), '.agent-run/agents'));
});

test('every pin is an exact version', () => {
  for (const { version } of Object.values(agentPrograms)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});
