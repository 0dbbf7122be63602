/** Parts of events for readers of program output, checked field by field, and events that all programs share. */
import { isObject, type JsonObject } from '../../../base/json.ts';
import { ellipsis } from '../../../base/text.ts';
import type { EventDraft } from '../../../contract/events.ts';

const lineMax = 1000;
/** Limit on remembered ids. No real run has as many calls or answers. */
const idsMax = 100_000;

/** '' unless it is a string. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** 0 unless it is a count. */
export function readCount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

/** Data of a result. {} without an exit code. */
export function readExitCode(value: unknown): { readonly exit_code?: number } {
  return Number.isInteger(value) ? { exit_code: Number(value) } : {};
}

/** {} unless it is an object. */
export function readObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list. */
export function readObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * The texts of content in the shape of MCP and Anthropic: a string, or a list of parts. Parts without text are named
 * by their type.
 */
export function readContent(content: unknown): string {
  if (!Array.isArray(content)) return readText(content);
  return readObjects(content)
    .map(({ type, text }) => (typeof text === 'string' ? text : `[${readText(type) || 'part'}]`))
    .join('\n');
}

/** Adds an id to those that a reader remembers, up to a limit: tools can print any number of new ids. */
export function remember(ids: Set<string>, id: string): void {
  if (ids.size < idsMax) ids.add(id);
}

/**
 * The name of a tool: `mcp__SERVER__TOOL` if the program calls it PREFIX + SERVER_TOOL. Unchanged unless exactly one
 * server matches.
 */
export function nameTool(name: string, prefix: string, servers: readonly { readonly name: string }[]): string {
  const [server, other] = servers.filter(({ name: own }) => name.startsWith(`${prefix}${own}_`));
  if (server === undefined || other !== undefined) return name;
  return `mcp__${server.name}__${name.slice(prefix.length + server.name.length + 1)}`;
}

/** A line of the program about itself. */
export function tellLine(text: string): EventDraft {
  return { type: 'log', data: { stream: 'system', text: printLine(text) } };
}

/** A warning for the caller of the run. */
export function createWarning(text: string): EventDraft {
  return { type: 'log', data: { stream: 'system', text: printLine(`warning: ${text}`), level: 'warning' } };
}

function printLine(text: string): string {
  return `${ellipsis(text.replace(/\s+/g, ' ').trim(), lineMax)}\n`;
}

export function createMessage(text: string): EventDraft {
  return { type: 'message', data: { role: 'assistant', text } };
}

/** Usage of a run so far. */
export interface RunUsage {
  /** Includes cached tokens. */
  readonly input_tokens: number;
  /** Includes tokens of reasoning. */
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  readonly requests: number;
  /** At the list prices of the model's maker. Undefined if unknown. */
  readonly cost_usd?: number;
}
