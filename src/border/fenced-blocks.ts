import MarkdownIt from 'markdown-it';

/** A fenced code block of a Markdown text. */
interface FencedBlock {
  /** The first word after the fence, in lower case. '' if there is none. */
  readonly language: string;
  /** The lines between the fences, each with its line end. */
  readonly code: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

/** Parses blocks, not their contents. HTML is parsed too, because a commented-out block does not count. */
const parser = new MarkdownIt('default', { html: true, maxNesting: 32 });
parser.core.ruler.enableOnly(['normalize', 'block']);
parser.block.ruler.disable(['table', 'reference']);

/** The fenced code blocks of a text by CommonMark's rules, also in list items. Block quotes are skipped. */
export function readFencedBlocks(text: string): readonly FencedBlock[] {
  let quotes = 0;
  return parser.parse(text.replace(/^\uFEFF/, ''), {}).flatMap(({ type, nesting, info, content, map }) => {
    if (type.startsWith('blockquote')) quotes += nesting;
    if (type !== 'fence' || quotes > 0) return [];
    const code = content === '' || content.endsWith('\n') ? content : `${content}\n`;
    return [{ language: info.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '', code, line: (map?.[0] ?? 0) + 1 }];
  });
}
