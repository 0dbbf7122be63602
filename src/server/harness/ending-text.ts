import { constants } from 'node:os';
import { lastLines } from '../../base/text.ts';
import { plainLine, withoutEscapes } from '../../border/terminal-text.ts';

/** How much output is searched, and how much is shown. */
const lineCounts = { read: 120, shown: 3 } as const;
const lengthMax = 600;

const complaints =
  /\b(error|fatal|fail(s|ed|ure)?|cannot|can't|could not|unable|not found|no such|denied|refused|invalid|unknown|missing|unrecognized|not permitted|does not exist|panic|traceback)\b|(Error|Exception)\b/i;
/** System error code such as ENOENT. */
const systemCode = /\bE[A-Z]{4,}\b/;
/** Phrases such as `0 errors`, which do not report a fault. */
const noise = /\b(0|no) (errors|failures|failed)\b/i;
/** Prefix of npm's lines about an error. The first line is the error; the others are mostly advice. */
const npmMark = /^npm (error|ERR!)/;
const npmNoise = /^npm (error|ERR!)( (code|errno|syscall|path) .*| A complete log of this run .*)?$/;

/**
 * `. It printed: cannot read the config`: a sentence about a failed program's last lines with an error, otherwise its
 * last lines. They are joined into one line, without colors and control characters.
 */
export function describeCause(output: string, who = 'It'): string {
  const lines = lastLines(withoutEscapes(output), lineCounts.read)
    .map(line => plainLine(line).trim())
    .filter(line => line !== '' && !npmNoise.test(line));
  if (lines.length === 0) return `. ${who} printed nothing`;
  const complaining = lines.filter((line, index) => {
    const isFirstOfNpm = npmMark.test(line) && !npmMark.test(lines[index - 1] ?? '');
    return isFirstOfNpm || isComplaint(line.replace(npmMark, ''));
  });
  const shown = (complaining.length === 0 ? lines : complaining).slice(-lineCounts.shown);
  const points = Array.from(joinSentences(shown));
  const tail = points.length <= lengthMax ? points.join('') : `…${points.slice(1 - lengthMax).join('')}`;
  return `. ${who} printed: ${tail}`;
}

function isComplaint(line: string): boolean {
  const head = line.slice(0, lengthMax);
  return (complaints.test(head) || systemCode.test(head)) && !noise.test(head);
}

/** Joins lines into one, each with a sentence end. */
export function joinSentences(lines: readonly string[]): string {
  return lines
    .map((line, index) => (index === lines.length - 1 || /[.:;,!?]$/.test(line) ? line : `${line}.`))
    .join(' ');
}

/** `exit code 3`, with the signal that a shell means by a code above 128: `exit code 137 (128 + 9, SIGKILL)`. */
export function describeExitCode(code: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? `exit code ${code}` : `exit code ${code} (128 + ${code - 128}, ${signal})`;
}
