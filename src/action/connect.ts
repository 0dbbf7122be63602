import { AgentRuns } from '../client/index.ts';
import { guardLine } from './guard.ts';
import type { ActionHost } from './host.ts';
import type { ActionInputs } from './inputs.ts';

/** A restart of the server, some twenty seconds, fails no step. */
const maxRetries = 6;

/** The client of a step: its warnings go to the step's log. Throws ConfigurationError when address or key is missing. */
export function connectClient(
  host: ActionHost,
  { baseUrl, apiKey }: Pick<ActionInputs, 'baseUrl' | 'apiKey'>,
): AgentRuns {
  const print = (message: string) => host.print(guardLine(message));
  return new AgentRuns({
    baseUrl,
    apiKey,
    logger: { error: print, warn: print, info: print, debug: print },
    logLevel: 'warn',
    maxRetries,
  });
}
