import { enterPost } from './host/entry.ts';
import { postAction } from './post-action.ts';

/** GitHub's local-action starts a step under this name. */
export const run = (): Promise<void> => enterPost(postAction);
