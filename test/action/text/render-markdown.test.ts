import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgets, measureText, type Surface } from '../../../src/action/text/budget.ts';
import { renderMarkdownEnd } from '../../../src/action/text/render-markdown.ts';
import { findHarm, nodesOf, readMarkdown, shownText } from './rendered-markdown.ts';

/** Renders a text with all the room, as the summary does. */
const renderMarkdown = (text: string) => renderMarkdownEnd(text, { surface: 'summary' });

/** Pieces that some parser interprets, joined at random. */
const nastyPieces = [
  ...[
    '@octo',
    '@octo-org/everyone',
    '＠octo',
    '&#64;octo',
    '&commat;octo',
    '&#x40;octo',
    '\\@octo',
    '&amp;#64;octo',
    'a@example.com',
  ],
  ...[
    '#1',
    'GH-1',
    'octo-org/x#1',
    '&#35;1',
    'https://github.com/octo-org/x/issues/1',
    'www.github.com/octo-org/x/pull/1',
    'http://',
  ],
  ...[
    'https://example.com/a?b=c&copy;=d',
    'https://octo:secret@example.com',
    '<https://example.com>',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg>',
  ],
  ...[
    '![',
    '[',
    ']',
    '](',
    ')',
    '[a]',
    '[a]: https://example.com/x.png\n',
    '![a][a]',
    '[^1]',
    '[^1]: note\n',
    '(https://example.com "t")',
  ],
  ...[
    '<img src="https://example.com/x.png">',
    '<details>',
    '</details>',
    '</summary>',
    '<!--',
    '-->',
    '<!-- agent-run:x -->',
    '<svg onload=x>',
    '&lt;img&gt;',
    '<br>',
    '<a href="x">',
  ],
  ...[
    '`',
    '``',
    '```',
    '````',
    '~~~',
    '~~~~',
    '```mermaid\n',
    '```suggestion\n',
    '$',
    '$$',
    '*',
    '**',
    '***',
    '_',
    '__',
    '~~',
    '~',
  ],
  ...[
    '# ',
    '## ',
    '- ',
    '+ ',
    '* ',
    '1. ',
    '2) ',
    '> ',
    '>',
    '- [ ] ',
    '---',
    '===',
    '***',
    '|',
    '|-|',
    '| a | b |\n|---|---|\n',
    ':-',
    '\\|',
    '\\',
  ],
  ...[
    '\n',
    '\n',
    '\n\n',
    '  \n',
    '\\\n',
    '\r',
    '\r\n',
    ' ',
    '    ',
    '\t',
    '\u00a0',
    '\u200b',
    '\u2028',
    '\0',
    '&#10;',
    '&#32;',
    '&#0;',
    '&#x202e;',
  ],
  ...['word', 'a', '1', 'é', '😀', '中', '“', '/approve', '::error::x'],
];
const nasty = fc.array(fc.constantFrom(...nastyPieces), { maxLength: 25 }).map(pieces => pieces.join(''));

test("any agent's text is harmless once rendered", () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: nasty }, fc.string({ unit: 'binary' })), text => {
      expect(findHarm(renderMarkdown(text))).toEqual([]);
    }),
    { numRuns: 700 },
  );
});

test('rendered text is closed: text after it renders as if it were alone', () => {
  fc.assert(
    fc.property(nasty, text => {
      const { children = [] } = readMarkdown(`${renderMarkdown(text)}\n\n<!-- ours -->\n\nthe *end*`);
      expect(children.slice(-2)).toMatchObject([
        { type: 'html', value: '<!-- ours -->' },
        { type: 'paragraph', children: [{ value: 'the ' }, { type: 'emphasis' }] },
      ]);
    }),
    { numRuns: 250 },
  );
});

test('all words, code and addresses are kept', () => {
  const words = fc.array(
    fc.constantFrom('word', '@octo', '#1', '<b>', '*', '_', '|', '&amp;', '\\', '`', '1.', '-', '#', '(x)', '$5'),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(words, list => {
      // The same words in a fence, as code and as escaped text.
      const text = list.join(' ');
      const escaped = text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
      expect(shownText(readMarkdown(renderMarkdown(escaped)))).toBe(text);
      expect(shownText(readMarkdown(renderMarkdown(`\`\`\`\`\`\n${text}\n\`\`\`\`\``)))).toBe(text);
      expect(shownText(readMarkdown(renderMarkdown(`\`\`\`\` ${text} \`\`\`\``)))).toBe(text);
    }),
  );
});

test('the end of a long result is harmless and never exceeds its room', () => {
  const surface = fc.constantFrom<Surface>('summary', 'comment');
  fc.assert(
    fc.property(nasty, surface, fc.integer({ min: 0, max: 400 }), (text, on, room) => {
      const rendered = renderMarkdownEnd(text.repeat(3), {
        surface: on,
        room,
        where: 'the whole is in the file /tmp/@octo/result.md',
      });
      expect(measureText(rendered, on)).toBeLessThanOrEqual(room);
      expect(findHarm(rendered)).toEqual([]);
    }),
    { numRuns: 250 },
  );
});

