/** What an agent wrote, as a tree: the parser's flat tokens with what opens and closes put together. */

import MarkdownIt, { type Token } from 'markdown-it';
import type { Redact } from '../../border/secrets.ts';
import { terminalText } from '../../border/terminal-text.ts';
import { isKeyLike } from './key-words.ts';

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
// The runner finds a key only as it is; one that is read as emphasis, or struck through, has lost a part of it.
parser.inline.ruler.before('strikethrough', 'key', state => {
  const [run = ''] = /^(?:_+|~+)/.exec(state.src.slice(state.pos, state.pos + keyUnits)) ?? [];
  if (run === '' || !isWithinKey(state.src, state.pos)) return false;
  state.pending += run;
  state.pos += run.length;
  return true;
});

/** How far a key is looked at to each side. */
const keyUnits = 64;

function isWithinKey(text: string, at: number): boolean {
  const [before = ''] = /[\w.+/=~-]*$/.exec(text.slice(Math.max(0, at - keyUnits), at)) ?? [];
  const [after = ''] = /^[\w.+/=~-]*/.exec(text.slice(at, at + keyUnits)) ?? [];
  return isKeyLike(before + after);
}

/** The blocks of a text; undefined when something lies too deep in others. */
export function parseMarkdown(text: string, redact: Redact = same): readonly Node[] | undefined {
  const tokens = parser.parse(terminalText(text), {});
  const levels = [tokens, ...tokens.map(({ children }) => children ?? [])];
  for (const token of levels.flat()) {
    // What an inline token holds is its source, which its children were made of.
    if (token.type !== 'inline') token.content = redact(token.content);
    for (const name of ['href', 'src']) {
      const address = token.attrGet(name);
      if (address !== null) token.attrSet(name, redact(String(address)));
    }
  }
  return levels.every(isFlat) ? nest(tokens) : undefined;
}

const same: Redact = text => text;

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
