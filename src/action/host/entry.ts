import { messageOf } from '../../base/cause.ts';
import { waitForSlowAddresses } from '../../base/network/slow-addresses.ts';
import { closeDebuggerDoor } from '../../base/process/debugger-door.ts';
import { type ActionHost, runnerHost } from './host.ts';
import { listenForStop } from './stop-signals.ts';

/** The main step. It listens for the runner's signals before all else; what breaks it turns it red, with a sentence and no stack. */
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

/** The post step: whatever breaks it is a warning and fails no job. */
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

/** Longer than any log takes to be written, and than a step lives that is told to stop. */
const usualTimes: EntryTimes = { lingerMs: 10_000 };

/** What nobody waits for any more, such as a disk that does not answer, keeps no process alive. */
function endSoon({ lingerMs } = usualTimes): void {
  setTimeout(() => process.exit(), lingerMs).unref();
}
