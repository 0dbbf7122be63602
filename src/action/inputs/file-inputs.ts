/** Inputs that are a file or name one. */
import { existsSync, mkdtempSync, realpathSync, rmdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { DocumentError, readDocument as readObject, unwrapMcpServers } from '../../base/document.ts';
import type { JsonObject } from '../../base/json.ts';
import { readPlainFileSync } from '../../border/files.ts';
import { reviewSchema } from '../../contract/tables/review-schema.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import type { ActionHost } from '../host/host.ts';
import { InputError, quote, readText, readTrimmed, readWord } from './values.ts';

/** `prompt` as written, or the text of `prompt_file`. Undefined if both are empty. */
export function readPrompt(host: ActionHost): string | undefined {
  const prompt = readText(host, 'prompt');
  const file = readWord(host, 'prompt_file');
  if (file === undefined) {
    if (prompt !== undefined && namesFile(host, prompt.trim()))
      throw new InputError(`\`prompt\` is the path of a file, ${quote(prompt.trim())}. Did you mean \`prompt_file\`?`);
    return prompt;
  }
  if (prompt !== undefined) throw new InputError('`prompt` and `prompt_file` are both set. Remove one of them');
  const text = readInputFile(host, 'prompt_file', file);
  if (text.trim() === '') throw new InputError(`\`prompt_file\`: ${quote(file)} is empty`);
  return text;
}

function namesFile(host: ActionHost, text: string): boolean {
  const path = resolveInWorkspace(host, text);
  return !/\s/.test(text) && existsSync(path) && statSync(path).isFile() && isInWorkspace(host, path);
}

/** A JSON or YAML object, inline or in the file that the value names. Undefined if empty. Throws InputError. */
export async function readDocument(host: ActionHost, name: string): Promise<JsonObject | undefined> {
  const value = readText(host, name);
  if (value === undefined) return undefined;
  try {
    return await readObject(value, path => readInputFile(host, name, path));
  } catch (error) {
    throw error instanceof DocumentError ? new InputError(`\`${name}\`: ${error.message}`) : error;
  }
}

/** The schema of a result. The word `review` stands for the schema that the action `apply` reads. */
export async function readOutputSchema(host: ActionHost): Promise<JsonObject | undefined> {
  if (readTrimmed(host, 'output_schema') === 'review') return reviewSchema;
  return await readDocument(host, 'output_schema');
}

/** MCP servers by name, either bare or in the form of `.mcp.json`. */
export async function readMcpServers(host: ActionHost): Promise<JsonObject | undefined> {
  const document = await readDocument(host, 'mcp_servers');
  return document && unwrapMcpServers(document);
}

/** Resolves a path against the workspace, as `working-directory` and other actions do. */
export function resolveInWorkspace(host: ActionHost, path: string): string {
  return resolve(host.readVariable('GITHUB_WORKSPACE') ?? '.', path);
}

function isInWorkspace(host: ActionHost, path: string): boolean {
  return relative(realpathSync(resolveInWorkspace(host, '.')), realpathSync(path)).split(sep)[0] !== '..';
}

/** A document may be as long as a prompt. Throws InputError. */
export function readInputFile(host: ActionHost, name: string, file: string): string {
  try {
    const bytes = readPlainFileSync(realpathSync(resolveInWorkspace(host, file)), sizes.promptBytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new InputError(`\`${name}\`: ${quote(file)} cannot be read: ${explainFileFault(error)}`);
  }
}

/** Throws InputError if no file can be created there, before a run costs anything. Undefined if empty. */
export function readResultFile(host: ActionHost): string | undefined {
  const given = readWord(host, 'result_file');
  if (given === undefined) return undefined;
  const path = resolveInWorkspace(host, given);
  const refuse = (why: string): never => {
    throw new InputError(`\`result_file\`: ${quote(given)} ${why}. Give the path of a file that this step can write`);
  };
  try {
    const found = findStats(path);
    if (/[/\\]$/.test(given) || found?.isDirectory() === true) refuse('is a folder');
    if (found?.isFile() === false) refuse('is a device or a pipe');
    let folder = dirname(path);
    while (findStats(folder) === undefined && folder !== dirname(folder)) folder = dirname(folder);
    if (findStats(folder)?.isDirectory() !== true) refuse(`cannot be created: ${quote(folder)} is not a folder`);
    // Read-only and special file systems report it only when a file is created.
    rmdirSync(mkdtempSync(join(folder, '.agent-run-')));
  } catch (error) {
    if (error instanceof InputError) throw error;
    refuse(`cannot be created (${messageOf(error)})`);
  }
  return given;
}

/** The agent's folder as an absolute path. Undefined if empty. Throws InputError. */
export function readWorkingDirectory(host: ActionHost): string | undefined {
  const given = readWord(host, 'working_directory');
  if (given === undefined) return undefined;
  const folder = resolveInWorkspace(host, given);
  if (findStats(folder)?.isDirectory() === true && isInWorkspace(host, folder)) return folder;
  throw new InputError(
    `\`working_directory\`: the workspace has no folder ${quote(given)}. Did an earlier step check out the repository (\`path\` of actions/checkout)?`,
  );
}

/** Undefined if nothing is there. Throws the file system's other errors. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return undefined;
    throw error;
  }
}

export function explainFileFault(error: unknown): string {
  if (error instanceof TypeError) return 'it is not UTF-8. Save it as UTF-8';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'the file does not exist. Did an earlier step write it or check out the repository?';
  if (code === 'EACCES') return 'this user has no permission to read it';
  return messageOf(error);
}
