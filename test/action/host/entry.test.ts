import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const entry = pathToFileURL(resolve(import.meta.dirname, '../../../src/action/host/entry.ts')).href;

test.each(['enterMain', 'enterPost'])('after %s nothing keeps the process alive', async name => {
  const code = `import { ${name} } from ${JSON.stringify(entry)};
    await ${name}(async host => { setInterval(() => {}, 1000); host.fail('it is red'); }, { lingerMs: 50 });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stdout.on('data', chunk => {
    log += chunk;
  });
  expect([await once(child, 'close'), log]).toEqual([[1, null], '::error::it is red\n']);
});
