import { isObject, type JsonObject } from '../../../base/json.ts';
import type { ModelMessage, ToolResult } from '../model-request.ts';

/** The objects of a list. Empty if it is not a list. */
export function readObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * The text of content that is a string, a part, or a list of parts. Parts without text, such as pictures, are
 * skipped.
 */
export function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map(readText)
      .filter(text => text !== '')
      .join('\n');
  return isObject(content) && typeof content.text === 'string' ? content.text : '';
}

export function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Arguments as JSON text. */
export function readArguments(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A nested member. Undefined if a member on the way is missing. */
export function readPath(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

export function joinTexts(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join('\n\n');
}

/** The results in messages, with the names of their calls. */
export function findToolResults(messages: readonly ModelMessage[]): readonly ToolResult[] {
  const names = new Map(messages.flatMap(({ calls }) => calls.map(({ id, name }) => [id, name] as const)));
  return messages.flatMap(({ callId, text }) =>
    callId === undefined ? [] : [{ callId, name: names.get(callId) ?? '', text }],
  );
}
