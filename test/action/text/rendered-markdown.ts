import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

export interface Rendered {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly lang?: string | null;
  readonly depth?: number;
  readonly children?: readonly Rendered[];
}

/** Parses Markdown with another parser than ours: CommonMark with GitHub's extensions, including plain addresses. */
export function readMarkdown(markdown: string): Rendered {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Rendered;
}

export function nodesOf(node: Rendered): readonly Rendered[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

/** Returns what a person reads, including code. */
export function shownText(node: Rendered): string {
  return nodesOf(node)
    .map(({ value = '' }) => value)
    .join('')
    .replaceAll('\u200b', '');
}

const allowedTypes: ReadonlySet<string> = new Set([
  ...['root', 'paragraph', 'heading', 'text', 'emphasis', 'strong', 'delete', 'inlineCode', 'code', 'link', 'break'],
  ...['list', 'listItem', 'blockquote', 'table', 'tableRow', 'tableCell', 'thematicBreak'],
]);

/** What GitHub detects in text: mentions, issues, addresses. */
const found = /[@＠﹫]\w|#\d|GH-\d|:\/\/|www\./i;

/** Lists everything in a Markdown text that could do harm. */
export function findHarm(markdown: string): readonly string[] {
  return nodesOf(readMarkdown(markdown)).flatMap(node => {
    if (!allowedTypes.has(node.type)) return [`${node.type}: ${node.value ?? node.url ?? ''}`];
    if (node.type === 'text' && found.test(node.value ?? '')) return [`text: ${node.value}`];
    if (node.type === 'link') return isHarmlessLink(node.url ?? '') ? [] : [`link: ${node.url}`];
    if (node.type === 'code' && /^(?:mermaid|math|geojson|suggestion)/i.test(node.lang ?? ''))
      return [`code: ${node.lang}`];
    return [];
  });
}

function isHarmlessLink(url: string): boolean {
  return /^https?:\/\/[^/@]+(?:\/|$)/.test(url) && !/\/(?:issues|pull|discussions)\/\d/.test(url);
}
