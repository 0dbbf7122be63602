/**
 * A little server to be killed by watchdog.test.ts: executes one script under a watchdog, prints what the script prints, and ends. Arguments: server id, folder, script, and whether it says goodbye.
 */
import { createProcessExecutor } from '../../../src/server/executor/process-executor.ts';
import { pathOnly } from './processes.ts';

const [serverId = '', folder = '', script = '', goodbye = 'goodbye'] = process.argv.slice(2);
const executor = createProcessExecutor({ serverId, watchdog: true });
const end = await executor.execute({
  command: { argv: ['bash', '-c', script], cwd: folder, env: pathOnly, stdin: '' },
  runId: 'watched',
  runDir: folder,
  scratchDir: folder,
  onOutput: async (_stream, chunk) => {
    process.stdout.write(chunk);
  },
  timeLimitMs: 60_000,
  graceMs: 300,
  signal: new AbortController().signal,
});
process.stdout.write(`${JSON.stringify(end)}\n`);
if (goodbye === 'goodbye') await executor.close();
