import type { AgentAdapter } from '../adapter.ts';
import { launchClaude } from './claude-launch.ts';
import { createClaudeReader } from './claude-reader.ts';

/** Claude Code, for endpoints of Anthropic's Messages API. Tested with 2.1.332. */
export const claudeAdapter: AgentAdapter = {
  title: 'Claude Code',
  apis: ['anthropic'],
  program: 'claude',
  versionArgs: ['--version'],
  launch: launchClaude,
  createReader: createClaudeReader,
};
