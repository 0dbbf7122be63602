/** Writes text with emphasis, code and links anew. Everything else becomes escaped text. */
import { keepHead } from './budget.ts';
import { escapeLineStart, escapeText, gap, longestBackticks, readTarget } from './markdown.ts';
import type { Node } from './markdown-tree.ts';

interface Place {
  /** A cell ends at a pipe, even inside code. */
  readonly inTable: boolean;
  /** Enclosing types. None of these is nested in itself. */
  readonly within: ReadonlySet<string>;
}

export function writeLines(nodes: readonly Node[]): readonly string[] {
  return writeInline(nodes, { inTable: false, within: new Set() })
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(escapeLineStart);
}

/** Returns a single line, for headings and cells. */
export function writeLine(nodes: readonly Node[], { inTable }: Pick<Place, 'inTable'>): string {
  return writeInline(nodes, { inTable, within: new Set() }).replace(/\\?\n/g, ' ').trim();
}

const delimiters: Readonly<Record<string, string>> = { em: '*', strong: '**', s: '~~' };

function writeInline(nodes: readonly Node[], place: Place): string {
  const pieces: string[] = [];
  for (const node of nodes) {
    const piece = writeNode(node, place);
    // Adjacent delimiters would be read as one.
    if (isDelimiter(pieces.at(-1)?.at(-1)) && isDelimiter(piece[0])) pieces.push(gap);
    if (piece !== '') pieces.push(piece);
  }
  return pieces.join('');
}

function isDelimiter(character: string | undefined): boolean {
  return character !== undefined && '*~`'.includes(character);
}

function writeNode(node: Node, place: Place): string {
  const { type, token, children } = node;
  switch (type) {
    case 'softbreak':
      return '\n';
    case 'hardbreak':
      return '\\\n';
    case 'code_inline':
      return writeCode(token.content, place);
    case 'link':
      return writeLink(
        { node, label: writeInline(children, enter(place, 'link')), address: attribute(node, 'href') },
        place,
      );
    case 'image': {
      const label = escapeText(`image: ${plainText(children)}`);
      return writeLink({ node, label, address: attribute(node, 'src') }, place);
    }
    case 'em':
    case 'strong':
    case 's': {
      const inner = writeInline(children, enter(place, type));
      const isWritable = !place.within.has(type) && inner !== '' && inner === inner.trim();
      const delimiter = isWritable ? (delimiters[type] ?? '') : gap;
      return `${delimiter}${inner}${delimiter}`;
    }
    default:
      return escapeText(token.content);
  }
}

function enter(place: Place, type: string): Place {
  return { ...place, within: new Set([...place.within, type]) };
}

interface Link {
  readonly node: Node;
  readonly label: string;
  readonly address: string;
}

/** Writes a link to the web. Any other becomes its label, with the address as code if it differs. */
function writeLink({ node, label, address }: Link, place: Place): string {
  const target = readTarget(address);
  if (target !== undefined && !isReference(address) && !place.within.has('link'))
    return `[${label.trim() === '' ? escapeText(address) : label}](<${target}>)`;
  const words = plainText(node.children).trim();
  if (isSame(words, address) && node.type === 'link') return writeCode(shorten(address), place);
  return address.startsWith('#') || address === '' ? label : `${label} (${writeCode(shorten(address), place)})`;
}

/** True if GitHub would notify an issue, pull request or discussion that this address mentions it. */
function isReference(address: string): boolean {
  let path = address;
  try {
    path = decodeURIComponent(address);
  } catch {
    // Invalid percent-encoding stays as it is.
  }
  return /\/+[^/]+\/+[^/]+\/+(?:issues|pulls?|discussions)\/+\d/i.test(path);
}

function isSame(words: string, address: string): boolean {
  if (words === address || `mailto:${words}` === address) return true;
  return URL.canParse(words) && URL.canParse(address) && new URL(words).href === new URL(address).href;
}

function shorten(address: string): string {
  return keepHead(address, { surface: 'comment', room: 300 });
}

function writeCode(content: string, { inTable }: Place): string {
  const code = content.replaceAll('\n', ' ');
  // A table cell's code cannot contain a backslash before a pipe.
  if (code === '' || (inTable && code.includes('\\|'))) return escapeText(code);
  const bar = '`'.repeat(longestBackticks(code) + 1);
  const isPadded = /^`|`$/.test(code) || (/^ .* $/.test(code) && code.trim() !== '');
  const inner = isPadded ? ` ${code} ` : code;
  return `${bar}${inTable ? inner.replaceAll('|', '\\|') : inner}${bar}`;
}

function attribute({ token }: Node, name: string): string {
  return String(token.attrGet(name) ?? '');
}

function plainText(nodes: readonly Node[]): string {
  return nodes.map(({ token, children }) => (children.length > 0 ? plainText(children) : token.content)).join('');
}
