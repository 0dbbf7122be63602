/** An object that somebody typed, or keeps in a file: JSON or YAML. */
import { isObject, type JsonObject } from './json.ts';

/** The text holds none. The message is the end of a sentence that begins with where the text came from. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/**
 * An object in JSON or YAML, or in the file that the value is the path of: a value of one line that is no object itself. `readFile` gives the text of
 * that file. Throws DocumentError, and what `readFile` throws.
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

/** MCP servers by name, also as the file `.mcp.json` of agent programs has them: all below `mcpServers`. */
export function unwrapMcpServers(document: JsonObject): JsonObject {
  const { mcpServers: inner } = document;
  // A server may have that name itself.
  const isServer = isObject(inner) && ['command', 'url'].some(member => typeof inner[member] === 'string');
  return isObject(inner) && !isServer ? inner : document;
}

async function parseDocument(text: string, what: string): Promise<unknown> {
  if (text.trimStart().startsWith('{'))
    try {
      return JSON.parse(text);
    } catch {
      // YAML's braces look the same.
    }
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (error) {
    // The parser shows the line that it stumbled over, and that may hold a key.
    const place = /at line \d+, column \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    throw new DocumentError(`${what} is neither JSON nor YAML${place === undefined ? '' : ` (${place})`}`);
  }
}

/** A value as an error shows it: in quotes and short. */
export function quoteText(value: string): string {
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}