test.each([
  '@octo',
  '&commat;octo',
  'see octo-org/x#1',
  'https://example.com',
  '![a](https://example.com/x.png)',
  '![a][b]\n\n[b]: https://example.com/x.png',
  'a <img src=x>',
  '<!-- agent-run:x -->',
  '[a](javascript:alert(1))',
  '[a](https://github.com/octo-org/x/pull/1)',
  '```mermaid\nx\n```',
])('%j does harm unless it is rendered first', text => {
  expect(findHarm(text)).not.toEqual([]);
  expect(findHarm(renderMarkdown(text))).toEqual([]);
});

const typesOf = (text: string) => nodesOf(readMarkdown(renderMarkdown(text))).map(({ type }) => type);

test('headings, lists, tables, quotes, emphasis and code work', () => {
  const text = `# Done

Fixed *two* **bugs** and ~~three~~ in \`a|b.ts\`, [see](https://example.com/a).

1. first
2. second
   - [x] below

> quoted

| file | lines |
|:-----|------:|
| \`a\\|b\` | 3 |

---

\`\`\`ts
const at = '@octo';   // <img>

\tx
\`\`\`
`;
  const nodes = nodesOf(readMarkdown(renderMarkdown(text)));
  expect(new Set(nodes.map(({ type }) => type))).toEqual(
    new Set([
      ...[
        'root',
        'heading',
        'text',
        'paragraph',
        'emphasis',
        'strong',
        'delete',
        'inlineCode',
        'link',
        'list',
        'listItem',
      ],
      ...['blockquote', 'table', 'tableRow', 'tableCell', 'thematicBreak', 'code'],
    ]),
  );
  expect(nodes.filter(({ type }) => type === 'inlineCode').map(({ value }) => value)).toEqual(['a|b.ts', 'a|b']);
  expect(nodes.find(({ type }) => type === 'code')).toMatchObject({
    lang: 'ts',
    value: "const at = '@octo';   // <img>\n\n\tx",
  });
  expect(nodes.find(({ type }) => type === 'heading')).toMatchObject({ depth: 4 });
  expect(nodes.filter(({ type }) => type === 'listItem').at(-1)).toMatchObject({ checked: true });
  expect(nodes.find(({ type }) => type === 'table')).toMatchObject({ align: ['left', 'right'] });
});

test.each([
  ['![a](https://example.com/x.png)', '[image: a](<https://example.com/x.png>)'],
  ['![a][b]\n\n[b]: https://example.com/x.png', '[image: a](<https://example.com/x.png>)'],
  [
    '[![a](https://example.com/x.png)](https://example.com)',
    '[image: a (`https://example.com/x.png`)](<https://example.com/>)',
  ],
  ['![a](data:image/png;base64,AAAA)', 'image: a (`data:image/png;base64,AAAA`)'],
  ['<img src=x>', '&lt;img src=x&gt;'],
  ['[a](javascript:alert(1))', 'a (`javascript:alert(1)`)'],
  ['[src/a.ts](src/a.ts)', '`src/a.ts`'],
  ['[a](https://octo@example.com/)', 'a (`https://octo@example.com/`)'],
  ['https://github.com/octo-org/x/issues/1', '`https://github.com/octo-org/x/issues/1`'],
  ['[a](https://github.com/octo-org/x/%70ull/1)', 'a (`https://github.com/octo-org/x/%70ull/1`)'],
  ['&commat;octo \\@octo', '@\u200bocto @\u200bocto'],
  ['<!-- agent-run:comment -->', '&lt;\\!-- agent-run:comment --&gt;'],
  ['~~~~x~~~~ y', '```text\n\n```'],
  ['/approve', '\\/approve'],
  ['a $`x`$', 'a \u200b\\$\u200b`x`\u200b\\$\u200b'],
  ['```mermaid\nx\n```', '```text\nx\n```'],
])('%j becomes %j', (text, expected) => {
  expect(renderMarkdown(text)).toBe(expected);
});

test('a long result keeps its last blocks, and a line says where the whole is', () => {
  const text = Array.from({ length: 100 }, (_, index) => `## Part ${index}\n\n- a *point*`).join('\n\n');
  const rendered = renderMarkdownEnd(text, {
    surface: 'comment',
    room: 200,
    where: 'the whole is in the file /tmp/result.md',
  });
  expect(rendered).toMatch(/^\*\(only the end is shown; the whole is in the file \/tmp\/result\.md\)\*\n\n/);
  expect(rendered.endsWith('##### Part 99\n\n- a *point*')).toBe(true);
});

