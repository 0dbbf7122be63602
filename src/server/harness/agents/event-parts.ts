/** For readers of what a program prints: parts of events that are read with care, and events that are written alike for every program. */
import { isObject, type JsonObject } from '../../../base/json.ts';
import { ellipsis } from '../../../base/text.ts';
import type { EventDraft } from '../../../contract/events.ts';

const lineMax = 1000;
/** No run has as many calls or answers. */
const idsMax = 100_000;

/** '' for what is no text. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** 0 for what is no number of things. */
export function readCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

/** For the data of a result; {} for what is no exit code. */
export function readExitCode(value: unknown): { readonly exit_code?: number } {
  return Number.isInteger(value) ? { exit_code: Number(value) } : {};
}

/** {} for what is no object. */
export function readObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list. */
export function readObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a content as MCP and Anthropic have it: a text, or a list of parts. Parts without text are named by their type. */
export function readContent(content: unknown): string {
  if (!Array.isArray(content)) return readText(content);
  return readObjects(content)
    .map(({ type, text }) => (typeof text === 'string' ? text : `[${readText(type) || 'part'}]`))
    .join('\n');
}

/** Adds an id to those that a reader keeps. Whoever can write where the program writes has ever new ones: they are not kept without end. */
export function remember(ids: Set<string>, id: string): void {
  if (ids.size < idsMax) ids.add(id);
}

/** The name of a tool: `mcp__SERVER__TOOL` for one that the program calls PREFIX + SERVER_TOOL. As it is where no server or more than one may have it. */
export function nameTool(name: string, prefix: string, servers: readonly { readonly name: string }[]): string {
  const [server, other] = servers.filter(({ name: own }) => name.startsWith(`${prefix}${own}_`));
  if (server === undefined || other !== undefined) return name;
  return `mcp__${server.name}__${name.slice(prefix.length + server.name.length + 1)}`;
}

/** A line of the program about itself. */
export function tellLine(text: string): EventDraft {
  return { type: 'log', data: { stream: 'system', text: printLine(text) } };
}

/** The same, of what whoever started the run should know. */
export function tellWarning(text: string): EventDraft {
  return { type: 'log', data: { stream: 'system', text: printLine(`warning: ${text}`), level: 'warning' } };
}

function printLine(text: string): string {
  return `${ellipsis(text.replace(/\s+/g, ' ').trim(), lineMax)}\n`;
}

export function tellMessage(text: string): EventDraft {
  return { type: 'message', data: { role: 'assistant', text } };
}

/** What a run used so far. */
export interface RunUsage {
  /** With the cached ones. */
  readonly input_tokens: number;
  /** With those of the reasoning. */
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  readonly requests: number;
  /** At the list prices of the model's maker; undefined where they are not known. */
  readonly cost_usd?: number;
}
