/** What an agent wrote, as a tree: the parser's flat tokens with what opens and closes put together. */
import MarkdownIt, { type Token } from 'markdown-it';
import { cleanText } from './markdown.ts';

export interface Node {
  /** As the parser names it, without `_open`. */
  readonly type: string;
  readonly token: Token;
  readonly children: readonly Node[];
}

/** What lies deeper than this is not worth its indentation, and the parser drops what is deeper than its own limit. */
const deepest = 40;

/** HTML stays text. Whether an address may be a link is decided where it is written. */
const parser = new MarkdownIt('default', { html: false, linkify: true, maxNesting: deepest + 10 });
parser.validateLink = () => true;
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The blocks of a text; undefined when something lies too deep in others. */
export function parseMarkdown(text: string): readonly Node[] | undefined {
  const tokens = parser.parse(cleanText(text), {});
  return [tokens, ...tokens.map(({ children }) => children ?? [])].every(isFlat) ? nest(tokens) : undefined;
}

function isFlat(tokens: readonly Token[]): boolean {
  let depth = 0;
  return tokens.every(({ nesting }) => {
    depth += nesting;
    return depth <= deepest;
  });
}

function nest(tokens: readonly Token[]): readonly Node[] {
  const top: Node[] = [];
  const open: Node[][] = [top];
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop();
      continue;
    }
    const children: Node[] = token.children === null ? [] : [...nest(token.children)];
    open.at(-1)?.push({ type: token.type.replace(/_open$/, ''), token, children });
    if (token.nesting > 0) open.push(children);
  }
  return top;
}
