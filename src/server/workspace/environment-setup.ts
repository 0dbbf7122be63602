import { ellipsis } from '../../base/text.ts';
import type { Redactor } from '../../border/secrets.ts';
import type { ExecutorEnd } from '../executor/executor.ts';
import { describeCause, describeExitCode } from '../harness/ending-text.ts';
import type { EventWriter } from '../output/event-writer.ts';
import { redactOutput } from '../output/redacted-output.ts';
import { TextTail } from '../output/text-tail.ts';
import { RunFailure } from '../run-failure.ts';
import type { GitParts } from './run-git.ts';

export interface SetupParts {
  readonly execute: GitParts['execute'];
  readonly events: EventWriter;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Receives a command's output. */
  readonly redactor: Redactor;
  /** Reports processes that a command left running. */
  readonly onEnd: (end: Extract<ExecutorEnd, { kind: 'ended' }>) => Promise<void>;
}

/** Limit for showing a command in one line. */
const shownMax = 200;

/**
 * Runs the commands of an environment, each in its own bash that stops at the first failure (`bash -euo pipefail`).
 * Their output becomes events. Throws RunFailure when one fails, and errors of `execute`.
 */
export async function runSetup(commands: readonly string[], parts: SetupParts): Promise<void> {
  const { execute, events, cwd, env, redactor, onEnd } = parts;
  for (const [index, command] of commands.entries()) {
    const which = `setup command ${index + 1} of ${commands.length}`;
    const shown = ellipsis(command.trim().replace(/\s+/g, ' '), shownMax);
    await events.writeSystem(`${which}: ${shown}`);
    // npm prints the error first, and below it more than 4 KiB of usage text.
    const tail = new TextTail(16 * 1024);
    const redacted = { stdout: redactOutput(redactor), stderr: redactOutput(redactor) };
    const write = async (stream: 'stdout' | 'stderr', text: string): Promise<void> => {
      tail.push(text);
      await events.write(stream, text);
    };
    const end = await execute(
      { argv: ['bash', '-euo', 'pipefail', '-c', command], cwd, env, stdin: '' },
      async (stream, chunk) => await write(stream, await redacted[stream].push(chunk)),
    ).finally(async () => {
      for (const stream of ['stdout', 'stderr'] as const) await write(stream, await redacted[stream].end());
    });
    if (end.kind === 'not_started')
      throw new RunFailure('environment_setup_failed', `${which} did not start: ${end.message}`);
    await onEnd(end);
    if (end.exitCode === 0) continue;
    const how =
      end.exitCode === undefined
        ? `was killed by ${end.signal ?? 'a signal'}`
        : `failed with ${describeExitCode(end.exitCode)}`;
    throw new RunFailure('environment_setup_failed', `${which} (\`${shown}\`) ${how}${describeCause(tail.text)}`);
  }
}
