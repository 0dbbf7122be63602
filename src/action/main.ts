import { runnerHost } from './host.ts';
import { runAction } from './run-action.ts';

await runAction(runnerHost());
