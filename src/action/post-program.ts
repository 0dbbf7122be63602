/** What the runner starts when the job ends, as dist/post/index.js. */
import { run } from './post.ts';

await run();
