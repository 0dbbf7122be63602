import { isLoopback } from '../base/loopback.ts';
import { AgentRuns, ApiError, ConnectionError } from '../client/index.ts';
import type { Arguments } from './arguments.ts';
import type { Shell } from './shell.ts';

/**
 * The client of a command; its warnings go to stderr, and that it tries again is said once. Throws ConfigurationError when address or key
 * is missing.
 */
export function connect(args: Arguments, shell: Shell): AgentRuns {
  const note = (message: string) => shell.note(message, 'quiet');
  let hasSaid = false;
  return new AgentRuns({
    baseUrl: args.text('base-url'),
    apiKey: args.text('api-key'),
    allowHttp: args.has('allow-http'),
    logger: { error: note, warn: note, info: note, debug: note },
    onRetry: failure => {
      if (!hasSaid) note(`${explainRetry(failure)}, trying again`);
      hasSaid = true;
    },
  });
}

/** The same for a command that a person waits for: whether a server of this machine is there shows at the first look. */
export function connectBriefly(args: Arguments, shell: Shell): AgentRuns {
  const client = connect(args, shell);
  return isLoopback(new URL(client.baseUrl).hostname) ? client.withOptions({ maxRetries: 1 }) : client;
}

function explainRetry(failure: unknown): string {
  if (failure instanceof ConnectionError) return `cannot reach ${failure.host}`;
  if (!(failure instanceof ApiError)) return 'the answer is cut';
  // What is in the way may be what the person who waits can end.
  const reason = failure.status === 409 && failure.detail !== undefined ? `: ${failure.detail}` : '';
  return `the server answers ${failure.status}${reason}`;
}

/** The RUN_ID of a command that the table requires one of. */
export function readRunId(args: Arguments): string {
  if (args.word === undefined) throw new RangeError('the command has no RUN_ID in the table');
  return args.word;
}
