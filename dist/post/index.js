import {
  enterPost,
  postAction
} from "../core.js";

// src/action/post.ts
await enterPost(postAction);
