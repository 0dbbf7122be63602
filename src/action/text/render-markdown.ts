/**
 * An agent's result as Markdown that works and does no harm. It is parsed, and then written anew from the tree, so that nothing gets through by the
 * way it was written (entities, escapes, references, HTML): headings, lists, tables, emphasis, code, quotes and links to the web are written, an
 * image is a link, and all the rest is escaped text. What is written is closed: nothing that comes after it is drawn into it.
 */
import type { Redact } from '../../border/secrets.ts';
import { terminalText } from '../../border/terminal-text.ts';
import { type CutWords, keepEnd, keepTail, measureText, type Room, readRoom, type Surface } from './budget.ts';
import { fence, quoteInline } from './markdown.ts';
import { writeLine, writeLines } from './markdown-inline.ts';
import { type Node, parseMarkdown } from './markdown-tree.ts';
import { splitOpenFence } from './open-fence.ts';

/** A heading of an agent stands below those of the step, `###`. */
const headingShift = 3;

/**
 * Of a longer text only this much of its end is parsed, in UTF-16 units: a text made to be slow, as a table of letters, takes half a second by then,
 * in which no signal is heard.
 */
const parsedUnits = 64 * 1024;

type Cut = Room &
  CutWords & {
    /** For a secret that stands in the text only once its escapes and entities are read. */
    readonly redact?: Redact | undefined;
  };

interface Block {
  readonly text: string;
  /** The end of it, within so much room; undefined where none of it can stand alone. */
  readonly cut: (room: number) => string | undefined;
}

/**
 * As many of the last blocks as fit, and the end of the one before them, below a line that says that the others are left out and where there is more;
 * where nothing fits, the end of the text as it is.
 */
export function renderMarkdownEnd(given: string, { where, missingBytes = 0, redact, ...cut }: Cut): string {
  const { surface } = cut;
  const text = withoutBlankEnds(terminalText(given));
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

/** The last items of a list, or blocks of a quote, that fit. */
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

/** Without blank lines around it, which would take the place of what can be seen. The first line keeps its indent. */
function withoutBlankEnds(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf('\n', Math.max(0, trimmed.search(/\S/))) + 1);
}

/** The end of the text in a fence; '' where there is no room for one. */
function fenceEnd(text: string, { where, missingBytes, ...cut }: Cut): string {
  const { surface } = cut;
  return fitFence(room => fence(keepTail(text, { surface, room, where, missingBytes })), cut) ?? '';
}

/** What `write` makes with as much room inside its fence as keeps the whole within its own. */
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

/** Without the first `from` items of a list or blocks of a quote. */
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
      // Not of hyphens, which would make one line of a bullet and a line.
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

/** The blocks of an item. Only what surely interrupts a paragraph follows one without an empty line. */
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

/** Languages that GitHub draws instead of showing, some of them with pictures from anywhere, or takes for a change to make. */
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

/** An object or a list, which Markdown would take for words and links. */
function isJsonDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
