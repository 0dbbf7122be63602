import { expect, test } from 'vitest';
import { firstLine, lastLines } from '../../src/base/text.ts';
import { printArtifact } from '../../src/base/wording/artifact-words.ts';
import { makeTitle } from '../../src/base/wording/prompt-title.ts';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { logLine, quoteLines } from '../../src/border/log-text.ts';
import {
  drawnText,
  plainLine,
  revealControls,
  terminalJson,
  terminalLine,
  terminalText,
  withoutEscapes,
} from '../../src/border/terminal-text.ts';
import { isVisible, shownOnGitHub } from '../../src/border/visible-text.ts';
import { explainCodexFailure, explainCodexStart } from '../../src/server/harness/agents/codex/codex-fault.ts';
import { tellLine } from '../../src/server/harness/agents/event-parts.ts';
import { explainGeminiEnd } from '../../src/server/harness/agents/gemini/gemini-faults.ts';
import { describeCause } from '../../src/server/harness/ending-text.ts';

/** Everything that the server does with an agent's text. It blocks other work. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  isVisible,
  withoutEscapes,
  drawnText,
  terminalText,
  terminalLine,
  terminalJson,
  plainLine,
  revealControls,
  logLine,
  quoteLines,
  shownOnGitHub,
  makeTitle: text => makeTitle(text, ''),
  firstLine,
  lastLines: text => lastLines(text, 5),
  printArtifact: text => printArtifact({ artifact_type: 'FILE', data: { filename: text } }),
  describeCause,
  readFencedBlocks,
  tellLine,
  explainCodexFailure,
  explainCodexStart,
  explainGeminiEnd: text => explainGeminiEnd(undefined, text, { exitCode: 1, signal: undefined, outputTail: text }),
};

/** Starts of endless constructs, then repeated texts, then texts that end neither. */
const openers = ['```', '~~~a', '```\n', '<a', '<!--', '[', '[](', '![](', '\x1b]', '\x1b[', '  code: 123\n}'];
const units = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '`',
    '~',
    '-',
    '#',
    '*',
    '>',
    '[',
    '(',
    '<',
    '&',
    '\\',
    '"',
    '/',
    '0',
    'a',
    '\x1b',
  ],
  ...[
    ' \n',
    '\n ',
    '`\n',
    '```\n',
    '~~~\n',
    '- ',
    '* ',
    '1. ',
    '> ',
    '<!',
    '<!--',
    '&#',
    '[](',
    '![](',
    '\x1b[',
    '\x1b]',
    'a ',
    '\u2028',
  ],
];
const ends = ['', 'x', '\nx'];
const texts = units.flatMap(unit => [
  ...ends.map(end => ({ opener: '', unit, end })),
  ...openers.map(opener => ({ opener, unit, end: 'x' })),
]);
/**
 * At this size, quadratic time takes half a minute or more for one text; linear time takes a second for all of them.
 */
const bytes = 120_000;
const boundMs = 10_000;

test.each(Object.entries(readers))(
  'hostile text is read in linear time by %s',
  (_, read) => {
    for (const { opener, unit, end } of texts) {
      const text = `${opener}${unit.repeat(bytes / unit.length)}${end}`;
      const began = performance.now();
      read(text);
      expect(performance.now() - began, JSON.stringify({ opener, unit, end })).toBeLessThan(boundMs);
    }
  },
  60_000,
);
