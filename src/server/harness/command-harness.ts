import { basename, join } from 'node:path';
import { findSecrets } from '../../base/secret-variables.ts';
import { redactValue } from '../../border/secrets.ts';
import { placeFiles } from './agents/state-files.ts';
import { describeCause, describeExitCode } from './ending-text.ts';
import {
  type CommandEnd,
  type Harness,
  type HarnessOutcome,
  type HarnessTask,
  type PreparedCommand,
  refuseForAgents,
} from './harness.ts';
import { createRunRedactor } from './run-redactor.ts';

interface CommandHarnessOptions {
  readonly name: string;
  /** Program and arguments. A program with a slash is an absolute path. */
  readonly argv: readonly [string, ...string[]];
  /** Variables for the program, which override those of every agent. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs one program of the configuration. Standard input and the file in AGENT_RUN_PROMPT_FILE contain the
 * instructions, an empty line and the prompt. It succeeds with exit code 0 and a result: the result file's text,
 * otherwise its standard output. Throws RangeError for a variable that the server sets itself.
 */
export function createCommandHarness({ name, argv, env }: CommandHarnessOptions): Harness {
  const taken = Object.keys(env).filter(variable => variable.startsWith('AGENT_RUN_'));
  if (taken.length > 0)
    throw new RangeError(
      `harnesses.${name}.env: ${taken.join(', ')} cannot be passed on; names that start with AGENT_RUN_ are reserved for the service`,
    );
  return {
    name,
    refuse: refuseForAgents(name),
    async prepare(task: HarnessTask): Promise<PreparedCommand> {
      const stdin = [...task.instructions, task.prompt]
        .map(({ text }) => text)
        .filter(text => text.trim() !== '')
        .join('\n\n');
      const promptFile = join(task.stateDir, 'prompt.md');
      await placeFiles(task.stateDir, [{ path: 'prompt.md', text: stdin }]);
      const redactor = createRunRedactor(findSecrets({ ...task.variables, ...env }));
      return {
        argv,
        env: { ...env, AGENT_RUN_PROMPT_FILE: promptFile },
        stdin,
        redactor,
        conclude: async end => redactValue(concludeCommand(`the program ${basename(argv[0])}`, end), redactor.redact),
      };
    },
  };
}

function concludeCommand(program: string, end: CommandEnd): HarnessOutcome {
  const { exitCode, signal, result, stdout, outputTail } = end;
  if (exitCode === 0) {
    const answer = result ?? (stdout.text.trim() === '' ? undefined : stdout);
    if (answer !== undefined) return { state: 'SUCCEEDED', result: answer };
    return {
      state: 'FAILED',
      code: 'no_result',
      message: `${program} ended with exit code 0 and without a result. Print the result, or write it to the file that AGENT_RUN_RESULT names`,
    };
  }
  const how =
    exitCode === undefined
      ? `was killed by ${signal ?? 'an unknown signal'}`
      : `ended with ${describeExitCode(exitCode)}`;
  return {
    state: 'FAILED',
    code: 'agent_failed',
    message: `${program} ${how}${describeCause(outputTail)}`,
    result,
  };
}
