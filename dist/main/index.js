import {
  enterMain,
  runAction
} from "../core.js";

// src/action/main.ts
await enterMain(runAction);
