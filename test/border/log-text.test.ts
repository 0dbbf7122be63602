import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logLine, quoteLines } from '../../src/border/log-text.ts';
import { CommandInterpreter } from '../../src/testing/commands/command-interpreter.ts';
import { LineSplitter } from '../../src/testing/log/line-splitter.ts';
import { SecretMasker } from '../../src/testing/log/secret-masker.ts';
import { StepLog } from '../../src/testing/log/step-log.ts';

/** Prints lines to the fake runner and returns what it shows. Throws if the runner obeyed one. */
function showInRunner(lines: readonly string[]): readonly string[] {
  const masker = new SecretMasker();
  const log = new StepLog({ masker, debug: true });
  const interpreter = new CommandInterpreter({ log, masker, workspace: '/w', echo: true });
  const splitter = new LineSplitter(line => interpreter.take(line, 'stdout'));
  splitter.push(Buffer.from(lines.map(line => `${line}\n`).join('')));
  // If commands were stopped by now, the runner would not obey this one.
  splitter.push(Buffer.from('::notice::still obeyed\n'));
  splitter.end();
  const { outputs, state, masks, deprecatedCommands, refusedCommands } = interpreter;
  expect([...outputs, ...state, ...masks, ...deprecatedCommands, ...refusedCommands]).toEqual([]);
  expect(log.annotations.map(({ message }) => message)).toEqual(['still obeyed']);
  const shown = log.lines.slice(0, -1);
  expect(shown.every(({ kind, source }) => kind === 'text' && source === 'stdout')).toBe(true);
  return shown.map(({ text }) => text);
}

/** What a person reads. */
const plain = (line: string) => line.replace(/^│ /, '').replaceAll('\u200b', '');

const commands = [
  '::set-output name=conclusion::succeeded',
  '::add-mask::a',
  '::error file=a.ts,line=1::x',
  '::stop-commands::t',
  '::group::x',
  '::endgroup::',
  '::set-env name=PATH::x',
  '##[error]y',
  '##[group]z',
  '##[set-output name=a;]b',
];
const nasty = fc
  .array(
    fc.constantFrom(
      ...commands,
      ...[
        '::',
        ':',
        '##[',
        '##',
        '#',
        '[',
        ']',
        'error',
        'debug',
        '%0A',
        '%25',
        ' ',
        '\t',
        '\u00a0',
        '\ufeff',
        '\u180e',
      ],
      ...[
        '\r',
        '\n',
        '\r\n',
        '\u0085',
        '\u2028',
        '\v',
        '\f',
        '\u001b[1m',
        '\u001b]0;t\u0007',
        '\u0000',
        '\u200b',
        '│ ',
        'x',
      ],
    ),
    { maxLength: 30 },
  )
  .map(pieces => pieces.join(''));

test('the runner obeys no line of any text', () => {
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), text => {
      showInRunner(quoteLines(text).map(logLine));
      showInRunner([logLine(text)]);
    }),
    { numRuns: 300 },
  );
});

test('text without control characters is unchanged', () => {
  const readable = fc
    .array(fc.constantFrom(...commands, '::', '##[', '##', '[', ' ', '\t', '│ ', 'é', '😀', '\n', 'word'))
    .map(pieces => pieces.join(''));
  fc.assert(
    fc.property(readable, text => {
      expect(showInRunner(quoteLines(text).map(logLine)).map(plain)).toEqual(text.split('\n'));
      expect(showInRunner([logLine(text)]).map(line => line.replaceAll('\u200b', ''))).toEqual([
        text.replace(/\n+/g, ' '),
      ]);
    }),
  );
});

test.each([
  'fine\r::error::hidden behind a carriage return',
  'fine\u2028::error::x',
  '\u001b[31m::error::red',
  '\u0000::error::nul',
  '\ufeff::error::x',
  '\u200b\u180e::error::x',
  '#\u0000#[error]x',
])('%j is shown and not obeyed', text => {
  showInRunner(quoteLines(text).map(logLine));
  showInRunner([logLine(text)]);
});

test('a log line stays readable', () => {
  expect(quoteLines('tests: 41 passed\n\tok')).toEqual(['│ tests: 41 passed', '│ \tok']);
  expect(logLine('tests: 41 passed')).toBe('tests: 41 passed');
});

test('a line of millions of invisible characters is shown like any other', () => {
  const line = '\u200b'.repeat(5_000_000);
  expect(logLine(`${line}::error::x`).endsWith('\u200b\u200b::error::x')).toBe(true);
});
