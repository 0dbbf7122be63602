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
