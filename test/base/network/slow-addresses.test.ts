import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { addressAttemptMs } from '../../../src/base/network/slow-addresses.ts';

const source = resolve(import.meta.dirname, '../../../src');
const tellTimeout = `
  import { getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
  process.on('exit', () => console.error('attempt', getDefaultAutoSelectFamilyAttemptTimeout()));
`;

test.each([
  ['the main step', ['../dist/main/index.js']],
  ['the post step', ['../dist/post/index.js']],
  ['the command, which the server is a part of', ['cli/main.ts', 'help']],
  ['the built-in agent', ['server/harness/agents/builtin/builtin-agent.ts', '--version']],
])('%s gives each address of a host seconds to answer', (_name, [file = '', ...args]) => {
  const preload = `data:text/javascript,${encodeURIComponent(tellTimeout)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', preload, resolve(source, file), ...args], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  expect(stderr).toContain(`attempt ${addressAttemptMs}`);
});
