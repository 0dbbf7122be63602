/** The Markdown channel: foreign text becomes text that says what it said and does nothing. */

/** A foreign text in one line, in a table cell or a sentence: no markup, no mention, no link. */
export function quoteInline(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const escaped = line
    .replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
  return escaped.replace(/@/g, '@\u200b').replace(/:\/\//g, ':\u200b//');
}

/** A foreign text of many lines in a fence that none of its lines can close. */
export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(match => match[0].length));
  const bar = '`'.repeat(longest + 1);
  return `${bar}text\n${text.replace(/\n$/, '')}\n${bar}`;
}

/** An address as a link; anything but http and https stays text. */
export function link(label: string, address: string): string {
  return /^https?:\/\/[^\s<>"'`]+$/.test(address) ? `[${label}](<${address}>)` : quoteInline(address);
}
