import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fence, link, quoteInline } from '../../../src/action/text/markdown.ts';
import { renderMarkdownEnd } from '../../../src/action/text/render-markdown.ts';
import { findHarm, readMarkdown, shownText } from './rendered-markdown.ts';

/** Renders a text with all the room, as the summary does. */
const renderMarkdown = (text: string) => renderMarkdownEnd(text, { surface: 'summary' });

const lower = 'abcdefghijklmnopqrstuvwxyz';
const letters = `${lower}${lower.toUpperCase()}0123456789`;
const random = (alphabet: string, minLength: number, maxLength = minLength) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength, maxLength })
    // Without a digit or mixed case, it is a word rather than a key. Filtering would drop nearly all of the others.
    .map(list => `${list.join('')}7`);
const base64url = (minLength: number, maxLength?: number) => random(`${letters}-_`, minLength, maxLength);

/** Keys as services make them, and small alphabets that exercise every rule of Markdown. */
const keys = fc.oneof(
  random('0123456789abcdef', 32, 64),
  base64url(20, 100),
  base64url(40).map(text => `sk-ant-api03-${text}_`),
  base64url(32).map(text => `sk-proj_${text}`),
  random(letters, 36).map(text => `ghp_${text}`),
  fc.tuple(random(letters, 22), random(letters, 59)).map(parts => `github_pat_${parts.join('_')}`),
  fc.tuple(base64url(20), base64url(40), base64url(43)).map(parts => parts.join('.')),
  random(`${letters}+/`, 40),
  random(`${letters}~_.-`, 34),
  random('a_-', 20, 40),
  random('aG1H-w.', 20, 40),
);

const shapes: Readonly<Record<string, (key: string) => string>> = {
  paragraph: key => `it is ${key}, and ${key} again`,
  'line of its own': key => `before\n${key}\nafter`,
  'name and value': key => `API_KEY=${key}`,
  'list item': key => `- ${key}\n- a\n  1. ${key} b`,
  'table cell': key => `| a | b |\n|---|---|\n| ${key} | *x* |`,
  heading: key => `## ${key}`,
  'link label': key => `[${key}](https://example.com/a)`,
  emphasis: key => `**${key}** and *a ${key} b*`,
  quote: key => `> ${key}`,
  code: key => `\`${key}\``,
};

test.each(Object.entries(shapes))('a key in a %s appears letter by letter and does no harm', (_, write) => {
  fc.assert(
    fc.property(keys, key => {
      const markdown = renderMarkdown(write(key));
      expect(markdown.split(key).length).toBe(write(key).split(key).length);
      expect(findHarm(markdown)).toEqual([]);
      expect(shownText(readMarkdown(markdown))).toContain(key);
    }),
    { numRuns: 150 },
  );
});

test("a key in a sentence, a cell, a heading, a link's label and a fence appears letter by letter", () => {
  fc.assert(
    fc.property(keys, key => {
      const quoted = quoteInline(`run ${key}: x`);
      for (const markdown of [quoteInline(key), quoted, `| a |\n|---|\n| ${quoted} |`, `### ${quoted}`]) {
        expect(markdown).toContain(key);
        expect(findHarm(markdown)).toEqual([]);
        expect(shownText(readMarkdown(markdown))).toContain(key);
      }
      expect(link(key, 'https://example.com/a')).toContain(`${key}`);
      expect(fence(key)).toContain(key);
    }),
    { numRuns: 300 },
  );
});

test('a key with needless escapes is still written letter by letter', () => {
  expect(renderMarkdown('sk\\-ant-AbC\\_dEf0123&#95;456')).toBe('sk-ant-AbC_dEf0123_456');
});

test.each([
  ['_emphasis_ and __more__ of it', '*emphasis* and **more** of it'],
  ['_internationalisation_', '*internationalisation*'],
  ['snake_case and a__b', 'snake_case and a__b'],
  ['a~~struck out~~ word', 'a~~struck out~~ word'],
  ['Ab0123456789~~0123456789, Ab0123456789~~0123456789', '`Ab0123456789~~0123456789`, `Ab0123456789~~0123456789`'],
  ['_a', '\\_a'],
  ['sk-_AbC0123456789_-', '`sk-_AbC0123456789_-`'],
  ['-x is a flag', '-x is a flag'],
  ['/AbC0123456789/+x', '`/AbC0123456789/+x`'],
  ['/AbC0123456789/+x`y`', '`/AbC0123456789/+x`\u200b`y`'],
])('%j becomes %j', (text, expected) => {
  expect(renderMarkdown(text)).toBe(expected);
});

test.each(['- a', '+ a', '-', '---', '- - -', ':-:', '===', '1. a', '2) b', '# a', '/approve'])(
  '%j in a sentence of our own starts no block',
  text => {
    const { children } = readMarkdown(`a\n\n${quoteInline(text)}`);
    expect(children?.map(({ type }) => type)).toEqual(['paragraph', 'paragraph']);
    expect(readMarkdown(`a\n${quoteInline(text)}`).children?.map(({ type }) => type)).toEqual(['paragraph']);
    expect(quoteInline(text)).not.toMatch(/^\s*\//);
  },
);

test('long words full of underscores take no longer than others', () => {
  const startedAt = performance.now();
  for (const text of ['_a'.repeat(128_000), 'a1_-'.repeat(64_000), '~'.repeat(250_000)]) renderMarkdown(text);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
