/** Title, body and commit message from an agent's answer. They mention, close and skip nothing. */
import { budgets, keepHead } from '../../action/text/budget.ts';
import { gap, link } from '../../action/text/markdown.ts';
import { redactAll } from '../../action/text/redact.ts';
import { renderMarkdownEnd } from '../../action/text/render-markdown.ts';
import type { JsonObject } from '../../base/json.ts';
import { ellipsis } from '../../base/text.ts';
import type { Redact } from '../../border/secrets.ts';
import { plainLine, terminalText } from '../../border/terminal-text.ts';
import { isVisible } from '../../border/visible-text.ts';

export interface ProposalText {
  readonly title: string;
  readonly body: string;
}

const titleMax = 120;

/** Throws an Error unless the answer has both. */
export function readProposalText(
  { body, ...rest }: JsonObject,
  { jobUrl, redact }: { readonly jobUrl: string | undefined; readonly redact: Redact },
): ProposalText {
  if (typeof body !== 'string') throw new Error('`body` in the answer is not a text. Ask for it with `output_schema`');
  const foot = jobUrl === undefined ? '' : `\n\n${link('Log', jobUrl)}`;
  const room = budgets.comment.max - foot.length;
  // Escapes may make it longer. Then its end is shown.
  const start = keepHead(redactAll(body, redact), { surface: 'comment', room: room / 2 });
  return {
    title: readTitle(rest, redact),
    body: `${renderMarkdownEnd(start, { surface: 'comment', room, redact })}${foot}`,
  };
}

/** Throws an Error without one. */
export function readTitle({ title }: JsonObject, redact: Redact): string {
  if (typeof title !== 'string')
    throw new Error('`title` in the answer is not a text. Ask for it with `output_schema`');
  if (!isVisible(title)) throw new Error('`title` in the answer is empty');
  return ellipsis(printLine(redactAll(title, redact)), titleMax);
}

/** A commit message closes issues, mentions people and can skip workflows (`[skip ci]`). */
function printLine(text: string): string {
  return plainLine(terminalText(text))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[@[]|#(?=\d)|GH-(?=\d)/gi, `$&${gap}`);
}

/** `key` identifies the commits of this job, so that it replaces no others. */
export function printMessage({ title }: ProposalText, key: string): string {
  return `${title}\n\nAgent-Run-Key: ${key}\n`;
}

export function hasKey(message: string, key: string): boolean {
  return message.trimEnd().split('\n').at(-1) === `Agent-Run-Key: ${key}`;
}
