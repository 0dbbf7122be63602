import { enterMain } from './host/entry.ts';
import { runAction } from './run-action.ts';

/** Under this name GitHub's local-action starts a step. */
export const run = (): Promise<void> => enterMain(runAction);
