import type { ServerConfig } from './config/server-config.ts';

/** Agents are programs of Node.js and Bun, which ask for much more than they use. */
const agentMemoryMb = 2000;

/** Why runs of agents may crash, as two parts of a sentence: what is, and what to do. Undefined where their limit is high enough. */
export function describeLowMemory({
  limits: { memory_mb: memoryMb },
  harnesses: { agents = {} },
  docker,
}: Pick<ServerConfig, 'limits' | 'harnesses' | 'docker'>):
  | { readonly text: string; readonly remedy: string }
  | undefined {
  const names = Object.keys(agents);
  // The limit is for processes of this machine.
  if (memoryMb === undefined || memoryMb >= agentMemoryMb || names.length === 0 || docker.image !== undefined)
    return undefined;
  return {
    text: `limits.memory_mb is ${memoryMb}, but agents reserve more than that at startup, so runs of ${names.join(', ')} can crash`,
    remedy: `raise it to at least ${agentMemoryMb}, or remove it`,
  };
}

/** What comes behind a sentence on a program that failed: one that gets no memory mostly ends itself by a signal, with a trace that says nothing of a limit. */
export function explainCrash(
  { exitCode = 0, signal }: { readonly exitCode: number | undefined; readonly signal: string | undefined },
  { memory_mb: memoryMb }: Pick<ServerConfig['limits'], 'memory_mb'>,
): string {
  const isCrash = signal !== undefined || exitCode > 128;
  if (memoryMb === undefined || memoryMb >= agentMemoryMb || !isCrash) return '';
  return `. limits.memory_mb is ${memoryMb}, and agents need ${agentMemoryMb} or more`;
}
