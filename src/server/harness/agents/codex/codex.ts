import type { AgentAdapter } from '../adapter.ts';
import { launchCodex } from './codex-launch.ts';
import { createCodexReader } from './codex-reader.ts';

/** Codex, for endpoints of OpenAI's Responses API. Tested with 0.171.0. */
export const codexAdapter: AgentAdapter = {
  title: 'Codex',
  apis: ['openai-responses'],
  program: 'codex',
  versionArgs: ['--version'],
  launch: launchCodex,
  createReader: createCodexReader,
};
