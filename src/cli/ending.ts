import { printArtifact } from '../base/artifact-words.ts';
import type { AgentRuns } from '../client/index.ts';
import type { Run } from '../contract/run.ts';
import { isFinal } from '../contract/state.ts';
import type { ExitCode } from './command-table.ts';
import { messageOf, type Shell } from './shell.ts';

/** Whether following ends here: the run is over, or waits for a person. */
export function isEnding(run: Run): boolean {
  return isFinal(run.state) || run.state === 'BLOCKED';
}

const openings: ReadonlyMap<string, string> = new Map([
  ['SUCCEEDED', 'the run succeeded'],
  ['FAILED', 'the run failed'],
  ['ERROR', 'the service failed to carry out the run'],
  ['CANCELLED', 'the run was cancelled'],
  ['BLOCKED', 'the run is blocked: the agent waits for a person'],
]);

/** One sentence on how a run ended, with the server's reason. */
function explainEnding(run: Run): string {
  const { message, error_code, reason: code = error_code } = run.status_message ?? {};
  const opening = openings.get(run.state) ?? `the run is ${run.state}`;
  const why = message === undefined ? '' : `: ${message}`;
  return `${opening}${why}${code === undefined ? '' : ` (${code})`}`;
}

export interface Report {
  readonly client: AgentRuns;
  readonly shell: Shell;
  readonly run: Run;
  /** What stdout gets: the text of the result, the run as JSON, or nothing because it had the events. */
  readonly output: 'result' | 'run' | 'none';
}

/** Says how a run ended and hands out what it left. The exit code, which the state alone decides. */
export async function reportEnding({ client, shell, run, output }: Report): Promise<ExitCode> {
  const hasSucceeded = run.state === 'SUCCEEDED';
  if (output === 'run') shell.printJson(run);
  if (output === 'result' && run.result !== undefined) shell.print(await readWholeResult(client, shell, run));
  noteLeft(shell, run);
  shell.note(explainEnding(run), hasSucceeded ? 'good' : 'bad');
  if (run.state === 'BLOCKED') shell.note(`answer it: agent-run followup ${run.run_id} MESSAGE`);
  return hasSucceeded ? 0 : 1;
}

/** Links are said here; how files are had, and how to go on, is for whoever has something to do it with. */
function noteLeft(shell: Shell, run: Run): void {
  const { run_id: runId, artifacts = [] } = run;
  for (const artifact of artifacts) shell.note(`left: ${printArtifact(artifact)}`);
  if (artifacts.some(({ artifact_type: type }) => type === 'FILE'))
    shell.note(`its files: agent-run artifacts ${runId} --download DIR`);
  if (isFinal(run.state) && run.session_id !== undefined)
    shell.note(
      `conversation ${run.conversation_id}: agent-run run --conversation ${run.conversation_id} PROMPT goes on with it`,
    );
}

/** Says that a run was lost from sight. */
export function reportLoss(shell: Shell, runId: string, error: unknown): ExitCode {
  shell.note(
    `agent-run: the run ${runId} cannot be followed any more, and what became of it is not known here: ${messageOf(error)}`,
    'bad',
  );
  return 1;
}

/** A long result is cut on the run and stands whole at an address of its own. */
async function readWholeResult(client: AgentRuns, shell: Shell, run: Run): Promise<string> {
  const { text = '', truncated = false } = run.result ?? {};
  if (!truncated) return text;
  try {
    return await client.runs.result(run.run_id);
  } catch (error) {
    shell.note(`agent-run: the result is cut, for the whole text cannot be read: ${messageOf(error)}`, 'bad');
    return text;
  }
}
