/** The run's result: whole in a file, within bounds in the outputs. */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FeatureUnavailableError, type Run } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { budgets, keepTail, measureText } from '../text/budget.ts';
import { isResultEmpty } from '../verdict/verdict.ts';
import type { Outputs } from './outputs.ts';
import { writeResultFile } from './result-file.ts';

export interface Result {
  /** As much of it as could be had; '' when there is none. */
  readonly text: string;
  /** Whether the server has more. */
  readonly isPart: boolean;
}

/** The whole result of a run. Throws the client's errors, with what the run itself says of it left to the caller. */
export async function readResult(run: Run, { client }: Connection): Promise<Result> {
  const { text = '', truncated = false } = run.result ?? {};
  if (!truncated) return { text, isPart: false };
  try {
    return { text: await client.runs.result(run.run_id), isPart: false };
  } catch (error) {
    if (!(error instanceof FeatureUnavailableError)) throw error;
    return { text, isPart: true };
  }
}

/** Where the file of the result is to be: the workflow's own choice, else a place that goes with the job. */
export function resultPath(asked: string | undefined, runId: string, { workspace, tempDir }: StepContext): string {
  if (asked !== undefined) return resolve(workspace ?? '.', asked);
  return join(folderOfRun(runId, tempDir), 'result.md');
}

/** A folder for what this step keeps of a run. The id is the server's word, and no path. */
export function folderOfRun(runId: string, tempDir: string | undefined): string {
  return join(tempDir ?? tmpdir(), 'agent-run', runId.replace(/[^A-Za-z0-9-]/g, '_').slice(0, 100));
}

/** Writes the file and says what the outputs are. Throws where the file cannot be written; `outputsOfResult` without a path is then what is left. */
export async function keepResult(run: Run, result: Result, path: string): Promise<Partial<Outputs>> {
  if (result.text === '') return outputsOfResult(run, result, '');
  await writeResultFile({ path, text: result.text });
  return outputsOfResult(run, result, path);
}

export function outputsOfResult(run: Run, { text, isPart }: Result, path: string): Partial<Outputs> {
  const shown = keepTail(text, { surface: 'result', where: path === '' ? undefined : `the file ${path}` });
  return {
    result: shown,
    result_json: printJson(run, isPart ? '' : text),
    result_file: path,
    result_truncated: isPart || shown !== text ? 'true' : 'false',
    result_empty: isResultEmpty(run) ? 'true' : 'false',
  };
}

/** The structured result, else the text where it is JSON, else null. */
function printJson(run: Run, text: string): string {
  const json = JSON.stringify(run.result?.structured) ?? compactJson(text);
  return measureText(json, 'resultJson') <= budgets.resultJson.max ? json : 'null';
}

function compactJson(text: string): string {
  // Blanks between its members are all that may be saved.
  if (text.trim() === '' || text.length > budgets.resultJson.max * 4) return 'null';
  try {
    return JSON.stringify(JSON.parse(text)) ?? 'null';
  } catch {
    return 'null';
  }
}
