/**
 * Renders an agent's result as harmless Markdown. The text is parsed and then written anew from the tree, so tricks
 * of the source (entities, escapes, references, HTML) are lost. Headings, lists, tables, emphasis, code, quotes and
 * web links are written. An image becomes a link, and everything else becomes escaped text. The output is closed, so
 * it cannot absorb text after it.
 */
import type { Redact } from '../../border/secrets.ts';
import { terminalText } from '../../border/terminal-text.ts';
import { type CutWords, keepEnd, keepTail, measureText, type Room, readRoom, type Surface } from './budget.ts';
import { fence, quoteInline } from './markdown.ts';
import { writeLine, writeLines } from './markdown-inline.ts';
import { type Node, parseMarkdown } from './markdown-tree.ts';
import { splitOpenFence } from './open-fence.ts';

/** An agent's headings go below the step's, `###`. */
const headingShift = 3;

/**
 * Only this many UTF-16 units at the end of a longer text are parsed. A text built to be slow, such as a table of
 * letters, takes half a second at this size, and signals are not handled meanwhile.
 */
const parsedUnits = 64 * 1024;

type Cut = Room &
  CutWords & {
    /** For a secret that appears only after escapes and entities are decoded. */
    readonly redact?: Redact | undefined;
  };

interface Block {
  readonly text: string;
  /** Returns its end within the given room. Undefined if no part of it can stand alone. */
  readonly cut: (room: number) => string | undefined;
}

/**
 * Returns as many of the last blocks as fit, and the end of the block before them, below a line that tells what is
 * left out and where there is more. If nothing fits, returns the end of the plain text.
 */
export function renderMarkdownEnd(given: string, { where, missingBytes = 0, redact, ...cut }: Cut): string {
  const { surface } = cut;
  const text = trimEmptyLines(terminalText(given));
  const room = readRoom(cut);
  const fenced = () => fenceEnd(redact === undefined ? text : redact(text), { where, missingBytes, ...cut });
  if (missingBytes === 0 && isJsonDocument(text)) {
    const code = fence(redact === undefined ? text : redact(text), 'json');
    return measureText(code, surface) <= room ? code : fenced();
  }
  const sourceMax = Math.min(room, parsedUnits);
  const source = text.length > sourceMax ? text.slice(text.length - sourceMax).replace(/^[^\n]*\n/, '') : text;
  const { code, language, rest } = splitOpenFence(text, text.length - source.length);
  const nodes = parseMarkdown(rest, redact) ?? [];
  const blocks = [
    ...(code === '' ? [] : [codeBlock(redact === undefined ? code : redact(code), readLanguage(language), surface)]),
    ...nodes.map(node => blockOf(node, surface)),
  ].filter(block => block.text !== '');
  const whole = blocks.map(block => block.text).join('\n\n');
  if (missingBytes === 0 && source === text && whole !== '' && measureText(whole, surface) <= room) return whole;
  const note = `*(only the end is shown${where === undefined ? '' : `; ${quoteInline(where)}`})*`;
  let left = room - measureText(note, surface);
  let first = blocks.length;
  for (; first > 0; first -= 1) {
    const bytes = measureText(`\n\n${blocks[first - 1]?.text}`, surface);
    if (bytes > left) break;
    left -= bytes;
  }
  const end = blocks[first - 1]?.cut(left - measureText('\n\n', surface));
  const shown = [...(end === undefined ? [] : [end]), ...blocks.slice(first).map(block => block.text)];
  return shown.length > 0 ? [note, ...shown].join('\n\n') : fenced();
}

function blockOf(node: Node, surface: Surface): Block {
  const { type, token } = node;
  if (type === 'fence') return codeBlock(token.content, readLanguage(token.info), surface);
  if (type === 'code_block') return codeBlock(token.content, 'text', surface);
  return { text: writeBlock(node), cut: room => cutBlock(node, room, surface) };
}

function codeBlock(code: string, language: string, surface: Surface): Block {
  return {
    text: fence(code, language),
    cut: room => fitFence(inside => fence(keepEnd(code, { surface, room: inside }), language), { surface, room }),
  };
}

/** Returns the last items of a list or blocks of a quote that fit. */
function cutBlock(node: Node, room: number, surface: Surface): string | undefined {
  const isDivisible = node.type === 'blockquote' || node.type.endsWith('_list');
  const parts = isDivisible ? node.children.length : 0;
  let [from, end] = [1, parts];
  while (from < end) {
    const middle = Math.floor((from + end) / 2);
    if (measureText(writeBlock(node, middle), surface) <= room) end = middle;
    else from = middle + 1;
  }
  return from < parts ? writeBlock(node, from) : undefined;
}

