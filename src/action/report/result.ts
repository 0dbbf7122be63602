/** The run's result: all that the server keeps of it in a file, within bounds in the outputs. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { drawnText } from '../../border/terminal-text.ts';
import { FeatureUnavailableError, type Run } from '../../client/index.ts';
import { printRunText } from '../../contract/tables/run-text.ts';
import type { Connection } from '../connect/connect.ts';
import { retryProxyResponses } from '../connect/proxy-responses.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { budgets, keepHead, keepTail, measureText } from '../text/budget.ts';
import { isResultEmpty } from '../verdict/verdict.ts';
import type { Outputs } from './outputs.ts';
import { noteOnPart, tellWhere } from './result-words.ts';
import { writeResultFile } from './saved-result.ts';

export interface Result {
  /** As much of it as could be had; '' when there is none. */
  readonly text: string;
  /** Whether it is the beginning alone, and the server has more. */
  readonly isPart: boolean;
  /** Where the server kept only its end. */
  readonly cut?: ResultCut | undefined;
}

export interface ResultCut {
  readonly leftOutBytes: number;
  /** Of the text as the server gives it, before anything is taken out of it. */
  readonly keptBytes: number;
}

/** What the run itself says of its result. */
export function resultOf(run: Run | undefined): Result {
  const { text = '', truncated = false } = run?.result ?? {};
  return makeResult(run, text, truncated);
}

/** The result of a run that says a part of it, all that the server keeps; that part where the server has no more. Throws the client's errors. */
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

/** Where the file of the result is to be: the workflow's own choice, else a place that goes with the job. */
export async function resultPath(
  asked: string | undefined,
  folder: () => Promise<string>,
  { workspace }: StepContext,
): Promise<string> {
  if (asked !== undefined) return resolve(workspace ?? '.', asked);
  return join(await folder(), 'result.md');
}

/** A new folder for what this step keeps of a run: in one whose name an agent in the step could know beforehand it could put links and pipes. */
export async function makeKeptFolder(tempDir = tmpdir()): Promise<string> {
  await mkdir(tempDir, { recursive: true });
  return await mkdtemp(join(tempDir, 'agent-run-kept-'));
}

/**
 * Writes the file and says what the outputs are. What is missing stands in the file for whoever opens it. The beginning of a result is not named:
 * `result_file` is all that the server keeps, or nothing. Throws where the file cannot be written; `outputsOfResult` without a path is then what is left.
 */
export async function keepResult(run: Run, result: Result, path: string): Promise<Partial<Outputs>> {
  const structured = structuredOf(run);
  // A structured result may come without a text, and may be longer than an output.
  const text = result.text.trim() === '' && structured !== undefined ? structured : result.text;
  if (text === '') return outputsOfResult(run, result, '');
  const { isPart, cut } = result;
  const kept = printRunText({ text, leftOutBytes: cut?.leftOutBytes ?? 0 });
  await writeResultFile({ path, text: isPart ? `${kept}\n\n${noteOnPart(result)}\n` : kept });
  return outputsOfResult(run, result, result.isPart ? '' : path);
}

export function outputsOfResult(run: Run, result: Result, path: string): Partial<Outputs> {
  const { text, isPart, cut } = result;
  const where = tellWhere(result, path === '' ? undefined : `in the file ${path}`);
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

/** The structured result, else the text where it is JSON, else null. */
function printJson(structured: string | undefined, text: string): string {
  const json = structured ?? compactJson(text);
  return fitsOutput(json) ? json : 'null';
}

function fitsOutput(json: string): boolean {
  return measureText(json, 'resultJson') <= budgets.resultJson.max;
}

/**
 * The text as it is, or as a terminal would show it, but for blanks between its members and a fence around all of it: numbers keep their digits.
 */
function compactJson(text: string): string {
  if (text.length > budgets.resultJson.max * 4) return 'null';
  const json = [text, drawnText(text)].map(takeOffFence).find(isJson);
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

/** Without the fence of a text that is one block of code, as models write JSON. */
function takeOffFence(text: string): string {
  const trimmed = text.trim();
  const [opening, mark] = /^(`{3,}|~{3,})[^\n`]*\n/.exec(trimmed) ?? [];
  if (opening === undefined || mark === undefined || !trimmed.endsWith(mark)) return trimmed;
  return trimmed.slice(opening.length, -mark.length);
}
