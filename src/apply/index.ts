import { enterMain } from '../action/host/entry.ts';
import { applyAnswer } from './apply-answer.ts';

/** GitHub's local-action starts a step under this name. */
export const run = (): Promise<void> => enterMain(applyAnswer);
export { run as runApply };
