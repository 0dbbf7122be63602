import type { AgentAdapter } from '../adapter.ts';
import { launchOpencode } from './opencode-launch.ts';
import { createOpencodeReader } from './opencode-reader.ts';

/** opencode, for endpoints of any of the four APIs. Tested with 1.18.33. */
export const opencodeAdapter: AgentAdapter = {
  title: 'opencode',
  apis: ['openai-chat', 'openai-responses', 'anthropic', 'gemini'],
  program: 'opencode',
  versionArgs: ['--version'],
  launch: launchOpencode,
  createReader: createOpencodeReader,
};
