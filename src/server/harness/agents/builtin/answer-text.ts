/**
 * Parts of an answer's text that do not belong to the answer: model servers pass on reasoning and tool calls that
 * they were not configured to parse.
 */
import { isObject } from '../../../../base/json.ts';

const names = 'think|thinking|seed:think';
const opened = String.raw`(?:<(?:${names})>|\[THINK\])`;
const closed = String.raw`(?:</(?:${names})>|\[/THINK\])`;
const opening = new RegExp(String.raw`^\s*${opened}`, 'i');
const end = String.raw`${closed}(?:\s*\n|[ \t]*)`;
const anyEnd = new RegExp(end, 'i');
/** Prose about a mark puts it in quotes or after a space. */
const anyMark = new RegExp(String.raw`(?<![ \t\x60'"“‘])(?:(${opened})|${end})`, 'gi');
const bareEnd = new RegExp(String.raw`(?<=^|[\p{L}\p{N}.!?…])${end}`, 'imu');
/** A line of a patch, of a quotation or with code in it. */
const otherLine = /^\s*[+\->|]|\x60/;
const anyOpening = new RegExp(String.raw`<(?:${names})\b|\[THINK\]`, 'i');

/**
 * Splits a text that begins with reasoning, whose opening mark may already be in the prompt. Unclosed reasoning is
 * the whole text.
 */
export function splitReasoning(text: string): { readonly thoughts: string; readonly said: string } {
  let thoughts = '';
  let said = text;
  for (let begun = opening.exec(said); begun !== null; begun = opening.exec(said)) {
    const inside = said.slice(begun[0].length);
    const [thought, rest] = cutAt(inside, findEnd(inside));
    thoughts += thought;
    said = rest ?? '';
  }
  if (thoughts !== '' || said !== text) return { thoughts, said };
  const [before, rest] = cutAt(text, bareEnd.exec(text));
  const isWithinLine = otherLine.test(before.slice(before.lastIndexOf('\n') + 1));
  const isWithinBlock = (before.match(/^ {0,3}(?:```|~~~)/gm) ?? []).length % 2 === 1;
  if (rest === undefined || isWithinLine || isWithinBlock || anyOpening.test(before))
    return { thoughts: '', said: text };
  return { thoughts: before, said: rest };
}

/** The mark that closes the reasoning, which may contain nested reasoning. The last one if too few are closed. */
function findEnd(inside: string): RegExpExecArray | null {
  let last: RegExpExecArray | null = null;
  let depth = 1;
  for (const mark of inside.matchAll(anyMark)) {
    if (mark[1] === undefined) last = mark;
    depth += last === mark ? -1 : 1;
    if (depth === 0) break;
  }
  return last ?? anyEnd.exec(inside);
}

function cutAt(text: string, found: RegExpExecArray | null): readonly [string, string | undefined] {
  return found === null ? [text, undefined] : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

const json = String.raw`\[?\s*\{\s*["'}]`;
const name = String.raw`[\w.:-]+\s*`;
/** Marks of Hermes and GLM; Llama; Mistral; DeepSeek and Kimi. Answers also name marks without a call after them. */
const writtenCalls = new RegExp(
  [
    String.raw`<tool_call>\s*(?:${json}|<function=|${name}</?(?:arg_key|tool_call)>).*?(?:</tool_call>|$)`,
    String.raw`<function=[^>\s]+>\s*(?:${json}|<parameter=|</function>).*?(?:</function>|$)`,
    String.raw`\[TOOL_CALLS\]\s*(?:${json}|${name}(?:${json}|\[(?:ARGS|CALL_ID)\])).*`,
    String.raw`(?:<[|｜](?:tool|python_tag)[^|｜>]*[|｜]>\s*)+(?:${json}|${name}(?:${json}|<[|｜]tool|\()).*`,
  ].join('|'),
  'gs',
);

/** How much of an answer is tool calls as text. Calls in the middle of prose count if they name one of the tools. */
export function findWrittenCalls(text: string, tools: readonly string[]): 'none' | 'part' | 'all' {
  const calls = text.match(writtenCalls) ?? [];
  if (isCallInJson(text, tools)) return 'all';
  if (calls.length > 0 && text.replace(writtenCalls, '').trim() === '') return 'all';
  const isNamed = calls.some(call => tools.some(name => call.split(/[^\w-]+/).includes(name)));
  return isNamed ? 'part' : 'none';
}

/** As Llama writes them, and Qwen Coder in a block of code. */
function isCallInJson(text: string, tools: readonly string[]): boolean {
  try {
    const value: unknown = JSON.parse(/^\s*```(?:json)?\n(.*)\n```\s*$/s.exec(text)?.[1] ?? text);
    const calls = Array.isArray(value) ? value : [value];
    return calls.length > 0 && calls.every(call => isCall(call, tools));
  } catch {
    return false;
  }
}

function isCall(value: unknown, tools: readonly string[]): boolean {
  if (!isObject(value) || typeof value.name !== 'string' || !tools.includes(value.name)) return false;
  return isObject(value.arguments) || isObject(value.parameters);
}
