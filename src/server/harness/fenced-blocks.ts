/** A fenced code block of a Markdown text. */
interface FencedBlock {
  /** The first word after the fence, in lower case; '' when there is none. */
  readonly language: string;
  /** The lines between the fences, each with its line end. */
  readonly code: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

const tabStop = 4;
/** Lists within lists; nobody writes more, and a line of nothing but list markers would have thousands. */
const nestingMax = 32;

/** HTML blocks in which nothing is Markdown: a block that was commented out is no block (CommonMark 0.31, section 4.6, kinds 1 to 5). */
const htmlBlocks: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: /^<![A-Za-z]/, end: />/ },
];

/**
 * The fenced code blocks of a text, by CommonMark's rules (section 4.5): fences of three or more backticks or tildes, indented by at most three
 * columns, in list items too; a block without a closing fence runs to the end of its list item or of the text. Blocks in
 * block quotes are not read.
 */
export function readFencedBlocks(text: string): readonly FencedBlock[] {
  const reader = new BlockReader();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) reader.readLine(line);
  return reader.end();
}

interface OpenFence {
  readonly marker: string;
  /** Column that the content of the fence's list item begins at; 0 outside of lists. */
  readonly container: number;
  /** Columns that are taken off every line of the code. */
  readonly indent: number;
  readonly block: { readonly language: string; readonly line: number };
  readonly code: string[];
}

class BlockReader {
  readonly #blocks: FencedBlock[] = [];
  /** Columns that the content of the open list items begins at, outermost first. */
  #items: readonly number[] = [];
  #fence: OpenFence | undefined;
  #htmlEnd: RegExp | undefined;
  #line = 0;

  readLine(line: string): void {
    this.#line += 1;
    const isBlank = line.trim() === '';
    const indent = measureIndent(line);
    if (this.#fence !== undefined) {
      if (isBlank || indent >= this.#fence.container) {
        this.#readCode(this.#fence, line, indent);
        return;
      }
      this.#close();
    }
    if (this.#htmlEnd !== undefined) {
      if (this.#htmlEnd.test(line)) this.#htmlEnd = undefined;
    } else if (!isBlank) {
      this.#items = this.#items.filter(column => indent >= column);
      this.#readMarkdown(withoutIndent(line), indent);
    }
  }

  end(): readonly FencedBlock[] {
    this.#close();
    return this.#blocks;
  }

  #readCode(fence: OpenFence, line: string, indent: number): void {
    const word = line.trim();
    const isClosing =
      indent - fence.container <= 3 &&
      word.startsWith(fence.marker) &&
      word === fence.marker.charAt(0).repeat(word.length);
    if (isClosing) this.#close();
    else fence.code.push(`${removeIndent(line, fence.indent)}\n`);
  }

  #readMarkdown(text: string, indent: number): void {
    const container = this.#items.at(-1) ?? 0;
    // Four columns more than its surroundings make a line code by themselves.
    if (indent - container > 3 || this.#items.length > nestingMax) return;
    const item = isThematicBreak(text) ? null : /^([-*+]|\d{1,9}[.)])(\s+|$)/.exec(text);
    if (item !== null) {
      const [all, marker = '', blanks = ''] = item;
      const isEmpty = all === text;
      const content = indent + marker.length + (isEmpty || blanks.length > 4 ? 1 : blanks.length);
      this.#items = [...this.#items, content];
      if (!isEmpty) this.#readMarkdown(text.slice(all.length), indent + all.length);
      return;
    }
    const html = htmlBlocks.find(({ start }) => start.test(text));
    if (html !== undefined) {
      if (!html.end.test(text)) this.#htmlEnd = html.end;
      return;
    }
    const [, marker, info = ''] = /^(`{3,})([^`]*)$/.exec(text) ?? /^(~{3,})(.*)$/.exec(text) ?? [];
    if (marker === undefined) return;
    const language = (info.trim().split(/\s/)[0] ?? '').toLowerCase();
    this.#fence = { marker, container, indent, block: { language, line: this.#line }, code: [] };
  }

  #close(): void {
    if (this.#fence !== undefined) this.#blocks.push({ ...this.#fence.block, code: this.#fence.code.join('') });
    this.#fence = undefined;
  }
}

function isThematicBreak(text: string): boolean {
  return /^([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(text);
}

function measureIndent(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns += 1;
    else if (character === '\t') columns += tabStop - (columns % tabStop);
    else break;
  }
  return columns;
}

/** A line without as much of its indentation as `columns` says; what is left of a tab becomes blanks. */
function removeIndent(line: string, columns: number): string {
  if (columns === 0) return line;
  return ' '.repeat(Math.max(measureIndent(line) - columns, 0)) + withoutIndent(line);
}

function withoutIndent(line: string): string {
  return line.replace(/^[ \t]+/, '');
}
