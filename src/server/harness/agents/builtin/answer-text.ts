/** Parts of an answer's text that are not the answer: servers of models hand on thoughts, and calls of tools, that they were not told to parse. */
import { isObject } from '../../../../base/json.ts';

const names = 'think|thinking|seed:think';
const opening = new RegExp(String.raw`^\s*(?:<(?:${names})>|\[THINK\])`, 'i');
const closing = new RegExp(String.raw`(?:</(?:${names})>|\[/THINK\])(?:\s*\n|[ \t]*)`, 'i');
const anyOpening = new RegExp(String.raw`<(?:${names})>|\[THINK\]`, 'i');
/** Prose about such a mark has it in quotes or between spaces. */
const endOfThought = /(?:^|\n|[^\s`'"“‘(]|[.!?…。！？]\s*)$/;

/** Divides a text that begins with thoughts, whose opening mark may already stand in the prompt. Thoughts that nothing closes are all there is. */
export function splitThoughts(text: string): { readonly thoughts: string; readonly said: string } {
  let thoughts = '';
  let said = text;
  for (let begun = opening.exec(said); begun !== null; begun = opening.exec(said)) {
    const [thought, rest] = cutAt(said.slice(begun[0].length), closing);
    thoughts += thought;
    said = rest ?? '';
  }
  if (thoughts !== '' || said !== text) return { thoughts, said };
  const [before, rest] = cutAt(text, closing);
  const isWithinBlock = (before.match(/^ {0,3}```/gm) ?? []).length % 2 === 1;
  if (rest === undefined || isWithinBlock || anyOpening.test(before) || !endOfThought.test(before))
    return { thoughts: '', said: text };
  return { thoughts: before, said: rest };
}

function cutAt(text: string, mark: RegExp): readonly [string, string | undefined] {
  const found = mark.exec(text);
  return found === null ? [text, undefined] : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

/** Of Hermes and Qwen, of Llama and Qwen Coder, of Mistral, and the marks of DeepSeek, Kimi and others. */
const writtenCalls =
  /<tool_call>.*?(?:<\/tool_call>|$)|<function=[^>\s]+>.*?(?:<\/function>|$)|\[TOOL_CALLS\].*|<[|｜](?:tool|python_tag)[^|｜>]*[|｜]>.*/gs;

/** How much of an answer is calls of tools as text. Those in the middle of other words count where they name one of the tools. */
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
