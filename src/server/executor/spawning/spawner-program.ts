/**
 * Starts processes for a server, because a spawn takes longer the more memory the spawning process has. It reads
 * orders from standard input and exits at its end. spawner-link.ts starts it. It has its own session, so Ctrl-C in the
 * server's terminal does not reach it.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { messageOf } from '../../../base/cause.ts';
import { closeDebuggerDoor } from '../../../base/process/debugger-door.ts';
import { directSpawner } from './spawner.ts';
import { parseLine, printLine, type SpawnerOrder, type SpawnerReport } from './spawner-orders.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
closeDebuggerDoor();
process.title = 'agent-run spawner';
// A write fails once the server is gone. Then the input ends too.
process.stdout.on('error', () => {});

const report = (line: SpawnerReport) => void process.stdout.write(printLine(line));

async function execute(order: SpawnerOrder): Promise<void> {
  const { id } = order;
  try {
    if (order.kind === 'program') {
      const { exited, ...started } = await startProgram(order);
      report({ id, kind: 'started', ...started });
      report({ id, kind: 'ended', ...(await exited) });
    } else {
      const { first, gone } = await directSpawner.openNamespace(order.argv, order.env);
      report({ id, kind: 'opened', first });
      await gone;
      report({ id, kind: 'ended' });
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    report({ id, kind: 'failed', message: messageOf(error), code });
  }
}

async function startProgram({ argv, cwd, env, streams }: SpawnerOrder & { readonly kind: 'program' }) {
  const opened: number[] = [];
  const open = (index: number) => {
    const path = streams[index] ?? undefined;
    if (path === undefined) return 'ignore';
    const file = openSync(path, index === 0 ? constants.O_RDONLY : constants.O_WRONLY);
    opened.push(file);
    return file;
  };
  try {
    return await directSpawner.spawn({ argv, cwd, env, stdio: [open(0), open(1), open(2)] });
  } finally {
    for (const file of opened) closeSync(file);
  }
}

try {
  for await (const line of createInterface({ input: process.stdin })) void execute(parseLine<SpawnerOrder>(line));
} catch {
  // A broken pipe or a line cut short means the same as the end of input.
}
process.exit();
