import { enterPost } from './host/entry.ts';
import { postAction } from './post-action.ts';

await enterPost(postAction);
