import { guardLine } from '../text/guard.ts';
import { type ActionHost, runnerHost } from './host.ts';
import { listenForStop } from './stop-signals.ts';

/** The main step. It listens for the runner's signals before all else; what breaks it turns it red, with a sentence and no stack. */
export async function enterMain(runStep: (host: ActionHost) => Promise<void>): Promise<void> {
  const host = runnerHost(listenForStop());
  try {
    await runStep(host);
  } catch (error) {
    host.fail(`The step broke off: ${describe(error)}`);
  }
}

/** The post step: whatever breaks it is a warning and fails no job. */
export async function enterPost(runStep: (host: ActionHost) => Promise<void>): Promise<void> {
  const host = runnerHost();
  try {
    await runStep(host);
  } catch (error) {
    host.warn(`The clean-up broke off: ${describe(error)}`);
  }
}

function describe(error: unknown): string {
  return guardLine(error instanceof Error ? error.message : String(error));
}
