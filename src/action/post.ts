import { runnerHost } from './host.ts';
import { postAction } from './post-action.ts';

await postAction(runnerHost());
