/** An agent's text as a tree, built from the parser's flat tokens. */

import MarkdownIt, { type Token } from 'markdown-it';
import type { Redact } from '../../border/secrets.ts';
import { terminalText } from '../../border/terminal-text.ts';
import { isKeyLike } from './key-words.ts';

export interface Node {
  /** The parser's name without `_open`. */
  readonly type: string;
  readonly token: Token;
  readonly children: readonly Node[];
}

/** Deeper nesting is not worth its indentation, and the parser drops content below its own limit. */
const deepest = 40;

/** HTML stays text. The writer decides whether an address may be a link. */
const parser = new MarkdownIt('default', { html: false, linkify: true, maxNesting: deepest + 10 });
parser.validateLink = () => true;
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// The runner finds a key only letter by letter. Reading a part of it as emphasis or strikethrough would remove
// characters.
parser.inline.ruler.before('strikethrough', 'key', state => {
  const [run = ''] = /^(?:_+|~+)/.exec(state.src.slice(state.pos, state.pos + keyUnits)) ?? [];
  if (run === '' || !isWithinKey(state.src, state.pos)) return false;
  state.pending += run;
  state.pos += run.length;
  return true;
});

/** Units examined on each side of a key. */
const keyUnits = 64;

function isWithinKey(text: string, at: number): boolean {
  const [before = ''] = /[\w.+/=~-]*$/.exec(text.slice(Math.max(0, at - keyUnits), at)) ?? [];
  const [after = ''] = /^[\w.+/=~-]*/.exec(text.slice(at, at + keyUnits)) ?? [];
  return isKeyLike(before + after);
}

/** Returns a text's blocks. Undefined if the nesting is too deep. */
export function parseMarkdown(text: string, redact: Redact = same): readonly Node[] | undefined {
  const tokens = parser.parse(terminalText(text), {});
  const levels = [tokens, ...tokens.map(({ children }) => children ?? [])];
  for (const token of levels.flat()) {
    // An inline token holds the source of its children.
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
