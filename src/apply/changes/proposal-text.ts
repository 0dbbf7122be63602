/** Title, body and commit message from an agent's answer. They mention, close and skip nothing. */
import { createHash } from 'node:crypto';
import { budgets, keepHead } from '../../action/text/budget.ts';
import { breakReferences, gap, link } from '../../action/text/markdown.ts';
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

interface ProposalFoot {
  /** Number of the issue that the event is about. */
  readonly issue: number | undefined;
  readonly jobUrl: string | undefined;
  readonly redact: Redact;
}

/** Throws an Error unless the answer has both. */
export function readProposalText({ body, ...rest }: JsonObject, { issue, jobUrl, redact }: ProposalFoot): ProposalText {
  if (typeof body !== 'string')
    throw new Error('`body` in the answer must be a string. Ask for it with `output_schema`');
  const parts = [
    ...(issue === undefined ? [] : [`Closes #${issue}`]),
    ...(jobUrl === undefined ? [] : [link('Log', jobUrl)]),
  ];
  const foot = parts.length === 0 ? '' : `\n\n${parts.join(' · ')}`;
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
    throw new Error('`title` in the answer must be a string. Ask for it with `output_schema`');
  if (!isVisible(title)) throw new Error('`title` in the answer is empty');
  return ellipsis(printLine(redactAll(title, redact)), titleMax);
}

/** A commit message closes issues, mentions people and can skip workflows (`[skip ci]`). */
function printLine(text: string): string {
  return breakReferences(plainLine(terminalText(text)).replace(/\s+/g, ' ').trim()).replaceAll('[', `[${gap}`);
}

interface CommitFacts {
  readonly title: string;
  readonly tree: string;
  readonly parent: string;
  /** Of the job. */
  readonly key: string;
}

/** The last line identifies the job's commits. Amending one changes the hashed values. */
export function printMessage({ title, ...facts }: CommitFacts): string {
  const { tree, parent, key } = facts;
  const hash = createHash('sha256').update(JSON.stringify([key, title, tree, parent]));
  return `${title}\n\nAgent-Run-Key: ${key} ${hash.digest('hex').slice(0, 16)}\n`;
}

/** Whether the job made the commit, and nobody amended it since. */
export function isOwnMessage(message: string, facts: Omit<CommitFacts, 'title'>): boolean {
  const [title = ''] = message.split('\n');
  return message.trimEnd() === printMessage({ ...facts, title }).trimEnd();
}
