/** The tools of the built-in agent by themselves: their answers to the model, including errors. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CappedText, capText } from '../../../../../src/server/harness/agents/builtin/tools/capped-text.ts';
import { editFile } from '../../../../../src/server/harness/agents/builtin/tools/edit-tool.ts';
import { listFolder } from '../../../../../src/server/harness/agents/builtin/tools/list-tool.ts';
import {
  createPlaces,
  type Places,
  resolvePlace,
} from '../../../../../src/server/harness/agents/builtin/tools/places.ts';
import { readFileLines } from '../../../../../src/server/harness/agents/builtin/tools/read-tool.ts';
import { searchFiles } from '../../../../../src/server/harness/agents/builtin/tools/search-tool.ts';
import { runShell } from '../../../../../src/server/harness/agents/builtin/tools/shell-tool.ts';
import { writeWholeFile } from '../../../../../src/server/harness/agents/builtin/tools/write-tool.ts';
import { isAlive, pidsIn } from '../../../../support/processes.ts';
import { createFolders, type Folders, toolEnv } from './loop-fixture.ts';

let folders: Folders;
let places: Places;

beforeEach(async () => {
  folders = await createFolders();
  places = await createPlaces(folders.workspace, [folders.tempDir]);
});

const put = async (path: string, text: string | Uint8Array): Promise<void> => {
  await mkdir(join(folders.workspace, path, '..'), { recursive: true });
  await writeFile(join(folders.workspace, path), text);
};
const shell = (command: string, seconds = 10, signal?: AbortSignal) =>
  runShell(
    { shell: '/bin/sh', workspace: folders.workspace, env: toolEnv },
    { command, timeout_seconds: seconds },
    signal,
  );

describe('places', () => {
  test.each([
    ['..'],
    ['../state/x'],
    ['a/../../state'],
    ['/etc/passwd'],
    ['out/passwd'],
    ['dangling'],
    ['chain/x'],
    ['../workspace-2/x'],
  ])('%s leads outside and is refused with a sentence', async path => {
    await symlink('/etc', join(folders.workspace, 'out'));
    await symlink('../state/not-there', join(folders.workspace, 'dangling'));
    await symlink('out', join(folders.workspace, 'chain'));
    for (const use of ['read', 'write'] as const)
      await expect(resolvePlace(places, path, use)).rejects.toThrow('is outside the workspace');
  });

  test('paths inside are accepted, relative, absolute and through links', async () => {
    await put('a/b.txt', 'x');
    await symlink('a', join(folders.workspace, 'link'));
    for (const path of ['a/b.txt', './a/../a/b.txt', join(folders.workspace, 'a/b.txt'), 'link/b.txt'])
      expect(await resolvePlace(places, path, 'write')).toBe(join(folders.workspace, 'a/b.txt'));
    expect(await resolvePlace(places, '..dots/new.txt', 'write')).toBe(join(folders.workspace, '..dots/new.txt'));
  });

  test('the temp folder is readable but not writable, and a symlink loop is reported', async () => {
    const path = join(folders.tempDir, 'x');
    expect(await resolvePlace(places, path, 'read')).toBe(path);
    await expect(resolvePlace(places, path, 'write')).rejects.toThrow('is read-only');
    await symlink('round', join(folders.workspace, 'round'));
    await expect(resolvePlace(places, 'round', 'read')).rejects.toThrow('round is a symlink loop');
    await expect(resolvePlace(places, 'a\0b', 'read')).rejects.toThrow('must not contain NUL');
  });
});

describe('read', () => {
  test('lines have numbers, and the rest can be requested', async () => {
    await put('a.txt', 'one\r\ntwo\nthree\n');
    expect(await readFileLines(places, { path: 'a.txt' })).toBe('1\tone\n2\ttwo\n3\tthree');
    expect(await readFileLines(places, { path: 'a.txt', offset: 2, limit: 1 })).toBe(
      '2\ttwo\n[3 lines in total; continue with offset 3]',
    );
    await expect(readFileLines(places, { path: 'a.txt', offset: 4 })).rejects.toThrow('has only 3 lines');
  });

  test('a large file is read in parts, and a very long line is cut', async () => {
    await put('large.txt', `${'x'.repeat(5000)}\n`.repeat(100));
    const text = await readFileLines(places, { path: 'large.txt' });
    expect(text.length).toBeLessThan(61_000);
    expect(text).toMatch(/x…\n\[100 lines in total; continue with offset \d+\]$/);
  });

  test.each([
    ['none.txt', 'none.txt does not exist'],
    ['folder', 'folder is a folder'],
    ['picture', 'picture is a binary file of 3 bytes'],
    ['pipe', 'pipe is not a regular file'],
    ['folder/x/y', 'does not exist'],
    ['text/x', 'has a parent that is not a folder'],
  ])('%s: %s', async (path, words) => {
    await mkdir(join(folders.workspace, 'folder'));
    await put('picture', Buffer.from([1, 0, 2]));
    await put('text', 'x');
    execFileSync('mkfifo', [join(folders.workspace, 'pipe')]);
    await expect(readFileLines(places, { path })).rejects.toThrow(words);
  });
});

describe('write and edit', () => {
  test('a file is created with its folders, and replaced', async () => {
    expect(await writeWholeFile(places, { path: 'a/b/c.txt', content: 'one\ntwo\n' })).toBe(
      'created a/b/c.txt (2 lines)',
    );
    expect(await writeWholeFile(places, { path: 'a/b/c.txt', content: '' })).toBe('replaced a/b/c.txt (0 lines)');
    await expect(writeWholeFile(places, { path: 'a/b', content: '' })).rejects.toThrow('a/b is a folder');
    execFileSync('mkfifo', [join(folders.workspace, 'pipe')]);
    await expect(writeWholeFile(places, { path: 'pipe', content: '' })).rejects.toThrow('pipe is not a regular file');
  });

  test('a text is replaced if it occurs once, or everywhere', async () => {
    await put('a.txt', 'one $& two two\n');
    expect(await editFile(places, { path: 'a.txt', old_text: 'one', new_text: '$&' })).toBe('changed 1 place in a.txt');
    const twice = { path: 'a.txt', old_text: 'two', new_text: '2' };
    await expect(editFile(places, twice)).rejects.toThrow('occurs 2 times in a.txt');
    expect(await editFile(places, { ...twice, replace_all: true })).toBe('changed 2 places in a.txt');
    expect(await readFile(join(folders.workspace, 'a.txt'), 'utf8')).toBe('$& $& 2 2\n');
  });

  test('CRLF line ends stay, and a missing text is reported', async () => {
    await put('a.txt', 'one\r\ntwo\r\n');
    await editFile(places, { path: 'a.txt', old_text: 'one\ntwo', new_text: 'three\nfour' });
    expect(await readFile(join(folders.workspace, 'a.txt'), 'utf8')).toBe('three\r\nfour\r\n');
    await expect(editFile(places, { path: 'a.txt', old_text: 'five', new_text: '' })).rejects.toThrow(
      'old_text is not in a.txt',
    );
    await expect(editFile(places, { path: 'a.txt', old_text: '', new_text: 'x' })).rejects.toThrow('old_text is empty');
    await expect(editFile(places, { path: 'a.txt', old_text: 'x', new_text: 'x' })).rejects.toThrow('are the same');
  });
});

describe('unedited bytes', () => {
  const bytesOf = async (path: string) => await readFile(join(folders.workspace, path), 'latin1');

  test('stay in a file that is not UTF-8, and U+FFFD is not written back', async () => {
    await put('a.js', Buffer.from('// caf\xe9\r\nx = 1\r\n', 'latin1'));
    expect(await readFileLines(places, { path: 'a.js' })).toBe(
      '1\t// caf\uFFFD\n2\tx = 1\n[not UTF-8: \uFFFD stands for other bytes, which the edit tool keeps]',
    );
    await editFile(places, { path: 'a.js', old_text: 'x = 1', new_text: 'x = 2' });
    expect(await bytesOf('a.js')).toBe('// caf\xe9\r\nx = 2\r\n');
    const faults = [
      [editFile(places, { path: 'a.js', old_text: '// caf\uFFFD', new_text: '//' }), 'leave out text shown as \uFFFD'],
      [
        editFile(places, { path: 'a.js', old_text: 'x = 2', new_text: 'x = "\u00e9"' }),
        'a.js is not UTF-8, and new_text',
      ],
      [writeWholeFile(places, { path: 'a.js', content: '// caf\uFFFD\nx = 3\n' }), 'a.js is not UTF-8, and \uFFFD'],
    ] as const;
    for (const [fault, words] of faults) await expect(fault).rejects.toThrow(words);
    expect(await bytesOf('a.js')).toBe('// caf\xe9\r\nx = 2\r\n');
    await writeWholeFile(places, { path: 'a.js', content: '// caf\u00e9\n' });
    expect(await readFile(join(folders.workspace, 'a.js'), 'utf8')).toBe('// caf\u00e9\r\n');
  });

  test('stay in a file with a byte order mark, which no tool shows', async () => {
    await put('a.ps1', '\uFEFFone \u00e9\ntwo\n');
    expect(await readFileLines(places, { path: 'a.ps1' })).toBe('1\tone \u00e9\n2\ttwo');
    expect(await searchFiles(places, { pattern: '^one' }, toolEnv, undefined)).toBe('a.ps1:1: one \u00e9');
    await editFile(places, { path: 'a.ps1', old_text: 'one \u00e9\ntwo', new_text: 'three' });
    expect(await readFile(join(folders.workspace, 'a.ps1'), 'utf8')).toBe('\uFEFFthree\n');
    await writeWholeFile(places, { path: 'a.ps1', content: 'four\n' });
    expect(await readFile(join(folders.workspace, 'a.ps1'), 'utf8')).toBe('\uFEFFfour\n');
  });

  test('stay in UTF-16, which the tools refuse by name', async () => {
    await put('a.txt', Buffer.from('\uFEFF\u6587\u5b57', 'utf16le'));
    const edited = editFile(places, { path: 'a.txt', old_text: 'x', new_text: 'y' });
    await expect(edited).rejects.toThrow('a.txt is UTF-16');
  });

  test('stay when lines are added to a CRLF file, and new lines get CRLF', async () => {
    await put('a.txt', 'one\r\ntwo\r\nthree');
    await editFile(places, { path: 'a.txt', old_text: 'two', new_text: 'two\ntwo b' });
    expect(await bytesOf('a.txt')).toBe('one\r\ntwo\r\ntwo b\r\nthree');
    expect(await searchFiles(places, { pattern: 'two b$' }, toolEnv, undefined)).toBe('a.txt:3: two b');
    await writeWholeFile(places, { path: 'a.txt', content: 'one\n\r\ntwo\n' });
    expect(await bytesOf('a.txt')).toBe('one\r\n\r\ntwo\r\n');
  });

  test.each([
    ['a line is added behind one of Windows', 'two', 'two\ntwo b', 'one\ntwo\r\ntwo b\r\nthree\nfour\r\n'],
    ['a line is added behind one of Unix', 'three\n', 'three\nnew\n', 'one\ntwo\r\nthree\nnew\nfour\r\n'],
    ['a line is added before the first one', 'one', 'zero\none', 'zero\none\ntwo\r\nthree\nfour\r\n'],
    [
      'the middle of several lines changes',
      'one\ntwo\nthree',
      'one\n2\n2 b\nthree',
      'one\n2\r\n2 b\r\nthree\nfour\r\n',
    ],
    ['lines around one that stays change', 'one\ntwo\nthree\nfour', '1\n1 b\ntwo\nfour', '1\n1 b\ntwo\r\nfour\r\n'],
    ['a line goes away', 'two\n', '', 'one\nthree\nfour\r\n'],
    ['two lines become one', 'two\nthree', 'two three', 'one\ntwo three\nfour\r\n'],
    ['all are given with the endings of Windows', 'one\r\ntwo\r\n', 'one\r\n2\r\n', 'one\n2\r\nthree\nfour\r\n'],
  ])('stay in a file of mixed line endings when %s', async (_name, old_text, new_text, expected) => {
    await put('a.txt', 'one\ntwo\r\nthree\nfour\r\n');
    await editFile(places, { path: 'a.txt', old_text, new_text });
    expect(await bytesOf('a.txt')).toBe(expected);
  });

  test('stay in a file of mixed line endings when all places change, and write replaces all', async () => {
    await put('a.txt', 'a a\r\na\nb\r\na');
    await editFile(places, { path: 'a.txt', old_text: 'a', new_text: 'a\nc', replace_all: true });
    expect(await bytesOf('a.txt')).toBe('a\r\nc a\r\nc\r\na\nc\nb\r\na\r\nc');
    await writeWholeFile(places, { path: 'a.txt', content: 'one\r\ntwo\n' });
    expect(await bytesOf('a.txt')).toBe('one\r\ntwo\n');
  });

  test('an edit of line endings alone is reported', async () => {
    await put('a.txt', 'one\r\n');
    const edited = editFile(places, { path: 'a.txt', old_text: 'one\r\n', new_text: 'one\n' });
    await expect(edited).rejects.toThrow('differ only in their line endings');
  });
});

test('a folder is listed to the requested depth, without the contents of packages', async () => {
  await put('a/b/c.txt', '');
  await put('node_modules/x/index.js', '');
  await symlink('a', join(folders.workspace, 'link'));
  expect(await listFolder(places, {})).toBe('a/\nlink (link)\nnode_modules/');
  expect(await listFolder(places, { depth: 3 })).toBe('a/\na/b/\na/b/c.txt\nlink (link)\nnode_modules/');
  expect(await listFolder(places, { path: 'a/b' })).toBe('c.txt');
  await expect(listFolder(places, { path: 'a/b/c.txt' })).rejects.toThrow('is a file');
  await mkdir(join(folders.workspace, 'many'));
  await Promise.all(Array.from({ length: 1005 }, (_, index) => put(`many/${index}`, '')));
  const many = await listFolder(places, { path: 'many' });
  expect(many.split('\n')).toHaveLength(1001);
  expect(many).toMatch(/there are more/);
});

describe('search', () => {
  const search = (input: Parameters<typeof searchFiles>[1]) => searchFiles(places, input, toolEnv, undefined);

  test('lines are found with their places, in all files that git does not ignore', async () => {
    await put('src/a.ts', 'const one = 1;\n  const two = 2;\n');
    await put('src/b.js', 'const three = 3;\n');
    await put('built/a.js', 'const one = 1;\n');
    await put('node_modules/x/a.js', 'const one = 1;\n');
    await put('picture', Buffer.from('const\0one'));
    await put('.gitignore', 'built/\nnode_modules/\n');
    expect(await search({ pattern: 'const one' })).toBe('built/a.js:1: const one = 1;\nsrc/a.ts:1: const one = 1;');
    execFileSync('git', ['init', '-q'], { cwd: folders.workspace });
    expect(await search({ pattern: 'const (one|two)' })).toBe('src/a.ts:1: const one = 1;\nsrc/a.ts:2: const two = 2;');
    expect(await search({ pattern: 'CONST', ignore_case: true, glob: '*.js' })).toBe('src/b.js:1: const three = 3;');
    expect(await search({ pattern: 'const', path: 'src/b.js' })).toBe('src/b.js:1: const three = 3;');
    expect(await search({ pattern: 'const', glob: 'src/**/*.ts' })).toMatch(/^src\/a\.ts/);
    expect(await search({ pattern: 'four' })).toBe('nothing in . matches');
    await expect(search({ pattern: '(' })).rejects.toThrow('invalid regular expression in pattern');
    // Strict regular expressions do not support it.
    expect(await search({ pattern: 'three\\-?' })).toMatch(/^src\/b\.js/);
  });

  test('a pattern that takes forever is reported, and one with too many matches is cut', async () => {
    await put('a.txt', `${'a'.repeat(40)}!\n`);
    await expect(search({ pattern: '^(a+)+$' })).rejects.toThrow('takes too long');
    await put('b.txt', 'x\n'.repeat(500));
    const text = await search({ pattern: 'x' });
    expect(text.split('\n')).toHaveLength(201);
    expect(text).toMatch(/there are more/);
  });
});

