/** The run's result: everything that the server keeps of it in a file, and a bounded part in the outputs. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../border/folders.ts';
import { drawnText } from '../../border/terminal-text.ts';
import { FeatureUnavailableError, type Run } from '../../client/index.ts';
import { printRunText } from '../../contract/tables/run-text.ts';
import type { Connection } from '../connect/connect.ts';
import { retryProxyResponses } from '../connect/proxy-responses.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { budgets, keepHead, keepTail, measureText } from '../text/budget.ts';
import { removeFence } from '../text/open-fence.ts';
import { isResultEmpty } from '../verdict/verdict.ts';
import type { Outputs } from './outputs.ts';
import { describeWhere, noteOnPart } from './result-words.ts';
import { writeResultFile } from './saved-result.ts';

export interface Result {
  /** As much of it as could be read. '' if there is none. */
  readonly text: string;
  /** True if this is only the beginning and the server has more. */
  readonly isPart: boolean;
  /** Set if the server kept only its end. */
  readonly cut?: ResultCut | undefined;
}

export interface ResultCut {
  readonly leftOutBytes: number;
  /** Size of the text as the server sent it, before redaction. */
  readonly keptBytes: number;
}

export function resultOf(run: Run | undefined): Result {
  const { text = '', truncated = false } = run?.result ?? {};
  return makeResult(run, text, truncated);
}

/**
 * Reads everything that the server keeps of a result, if the run has only a part. Returns that part if the server has
 * no more. Throws the client's errors.
 */
export async function readResult(run: Run, { client }: Connection, signal: AbortSignal): Promise<Result> {
  try {
    return makeResult(
      run,
      await retryProxyResponses(() => client.runs.result(run.run_id, { signal }), { signal }),
      false,
    );
  } catch (error) {
    if (!(error instanceof FeatureUnavailableError)) throw error;
    return resultOf(run);
  }
}

function makeResult(run: Run | undefined, text: string, isPart: boolean): Result {
  const leftOutBytes = run?.result?.left_out_bytes;
  if (leftOutBytes === undefined) return { text, isPart };
  return { text, isPart, cut: { leftOutBytes, keptBytes: Buffer.byteLength(text) } };
}

/** Returns the result file's path: the workflow's choice, otherwise a place that is deleted with the job. */
export async function resultPath(
  asked: string | undefined,
  folder: () => Promise<string>,
  { workspace }: StepContext,
): Promise<string> {
  if (asked !== undefined) return resolve(workspace ?? '.', asked);
  return join(await folder(), 'result.md');
}

/** With a known folder name, an agent inside the step could place links and pipes. */
export async function makeKeptFolder(tempDir = tmpdir()): Promise<string> {
  await makeFolder(tempDir);
  return await mkdtemp(join(tempDir, 'agent-run-kept-'));
}

/**
 * Writes the file and returns the outputs. A note in the file tells what is missing. `result_file` has everything
 * that the server keeps, or is empty, so a partial result is not named. Throws if the file cannot be written.
 * `outputsOfResult` without a path still works then.
 */
export async function keepResult(run: Run, result: Result, path: string): Promise<Partial<Outputs>> {
  const structured = structuredOf(run);
  // A structured result may come without text, and may be longer than an output.
  const text = result.text.trim() === '' && structured !== undefined ? structured : result.text;
  if (text === '') return outputsOfResult(run, result, '');
  const { isPart, cut } = result;
  const kept = printRunText({ text, leftOutBytes: cut?.leftOutBytes ?? 0 });
  await writeResultFile({ path, text: isPart ? `${kept}\n\n${noteOnPart(result)}\n` : kept });
  return outputsOfResult(run, result, result.isPart ? '' : path);
}

export function outputsOfResult(run: Run, result: Result, path: string): Partial<Outputs> {
  const { text, isPart, cut } = result;
  const where = describeWhere(result, path === '' ? undefined : `in the file ${path}`);
  const shown = isPart
    ? showPart(result)
    : keepTail(text, { surface: 'result', where, missingBytes: cut?.leftOutBytes });
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

function showPart(result: Result): string {
  const { text } = result;
  if (text === '') return '';
  const note = `\n\n${noteOnPart(result)}`;
  return `${keepHead(text, { surface: 'result', room: budgets.result.max - measureText(note, 'result') })}${note}`;
}

function structuredOf({ result }: Run): string | undefined {
  return JSON.stringify(result?.structured);
}

/** The structured result, otherwise the text if it is JSON, otherwise null. */
function printJson(structured: string | undefined, text: string): string {
  const json = structured ?? compactJson(text);
  return fitsOutput(json) ? json : 'null';
}

function fitsOutput(json: string): boolean {
  return measureText(json, 'resultJson') <= budgets.resultJson.max;
}

/** Keeps the digits of numbers. Returns invalid JSON unchanged. */
function compactJson(text: string): string {
  if (text.length > budgets.resultJson.max * 4) return 'null';
  const json = [text, drawnText(text)].map(removeFence).find(isJson);
  return json === undefined ? 'null' : printCompact(json);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function printCompact(json: string): string {
  return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}
