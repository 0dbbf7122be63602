/** Tool calls and their results as a log shows them: `shell  npm test`, then the details that the title omits. */
import { isObject, type JsonObject } from '../json.ts';
import { ellipsis } from '../text.ts';

/** The length of a tool's input or output in a log, in UTF-16 units, unless the reader asks for all of it. */
export const toolUnits = 4000;

const titlePoints = 120;
const contextLines = 2;
const mcpMark = 'mcp__';

/** Arguments that describe a call, by the names that agents use. The first one present counts. */
const mainArguments = ['command', 'pattern', 'query', 'url', 'file_path', 'filePath', 'notebook_path', 'path'];
const editedTexts = [
  ['old_text', 'new_text'],
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
] as const;

export interface CallText {
  /** `shell  npm test`; one line. */
  readonly title: string;
  /** `npm test` for a shell, `edit src/cart.ts` for another tool; one line, for the middle of a sentence. */
  readonly label: string;
  /** What the title omits, in lines; '' if nothing. */
  readonly text: string;
}

/** Words for a tool call. Never throws on parsed JSON. */
export function describeCall(name: string, input: unknown): CallText {
  const shownName = showName(name);
  const [key, main] = name.startsWith(mcpMark) ? [undefined, undefined] : findMain(input);
  const said = main ?? (typeof input === 'string' ? input : compact(input));
  const [first = '', ...more] = said.trim().split('\n');
  const line = more.length === 0 ? first.trim() : `${first.trim()} …`;
  const all = line === '' || line === '{}' ? shownName : `${shownName}  ${line}`;
  const title = ellipsis(all, titlePoints);
  const isWhole = title === all && more.length === 0;
  const label = ellipsis(key === 'command' ? line : all.replace('  ', ' '), titlePoints / 2);
  const lines = { title: joinLines(title), label: joinLines(label) };
  if (isObject(input)) return { ...lines, text: isWhole && key === undefined ? '' : printInput(input, key, isWhole) };
  return { ...lines, text: isWhole ? '' : said };
}

/**
 * `server.tool` for a tool of an MCP server, and `edit` for Claude Code's MultiEdit. Quotes names that look like
 * lines of this project, such as `state: FAILED`.
 */
function showName(name: string): string {
  if (name === 'MultiEdit') return 'edit';
  const end = name.startsWith(mcpMark) ? name.indexOf('__', mcpMark.length + 1) : -1;
  const shown = end < 0 || end + 2 === name.length ? name || 'tool' : `${name.slice(5, end)}.${name.slice(end + 2)}`;
  return /^[\w./-]+$/.test(shown) ? shown : JSON.stringify(shown);
}

/** A string unchanged, an object with one member per line; '' for nothing. */
export function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return value === undefined || value === null ? '' : compact(value);
  return Object.entries(value).map(printMember).join('\n');
}

/**
 * `exit code 1 after 12 s`, or `failed: ` and the first line of the output; undefined for a call that succeeded at
 * once.
 */
export function describeCallEnd(
  {
    is_error: isError,
    exit_code: exitCode,
    output,
  }: { readonly [Name in 'is_error' | 'exit_code' | 'output']?: unknown },
  tookMs: number | undefined,
): string | undefined {
  const time = tookMs !== undefined && tookMs >= 1000 ? ` after ${describeSpan(tookMs)}` : '';
  if (exitCode === 0 && isError === true) return `failed (exit code 0)${time}`;
  if (typeof exitCode === 'number') return `exit code ${exitCode}${time}`;
  const [reason = ''] = textOfValue(output).trim().split('\n', 1);
  if (isError === true) return `failed${time}${reason === '' ? '' : `: ${joinLines(ellipsis(reason, titlePoints))}`}`;
  return time === '' ? undefined : `done${time}`;
}

/** `12 s`, `28 min`. */
export function describeSpan(ms: number): string {
  if (ms >= 59_500) return `${Math.round(ms / 60_000)} min`;
  return ms >= 9950 ? `${Math.round(ms / 1000)} s` : `${Math.max(0.1, Math.round(ms / 100) / 10)} s`;
}

function findMain(input: unknown): readonly [string | undefined, string | undefined] {
  if (!isObject(input)) return [undefined, undefined];
  const key = mainArguments.find(name => typeof input[name] === 'string' && input[name] !== '');
  if (key !== undefined) return [key, key === 'command' ? unwrapShell(String(input[key])) : String(input[key])];
  const paths = changesOf(input).map(({ path }) => String(path));
  return paths.length === 0 ? [undefined, undefined] : ['changes', paths.join(', ')];
}

/** The files of a patch with their changes. */
function changesOf({ changes }: JsonObject): readonly JsonObject[] {
  return Array.isArray(changes) ? changes.filter(isObject).filter(({ path }) => typeof path === 'string') : [];
}

/** Codex includes the shell that runs a command. */
function unwrapShell(command: string): string {
  const [, single, double] = /^(?:\/\S+\/)?(?:ba|z)?sh -l?c (?:'([^']+)'|"([^"\\$`]+)")$/.exec(command) ?? [];
  return single ?? double ?? command;
}

function printInput(input: JsonObject, mainKey: string | undefined, isWhole: boolean): string {
  const lines: string[] = [];
  const pair = findEdit(input);
  for (const [key, value] of Object.entries(input)) {
    if (pair?.includes(key as never)) {
      if (pair[0] === key) lines.push(printDiff(String(input[pair[0]]), String(input[pair[1]])));
    } else if (key === 'changes' && mainKey === key)
      for (const { path, kind } of changesOf(input)) lines.push(`${isText(kind) ? kind : 'change'} ${path}`);
    else if (key === 'edits' && Array.isArray(value) && value.every(isEdit))
      for (const edit of value) lines.push(printInput(edit, undefined, false));
    else if (key === 'command' && isText(value))
      lines.push(...(isWhole ? [] : [`$ ${unwrapShell(value).replaceAll('\n', '\n  ')}`]));
    else if (key !== mainKey || !isWhole) lines.push(printMember([key, value]));
  }
  return lines.join('\n');
}

function findEdit(input: JsonObject): (typeof editedTexts)[number] | undefined {
  return editedTexts.find(names => names.every(name => isText(input[name])));
}

function isEdit(value: unknown): value is JsonObject {
  return isObject(value) && findEdit(value) !== undefined;
}

function printMember([key, value]: readonly [string, unknown]): string {
  const text = isText(value) ? value.replace(/\n$/, '') : compact(value);
  return text.includes('\n') ? `${key}:\n${text.replaceAll(/^/gm, '  ')}` : `${key}: ${text}`;
}

/** The lines that differ, with two lines of context. */
function printDiff(from: string, to: string): string {
  const [before, after] = [from.split('\n'), to.split('\n')];
  const shared = Math.min(before.length, after.length);
  let head = 0;
  while (head < shared && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shared - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const end = before.length - tail;
  return [
    ...before.slice(Math.max(0, head - contextLines), head).map(line => `  ${line}`),
    ...before.slice(head, end).map(line => `- ${line}`),
    ...after.slice(head, after.length - tail).map(line => `+ ${line}`),
    ...before.slice(end, end + contextLines).map(line => `  ${line}`),
  ].join('\n');
}

/** Control characters are left to the output. */
function joinLines(text: string): string {
  return text.replace(/[^\S ]+/g, ' ');
}

function compact(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
