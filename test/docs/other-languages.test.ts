import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readFencedBlocks } from '../../src/server/harness/fenced-blocks.ts';
import { openTestServer } from '../support/test-server.ts';

const python = '/usr/bin/python3';
const hasPython = existsSync(python);
if (!hasPython) console.log(`skipped: the Python program of docs/other-languages.md, because there is no ${python}`);

const page = readFileSync(resolve(import.meta.dirname, '../../docs/other-languages.md'), 'utf8');
const [program] = readFencedBlocks(page).filter(({ language }) => language === 'python');

test.skipIf(!hasPython).each([
  ['cat; sleep 0.1', 'List the open to-dos.\n'],
  ['echo no to-dos here >&2; exit 3', expect.stringContaining('exit code 3')],
])('the Python program prints what became of its run (an agent that does %j)', async (script, printed) => {
  const agent = { argv: ['sh', '-c', script] as const, env: {} };
  const server = await openTestServer({ harnesses: { default: 'agent', script: false, commands: { agent } } });
  const env = { PATH: process.env.PATH, AGENT_RUN_BASE_URL: server.url, AGENT_RUN_API_KEY: server.key };
  const { stdout } = await promisify(execFile)(python, ['-c', program?.code ?? ''], { env });
  expect(stdout).toEqual(printed);
});
