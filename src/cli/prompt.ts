import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { sizes } from '../contract/sizes.ts';
import { type Arguments, UsageError } from './arguments.ts';
import { messageOf, type Shell } from './shell.ts';

/** The prompt exactly as it was given; undefined where none was. Throws UsageError. */
export async function readPrompt(args: Arguments, shell: Shell): Promise<string | undefined> {
  const given = [args.word, args.text('prompt'), args.text('prompt-file')].filter(source => source !== undefined);
  if (given.length > 1) throw new UsageError('give the prompt once: as PROMPT, with --prompt or with --prompt-file');
  const file = args.text('prompt-file');
  const text = args.word ?? args.text('prompt');
  if (file !== undefined) return await readAll(createReadStream(resolve(shell.cwd, file)), `--prompt-file ${file}`);
  return text === undefined ? undefined : await readTyped(text, shell, 'the prompt');
}

/** A text as it was typed, or standard input where that is `-`. Throws UsageError; `what` names it there. */
export async function readTyped(text: string, shell: Shell, what: string): Promise<string> {
  if (text !== '-') return checkPrompt(text, what);
  if (shell.isInputTyped) shell.note(`reading ${what} from standard input; ctrl-D ends it`);
  return await readAll(shell.input, 'standard input');
}

/** `what` names the source in the error. */
async function readAll(source: AsyncIterable<Uint8Array>, what: string): Promise<string> {
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
      `${what} cannot be read: ${error instanceof TypeError ? 'it is not UTF-8' : messageOf(error)}`,
    );
  }
  return checkPrompt(text, what, bytes);
}

function checkPrompt(text: string, what: string, bytes = Buffer.byteLength(text)): string {
  if (bytes > sizes.promptBytes) throw new UsageError(`${what} is longer than ${sizes.promptBytes} bytes`);
  if (text.trim() === '') throw new UsageError(`${what} is empty`);
  return text;
}
