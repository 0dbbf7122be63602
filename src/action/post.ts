import { runnerHost } from './host/host.ts';
import { postAction } from './post-action.ts';

await postAction(runnerHost());
