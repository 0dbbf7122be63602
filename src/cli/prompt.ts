import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../base/cause.ts';
import { sizes } from '../contract/tables/sizes.ts';
import { type Arguments, UsageError } from './arguments.ts';
import type { CommandName } from './command-table.ts';
import type { Shell } from './terminal/command-shell.ts';

/** The prompt exactly as given; undefined if there is none. Throws UsageError. */
export async function readPrompt(args: Arguments, shell: Shell): Promise<string | undefined> {
  const given = [args.word, args.text('prompt'), args.text('prompt-file')].filter(source => source !== undefined);
  if (given.length > 1)
    throw new UsageError('Give the prompt only once: as PROMPT, with --prompt or with --prompt-file');
  const file = args.text('prompt-file');
  const text = args.word ?? args.text('prompt');
  if (file !== undefined)
    return await readAll(createReadStream(resolve(shell.cwd, file)), { what: file, command: 'run' });
  return text === undefined ? undefined : await readTyped(text, shell, { what: 'the prompt', command: 'run' });
}

/** A text as typed, or standard input for `-`. Throws UsageError, which names `what` and `command`. */
export async function readTyped(text: string, shell: Shell, { what, command }: Named): Promise<string> {
  if (text !== '-') return checkPrompt(text, { what, command });
  if (shell.isInputTyped) shell.note(`Reading ${what} from standard input. End it with Ctrl-D.`);
  return await readAll(shell.input, { what: 'standard input', command });
}

/** For errors: the source, and the command whose help explains it. */
interface Named {
  readonly what: string;
  readonly command: CommandName;
}

async function readAll(source: AsyncIterable<Uint8Array>, named: Named): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      // Longer input may never end.
      if (bytes > sizes.promptBytes) break;
      text += decoder.decode(chunk, { stream: true });
    }
    if (bytes <= sizes.promptBytes) text += decoder.decode();
  } catch (error) {
    throw new UsageError(`Cannot read ${named.what}: ${explainReadError(error)}`);
  }
  return checkPrompt(text, named, bytes);
}

const readErrors: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'you are not allowed to read it',
};

function explainReadError(error: unknown): string {
  if (error instanceof TypeError) return 'it is not UTF-8';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return readErrors[code] ?? messageOf(error);
}

function checkPrompt(text: string, { what, command }: Named, bytes = Buffer.byteLength(text)): string {
  if (bytes > sizes.promptBytes) throw new UsageError(`${what} is too long. The limit is ${sizes.promptBytes} bytes`);
  if (text.trim() === '') throw new UsageError(`${what} is empty; see npx agent-run ${command} --help`);
  return text;
}

/** The text of a file that a flag names, at most as long as a prompt. Throws UsageError. */
export async function readTextFile(shell: Shell, path: string): Promise<string> {
  return await readAll(createReadStream(resolve(shell.cwd, path)), { what: path, command: 'run' });
}
