import type { AgentAdapter } from '../adapter.ts';
import { launchGemini } from './gemini-launch.ts';
import { createGeminiReader } from './gemini-reader.ts';

/** Gemini CLI, for endpoints of Gemini's API. Tested with 0.61.0. */
export const geminiAdapter: AgentAdapter = {
  title: 'Gemini CLI',
  apis: ['gemini'],
  program: 'gemini',
  versionArgs: ['--version'],
  launch: launchGemini,
  createReader: createGeminiReader,
};
