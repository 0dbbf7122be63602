import { readFile, stat } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { messageOf } from '../../../../../base/cause.ts';
import { isObject } from '../../../../../base/json.ts';
import { ellipsis } from '../../../../../base/text.ts';
import { decodeText, isBinary } from './file-text.ts';
import { namePlace, type Places, resolvePlace } from './places.ts';
import { findFiles } from './searched-files.ts';
import { explainPath, ToolFault } from './tool-fault.ts';

export interface SearchInput {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly glob?: string | undefined;
  readonly ignore_case?: boolean | undefined;
}

const matchesMax = 200;
const fileBytesMax = 1024 * 1024;
const batchCharacters = 512 * 1024;
/** A pattern can take forever on one line, which blocks the program. */
const batchMs = 1000;
const lineLength = 300;

interface Text {
  readonly name: string;
  readonly text: string;
}

/** Lines that match a regular expression, as `FILE:LINE: TEXT`. */
export async function searchFiles(
  places: Places,
  { pattern, path = '.', glob, ignore_case }: SearchInput,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<string> {
  const real = await resolvePlace(places, path, 'read');
  const match = createMatcher(pattern, ignore_case === true ? 'iu' : 'u');
  const found: string[] = [];
  let batch: Text[] = [];
  let characters = 0;
  const flush = (): void => {
    found.push(...match(batch));
    batch = [];
    characters = 0;
  };
  try {
    const { files, isCut } = (await stat(real)).isFile() ? { files: [''], isCut: false } : await findFiles(real, env);
    for (const file of files) {
      signal?.throwIfAborted();
      if (glob !== undefined && !isMeant(file, glob)) continue;
      const text = await readSmall(join(real, file));
      if (text === undefined) continue;
      batch.push({ name: namePlace(places, join(real, file)), text });
      characters += text.length;
      if (characters >= batchCharacters) flush();
      if (found.length > matchesMax) break;
    }
    flush();
    const rest = isCut ? '\n[not all files were searched; specify a path]' : '';
    if (found.length === 0) return `nothing in ${path} matches${rest}`;
    const more =
      found.length > matchesMax ? '\n[there are more matches; use a narrower pattern, a path or a glob]' : '';
    return `${found.slice(0, matchesMax).join('\n')}${more}${rest}`;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw explainPath(error, path);
  }
}

/** A glob without a slash matches names in every folder. */
function isMeant(file: string, glob: string): boolean {
  return matchesGlob(file, glob.includes('/') ? glob : `**/${glob}`);
}

async function readSmall(real: string): Promise<string | undefined> {
  try {
    const stats = await stat(real);
    if (!stats.isFile() || stats.size > fileBytesMax) return undefined;
    const bytes = await readFile(real);
    return isBinary(bytes) ? undefined : decodeText(bytes);
  } catch {
    // It was removed, or is not readable.
    return undefined;
  }
}

/** Runs in a context that can be interrupted. */
const script = `
  texts.flatMap(({ name, text }) =>
    text.split(/\\r?\\n/).flatMap((line, index) => (form.test(line) ? [[name, index + 1, line]] : [])).slice(0, most),
  )`;

/** Throws ToolFault for an invalid pattern. */
function createMatcher(pattern: string, flags: string): (texts: readonly Text[]) => readonly string[] {
  const form = readPattern(pattern, flags);
  const context = createContext({ texts: [], form, most: matchesMax + 1 });
  return texts => {
    context.texts = texts;
    try {
      const found = runInContext(script, context, { timeout: batchMs }) as [string, number, string][];
      return found.map(([name, line, text]) => `${name}:${line}: ${ellipsis(text.trim(), lineLength)}`);
    } catch (error) {
      // From another realm, so not an instance of our `Error`.
      const isLate = isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      throw isLate ? new ToolFault(`the pattern takes too long; make it simpler: ${pattern}`) : error;
    }
  };
}

function readPattern(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    // Models escape more than the strict form allows.
    try {
      return new RegExp(pattern, flags.replace('u', ''));
    } catch (error) {
      throw new ToolFault(`invalid regular expression in pattern: ${messageOf(error)}`);
    }
  }
}
