/** Servers in processes of their own, so that their CPU time is theirs alone. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The programs. Each says its port once it listens, and its CPU time whenever it is asked. */
export type ServerProgram = 'served.ts' | 'bare-server.ts';

export interface ServerProcess extends AsyncDisposable {
  readonly port: number;
  /** CPU time so far, of all its threads. */
  cpuMs(): Promise<number>;
}

export async function startServerProcess(program: ServerProgram, args: readonly string[] = []): Promise<ServerProcess> {
  const child = fork(join(import.meta.dirname, program), args, {
    // `--cpu-prof` and the like for the server: AGENT_RUN_BENCH_NODE.
    execArgv: (process.env.AGENT_RUN_BENCH_NODE ?? '').split(' ').filter(word => word !== ''),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async cpuMs() {
      child.send('cpu');
      const [ms] = (await once(child, 'message')) as [number];
      return ms;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** In a server's process. `close` is called when the bench has ended. */
export function serveBench(port: number, close: () => Promise<void>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1000);
  });
  process.once('disconnect', () => void close().finally(() => process.exit()));
  process.send?.(port);
}
