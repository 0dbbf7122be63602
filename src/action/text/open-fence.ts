/** A text that is cut in the middle of a fenced block: the rest of the block is code, although its opening line is gone. */

interface OpenFence {
  /** The lines that are left of the block; '' where the text is cut outside of one. */
  readonly code: string;
  readonly language: string;
  /** What stands after it. */
  readonly rest: string;
}

/** A line that may open or close a block, also within quotes and lists. */
const fenceLine = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)$/gm;

/** The end of the text from `at`, the start of a line. */
export function splitOpenFence(text: string, at: number): OpenFence {
  let open: { readonly indent: number; readonly mark: string; readonly info: string } | undefined;
  for (const { index, 0: line, 1: before = '', 2: mark = '', 3: info = '' } of text.matchAll(fenceLine)) {
    if (open === undefined) {
      if (index >= at) break;
      if (mark.startsWith('~') || !info.includes('`')) open = { indent: before.length, mark, info };
    } else if (mark.startsWith(open.mark) && info.trim() === '' && before.length < open.indent + 4) {
      if (index >= at)
        return {
          code: withoutIndent(text.slice(at, index), open.indent),
          language: open.info,
          rest: text.slice(index + line.length),
        };
      open = undefined;
    }
  }
  if (open === undefined) return { code: '', language: '', rest: text.slice(at) };
  return { code: withoutIndent(text.slice(at), open.indent), language: open.info, rest: '' };
}

/** Without the indent or the marks of a quote that the opening line had. */
function withoutIndent(code: string, indent: number): string {
  return indent === 0 ? code : code.replace(new RegExp(`^[ \\t>]{1,${indent}}`, 'gm'), '');
}
