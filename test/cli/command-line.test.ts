import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { createFakeShell } from './fake-shell.ts';

beforeEach(() => {
  for (const name of ['AGENT_RUN_BASE_URL', 'AGENT_RUN_API_KEY', 'OZ_API_BASE_URL', 'WARP_API_KEY'])
    vi.stubEnv(name, '');
});

test.for([
  [['lst'], 'Unknown command "lst". Did you mean "list"?'],
  [['run'], 'Nothing to run. Give a PROMPT ("-" reads standard input), --skill or --conversation'],
  [['run', ' '], 'the prompt is empty'],
  [['run', 'x', '--prompt', 'y'], 'Give the prompt only once'],
  [['run', '--prompt-file', 'no-such-file'], 'Cannot read no-such-file: the file does not exist'],
  [['run', 'x', '--skill', 'shop'], '--skill: "shop" is not a valid skill'],
  [['run', 'x', '--timeout-minutes', '0'], '--timeout-minutes must be a number of minutes above 0'],
  [['run', 'x', '--timeout-minutes', '5', '--no-wait'], 'cannot be used with --no-wait'],
  [['list', '--state', 'FALED'], 'Did you mean "FAILED"?'],
  [['list', '--base-url', 'http://user:secret@127.0.0.1', '--api-key', 'k'], '--base-url must not contain a user name'],
  [['list', '--limit', '1.5'], '--limit must be a whole number of at least 1, not "1.5"'],
  [['list'], 'Start one in this folder with `npx agent-run serve`'],
  [['list', '--base-url', 'http://127.0.0.1:9'], 'give --api-key, or set AGENT_RUN_API_KEY'],
  [['list', '--base-url', 'agents.example.com', '--api-key', 'k'], '--base-url must be a URL'],
  [['list', '--base-url', 'http://agents.example.com', '--api-key', 'k'], 'allow it with --allow-http'],
  [['serve', '--port', '70000'], '--port must be a port from 0 to 65535, not "70000"'],
  [['serve', '--host', '0.0.0.0'], 'set --tls-cert and --tls-key (`tls` in the file), or --behind-proxy'],
  [['serve', '--config', 'no-such-file'], 'no-such-file does not exist'],
] as const)('agent-run %j exits with 2 and a sentence that names the remedy', async ([args, sentence]) => {
  const shell = createFakeShell({ cwd: createTempFolder() });
  expect(await runCommandLine(args, shell)).toBe(2);
  expect(shell.printed).toEqual([]);
  expect(shell.notes).toEqual([expect.stringContaining(sentence)]);
});

test('all faults of a configuration are listed, and no files are left', async () => {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), 'prot: 1\nlimits: { concurrency: 0 }\n');
  const shell = createFakeShell({ cwd });
  expect(await runCommandLine(['serve'], shell)).toBe(2);
  expect(shell.notes).toEqual([
    expect.stringMatching(/agent-run\.yaml:2:\d+: limits\.concurrency/),
    expect.stringMatching(/agent-run\.yaml:1:1: prot: unknown key. Did you mean "port"\?/),
  ]);
  expect(readdirSync(cwd)).toEqual(['agent-run.yaml']);
});

test.for([
  [[Buffer.alloc(1_000_001, 'x')], 'standard input is too long. The limit is 1000000 bytes'],
  [[Buffer.from([0xff, 0xfe])], 'Cannot read standard input: it is not UTF-8'],
  [[Buffer.from('é').subarray(0, 1)], 'Cannot read standard input: it is not UTF-8'],
  [[], 'standard input is empty; see npx agent-run run --help'],
] as const)('an invalid prompt is refused before anything is sent (%#)', async ([input, sentence]) => {
  const shell = createFakeShell({ cwd: '/', input });
  expect(await runCommandLine(['run', '-'], shell)).toBe(2);
  expect(shell.notes).toEqual([`agent-run: ${sentence}`]);
});

test('the stack of an error is shown only at level debug', async () => {
  for (const [level, isShown] of [
    ['debug', true],
    ['info', false],
  ] as const) {
    const shell = createFakeShell({ cwd: '/', env: { AGENT_RUN_LOG: level } });
    await runCommandLine(['lst'], shell);
    expect(shell.notes.some(line => /^ +at /.test(line))).toBe(isShown);
  }
});

test('an endless prompt is read only up to the limit', async () => {
  const shell = createFakeShell({ cwd: '/' });
  const args = ['run', '--prompt-file', '/dev/zero'];
  expect(await runCommandLine(args, shell)).toBe(2);
  expect(shell.notes).toEqual(['agent-run: /dev/zero is too long. The limit is 1000000 bytes']);
});
