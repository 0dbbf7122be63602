import type { AgentAdapter } from './adapter.ts';

/** The agent programs that a configuration can name. */
export const agentAdapters: Readonly<Record<string, AgentAdapter>> = {};
