import { runnerHost } from './host/host.ts';
import { runAction } from './run-action.ts';

await runAction(runnerHost());
