import { systemClock } from '../../base/clock.ts';
import type { EntryProcess } from './entry-process.ts';

/** How long a canceled program has after each signal. */
export interface CancelTimes {
  /** From SIGINT to SIGTERM. @default 7500 */
  readonly interruptMs?: number | undefined;
  /** From SIGTERM to the end of the process tree. @default 2500 */
  readonly terminateMs?: number | undefined;
}

/** Stops a program like GitHub. Resolves when it has ended. */
export async function stopProcess(process: EntryProcess, times: CancelTimes): Promise<void> {
  process.signal('SIGINT');
  if (await endsWithin(process, times.interruptMs ?? 7_500)) return;
  process.signal('SIGTERM');
  if (await endsWithin(process, times.terminateMs ?? 2_500)) return;
  process.killTree();
  await process.ended;
}

async function endsWithin(process: EntryProcess, ms: number): Promise<boolean> {
  const waiting = new AbortController();
  const timeIsUp = systemClock.sleep(ms, waiting.signal).then(
    () => false,
    () => true,
  );
  const hasEnded = await Promise.race([process.ended.then(() => true), timeIsUp]);
  waiting.abort();
  return hasEnded;
}
