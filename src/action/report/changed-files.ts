/** The files that a Git patch changes, with the lines added and removed in each. */
import { counted } from '../../base/text.ts';
import { keepHead } from '../text/budget.ts';
import { quoteInline } from '../text/markdown.ts';

export interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
}

export interface Changes {
  /** The first files, as many as a summary lists. */
  readonly files: readonly ChangedFile[];
  readonly count: number;
  readonly added: number;
  readonly removed: number;
}

const shownMax = 20;
const pathBytes = 400;

export function listChanges(patch: string): Changes {
  const files: ChangedFile[] = [];
  const sum = { count: 0, added: 0, removed: 0 };
  let file: { path: string; added: number; removed: number; isBinary: boolean } | undefined;
  // Lines left of a hunk, because a line of a file can look like a header.
  let [oldLeft, newLeft] = [0, 0];
  for (const line of readLines(patch)) {
    if (oldLeft + newLeft > 0 && file !== undefined) {
      const mark = line[0];
      if (mark === '+') [file.added, sum.added] = [file.added + 1, sum.added + 1];
      if (mark === '-') [file.removed, sum.removed] = [file.removed + 1, sum.removed + 1];
      if (mark !== '+' && mark !== '\\') oldLeft -= 1;
      if (mark !== '-' && mark !== '\\') newLeft -= 1;
    } else if (line.startsWith('diff --git ')) {
      file = { path: readName(findName(line.slice('diff --git '.length))), added: 0, removed: 0, isBinary: false };
      sum.count += 1;
      if (sum.count <= shownMax) files.push(file);
    } else if (file === undefined) continue;
    else if (line.startsWith('+++ ') && line !== '+++ /dev/null') file.path = readName(line.slice(4));
    else if (line.startsWith('GIT binary patch')) file.isBinary = true;
    else {
      const [, before = '1', after = '1'] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? ['', '0', '0'];
      [oldLeft, newLeft] = [Number(before), Number(after)];
    }
  }
  return { files, ...sum };
}

/**
 * Returns the second name of a header. Names can contain ` b/`, but both are the same unless the file was renamed.
 */
function findName(names: string): string {
  const half = (names.length - 1) / 2;
  if (names.slice(2, half) === names.slice(half + 3)) return names.slice(half + 1);
  return names.slice(Math.max(names.lastIndexOf(' b/'), names.lastIndexOf(' "b/')) + 1);
}

function* readLines(text: string): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    yield text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
  }
}

/** Git ends a name that contains a space with a tab, and writes unusual bytes like a C string. */
function readName(written: string): string {
  const name = written.replace(/\t$/, '');
  if (!name.startsWith('"')) return name.slice('b/'.length);
  const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };
  const bytes = name
    .slice('"b/'.length, -1)
    .replace(/\\(\d{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
    );
  return Buffer.from(bytes, 'latin1').toString();
}

/** `2 files changed, +12 −3`. '' without changes. */
export function countChanges({ count, added, removed }: Changes): string {
  if (count === 0) return '';
  const lines = [signed('+', added), signed('−', removed)].filter(text => text !== '').join(' ');
  return [`${counted(count, 'file')} changed`, ...(lines === '' ? [] : [lines])].join(', ');
}

/** A table of the first files, below the totals of all. '' without changes. */
export function printChanges(changes: Changes): string {
  if (changes.count === 0) return '';
  const rows = changes.files.map(({ path, added, removed, isBinary }) => {
    const name = quoteInline(keepHead(path, { surface: 'summary', room: pathBytes }));
    return `| ${name} | ${isBinary ? 'binary' : signed('+', added)} | ${signed('−', removed)} |`;
  });
  const more = changes.count - changes.files.length;
  return [
    `| ${countChanges(changes)} | | |\n|---|--:|--:|`,
    ...rows,
    ...(more > 0 ? [`| and ${more} more | | |`] : []),
  ].join('\n');
}

function signed(sign: string, lines: number): string {
  return lines === 0 ? '' : `${sign}${lines.toLocaleString('en-US')}`;
}
