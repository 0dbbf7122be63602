/**
 * Executes a script in the containment of a user without root and prints the end, for unprivileged.test.ts.
 * Arguments: an empty folder that the user can write, and the script.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findContainment } from '../../../src/server/executor/cleanup/containment.ts';
import { createProcessExecutor } from '../../../src/server/executor/process-executor.ts';
import { pathOnly } from './processes.ts';

const [folder = '', script = ''] = process.argv.slice(2);
const containment = await findContainment({ choice: 'auto', limits: { processes: 40 } });
const executor = createProcessExecutor({ serverId: `unprivileged-${process.pid}`, watchdog: false, containment });
const [runDir, scratchDir] = [join(folder, 'run'), join(folder, 'scratch')];
for (const path of [runDir, scratchDir]) mkdirSync(path);
let stdout = '';
const end = await executor.execute({
  command: { argv: ['bash', '-c', script], cwd: runDir, env: pathOnly, stdin: '' },
  runId: 'one',
  runDir,
  scratchDir,
  onOutput: async (stream, chunk) => {
    if (stream === 'stdout') stdout += Buffer.from(chunk).toString();
  },
  timeLimitMs: 60_000,
  graceMs: 1000,
  signal: new AbortController().signal,
});
await executor.close();
process.stdout.write(JSON.stringify({ kind: containment.kind, because: containment.because, end, stdout }));
