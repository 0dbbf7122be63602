/** The verb `comment`: one comment on an issue or pull request, edited by later runs. */
import { upsertComment } from '../action/github/comments.ts';
import type { GitHub } from '../action/github/github.ts';
import { budgets, keepHead } from '../action/text/budget.ts';
import { link } from '../action/text/markdown.ts';
import { redactAll } from '../action/text/redact.ts';
import { renderMarkdownEnd } from '../action/text/render-markdown.ts';
import type { JsonObject } from '../base/json.ts';
import type { Redact } from '../border/secrets.ts';
import { isVisible } from '../border/visible-text.ts';
import type { VerbOutcome } from './outcome.ts';
import type { Target } from './target.ts';

interface Commenting {
  readonly github: GitHub;
  readonly target: Target;
  readonly answer: JsonObject;
  readonly printing: { readonly marker: string; readonly jobUrl: string | undefined; readonly redact: Redact };
  readonly isDryRun: boolean;
}

/** Throws GitHubError, and an Error if the comment in the answer is not a string. */
export async function applyComment({ github, target, answer, printing, isDryRun }: Commenting): Promise<VerbOutcome> {
  const text = answer.comment ?? '';
  if (typeof text !== 'string') throw new Error('`comment` in the answer must be a string');
  if (!isVisible(text)) return { verb: 'comment', deeds: [], notes: ['The answer has no comment'] };
  const { marker } = printing;
  const body = printBody(text, printing);
  if (isDryRun)
    return { verb: 'comment', deeds: ['1 comment'], notes: [], previews: [{ place: 'the comment', markdown: body }] };
  const kept = await upsertComment(github, { ...target, marker, body });
  const deeds = kept === undefined || kept.happened === 'unchanged' ? [] : [`1 ${kept.happened} comment`];
  return { verb: 'comment', deeds, notes: [], link: kept?.link };
}

function printBody(text: string, { marker, jobUrl, redact }: Commenting['printing']): string {
  const foot = jobUrl === undefined ? '' : `\n\n${link('Log', jobUrl)}`;
  const room = budgets.comment.max - marker.length - foot.length - 10;
  // Escapes may make it longer. Then its end is shown.
  const start = keepHead(redactAll(text, redact), { surface: 'comment', room: room / 2 });
  return `${marker}\n${renderMarkdownEnd(start, { surface: 'comment', room, redact })}${foot}`;
}
