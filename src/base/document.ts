/** Reads an object that a user typed or keeps in a file, as JSON or YAML. */
import { isObject, type JsonObject } from './json.ts';

/** The text is not an object. The message completes a sentence that begins with the source of the text. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/**
 * An object in JSON or YAML. A value of one line that is not an object is the path of a file with one, which
 * `readFile` reads. Throws DocumentError, and what `readFile` throws.
 */
export async function readDocument(
  value: string,
  readFile: (path: string) => string | Promise<string>,
): Promise<JsonObject> {
  const text = value.trim();
  const path = text.includes('\n') || text.startsWith('{') ? undefined : text;
  const parsed = await parseDocument(text, 'the value');
  if (isObject(parsed)) return parsed;
  if (path === undefined || typeof parsed !== 'string')
    throw new DocumentError('the value must be an object in JSON or YAML, or the path of a file that contains one');
  const shown = quoteText(path);
  const read = await parseDocument(await readFile(path), shown);
  if (isObject(read)) return read;
  throw new DocumentError(`${shown} does not contain an object in JSON or YAML`);
}

/** MCP servers by name. Also accepts the format of agent programs' `.mcp.json`: all below `mcpServers`. */
export function unwrapMcpServers(document: JsonObject): JsonObject {
  const { mcpServers: inner } = document;
  // A server may be named `mcpServers` itself.
  const isServer = isObject(inner) && ['command', 'url'].some(member => typeof inner[member] === 'string');
  return isObject(inner) && !isServer ? inner : document;
}

async function parseDocument(text: string, what: string): Promise<unknown> {
  if (text.trimStart().startsWith('{'))
    try {
      return JSON.parse(text);
    } catch {
      // It may be YAML, which also uses braces.
    }
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (error) {
    // The parser quotes the faulty line, which may contain a key.
    const place = /at line \d+, column \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    throw new DocumentError(`${what} is neither JSON nor YAML${place === undefined ? '' : ` (${place})`}`);
  }
}

/** A value in an error: quoted and shortened. */
export function quoteText(value: string): string {
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}
