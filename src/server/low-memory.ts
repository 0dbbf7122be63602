import type { ServerConfig } from './config/server-config.ts';

/** Agents run on Node.js and Bun, which reserve far more address space than they use. */
const agentMemoryMb = 2000;

/** Why agents may crash, in two parts: the cause and the remedy. Undefined if the limit is high enough. */
export function describeLowMemory({
  limits: { memory_mb: memoryMb },
  harnesses: { agents = {} },
  docker,
}: Pick<ServerConfig, 'limits' | 'harnesses' | 'docker'>):
  | { readonly text: string; readonly remedy: string }
  | undefined {
  const names = Object.keys(agents);
  // The limit applies only to processes of this machine.
  if (memoryMb === undefined || memoryMb >= agentMemoryMb || names.length === 0 || docker.image !== undefined)
    return undefined;
  return {
    text: `limits.memory_mb is ${memoryMb}, but agents reserve more than that at startup, so runs of ${names.join(', ')} can crash`,
    remedy: `raise it to at least ${agentMemoryMb}, or remove it`,
  };
}

/** Text after the message of a failed program. Out of memory, most die by a signal that does not name the limit. */
export function explainCrash(
  { exitCode = 0, signal }: { readonly exitCode: number | undefined; readonly signal: string | undefined },
  { memory_mb: memoryMb }: Pick<ServerConfig['limits'], 'memory_mb'>,
): string {
  const isCrash = signal !== undefined || exitCode > 128;
  if (memoryMb === undefined || memoryMb >= agentMemoryMb || !isCrash) return '';
  return `. limits.memory_mb is ${memoryMb}, and agents need ${agentMemoryMb} or more`;
}
