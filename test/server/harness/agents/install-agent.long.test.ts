/** Installs a program from a registry on loopback with the real npm. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandIn } from '../../../../src/server/harness/agents/agents-folder.ts';
import { AgentInstallError, installAgent } from '../../../../src/server/harness/agents/install/install-agent.ts';
import type { AgentProgram } from '../../../../src/server/harness/agents/programs.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { startRegistry } from './npm-registry.ts';

const program: AgentProgram = {
  title: 'Test Agent',
  package: '@octo-org/test-agent',
  version: '1.2.3',
  file: 'bin/agent.js',
  setup: 'setup.cjs',
  licence: 'MIT',
  megabytes: 1,
};
const published = {
  name: program.package,
  version: program.version,
  files: {
    // It works only after its setup.
    'bin/agent.js': "console.log('test agent', require('../version.cjs'));",
    'setup.cjs': `require('node:fs').writeFileSync('version.cjs', "module.exports = '1.2.3'"); if (process.env.npm_config_registry) process.exit(1);`,
  },
};
const slow = { timeout: 120_000 };

test('a program is downloaded, set up and tried; a second install does nothing', slow, async () => {
  const agentsFolder = join(createTempFolder(), 'agents');
  const outside = join(createTempFolder(), 'ran');
  // Scripts of packages would run as the installing user.
  const env = await startRegistry({ ...published, scripts: { postinstall: `touch ${outside}` } });
  const first = await installAgent('test', program, { agentsFolder, env });
  expect(first).toMatchObject({ folder: join(agentsFolder, 'test@1.2.3'), wasThere: false });
  expect(first.bytes).toBeGreaterThan(100);
  const [file, ...args] = commandIn(first.folder, program);
  expect(execFileSync(file, args, { encoding: 'utf8' })).toBe('test agent 1.2.3\n');
  expect([readdirSync(agentsFolder), existsSync(outside)]).toEqual([['test@1.2.3'], false]);

  const nowhere = { PATH: '/nowhere' };
  expect(await installAgent('test', program, { agentsFolder, env: nowhere })).toMatchObject({ wasThere: true });
});

test('packages must have the given hashes, each of them', slow, async () => {
  const env = await startRegistry(published);
  const { folder } = await installAgent('test', program, { agentsFolder: createTempFolder(), env });
  const noted = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const { integrity } = noted.packages[`node_modules/${program.package}`];
  const agentsFolder = createTempFolder();
  for (const hashes of [{}, { [program.package]: integrity.replace(/.{4}$/, 'AA==') }])
    await expect(installAgent('test', program, { agentsFolder, env, hashes })).rejects.toThrow(
      'does not have the hash of the tested version; nothing was installed. Check the npm registry',
    );
  const hashes = { [program.package]: integrity };
  expect(await installAgent('test', program, { agentsFolder, env, hashes })).toMatchObject({ wasThere: false });
});

test('two simultaneous installs of the same program succeed with one copy', slow, async () => {
  const agentsFolder = createTempFolder();
  const env = await startRegistry(published);
  const both = await Promise.all([1, 2].map(() => installAgent('test', program, { agentsFolder, env })));
  expect(new Set(both.map(({ folder }) => folder)).size).toBe(1);
  expect(readdirSync(agentsFolder)).toEqual(['test@1.2.3']);
});

test.each([
  [
    'the registry does not have it',
    { ...program, version: '9.9.9' },
    'npm could not install @octo-org/test-agent@9.9.9: notarget No matching version found',
  ],
  ['its set-up fails', { ...program, setup: 'no-such-file.cjs' }, 'the setup of @octo-org/test-agent@1.2.3 failed'],
  ['it does not start', { ...program, setup: undefined }, 'was downloaded but does not work: it does not start'],
  [
    'it is another version than it should be',
    { ...program, file: 'bin/other.js' },
    'its program reports version 1.2.4; nothing was installed',
  ],
])('if %s, the error says so and nothing is left', slow, async (_name, { setup, ...rest }, sentence) => {
  const agentsFolder = createTempFolder();
  const env = await startRegistry({
    ...published,
    files: { ...published.files, 'bin/other.js': "console.log('1.2.4')" },
  });
  const wanted = setup === undefined ? rest : { ...rest, setup };
  const failure = installAgent('test', wanted, { agentsFolder, env });
  await expect(failure).rejects.toThrow(AgentInstallError);
  await expect(failure).rejects.toThrow(sentence);
  expect(readdirSync(agentsFolder)).toEqual([]);
});

test('an interrupted install leaves nothing', slow, async () => {
  const agentsFolder = createTempFolder();
  const env = await startRegistry(published);
  const interrupted = new AbortController();
  const installing = installAgent('test', program, { agentsFolder, env, signal: interrupted.signal });
  setTimeout(() => interrupted.abort(new Error('enough')), 300);
  await expect(installing).rejects.toThrow('enough');
  expect(readdirSync(agentsFolder)).toEqual([]);
});
