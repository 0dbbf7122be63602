import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';

const read = (...lines: readonly string[]) => readFencedBlocks(lines.join('\n'));
const codes = (...lines: readonly string[]) => read(...lines).map(block => block.code);

describe('blocks', () => {
  test('backtick and tilde fences are, with the first word as the language and the line of the fence', () => {
    expect(
      read('# Title', '```Bash title="x"', 'echo 1', '```', '', '~~~ sh', 'echo 2', '~~~', '```', 'plain', '```'),
    ).toEqual([
      { language: 'bash', code: 'echo 1\n', line: 2 },
      { language: 'sh', code: 'echo 2\n', line: 6 },
      { language: '', code: 'plain\n', line: 9 },
    ]);
  });

  test('two backticks, and a line that closes its backticks itself, open no block', () => {
    expect(codes('``sh', 'echo 1', '``', '```sh echo``` is text', 'echo 2')).toEqual([]);
  });

  test('a fence ends with one of its kind, at least as long, with nothing after it', () => {
    expect(codes('````sh', '```', '~~~~', '```` no', '`````')).toEqual(['```\n~~~~\n```` no\n']);
  });

  test('an example of a block inside a longer block is not a block', () => {
    expect(read('````markdown', '```sh', 'rm -rf /', '```', '````').map(block => block.language)).toEqual(['markdown']);
  });

  test('an unclosed block runs to the end of the text', () => {
    expect(codes('```sh', 'echo 1', '', 'echo 2')).toEqual(['echo 1\n\necho 2\n']);
  });

  test('a fence indented by four columns or a tab is code and opens no block', () => {
    expect(codes('text', '', '    ```sh', '    echo 1', '    ```', '', '\t```sh', '\techo 2')).toEqual([]);
  });

  test('a commented-out block, or one inside <pre>, is skipped, and the next one is read', () => {
    expect(
      codes(
        '<!--',
        '```sh',
        'echo 1',
        '```',
        '-->',
        '<pre>',
        '```sh',
        'echo 2',
        '```',
        '</pre>',
        '```sh',
        'echo 3',
        '```',
      ),
    ).toEqual(['echo 3\n']);
    expect(codes('<!-- note -->', '```sh', 'echo 4', '```')).toEqual(['echo 4\n']);
  });

  test('a block in a block quote is not read', () => {
    expect(codes('> ```sh', '> echo 1', '> ```')).toEqual([]);
  });
});

describe('code', () => {
  test('only the indentation of the fence is removed from every line', () => {
    expect(codes('  ```sh', '  if true; then', '    echo 1', ' fi', '  ```')).toEqual([
      'if true; then\n  echo 1\nfi\n',
    ]);
  });

  test('tabs in the code stay', () => {
    expect(codes('```sh', 'cat <<-END', '\tone', '\tEND', '```')).toEqual(['cat <<-END\n\tone\n\tEND\n']);
  });

  test('all line ends become LF, and line numbers stay the same', () => {
    expect(readFencedBlocks('a\r\n```sh\r\necho 1\r\necho 2\r\n```\r\n')).toEqual([
      { language: 'sh', code: 'echo 1\necho 2\n', line: 2 },
    ]);
    expect(readFencedBlocks('\uFEFF```sh\recho 1\r```')).toEqual([{ language: 'sh', code: 'echo 1\n', line: 1 }]);
  });

  test('any text between two fences is unchanged', () => {
    const line = fc.string().filter(text => !/[\r\n]/.test(text) && !/^[ \t]*```/.test(text));
    fc.assert(
      fc.property(fc.array(line), lines => {
        expect(codes('```sh', ...lines, '```')).toEqual([lines.map(text => `${text}\n`).join('')]);
      }),
    );
  });
});

describe('lists', () => {
  test('blocks in list items lose the indentation of the item', () => {
    expect(
      codes(
        '1. First:',
        '   ```sh',
        '   echo 1',
        '     echo 2',
        '   ```',
        '2. Second:',
        '',
        '   ```sh',
        '   echo 3',
        '   ```',
      ),
    ).toEqual(['echo 1\n  echo 2\n', 'echo 3\n']);
  });

  test('a fence may follow the item’s marker, also in nested items', () => {
    expect(codes('- ```sh', '  echo 1', '  ```', '- outer', '  - inner', '    ```sh', '    echo 2', '    ```')).toEqual(
      ['echo 1\n', 'echo 2\n'],
    );
  });

  test('the end of an item closes its block', () => {
    expect(codes('- item', '  ```sh', '  echo 1', 'text that is no code', '```sh', 'echo 2', '```')).toEqual([
      'echo 1\n',
      'echo 2\n',
    ]);
  });

  test('four columns within an item are code', () => {
    expect(codes('- item', '', '      ```sh', '      echo 1')).toEqual([]);
  });

  test('a thematic break is not a list item', () => {
    expect(codes('* * *', '    ```sh', '    echo 1')).toEqual([]);
  });

  test('a line of list markers overflows no stack and takes no time', () => {
    const start = performance.now();
    codes('- + '.repeat(250_000), '```sh', 'echo 1', '```');
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
