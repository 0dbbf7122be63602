import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { sizes } from '../contract/sizes.ts';
import { type Arguments, UsageError } from './arguments.ts';
import type { CommandName } from './command-table.ts';
import { messageOf, type Shell } from './shell.ts';

/** The prompt exactly as it was given; undefined where none was. Throws UsageError. */
export async function readPrompt(args: Arguments, shell: Shell): Promise<string | undefined> {
  const given = [args.word, args.text('prompt'), args.text('prompt-file')].filter(source => source !== undefined);
  if (given.length > 1) throw new UsageError('give the prompt once: as PROMPT, with --prompt or with --prompt-file');
  const file = args.text('prompt-file');
  const text = args.word ?? args.text('prompt');
  if (file !== undefined)
    return await readAll(createReadStream(resolve(shell.cwd, file)), { what: `--prompt-file ${file}`, command: 'run' });
  return text === undefined ? undefined : await readTyped(text, shell, { what: 'the prompt', command: 'run' });
}

/** A text as it was typed, or standard input where that is `-`. Throws UsageError; `what` and `command` are named there. */
export async function readTyped(text: string, shell: Shell, { what, command }: Named): Promise<string> {
  if (text !== '-') return checkPrompt(text, { what, command });
  if (shell.isInputTyped) shell.note(`reading ${what} from standard input; ctrl-D ends it`);
  return await readAll(shell.input, { what: 'standard input', command });
}

/** What an error names: the source, and the command whose help says more. */
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
      // What is longer is never read to its end: there may be none.
      if (bytes > sizes.promptBytes) break;
      text += decoder.decode(chunk, { stream: true });
    }
    if (bytes <= sizes.promptBytes) text += decoder.decode();
  } catch (error) {
    throw new UsageError(
      `${named.what} cannot be read: ${error instanceof TypeError ? 'it is not UTF-8' : messageOf(error)}`,
    );
  }
  return checkPrompt(text, named, bytes);
}

function checkPrompt(text: string, { what, command }: Named, bytes = Buffer.byteLength(text)): string {
  if (bytes > sizes.promptBytes) throw new UsageError(`${what} is longer than ${sizes.promptBytes} bytes`);
  if (text.trim() === '') throw new UsageError(`${what} is empty; see agent-run ${command} --help`);
  return text;
}

/** The text of a file that a flag names, at most as long as a prompt. Throws UsageError. */
export async function readTextFile(shell: Shell, path: string, flag: string): Promise<string> {
  return await readAll(createReadStream(resolve(shell.cwd, path)), { what: `${flag} ${path}`, command: 'run' });
}
