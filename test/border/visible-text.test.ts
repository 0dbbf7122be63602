import { expect, test } from 'vitest';
import { isVisible } from '../../src/border/visible-text.ts';

test.each([
  ' \t\n',
  '\x1b[0m\u200b',
  '<!-- done -->',
  '<!-->\n<!-- two\nlines -->',
  '<!-- without an end',
  '&nbsp;',
  '<br>\n<br />',
  '<p class="a"><b></b></p>',
])('%j has no visible text', text => {
  expect(isVisible(text)).toBe(false);
});

test.each(['.', '<!-- a --> b', '```\n```', '<hr>', '<T>', '<b>x</b>', '<img src=x>', '[a](x)', 'a&nbsp;b', '{}'])(
  '%j has visible text',
  text => {
    expect(isVisible(text)).toBe(true);
  },
);

test.each([
  ' ',
  '\n',
  '\x1b[31m',
  '\x1b]0;title\x1b\\',
  '\x1b]0;title\x07\n',
  '&nbsp;',
  '<!-- a comment -->',
  '<p class="a">\n</p>',
  '\u200b',
  '\u{e0041}',
])('much of %j has no visible text, wherever a look at its start ends', token => {
  for (let offset = 0; offset < 30; offset += 1) {
    const text = ' '.repeat(offset) + token.repeat(Math.ceil(5000 / token.length));
    expect([offset, isVisible(text), isVisible(`${text}x`), isVisible(`x${text}`)]).toEqual([
      offset,
      false,
      true,
      true,
    ]);
  }
});
