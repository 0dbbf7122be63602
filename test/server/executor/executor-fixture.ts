import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Containment } from '../../../src/server/executor/cleanup/containment.ts';
import type { ExecutorEnd } from '../../../src/server/executor/executor.ts';
import { createProcessExecutor } from '../../../src/server/executor/process-executor.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { pathOnly } from './processes.ts';

let runs = 0;

/** Runs a bash script with a new executor in a new folder. */
export async function runScript(
  script: string,
  {
    containment,
    timeLimitMs = 15_000,
    workspace,
  }: {
    readonly containment: Containment;
    readonly timeLimitMs?: number;
    /** The script's folder. Processes there that began later belong to it. @default a new folder */
    readonly workspace?: string;
  },
): Promise<{ readonly end: ExecutorEnd; readonly stdout: string; readonly stderr: string }> {
  const folder = createTempFolder();
  const [runDir, scratchDir] = [join(folder, 'run'), join(folder, 'scratch')];
  for (const path of [runDir, scratchDir]) mkdirSync(path);
  runs += 1;
  const executor = createProcessExecutor({
    serverId: `one-${process.pid}-${runs}`,
    watchdog: false,
    containment,
    orphanFolder: workspace,
  });
  const output = { stdout: '', stderr: '' };
  const end = await executor.execute({
    command: { argv: ['bash', '-c', script], cwd: workspace ?? runDir, env: pathOnly, stdin: '' },
    runId: 'one',
    runDir,
    scratchDir,
    onOutput: async (stream, chunk) => {
      output[stream] += Buffer.from(chunk).toString();
    },
    timeLimitMs,
    graceMs: 1000,
    signal: new AbortController().signal,
  });
  await executor.close();
  return { end, ...output };
}
