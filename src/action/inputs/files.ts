/** Inputs that are, or name, a file. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { ActionHost } from '../host/host.ts';
import { InputError, quote, readText, readWord } from './values.ts';

/** `prompt` as it was written, or the text of `prompt_file`; undefined when neither says anything. */
export function readPrompt(host: ActionHost): string | undefined {
  const prompt = readText(host, 'prompt');
  const file = readWord(host, 'prompt_file');
  if (file === undefined) return prompt;
  if (prompt !== undefined) throw new InputError('`prompt` and `prompt_file` are both given; give one of the two');
  const text = readFile(host, 'prompt_file', file);
  if (text.trim() === '') throw new InputError(`\`prompt_file\`: ${quote(file)} is empty`);
  return text;
}

/** An object in JSON or YAML, or in the file that the value is the path of: a value of one line that is no object itself. Undefined when empty. */
export async function readDocument(host: ActionHost, name: string): Promise<JsonObject | undefined> {
  const value = readText(host, name)?.trim();
  if (value === undefined) return undefined;
  const own = value.includes('\n') || value.startsWith('{') ? undefined : value;
  const parsed = await parseDocument(name, value, 'the value');
  if (isObject(parsed)) return parsed;
  if (own === undefined || typeof parsed !== 'string')
    throw new InputError(
      `\`${name}\`: the value is no object; it takes an object in JSON or YAML, or the path of a file with one`,
    );
  const read = await parseDocument(name, readFile(host, name, own), quote(own));
  if (isObject(read)) return read;
  throw new InputError(`\`${name}\`: ${quote(own)} does not hold an object in JSON or YAML`);
}

async function parseDocument(name: string, text: string, what: string): Promise<unknown> {
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
    throw new InputError(`\`${name}\`: ${what} is neither JSON nor YAML${place === undefined ? '' : ` (${place})`}`);
  }
}

/** Path against the workspace, as `working-directory` and other actions have it. */
export function resolveInWorkspace(host: ActionHost, path: string): string {
  return resolve(host.readVariable('GITHUB_WORKSPACE') ?? '.', path);
}

function readFile(host: ActionHost, name: string, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(resolveInWorkspace(host, file)));
  } catch (error) {
    throw new InputError(`\`${name}\`: ${quote(file)} cannot be read: ${explainFileFault(error)}`);
  }
}

/** What an error of the file system means to whoever wrote the workflow. */
export function explainFileFault(error: unknown): string {
  if (error instanceof TypeError) return 'it is not UTF-8; save it as UTF-8';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file. Did a step before write it, or check the repository out?';
  if (code === 'EISDIR') return 'it is a folder; name a file';
  if (code === 'EACCES') return 'this user may not read it';
  return error instanceof Error ? error.message : String(error);
}
