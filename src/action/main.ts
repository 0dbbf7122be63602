import { enterMain } from './host/entry.ts';
import { runAction } from './run-action.ts';

await enterMain(runAction);
