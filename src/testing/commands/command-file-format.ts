/** A command file in the wrong format. The message is the real runner's. */
export class CommandFileError extends Error {
  override readonly name = 'CommandFileError';
}

/**
 * The `name=value` lines and `name<<DELIMITER … DELIMITER` blocks of a command file, one after another. Like the real
 * runner (its EnvFileKeyValuePairs), it yields the part before a fault and then throws CommandFileError. Values are
 * unchanged. CRLF ends a line only with `crlf`, as the real runner reads on Windows. Elsewhere the CR belongs to the
 * line.
 */
export function* parsePairs(text: string, options: { readonly crlf: boolean }): Generator<readonly [string, string]> {
  const lines = splitLines(text, options.crlf);
  for (let index = 0; index < lines.length; index += 1) {
    const { content: line } = at(lines, index);
    if (line === '') continue;
    const equals = line.indexOf('=');
    const block = line.indexOf('<<');
    if (equals >= 0 && (block < 0 || equals < block)) {
      yield [line.slice(0, equals), line.slice(equals + 1)];
      continue;
    }
    if (block < 0) throw new CommandFileError(`Invalid format '${line}'`);
    const name = line.slice(0, block);
    const delimiter = line.slice(block + 2);
    if (name === '' || delimiter === '')
      throw new CommandFileError(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`);
    const first = index + 1;
    const last = findDelimiter(lines, first, delimiter);
    yield [name, joinBlock(lines.slice(first, last))];
    index = last;
  }
}

/** The folders in a GITHUB_PATH file, in order. */
export function parsePaths(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).filter(line => line !== '');
}

interface Line {
  readonly content: string;
  /** '' for a last line without one. */
  readonly ending: string;
}

function splitLines(text: string, crlf: boolean): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed + 1;
    const ending = feed < 0 ? '' : crlf && feed > start && text[feed - 1] === '\r' ? '\r\n' : '\n';
    lines.push({ content: text.slice(start, end - ending.length), ending });
    start = end;
  }
  return lines;
}

function findDelimiter(lines: readonly Line[], from: number, delimiter: string): number {
  for (let index = from; index < lines.length; index += 1) {
    const line = at(lines, index);
    if (line.content === delimiter) return index;
    if (line.ending === '') throw new CommandFileError('Invalid value. EOF marker missing new line.');
  }
  throw new CommandFileError(`Invalid value. Matching delimiter not found '${delimiter}'`);
}

/** The lines with the endings between them. The last ending belongs to the delimiter. */
function joinBlock(lines: readonly Line[]): string {
  return lines.map((line, index) => line.content + (index < lines.length - 1 ? line.ending : '')).join('');
}

function at(lines: readonly Line[], index: number): Line {
  return lines[index] ?? { content: '', ending: '' };
}
