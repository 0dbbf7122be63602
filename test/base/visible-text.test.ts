import { expect, test } from 'vitest';
import { isVisible } from '../../src/base/visible-text.ts';

test.each([
  ' \t\n',
  '\x1b[0m\u200b',
  '\u2800\u{1d159}\u{16fe4}',
  '<!-- done -->',
  '<!-->\n<!-- two\nlines -->',
  '<!-- without an end',
  '```\n```',
  '~~~json\n \n~~~\n<!-- x -->',
  '&nbsp;',
  '&#8203; &#X200b;',
  '<br>\n<br />',
  '<p class="a"><b></b></p>',
  '[](x)',
  '[&nbsp;<br>](https://example.com)',
  '![]()',
  '<script>x</script>',
  '<SCRIPT type="module">if (a < b) {}</Script ><style></style>',
])('nothing of %j can be seen', text => {
  expect(isVisible(text)).toBe(false);
});

test.each([
  '.',
  '<!-- a --> b',
  '```\n<!-- shown as it is -->\n```',
  '```\n~~~\n```',
  '````\n```\n````',
  '~~~ done ~~~',
  '<hr>',
  '<T>',
  '<b>x</b>',
  '`<br>`',
  '<img src="https://example.com/a.png">',
  '[a](x)',
  '[&#65;](x)',
  '![](x)',
  '![a]()',
  '[] (x)',
  '&amp;',
  '&#65;',
  '&#x110000; ',
  'a&nbsp;b',
  '{}',
  '<script>x',
  '<scripts>x</scripts>',
  '<script>x</script>y',
  '<img src=x>',
  '***',
])('something of %j can be seen', text => {
  expect(isVisible(text)).toBe(true);
});

test.each([
  '<!--',
  '<!---->',
  '```\n```\n',
  '~',
  '`',
  '~~~\n~',
  '\x1b]',
  '\u2800',
  '&nbsp;',
  '<br>',
  '<a ',
  '<script>',
  '<script></style>',
  '<script></script>',
  '[](x)',
  '[](',
  '&#',
])('%j, however often, is looked at in one go', unit => {
  const began = performance.now();
  isVisible(`${unit.repeat(1_000_000 / unit.length)}\nx`);
  expect(performance.now() - began).toBeLessThan(2000);
});

test.each(['```', '~~~', '```\n', '```a'])('blanks without end behind %j are looked at in one go', opener => {
  const began = performance.now();
  expect(isVisible(`${opener}${' '.repeat(1_000_000)}x`)).toBe(true);
  expect(performance.now() - began).toBeLessThan(2000);
});
