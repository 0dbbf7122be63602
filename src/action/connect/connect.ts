import { AgentRuns } from '../../client/index.ts';
import type { ActionHost } from '../host/host.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import { guardLine } from '../text/guard.ts';

/** A restart of the server, some twenty seconds, fails no step. */
const maxRetries = 6;

export interface Connection {
  readonly client: AgentRuns;
  /** How long the server has not answered well, in milliseconds. */
  silentMs(): number;
}

/** The client of a step: what it says of retries goes to the step's log. Throws ConfigurationError when address or key is missing. */
export function connectClient(
  host: ActionHost,
  { baseUrl, apiKey }: Pick<ActionInputs, 'baseUrl' | 'apiKey'>,
  logLevel: 'info' | 'warn' = 'info',
): Connection {
  const print = (message: string) => host.print(guardLine(message));
  let heardAt = performance.now();
  const client = new AgentRuns({
    baseUrl,
    apiKey,
    logger: { error: print, warn: print, info: print, debug: print },
    logLevel,
    maxRetries,
    async fetch(url, init) {
      const response = await globalThis.fetch(url, init);
      if (response.ok || response.status === 304) heardAt = performance.now();
      return response;
    },
  });
  return { client, silentMs: () => performance.now() - heardAt };
}
