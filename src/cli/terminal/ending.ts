import { messageOf } from '../../base/cause.ts';
import { printArtifact } from '../../base/wording/artifact-words.ts';
import type { AgentRuns } from '../../client/index.ts';
import type { Run } from '../../contract/run.ts';
import { printRunText } from '../../contract/tables/run-text.ts';
import { isFinal } from '../../contract/tables/state.ts';
import type { ExitCode } from '../command-table.ts';
import type { Shell } from './command-shell.ts';
import type { Watched } from './watch.ts';

/** Whether following ends: the run ended or waits for a person. */
export function isEnding(run: Run): boolean {
  return isFinal(run.state) || run.state === 'BLOCKED';
}

const openings: ReadonlyMap<string, string> = new Map([
  ['SUCCEEDED', 'The run succeeded'],
  ['FAILED', 'The run failed'],
  ['ERROR', 'The server failed to carry out the run'],
  ['CANCELLED', 'The run was canceled'],
  ['BLOCKED', 'The run is blocked: the agent waits for an answer'],
]);

/** One sentence on how a run ended, with the server's reason. */
function explainEnding(run: Run): string {
  const { message, error_code, reason: code = error_code } = run.status_message ?? {};
  const opening = openings.get(run.state) ?? `The run is ${run.state}`;
  const why = message === undefined ? '' : `: ${message}`;
  return `${opening}${code === undefined ? '' : ` (${code})`}${why}`;
}

export interface Report extends Watched {
  readonly client: AgentRuns;
  readonly shell: Shell;
  /** What stdout gets: the result's text, the run as JSON, or nothing because it had the events. */
  readonly output: 'result' | 'run' | 'none';
}

/** Reports how a run ended and prints its output. Returns the exit code, which depends only on the state. */
export async function reportEnding({ client, shell, run, isResultShown, output }: Report): Promise<ExitCode> {
  const hasSucceeded = run.state === 'SUCCEEDED';
  if (output === 'run') shell.printJson(run);
  if (output === 'result' && run.result !== undefined && !(isResultShown && shell.isTerminal))
    shell.print(await readWholeResult(client, shell, run));
  noteLeft(shell, run);
  shell.note(explainEnding(run), hasSucceeded ? 'good' : 'bad');
  if (run.state === 'BLOCKED') shell.note(`Answer it: npx agent-run followup ${run.run_id} MESSAGE`);
  return hasSucceeded ? 0 : 1;
}

/** Names a run's artifacts and how to use them. */
function noteLeft(shell: Shell, run: Run): void {
  const { run_id: runId, artifacts = [] } = run;
  for (const artifact of artifacts) shell.note(`left: ${printArtifact(artifact)}`);
  if (artifacts.some(({ artifact_type: type }) => type === 'FILE'))
    shell.note(`Get the files: npx agent-run artifacts ${runId} --download DIR`);
  if (isFinal(run.state) && run.session_id !== undefined)
    shell.note(`Continue: npx agent-run run --conversation ${run.conversation_id} PROMPT`);
}

/** Reports that the end of a run was not seen. */
export function reportLoss(shell: Shell, runId: string, error: unknown): ExitCode {
  shell.note(
    `agent-run: Lost contact with run ${runId}, so its outcome is unknown: ${messageOf(error)}. See npx agent-run get ${runId}.`,
    'bad',
  );
  return 1;
}

/** A run includes only part of a long result. The full text has its own address. */
async function readWholeResult(client: AgentRuns, shell: Shell, run: Run): Promise<string> {
  const { text = '', truncated = false, left_out_bytes: leftOutBytes = 0 } = run.result ?? {};
  if (!truncated) return printRunText({ text, leftOutBytes });
  try {
    return printRunText({ text: await client.runs.result(run.run_id), leftOutBytes });
  } catch (error) {
    shell.note(
      `agent-run: Only the beginning of the result is shown. Cannot read the rest: ${messageOf(error)}`,
      'bad',
    );
    return printRunText({ text, leftOutBytes });
  }
}
