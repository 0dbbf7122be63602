import { messageOf } from '../../base/cause.ts';
import { waitForSlowAddresses } from '../../base/network/slow-addresses.ts';
import { closeDebuggerDoor } from '../../base/process/debugger-door.ts';
import { type ActionHost, runnerHost } from './host.ts';
import { listenForStop } from './stop-signals.ts';

/**
 * Runs the main step. Listens for the runner's signals first. An error fails the step with a sentence and no stack.
 */
export async function enterMain(runStep: RunStep, times?: EntryTimes): Promise<void> {
  closeDebuggerDoor();
  waitForSlowAddresses();
  const host = runnerHost(listenForStop());
  try {
    await runStep(host);
  } catch (error) {
    host.fail(`The step failed unexpectedly: ${messageOf(error)}`);
  }
  endSoon(times);
}

/** Runs the post step. An error is a warning and does not fail the job. */
export async function enterPost(runStep: RunStep, times?: EntryTimes): Promise<void> {
  closeDebuggerDoor();
  waitForSlowAddresses();
  const host = runnerHost();
  try {
    await runStep(host);
  } catch (error) {
    host.warn(`The cleanup failed unexpectedly: ${messageOf(error)}`);
  }
  endSoon(times);
}

type RunStep = (host: ActionHost) => Promise<void>;

interface EntryTimes {
  readonly lingerMs: number;
}

/** Longer than writing any log takes, and longer than a canceled step lives. */
const usualTimes: EntryTimes = { lingerMs: 10_000 };

/** Keeps abandoned work, such as a write to a hanging disk, from keeping the process alive. */
function endSoon({ lingerMs } = usualTimes): void {
  setTimeout(() => process.exit(), lingerMs).unref();
}
