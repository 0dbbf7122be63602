import { html } from 'hono/html';
import type { Html } from './html-document.ts';

const openLines = 12;
const openCharacters = 1500;

/**
 * Text unchanged, folded if it is long. The summary shows its beginning. The text must be free of control characters.
 */
export function renderLongText(text: string): Html {
  const lines = countLines(text);
  if (lines <= openLines && text.length <= openCharacters) return html`<pre>${text}</pre>`;
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`;
  return html`<details><summary><span class="begin">${text.trimStart().split('\n', 1)[0]?.slice(0, 100)}</span> <span class="quiet">… ${size}</span></summary><pre>${text}</pre></details>`;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
