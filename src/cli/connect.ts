import { AgentRuns } from '../client/index.ts';
import type { Arguments } from './arguments.ts';
import type { Shell } from './shell.ts';

/** The client of a command; its warnings go to stderr. Throws ConfigurationError when address or key is missing. */
export function connect(args: Arguments, shell: Shell): AgentRuns {
  const note = (message: string) => shell.note(message, 'quiet');
  return new AgentRuns({
    baseUrl: args.text('base-url'),
    apiKey: args.text('api-key'),
    allowHttp: args.has('allow-http'),
    logger: { error: note, warn: note, info: note, debug: note },
  });
}

/** The RUN_ID of a command that the table requires one of. */
export function readRunId(args: Arguments): string {
  if (args.word === undefined) throw new RangeError('the command has no RUN_ID in the table');
  return args.word;
}