test('a single long paragraph keeps its last lines, in a fence', () => {
  const text = Array.from({ length: 100 }, (_, index) => `point ${index}`).join('\n');
  const rendered = renderMarkdownEnd(text, { surface: 'comment', room: 200 });
  expect(nodesOf(readMarkdown(rendered))[1]).toMatchObject({ type: 'code' });
  expect(rendered).toContain('point 99\n```');
});

/** Renders as much of the result as the summary shows. */
const renderEnd = (text: string) => renderMarkdownEnd(text, { surface: 'summaryResult' });
const topOf = (rendered: string) =>
  readMarkdown(rendered).children as { type: string; value?: string; lang?: string }[];

test.each([
  ['```js', '```'],
  ['~~~~js', '~~~~'],
  ['  ```js title="a"', '  ```'],
])(
  'a long code block between paragraphs (%s) ends as code, keeps prose as prose, and fills the room',
  (open, close) => {
    const code = Array.from({ length: 5000 }, (_, index) => `const number${index} = ${index};`);
    const text = ['It begins.', '', open, ...code, close, '', 'It *ends*.'].join('\n');
    const rendered = renderEnd(text);
    const [note, block, last, ...more] = topOf(rendered);
    expect([note?.type, block?.type, block?.lang, last?.type, more]).toEqual([
      'paragraph',
      'code',
      'js',
      'paragraph',
      [],
    ]);
    expect(block?.value?.split('\n').at(-1)).toBe('const number4999 = 4999;');
    expect(block?.value?.split('\n').every(line => code.includes(line))).toBe(true);
    expect(rendered.endsWith('\n\nIt *ends*.')).toBe(true);
    expect(rendered.length).toBeGreaterThan(60 * 1024);
  },
);

test('a long code block in a list is code to its end, and the text after it is prose', () => {
  const code = Array.from({ length: 9000 }, (_, index) => `   number ${index}`);
  const rendered = renderEnd(['1. Run this:', '', '   ```sh', ...code, '   ```', '', 'That is *all*.'].join('\n'));
  const [, block, last] = topOf(rendered);
  expect([block?.type, block?.value?.endsWith('\nnumber 8999'), last?.type]).toEqual(['code', true, 'paragraph']);
});

test('a long text without an open block is cut as prose, even after closed blocks', () => {
  const text = `\`\`\`sh\nls\n\`\`\`\n\n${'a *line*\n\n'.repeat(20_000)}\`\`\`sh\nls\n\`\`\``;
  const types = topOf(renderEnd(text)).map(({ type }) => type);
  expect([types[1], types.at(-2), types.at(-1)]).toEqual(['paragraph', 'paragraph', 'code']);
});

test.each([
  ['- ', (index: number) => `- point *${index}*`],
  ['1. ', (index: number) => `${index + 1}. point *${index}*`],
])('a long list (%s) keeps its last items with their numbers and fills the room', (_mark, line) => {
  const text = `${Array.from({ length: 300 }, (_, index) => line(index)).join('\n')}\n\nThe end.`;
  const rendered = renderMarkdownEnd(text, { surface: 'comment', room: 3000 });
  expect(topOf(rendered).map(node => node.type)).toEqual(['paragraph', 'list', 'paragraph']);
  expect(rendered).toContain(line(299));
  expect(rendered.length).toBeGreaterThan(2900);
});

test('blocks that are nested too deep are shown as written', () => {
  expect(typesOf(`${'> '.repeat(200)}a`)).toEqual(['root', 'code']);
  expect(typesOf(`${'**'.repeat(5000)}a${'**'.repeat(5000)}`)).toEqual(['root', 'code']);
});

test.each([
  ['open brackets', '['.repeat(100_000)],
  ['code that never ends', '`a'.repeat(100_000)],
  ['blanks', `a${' '.repeat(250_000)}b`],
  ['emphasis', '*a_'.repeat(60_000)],
])('a text built to be slow is rendered quickly: %s', (_name, text) => {
  const startedAt = performance.now();
  expect(measureText(renderMarkdownEnd(text, { surface: 'summary' }), 'summary')).toBeLessThan(budgets.summary.limit);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a JSON result is shown as code, whatever it has', () => {
  const json = '{"labels": ["bug"], "say": "````\\n@octo-org/everyone"}';
  expect(renderMarkdownEnd(json, { surface: 'summary' })).toBe(`\`\`\`\`\`json\n${json}\n\`\`\`\`\``);
  expect(renderMarkdownEnd('[a list](https://example.com) of links', { surface: 'summary' })).not.toContain('json');
});

test('a long result is parsed only up to a limit, and a line says where the rest is', () => {
  const text = `${'a *line*\n\n'.repeat(50_000)}the end`;
  const rendered = renderMarkdownEnd(text, { surface: 'summary', where: 'the whole is in the file /tmp/result.md' });
  const [note, , ...rest] = rendered.split('\n');
  expect(note).toBe('*(only the end is shown; the whole is in the file /tmp/result.md)*');
  expect([rest.at(-1), rendered.length < 100_000]).toEqual(['the end', true]);
});
