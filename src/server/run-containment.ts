import { ConfigError } from './config/config-schema.ts';
import type { ServerConfig } from './config/server-config.ts';
import { type Containment, ContainmentError, findContainment } from './executor/cleanup/containment.ts';
import type { Log } from './log.ts';

/** Finds the containment for this server's runs. Throws ConfigError if the configured one does not work here. */
export async function findRunContainment(
  { containment: choice, limits }: Pick<ServerConfig, 'containment' | 'limits'>,
  log: Log,
): Promise<Containment> {
  try {
    const found = await findContainment({
      choice,
      limits: { memoryMb: limits.memory_mb, processes: limits.processes, fileMb: limits.file_mb },
    });
    log('debug', 'containment of runs', { containment: found.kind, because: found.because });
    return found;
  } catch (error) {
    if (error instanceof ContainmentError) throw new ConfigError([error.message]);
    throw error;
  }
}
