import { LineCounter, parseDocument } from 'yaml';
import { messageOf } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import { ellipsis } from '../../base/text.ts';
import { sizes } from '../../contract/tables/sizes.ts';

/** The contents of a SKILL.md. */
interface SkillFile {
  readonly name: string;
  readonly description: string;
  /** The text without its front matter. */
  readonly body: string;
  /** The line of the file where the body starts, from 1. */
  readonly bodyLine: number;
}

/** Invalid front matter. The message contains the line. */
export class SkillFileError extends Error {
  override readonly name = 'SkillFileError';
}

const frontMatterCharacters = 16 * 1024;
const madeDescriptionCodePoints = 512;
const descriptionCodePoints = 1024;
/** Includes the indented lines below it. */
const fieldLines = /^(name|description):[ \t]*(.*(?:\n[ \t]+.*)*)/gm;

/**
 * Reads a SKILL.md: front matter between two lines of `---`, then Markdown. Only two strings of the front matter are
 * used: the name, otherwise `usualName`; and the description, otherwise the body's first paragraph. Throws
 * SkillFileError.
 */
export function parseSkillFile(text: string, usualName: string): SkillFile {
  const { frontMatter, body, bodyLine } = splitFrontMatter(text.replace(/^\uFEFF/, ''));
  const fields = parseFrontMatter(frontMatter);
  const name = readText(fields.name) ?? usualName;
  const description = readText(fields.description) ?? ellipsis(findFirstParagraph(body), madeDescriptionCodePoints);
  return {
    name: ellipsis(name, sizes.nameCodePoints),
    description: ellipsis(description, descriptionCodePoints),
    body,
    bodyLine,
  };
}

function splitFrontMatter(text: string): { frontMatter: string; body: string; bodyLine: number } {
  // Without a closing line, the first one is a Markdown rule, not front matter.
  const match = /^---[ \t]*(?:\r\n|\r|\n)([\s\S]*?)(?<=\r|\n)---[ \t]*(?:\r\n|\r|\n|$)/.exec(text);
  if (match === null) return { frontMatter: '', body: text, bodyLine: 1 };
  const [all, frontMatter = ''] = match;
  return { frontMatter, body: text.slice(all.length), bodyLine: all.split(/\r\n|\r|\n/).length };
}

function parseFrontMatter(text: string): { readonly [key: string]: unknown } {
  // The time to parse YAML grows with the square of its keys.
  if (text.length > frontMatterCharacters)
    throw new SkillFileError(`the front matter is longer than ${frontMatterCharacters} characters`);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const fault = document.errors[0];
  try {
    // The opening line of the front matter is the first of the file.
    if (fault !== undefined) throw new Error(`line ${lineCounter.linePos(fault.pos[0]).line + 1}: ${fault.message}`);
    const fields: unknown = document.toJS();
    return isObject(fields) ? fields : {};
  } catch (error) {
    // Includes undefined aliases, and aliases that would expand without limit.
    const lenient = readLines(text);
    if (lenient !== undefined) return lenient;
    throw new SkillFileError(messageOf(error));
  }
}

/**
 * Name and description as written, if YAML refuses the whole: other tools accept an unquoted `: ` or `[a] [b]`.
 * Undefined if neither is there, or a quote or bracket stays open.
 */
function readLines(text: string): { readonly [key: string]: unknown } | undefined {
  const fields = new Map<string, string>();
  for (const [, key = '', written = ''] of text.replace(/\r\n?/g, '\n').matchAll(fieldLines)) {
    const value = written.replace(/^[|>][-+\d]*[ \t]*\n/, '').trim();
    const [, , quoted] = /^(["'])(.*)\1$/s.exec(value) ?? [];
    if (quoted === undefined && /^["']|^[[{][^\]}]*$/.test(value)) return undefined;
    if (!fields.has(key)) fields.set(key, quoted ?? value);
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields);
}

function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').replaceAll('\0', '\uFFFD').trim() : '';
  return text === '' ? undefined : text;
}

/** The first paragraph that is neither a heading nor code, in one line. */
function findFirstParagraph(body: string): string {
  const paragraphs = body.split(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)/).map(paragraph => paragraph.trim());
  const first = paragraphs.find(paragraph => paragraph !== '' && !/^(?:#|```|~~~|<!--)/.test(paragraph));
  return (first ?? '').replace(/\s+/g, ' ').replaceAll('\0', '\uFFFD');
}
