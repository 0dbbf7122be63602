/** The Markdown of a review. What an agent wrote is rendered harmless: it mentions, links and closes nothing. */
import { budgets, keepHead } from '../../action/text/budget.ts';
import { fence, link, quoteInline } from '../../action/text/markdown.ts';
import { redactAll } from '../../action/text/redact.ts';
import { renderMarkdownEnd } from '../../action/text/render-markdown.ts';
import { counted } from '../../base/text.ts';
import type { Redact } from '../../border/secrets.ts';
import { plainLine, terminalText } from '../../border/terminal-text.ts';
import { hasUnseen } from '../../border/visible-text.ts';
import type { ReviewVerdict } from '../../contract/tables/review-schema.ts';
import { isProtectedPath } from '../changes/protected-paths.ts';
import type { PlacedFinding } from './findings.ts';
import { threadMarker } from './standing-review.ts';

/** What all texts of a review share. */
export interface Printing {
  /** From `markerOf`. The first line, by which later reviews find this one. */
  readonly marker: string;
  readonly commit: string;
  /** `https://github.com/octo-org/shop`. Undefined on a service without one. */
  readonly repositoryUrl: string | undefined;
  readonly jobUrl: string | undefined;
  readonly redact: Redact;
}

export interface Summary {
  readonly text: string;
  readonly verdict: ReviewVerdict;
  /** Findings that have no line in the diff, or no place. */
  readonly outside: readonly PlacedFinding[];
  /** Sentences of our own, such as what was left out. */
  readonly notes: readonly string[];
}

/** Of what an agent wrote. Escaped, it takes up to twice as much. */
const findingRoom = 8000;
const summaryRoom = 12_000;
const pathRoom = 400;

const verdictWords: Readonly<Record<ReviewVerdict, string>> = {
  approve: ': approved',
  comment: '',
  request_changes: ': changes requested',
};

export function printSummary({ text, verdict, outside, notes }: Summary, printing: Printing): string {
  const { marker, commit, jobUrl } = printing;
  const head = `${marker}\n### Review of \`${short(commit)}\`${verdictWords[verdict]}`;
  const foot = [...notes, ...(jobUrl === undefined ? [] : [link('Log', jobUrl)])].join(' · ');
  let room = budgets.comment.max - head.length - foot.length - 200;
  const summary = render(text, printing, summaryRoom);
  room -= summary.length;
  const shown: string[] = [];
  for (const placed of outside) {
    const entry = printOutside(placed, printing);
    room -= entry.length + 2;
    if (room < 0) break;
    shown.push(entry);
  }
  const left = outside.length - shown.length;
  return [
    head,
    summary,
    ...(outside.length === 0 ? [] : ['#### Other findings']),
    ...shown,
    ...(left === 0 ? [] : [`${counted(left, 'more finding')} did not fit.`]),
    foot,
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

/** Of a review that brings only new findings. The summary is in an earlier one. */
export function printAddition(count: number, summaryLink: string, { commit }: Printing): string {
  return `${counted(count, 'new finding')} in \`${short(commit)}\`. ${link('The summary', summaryLink)} is up to date.`;
}

/** What remains of a summary that a newer review replaced. Without the marker, it is not found again. */
export function printSuperseded({ commit }: Printing): string {
  return `A newer review, of \`${short(commit)}\`, replaces this one.`;
}

/** A comment on lines of the diff. */
export function printComment(placed: PlacedFinding, printing: Printing): string {
  const { finding, hash, comment } = placed;
  return [
    `${threadMarker(printing.marker, hash)}\n${printHead(placed)}`,
    render(finding.text, printing, findingRoom),
    printSuggestion(
      finding.suggestion,
      {
        isApplicable: comment?.isWhole === true && comment.side === 'RIGHT' && !isProtectedPath(comment.path),
      },
      printing,
    ),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

/** The comment of a thread whose finding is gone. */
export function printGone(
  { hash, body }: { readonly hash: string; readonly body: string },
  printing: Printing,
): string {
  const rest = body.slice(body.indexOf('\n') + 1);
  return `${threadMarker(printing.marker, hash, true)}\n*No longer found in \`${short(printing.commit)}\`.*\n\n${rest}`;
}

function printHead({ finding, lines, comment }: PlacedFinding): string {
  const range = comment?.isWhole === false ? ` · ${describeLines(lines)}` : '';
  return `**Severity: ${finding.severity}**${range}`;
}

function printOutside({ finding, lines, side }: PlacedFinding, printing: Printing): string {
  const { repositoryUrl, commit } = printing;
  const path = plainLine(terminalText(keepHead(finding.path, { surface: 'comment', room: pathRoom })));
  const where = `${path}, ${describeLines(lines)}`;
  const anchor = `#L${lines.from}${lines.to === lines.from ? '' : `-L${lines.to}`}`;
  // The commit has the files as after the change.
  const place =
    repositoryUrl !== undefined && side === 'RIGHT' && isPathOfRepository(finding.path)
      ? link(
          where,
          `${repositoryUrl}/blob/${commit}/${finding.path.split('/').map(encodeURIComponent).join('/')}${anchor}`,
        )
      : quoteInline(where);
  return [
    `**Severity: ${finding.severity}** · ${place}`,
    render(finding.text, printing, findingRoom),
    printSuggestion(finding.suggestion, { isApplicable: false }, printing),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

function describeLines({ from, to }: PlacedFinding['lines']): string {
  return from === to ? `line ${from}` : `lines ${from}–${to}`;
}

/** False for a path that a browser would resolve to another page. */
function isPathOfRepository(path: string): boolean {
  return path.length <= pathRoom && path.split('/').every(part => !['', '.', '..'].includes(part));
}

/** One click commits a suggestion as it is, so one with characters that nobody sees is only shown. */
function printSuggestion(
  suggestion: string | null | undefined,
  { isApplicable }: { readonly isApplicable: boolean },
  { redact }: Printing,
): string {
  if (suggestion === null || suggestion === undefined || suggestion.trim() === '') return '';
  const text = suggestion.replaceAll('\r\n', '\n');
  const shown = redactAll(text, redact);
  const isExact = shown === text && !hasUnseen(text) && text.length <= findingRoom;
  return fence(
    keepHead(shown, { surface: 'comment', room: findingRoom }),
    isApplicable && isExact ? 'suggestion' : 'text',
  );
}

function render(text: string, { redact }: Printing, room: number): string {
  const start = keepHead(redactAll(text, redact), { surface: 'comment', room });
  // Escapes may make it longer. Then its end is shown.
  return renderMarkdownEnd(start, { surface: 'comment', room: 2 * room, redact });
}

function short(commit: string): string {
  return commit.slice(0, 7);
}
