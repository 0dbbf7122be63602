import { isLoopback } from '../base/network/loopback.ts';
import { AgentRuns, ApiError, ConnectionError } from '../client/index.ts';
import type { Arguments } from './arguments.ts';
import { findLocalServer } from './local-server.ts';
import { findRunId } from './run-id.ts';
import type { Shell } from './terminal/command-shell.ts';

/**
 * The client of a command. Its warnings go to stderr, and retries are reported once. Without a configured server it
 * uses the one that `serve` left in the data folder, only with that server's key. Throws ConfigurationError and
 * UsageError.
 */
export async function connect(args: Arguments, shell: Shell): Promise<AgentRuns> {
  const note = (message: string) => shell.note(message, 'quiet');
  const found = namesServer(args, shell) ? undefined : await findLocalServer(shell);
  const origin = found === undefined ? '' : ` The address is from ${found.path}.`;
  let hasSaid = false;
  return new AgentRuns({
    baseUrl: found?.url ?? args.text('base-url'),
    apiKey: found?.key ?? args.text('api-key'),
    allowHttp: args.has('allow-http'),
    logger: { error: note, warn: note, info: note, debug: note },
    onRetry: failure => {
      if (!hasSaid) note(`${explainRetry(failure)}. Trying again.${origin}`);
      hasSaid = true;
    },
  });
}

function namesServer(args: Arguments, { env }: Shell): boolean {
  const isSet = (name: string) => (env[name] ?? '').trim() !== '';
  return args.has('base-url') || args.has('api-key') || isSet('AGENT_RUN_BASE_URL') || isSet('OZ_API_BASE_URL');
}

/** For commands that a person waits for. A local server answers the first attempt or is not there. */
export async function connectBriefly(args: Arguments, shell: Shell): Promise<AgentRuns> {
  const client = await connect(args, shell);
  return isLoopback(new URL(client.baseUrl).hostname) ? client.withOptions({ maxRetries: 1 }) : client;
}

/** The client, and the whole id of the run that the first word means. */
export async function connectToRun(args: Arguments, shell: Shell) {
  if (args.word === undefined) throw new RangeError('the command has no RUN_ID in the table');
  const client = await connectBriefly(args, shell);
  return { client, runId: await findRunId(client, args.word) };
}

function explainRetry(failure: unknown): string {
  if (failure instanceof ConnectionError) return `Cannot reach ${failure.host}`;
  if (!(failure instanceof ApiError)) return 'The answer is incomplete';
  // The user may be able to end whatever blocks the request.
  const reason = failure.status === 409 && failure.detail !== undefined ? `: ${failure.detail}` : '';
  return `The server answered ${failure.status}${reason}`;
}
