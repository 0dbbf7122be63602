/** Both steps of the action, which share one file of the bundle. */
export { run as runMain } from './main.ts';
export { run as runPost } from './post.ts';
