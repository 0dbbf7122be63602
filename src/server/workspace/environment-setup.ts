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
  /** For what a command prints. */
  readonly redactor: Redactor;
  /** Tells of processes that a command left. */
  readonly onEnd: (end: Extract<ExecutorEnd, { kind: 'ended' }>) => Promise<void>;
}

/** A command is shown in one line, as far as that goes. */
const shownMax = 200;

/**
 * Runs the commands of an environment, each in a bash of its own that stops at the first failure (`bash -euo pipefail`). Their output becomes events.
 * Throws RunFailure when one fails, or what `execute` throws.
 */
export async function runSetup(commands: readonly string[], parts: SetupParts): Promise<void> {
  const { execute, events, cwd, env, redactor, onEnd } = parts;
  for (const [index, command] of commands.entries()) {
    const which = `setup command ${index + 1} of ${commands.length}`;
    const shown = ellipsis(command.trim().replace(/\s+/g, ' '), shownMax);
    await events.writeSystem(`${which}: ${shown}`);
    // The usage text of npm, below what is wrong, has more than 4 KiB.
    const tail = new TextTail(16 * 1024);
    const redacted = { stdout: redactOutput(redactor), stderr: redactOutput(redactor) };
    const write = async (stream: 'stdout' | 'stderr', chunk: Uint8Array): Promise<void> => {
      tail.push(Buffer.from(chunk).toString());
      await events.write(stream, chunk);
    };
    const end = await execute(
      { argv: ['bash', '-euo', 'pipefail', '-c', command], cwd, env, stdin: '' },
      async (stream, chunk) => await write(stream, redacted[stream].push(chunk)),
    ).finally(async () => {
      for (const stream of ['stdout', 'stderr'] as const) await write(stream, redacted[stream].end());
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
