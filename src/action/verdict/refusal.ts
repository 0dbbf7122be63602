import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  PermissionDeniedError,
  StartUnknownError,
} from '../../client/index.ts';
import { InputError } from '../inputs/inputs.ts';

/** What to do where the client lacks something; in the words of a workflow. */
const remedies: Readonly<Record<string, string>> = {
  baseUrl: 'give `base_url` under `with:`, or set AGENT_RUN_BASE_URL',
  apiKey:
    'give `api_key` from a secret that is set and that this event may see (pull requests from forks see none), or set AGENT_RUN_API_KEY',
  allowHttp: 'give `base_url` with https, for the key would cross the network in the clear',
};

/** One sentence on why no run was started, and what to do. */
export function explainRefusal(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof InputError) return `No run was started: ${message}`;
  if (error instanceof ConfigurationError) {
    const remedy = error.option === undefined ? undefined : remedies[error.option];
    return `No run was started: ${remedy ?? message}`;
  }
  if (error instanceof StartUnknownError) return `It is not known whether a run was started: ${message}`;
  if (error instanceof ConnectionError)
    return `No run was started, for the server cannot be reached: ${message}. Check \`base_url\``;
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
    return `No run was started, for the server does not accept the key: ${message}. Check \`api_key\``;
  return `No run was started: ${message}`;
}