/** Removes empty lines around the text, which would use up room. The first line keeps its indentation. */
function trimEmptyLines(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf('\n', Math.max(0, trimmed.search(/\S/))) + 1);
}

/** Returns the end of the text in a fence. '' if there is no room for one. */
function fenceEnd(text: string, { where, missingBytes, ...cut }: Cut): string {
  const { surface } = cut;
  return fitFence(room => fence(keepTail(text, { surface, room, where, missingBytes })), cut) ?? '';
}

/** Gives `write` as much room inside its fence as keeps the whole within its limit. */
function fitFence(write: (inside: number) => string, cut: Room): string | undefined {
  const room = readRoom(cut);
  for (let inside = room - measureText(fence(''), cut.surface); inside > 0; ) {
    const fenced = write(inside);
    const over = measureText(fenced, cut.surface) - room;
    if (over <= 0) return fenced;
    inside -= over;
  }
  return undefined;
}

function writeBlocks(nodes: readonly Node[]): readonly string[] {
  return nodes.map(node => writeBlock(node)).filter(block => block !== '');
}

/** Skips the first `from` items of a list or blocks of a quote. */
function writeBlock(node: Node, from = 0): string {
  const { type, token, children } = node;
  switch (type) {
    case 'paragraph':
      return writeLines(inlineOf(node)).join('\n');
    case 'heading': {
      const title = writeLine(inlineOf(node), { inTable: false });
      return title === '' ? '' : `${'#'.repeat(Math.min(6, Number(token.tag.slice(1)) + headingShift))} ${title}`;
    }
    case 'blockquote':
      return indent(writeBlocks(children.slice(from)).join('\n\n'), '> ', '> ');
    case 'bullet_list':
    case 'ordered_list':
      return writeList(node, from);
    case 'fence':
      return fence(token.content, readLanguage(token.info));
    case 'code_block':
      return fence(token.content);
    case 'hr':
      // Hyphens would merge a bullet and a rule into one line.
      return '***';
    case 'table':
      return writeTable(node);
    default:
      return writeLines(children).join('\n');
  }
}

function writeList({ type, token, children }: Node, from: number): string {
  const start = Number(token.attrGet('start') ?? 1) + from;
  const items = children.slice(from).map((item, index) => {
    const marker = type === 'bullet_list' ? '- ' : `${Math.min(start + index, 999_999_999)}. `;
    return indent(writeItem(item), marker, ' '.repeat(marker.length));
  });
  const isTight = children.every(item =>
    item.children.every(block => block.type !== 'paragraph' || block.token.hidden),
  );
  return items.join(isTight ? '\n' : '\n\n');
}

/** Writes an item's blocks. Only a block that always interrupts a paragraph follows one without an empty line. */
function writeItem({ children }: Node): string {
  let text = '';
  for (const [index, block] of children.entries()) {
    const written = writeBlock(block);
    if (written === '') continue;
    const interrupts = block.type === 'fence' || (block.type === 'bullet_list' && /^- [^\n]/.test(written));
    const isTight = children[index - 1]?.token.hidden === true && interrupts;
    text += text === '' ? written : `${isTight ? '\n' : '\n\n'}${written}`;
  }
  return text.replace(/^\\\[([ xX])\\\] /, '[$1] ');
}

function writeTable({ children }: Node): string {
  const rows = children.flatMap(part => part.children);
  const cells = rows.map(row => row.children.map(cell => writeLine(inlineOf(cell), { inTable: true })));
  const [head = [], ...body] = cells;
  const rule = (rows[0]?.children ?? []).map(cell => rules[String(cell.token.attrGet('style') ?? '')] ?? '---');
  return [head, rule, ...body].map(row => `| ${row.join(' | ')} |`).join('\n');
}

const rules: Readonly<Record<string, string>> = {
  'text-align:left': ':--',
  'text-align:center': ':-:',
  'text-align:right': '--:',
};

/** Languages that GitHub renders instead of showing, some with remote images, or treats as a suggested change. */
const drawnLanguages: ReadonlySet<string> = new Set(['mermaid', 'math', 'geojson', 'topojson', 'stl', 'suggestion']);

function readLanguage(info: string): string {
  const word = /^[A-Za-z0-9+#.-]{1,30}(?=\s|$)/.exec(info.trim())?.[0] ?? 'text';
  return drawnLanguages.has(word.toLowerCase()) ? 'text' : word;
}

function inlineOf({ children }: Node): readonly Node[] {
  return children[0]?.children ?? [];
}

function indent(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => `${index === 0 ? first : others}${line}`.trimEnd())
    .join('\n');
}

/** An object or a list, which Markdown would read as words and links. */
function isJsonDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
