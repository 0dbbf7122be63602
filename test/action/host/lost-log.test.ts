import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const host = pathToFileURL(resolve(import.meta.dirname, '../../../src/action/host/host.ts')).href;

test('a step whose log has no reader continues, so that it can still cancel its run', async () => {
  const code = `import { runnerHost } from ${JSON.stringify(host)}; const host = runnerHost();
    process.stdin.once('end', () => { host.print('gone'); setTimeout(() => { host.print('gone'); process.exitCode = 7; }, 50); }).resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.destroy();
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([7, null]);
});
