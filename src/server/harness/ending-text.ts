import { constants } from 'node:os';
import { withoutEscapes } from '../../base/terminal-text.ts';
import { lastLines } from '../../base/text.ts';

const lineCount = 5;
const lengthMax = 600;

/** `; last lines: a | b`, or that there was no output: the end of a sentence on how a program failed. One line, without colours and control characters. */
export function describeLastLines(output: string): string {
  const lines = lastLines(withoutEscapes(output), lineCount)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to go
    .map(line => line.replace(/[\0-\x1f\x7f-\x9f]+/g, ' ').trim())
    .filter(line => line !== '');
  if (lines.length === 0) return '; there was no output';
  const text = lines.join(' | ');
  const points = Array.from(text);
  const tail = points.length <= lengthMax ? text : `…${points.slice(1 - lengthMax).join('')}`;
  return `; ${lines.length === 1 ? 'last line' : 'last lines'}: ${tail}`;
}

/** `exit code 3`, with the signal that a shell means by a code above 128: `exit code 137 (128 + 9, SIGKILL)`. */
export function describeExitCode(code: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? `exit code ${code}` : `exit code ${code} (128 + ${code - 128}, ${signal})`;
}
