import { enterMain } from './host/entry.ts';
import { runAction } from './run-action.ts';

/** GitHub's local-action starts a step under this name. */
export const run = (): Promise<void> => enterMain(runAction);
