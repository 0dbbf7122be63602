import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fence, link, quoteInline } from '../../../src/action/text/markdown.ts';
import { drawnText } from '../../../src/border/terminal-text.ts';
import { findHarm, nodesOf, readMarkdown, shownText } from './rendered-markdown.ts';

const pieces = fc.constantFrom(
  ...[
    '@octo',
    '&#64;octo',
    '\\@octo',
    '#1',
    'GH-1',
    'https://example.com',
    'www.example.com',
    '<img src=x>',
    '<!-- x -->',
    '</summary>',
  ],
  ...[
    '[a](https://example.com)',
    '![a](b)',
    '*',
    '_',
    '`',
    '~',
    '|',
    '\\',
    '&',
    '#',
    '-',
    '1.',
    '+',
    '>',
    '=',
    ':',
    '$',
    '/approve',
  ],
  ...['\n', '\n\n', '\r', ' ', '\t', '\0', '\u202e', 'word', '😀'],
);
const foreign = fc.array(pieces, { maxLength: 15 }).map(list => list.join(''));

test('foreign text stays readable text, or code if it may be a key, in every place', () => {
  fc.assert(
    fc.property(foreign, text => {
      const quoted = quoteInline(text);
      const read = drawnText(text)
        .replace(/[\0\u202e]/g, '')
        .replace(/[\n\t]/g, ' ');
      const oneBlank = (shown: string) => shown.replace(/\s+/g, ' ').trim();
      for (const markdown of [quoted, `### ${quoted}`, `| a | b |\n|---|---|\n| x | ${quoted} |`]) {
        expect(findHarm(markdown)).toEqual([]);
        expect(oneBlank(shownText(readMarkdown(markdown)))).toContain(oneBlank(read));
      }
      const types = new Set(nodesOf(readMarkdown(quoted)).map(({ type }) => type));
      expect([...types].filter(type => !['root', 'paragraph', 'text', 'inlineCode'].includes(type))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('a fence is longer than the longest run of backticks in it', () => {
  expect(fence('a\n`````\n# heading')).toBe('``````text\na\n`````\n# heading\n``````');
  expect(fence('plain\n')).toBe('```text\nplain\n```');
});

test('no line closes its fence', () => {
  const lines = fc.array(fc.constantFrom('```', '````', '~~~', '\n', '\r', 'x', ' ', '<img src=x>', '@octo'));
  fc.assert(
    fc.property(
      lines.map(list => list.join('')),
      text => {
        expect(readMarkdown(`${fence(text)}\n\nend`).children).toMatchObject([{ type: 'code' }, { type: 'paragraph' }]);
      },
    ),
  );
});

test('only plain http and https addresses become links', () => {
  expect(link('run', 'https://example.com/a?b=c')).toBe('[run](<https://example.com/a?b=c>)');
  expect(link('a](x) @octo', 'https://example.com/a|b')).toBe('[a\\](x) @\u200bocto](<https://example.com/a%7Cb>)');
  for (const address of [
    'javascript:alert(1)',
    'https://octo:x@example.com/',
    'https:// x',
    '//example.com',
    `https://example.com/${'x'.repeat(3000)}`,
  ])
    expect(nodesOf(readMarkdown(link('run', address))).some(({ type }) => type === 'link')).toBe(false);
});

test('an address cannot break out of its link', () => {
  fc.assert(
    fc.property(foreign, text => {
      expect(findHarm(link(text, `https://example.com/${text}`)).filter(harm => !harm.startsWith('link: '))).toEqual(
        [],
      );
    }),
  );
});

test('a word of millions of characters is quoted like any other', () => {
  expect(quoteInline('x'.repeat(6_000_000))).toHaveLength(6_000_000);
});
