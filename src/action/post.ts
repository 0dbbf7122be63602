import { enterPost } from './host/entry.ts';
import { postAction } from './post-action.ts';

/** Under this name GitHub's local-action starts a step. */
export const run = (): Promise<void> => enterPost(postAction);
