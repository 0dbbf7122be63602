import { runApply } from '../index.js';

await runApply();
