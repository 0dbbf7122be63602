import type { AgentAdapter } from './adapter.ts';
import { builtinAdapter } from './builtin/builtin.ts';
import { claudeAdapter } from './claude/claude.ts';
import { codexAdapter } from './codex/codex.ts';
import { geminiAdapter } from './gemini/gemini.ts';
import { opencodeAdapter } from './opencode/opencode.ts';

/** The agent programs that a configuration can name. */
export const agentAdapters: Readonly<Record<string, AgentAdapter>> = {
  builtin: builtinAdapter,
  claude: claudeAdapter,
  codex: codexAdapter,
  gemini: geminiAdapter,
  opencode: opencodeAdapter,
};
