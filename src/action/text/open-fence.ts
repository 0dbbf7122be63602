/** A text that is cut inside a fenced block. The rest of the block is code, although its opening line is missing. */

interface OpenFence {
  /** The remaining lines of the block. '' if the cut is outside a block. */
  readonly code: string;
  readonly language: string;
  readonly rest: string;
}

/** A line that may open or close a block, including inside quotes and lists. */
const fenceLine = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)$/gm;

/** Splits the text from `at`, which must be the start of a line. */
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

/** Removes the indentation or quote marks of the opening line. */
function withoutIndent(code: string, indent: number): string {
  return indent === 0 ? code : code.replace(new RegExp(`^[ \\t>]{1,${indent}}`, 'gm'), '');
}

/** Unwraps a text that is a single fenced block, as models write JSON. */
export function removeFence(text: string): string {
  const trimmed = text.trim();
  const [opening, mark] = /^(`{3,}|~{3,})[^\n`]*\n/.exec(trimmed) ?? [];
  if (opening === undefined || mark === undefined || !trimmed.endsWith(mark)) return trimmed;
  return trimmed.slice(opening.length, -mark.length);
}
