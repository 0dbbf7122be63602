/** The program of an agent in a step, with the real npm and a registry on loopback. */
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { provideAgent } from '../../../../src/server/harness/agents/install/provide-agent.ts';
import { agentPrograms } from '../../../../src/server/harness/agents/programs.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { startRegistry } from './npm-registry.ts';

type Env = Readonly<Record<string, string>>;

const { package: name, version: tested } = agentPrograms.claude;
const slow = { timeout: 120_000 };

async function provide(env: Env, version?: string) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const provided = await provideAgent('claude', { version, env, cwd: '/', print, signal: undefined });
  return { provided, lines };
}

/** A registry with one version of Claude Code, and a runner without it. */
async function openRunner(version: string, setup = '') {
  const files = { 'bin/claude.exe': `#!/bin/sh\necho '${version} (Claude Code)'\n`, 'install.cjs': setup };
  const toolCache = createTempFolder();
  const env: Env = { ...(await startRegistry({ name, version, files })), RUNNER_TOOL_CACHE: toolCache };
  return { toolCache, env };
}

/** A folder for the PATH with a program named claude. */
function createPath(version: string): string {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'claude'), `#!/bin/sh\necho '${version} (Claude Code)'\n`);
  chmodSync(join(folder, 'claude'), 0o755);
  return folder;
}

test('a program on the PATH is used as it is, and the log has its version', async () => {
  const toolCache = createTempFolder();
  for (const [version, said] of [
    ['2.0.1', `2.0.1 (this release was tested with ${tested})`],
    [tested, tested],
  ] as const) {
    const folder = createPath(version);
    const { provided, lines } = await provide({
      PATH: `${folder}:/bin`,
      HOME: toolCache,
      RUNNER_TOOL_CACHE: toolCache,
    });
    expect(provided).toEqual({ agentsFolder: undefined, version: undefined });
    expect(lines).toEqual([`Claude Code ${said}: ${join(folder, 'claude')}`]);
  }
  expect(readdirSync(toolCache)).toEqual([]);
});

test('`harness_version` is installed into the tool cache next to one on the PATH, and fetched once', slow, async () => {
  const { toolCache, env } = await openRunner('2.1.999');
  const withProgram = { ...env, PATH: `${createPath('2.0.1')}:${env.PATH}` };
  const folder = join(toolCache, 'agent-run');
  const file = join(folder, 'claude@2.1.999/node_modules', name, 'bin/claude.exe');
  const first = await provide(withProgram, '2.1.999');
  expect(first.provided).toEqual({ agentsFolder: folder, version: '2.1.999' });
  expect(first.lines).toEqual([
    `installing Claude Code 2.1.999 from npm, about 390 MB (this release was tested with ${tested})`,
    `Claude Code 2.1.999: ${file}`,
  ]);
  const again = await provide({ PATH: '/bin', RUNNER_TOOL_CACHE: toolCache }, '2.1.999');
  expect(again).toEqual({ provided: first.provided, lines: [`Claude Code 2.1.999: ${file}`] });
});

test('a package with another hash than the tested version is not installed, and nothing of it runs', slow, async () => {
  const outside = join(createTempFolder(), 'ran');
  const { toolCache, env } = await openRunner(tested, `require('node:fs').writeFileSync('${outside}', '')`);
  // Without the programs of this machine.
  const refused = provide({ ...env, PATH: '/usr/bin:/bin' });
  await expect(refused).rejects.toThrow(
    `${name}@${tested} was downloaded, but node_modules/${name} does not have the hash of the tested version; nothing was installed`,
  );
  expect([existsSync(outside), readdirSync(join(toolCache, 'agent-run'))]).toEqual([false, []]);
});

test('an install that fails says what to do', slow, async () => {
  const { env } = await openRunner('2.1.999');
  await expect(provide(env, '2.1.998')).rejects.toThrow(`npm could not install ${name}@2.1.998: notarget`);
});

test('a program whose packages have no known hashes is installed only by its version', async () => {
  const env = { PATH: '/nowhere', HOME: '/nowhere', RUNNER_TOOL_CACHE: createTempFolder() };
  const asked = { version: undefined, env, cwd: '/', print: () => {}, signal: undefined };
  expect(await provideAgent('opencode', asked)).toBeUndefined();
});
