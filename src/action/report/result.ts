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

/** What the run itself says of its result. */
export function resultOf(run: Run | undefined): Result {
  const { text = '', truncated = false } = run?.result ?? {};
  return { text, isPart: truncated };
}

/** The whole result of a run that says a part of it; that part where the server has no more. Throws the client's errors. */
export async function readResult(run: Run, { client }: Connection, signal: AbortSignal): Promise<Result> {
  try {
    return { text: await client.runs.result(run.run_id, { signal }), isPart: false };
  } catch (error) {
    if (!(error instanceof FeatureUnavailableError)) throw error;
    return resultOf(run);
  }
}

/** Where the file of the result is to be: the workflow's own choice, else a place that goes with the job. */
export function resultPath(asked: string | undefined, folder: string, { workspace }: StepContext): string {
  if (asked !== undefined) return resolve(workspace ?? '.', asked);
  return join(folder, 'result.md');
}

/** A folder for what this step keeps of a run. The id is the server's word, and no path. */
export function folderOfRun(runId: string, tempDir: string | undefined): string {
  return join(tempDir ?? tmpdir(), 'agent-run', runId.replace(/[^A-Za-z0-9-]/g, '_').slice(0, 100));
}

/** Writes the file and says what the outputs are. Throws where the file cannot be written; `outputsOfResult` without a path is then what is left. */
export async function keepResult(run: Run, result: Result, path: string): Promise<Partial<Outputs>> {
  const structured = structuredOf(run);
  // A structured result may come without a text, and may be longer than an output.
  const text = result.text.trim() === '' && structured !== undefined ? structured : result.text;
  if (text === '') return outputsOfResult(run, result, '');
  await writeResultFile({ path, text });
  return outputsOfResult(run, result, path);
}

export function outputsOfResult(run: Run, { text, isPart }: Result, path: string): Partial<Outputs> {
  const shown = keepTail(text, { surface: 'result', where: path === '' ? undefined : `the file ${path}` });
  const structured = structuredOf(run);
  const isCut = isPart || shown !== text || (structured !== undefined && !fitsOutput(structured));
  return {
    result: shown,
    result_json: printJson(structured, isPart ? '' : text),
    result_file: path,
    result_truncated: isCut ? 'true' : 'false',
    result_empty: isResultEmpty(run) ? 'true' : 'false',
  };
}

function structuredOf({ result }: Run): string | undefined {
  return JSON.stringify(result?.structured);
}

/** The structured result, else the text where it is JSON, else null. */
function printJson(structured: string | undefined, text: string): string {
  const json = structured ?? compactJson(text);
  return fitsOutput(json) ? json : 'null';
}

function fitsOutput(json: string): boolean {
  return measureText(json, 'resultJson') <= budgets.resultJson.max;
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
