/** What the runner starts, as dist/main/index.js. */
import { run } from './main.ts';

await run();
