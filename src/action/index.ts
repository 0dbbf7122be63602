/** Both steps of the action share one bundled file. */
export { run as runMain } from './main.ts';
export { run as runPost } from './post.ts';
