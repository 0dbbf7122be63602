import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const skill = readFileSync(resolve(import.meta.dirname, '../../examples/skills/repo-report/SKILL.md'), 'utf8');
const blocks = readFencedBlocks(skill).filter(block => block.language === 'bash');

interface Report {
  readonly text: string;
  readonly printed: string;
}

/**
 * Runs the skill's blocks as the `script` harness does: each as a process of its own, nothing on standard input, a
 * clean environment. Nothing may be left in the temporary folder.
 */
function reportOn(folder: string): Report {
  const resultFile = join(createTempFolder(), 'result.md');
  const tempFolder = createTempFolder();
  const printed = blocks.map(block => {
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', block.code], {
      cwd: folder,
      env: { PATH: process.env.PATH, TMPDIR: tempFolder, AGENT_RUN_RESULT: resultFile },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    expect({ line: block.line, status, stderr }).toEqual({ line: block.line, status: 0, stderr: '' });
    return stdout;
  });
  expect(readdirSync(tempFolder)).toEqual([]);
  return { text: readFileSync(resultFile, 'utf8'), printed: printed.join('') };
}

function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Octo', '-c', 'user.email=octo@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The cells of a table's row, found by its first cell. */
function rowOf({ text }: Report, section: string, first: string): readonly string[] {
  const part = text.split(/^## /m).find(candidate => candidate.startsWith(section)) ?? '';
  const rows = part.split('\n').map(line => line.split(/(?<!\\)\|/).map(cell => cell.trim()));
  return rows.find(cells => cells[1] === first)?.slice(2, 4) ?? [];
}

const lines = (count: number) => 'line\n'.repeat(count);

test('files and lines are counted by folder and by kind, and the sums are right', () => {
  const report = reportOn(
    writeFiles(createTempFolder(), {
      'README.md': lines(3),
      'src/main.ts': lines(1000),
      'src/deep/er/more.TS': lines(234),
      'src/empty.ts': '',
      'docs/guide.md': lines(40),
      Makefile: 'all:',
    }),
  );
  expect(report.text).toContain('**6 files**, **1,277 lines**, ');
  expect(rowOf(report, 'By folder', '`src/`')).toEqual(['3', '1,234']);
  expect(rowOf(report, 'By folder', '`docs/`')).toEqual(['1', '40']);
  expect(rowOf(report, 'By folder', '(top level)')).toEqual(['2', '3']);
  expect(rowOf(report, 'By kind', '`.ts`')).toEqual(['3', '1,234']);
  expect(rowOf(report, 'By kind', '`.md`')).toEqual(['2', '43']);
  expect(rowOf(report, 'By kind', '(no ending)')).toEqual(['1', '0']);
  expect(rowOf(report, 'Largest files', '`src/main.ts`')).toEqual(['4.9 KiB', '1,000']);
  expect(report.printed).toContain('counting 6 files\n');
});

test('binary files are counted and have no lines', () => {
  const binary = Buffer.from(`${lines(50)}\0`);
  const report = reportOn(writeFiles(createTempFolder(), { 'logo.png': binary, 'a.txt': lines(2), 'empty.png': '' }));
  expect(report.text).toContain('**3 files**, **2 lines**, **261 B**; 1 binary file without lines.');
  expect(rowOf(report, 'Largest files', '`logo.png`')).toEqual(['251 B', 'binary']);
  expect(rowOf(report, 'By kind', '`.png`')).toEqual(['2', '0']);
});

test('what git ignores is left out, what it does not know yet is not', () => {
  const folder = writeFiles(createTempFolder(), {
    '.gitignore': 'secret/\n*.log\n',
    'kept.ts': lines(5),
    'secret/key.ts': lines(5),
    'noise.log': lines(5),
  });
  git(folder, 'init', '--quiet');
  git(folder, 'add', 'kept.ts');
  const report = reportOn(folder);
  expect(report.text).toContain('**2 files**, **7 lines**');
  expect(report.text).toContain('No commit yet.');
  expect(report.text).not.toContain('secret');
});

test('without git, .git and node_modules are left out and the report says that there is no history', () => {
  const report = reportOn(
    writeFiles(createTempFolder(), {
      'a.ts': lines(2),
      '.git/objects/pack': lines(9),
      'node_modules/x/index.js': lines(9),
      'packages/one/node_modules/y/index.js': lines(9),
    }),
  );
  expect(report.text).toContain('**1 file**, **2 lines**');
  expect(report.text).toContain('There is no git history here');
  expect(report.printed).toContain('no git repository');
});

test('a copy that lies inside another repository is measured by itself', () => {
  const outer = writeFiles(createTempFolder(), { '.gitignore': 'copy/\n', 'copy/a.ts': lines(3) });
  git(outer, 'init', '--quiet');
  expect(reportOn(join(outer, 'copy')).text).toContain('**1 file**, **3 lines**');
});

test('built and foreign code is counted apart', () => {
  const report = reportOn(
    writeFiles(createTempFolder(), { 'a.ts': lines(1), 'dist/main.js': lines(999), 'go/vendor/x/x.go': lines(9) }),
  );
  expect(report.text).toContain('**1 file**, **1 line**');
  expect(report.text).toContain('Built or third-party code, counted separately: 2 files');
  expect(report.text).not.toContain('main.js');
});

test('names with blanks, quotes, line breaks and Markdown in them are counted once and break no table', () => {
  const folder = writeFiles(createTempFolder(), {
    'with blank/a b.ts': lines(1),
    'new\nline.ts': lines(2),
    '-n': lines(3),
    'a=b.ts': lines(4),
    'pi|pe`.ts': lines(5),
    '\'"$(touch pwned)*.ts': lines(6),
  });
  symlinkSync('nowhere', join(folder, 'link.ts'));
  const report = reportOn(folder);
  expect(report.text).toContain('**6 files**, **21 lines**');
  expect(rowOf(report, 'Largest files', '`new?line.ts`')).toEqual(['10 B', '2']);
  expect(rowOf(report, 'Largest files', '`` pi\\|pe`.ts ``')).toEqual(['25 B', '5']);
  expect(rowOf(report, 'Largest files', '`-n`')).toEqual(['15 B', '3']);
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
});

test('the newest changes come first, and a shallow clone is called one', () => {
  const folder = writeFiles(createTempFolder(), { 'a.ts': lines(1) });
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'first change');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', '``` | second <b>');
  const { text } = reportOn(folder);
  expect(text).toMatch(/^Commit `[0-9a-f]{7,}` of \d{4}-\d\d-\d\d\.$/m);
  expect(text).toMatch(
    /```text\n[0-9a-f]+ {2}[\d-]+ {2}``` \| second <b>\n[0-9a-f]+ {2}[\d-]+ {2}first change\n```\n$/,
  );
  const clone = join(createTempFolder(), 'clone');
  git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
  const shallow = reportOn(clone).text;
  expect(shallow).toContain('This is a shallow clone');
  expect(shallow).not.toContain('first change');
});

test('an empty repository gets a report that says so', () => {
  const folder = createTempFolder();
  git(folder, 'init', '--quiet');
  const report = reportOn(folder);
  expect(report.text).toContain('There are no files here.');
  expect(report.text).toContain('There is no commit yet.');
  expect(report.printed).toContain('nothing to measure');
});

test('nothing of the repository is changed', () => {
  const folder = writeFiles(createTempFolder(), { 'a.ts': lines(1) });
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'all');
  reportOn(folder);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toBe('');
});