describe('shell', () => {
  test('a command returns its output, and a failed one its exit code', async () => {
    expect(await shell('pwd; echo err >&2')).toBe(`${folders.workspace}\nerr`);
    expect(await shell('true')).toBe('[no output]');
    await expect(shell('echo so; exit 3')).rejects.toThrow(/^so\n\n?\[exit code 3\]$/);
    await expect(shell('kill -9 $$')).rejects.toThrow('[ended by SIGKILL]');
    expect(await shell('cat')).toBe('[no output]');
  });

  test('a huge output keeps its beginning and its end, without colors', async () => {
    const text = await shell("printf '\\033[31mbegin\\033[0m'; head -c 3000000 /dev/zero | tr '\\0' x; printf end");
    expect(text).toMatch(/^beginx+\n\[\d+ characters were left out here\]\nx+end$/);
    expect(text.length).toBeLessThan(33_000);
  });

  test('a command that exceeds its time is killed with its children', async () => {
    const late = shell("sh -c 'echo pid $$; sleep 60' & echo pid $$; wait", 1.5);
    const text = await late.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(text).toContain('stopped after 1.5 seconds');
    const pids = pidsIn(text);
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  test('a background process is not waited for, and its early output is included', async () => {
    const startMs = performance.now();
    const text = await shell('(sleep 30; echo late) & echo early; echo pid $$');
    expect(text).toMatch(/^early\npid \d+$/);
    expect(performance.now() - startMs).toBeLessThan(15_000);
    for (const pid of pidsIn(text)) process.kill(-pid, 'SIGKILL');
  });

  test('a stopped command is killed with all its children', async () => {
    const stopping = new AbortController();
    const running = shell('echo $$ > pid; sleep 60 & sleep 60', 60, stopping.signal);
    const read = () => readFile(join(folders.workspace, 'pid'), 'utf8').catch(() => '');
    await expect.poll(read).not.toBe('');
    stopping.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    const pid = Number(await read());
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect(shell('echo x', 1, stopping.signal)).rejects.toThrow('stopped');
  });
});

test('text keeps both ends, in pieces of any size', () => {
  expect(capText('short\0')).toBe('short\uFFFD');
  const capped = new CappedText();
  for (let number = 0; number < 100_000; number += 1) capped.push(`${number} `);
  const { text } = capped;
  expect(text).toMatch(/^0 1 2 .*\n\[\d+ characters were left out here\]\n.* 99998 99999 $/s);
  const all = Array.from({ length: 100_000 }, (_, number) => `${number} `).join('');
  expect(Number(/\[(\d+) /.exec(text)?.[1])).toBe(all.length - 32_000);
});
