/** Prints every form of the step's comment. The marker and the link are in all of them, whatever is cut. */

import type { Redact } from '../../border/secrets.ts';
import { budgets, keepHead } from '../text/budget.ts';
import { link, quoteInline } from '../text/markdown.ts';
import { redactAll } from '../text/redact.ts';
import { renderMarkdownEnd } from '../text/render-markdown.ts';
import type { Conclusion } from '../verdict/verdict.ts';
import { countChanges } from './changed-files.ts';
import type { Result } from './result.ts';
import { describeWhere, noteOnPart } from './result-words.ts';
import { printTitle } from './summary/heading.ts';
import { icons } from './summary/icons.ts';
import { type Facts, printFacts } from './summary/summary-facts.ts';

export interface CommentReport {
  /** From `markerOf`. The first line. */
  readonly marker: string;
  readonly title: string | undefined;
  /** From `labelOfStep`. */
  readonly label?: string | undefined;
  /** Undefined if no run is known. */
  readonly run: { readonly runId: string; readonly address: string } | undefined;
  /** URL of the job's log and summary. */
  readonly jobUrl: string | undefined;
  readonly state: CommentState;
}

export type CommentState =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'ended';
      readonly conclusion: Conclusion;
      /** The reason. Undefined if nothing went wrong. */
      readonly sentence: string | undefined;
      /** Undefined if the result is not reported. */
      readonly result: Result | undefined;
      readonly facts?: Facts | undefined;
      /** File with everything that the server keeps of the result. '' or undefined without one. */
      readonly resultFile?: string | undefined;
      /** The review that has the result. */
      readonly review?: { readonly title: string; readonly link?: string | undefined } | undefined;
    }
  /** The step was canceled, or ended without a verdict, such as when it is killed. `sentence` describes the run. */
  | { readonly kind: 'step_cancelled'; readonly sentence: string }
  | { readonly kind: 'step_gone'; readonly sentence: string };

const titleRoom = 300;
const sentenceRoom = 4000;
const addressRoom = 2000;

/**
 * Returns Markdown that fits into a comment. The first line is the marker. Foreign text cannot forge another marker.
 */
export function printComment({ marker, ...report }: CommentReport, redact: Redact): string {
  // The marker must stay unchanged to be found again. It has no foreign text.
  const { title, label, run, jobUrl, state } = redactAll(report, redact);
  const [icon, words] = describeState(state);
  const name = printTitle(title && short(title, titleRoom), label);
  // A run inside the step has no page but the job's.
  const hasRunLink = run !== undefined && run.address !== '' && run.address !== jobUrl;
  const review = state.kind === 'ended' ? state.review : undefined;
  const places = [
    ...(review === undefined ? [] : [address(review.title, review.link ?? '')]),
    ...(run === undefined || run.address === jobUrl ? [] : [`run ${address(run.runId, run.address)}`]),
    ...(jobUrl === undefined ? [] : [address('log and summary', jobUrl)]),
  ];
  const sentence = state.kind === 'running' ? undefined : state.sentence;
  const { facts: known = {} } = state.kind === 'ended' ? state : {};
  const facts = [known.changes === undefined ? '' : countChanges(known.changes), printFacts(known)]
    .filter(text => text !== '')
    .join(' · ');
  const head = [
    `${marker}\n### ${icon} ${quoteInline(name)}: ${words}`,
    ...(places.length === 0 ? [] : [places.join(' · ')]),
    ...(sentence === undefined ? [] : [quoteInline(short(sentence, sentenceRoom))]),
    ...(facts === '' ? [] : [facts]),
  ].join('\n\n');
  const result = state.kind === 'ended' ? printResult(state, { taken: head.length, hasRunLink, redact }) : '';
  return `${head}${result}\n`;
}

function printResult({ result, resultFile }: Ended, { taken, hasRunLink, redact }: Place): string {
  if (result === undefined || result.text.trim() === '') return '';
  const { text, isPart } = result;
  const note = isPart ? `*${noteOnPart(result)}*\n\n` : '';
  const room = budgets.comment.max - taken - note.length - 10;
  const inFile = resultFile ? 'in the file that the output `result_file` of the step names' : undefined;
  // The location of the rest is unknown for the beginning of a result. The job's summary shows no more of it than a
  // comment.
  const where = describeWhere(result, hasRunLink ? 'with the run, linked above' : inFile);
  const cut = isPart ? {} : { missingBytes: result.cut?.leftOutBytes, where };
  return `\n\n${note}${renderMarkdownEnd(text, { surface: 'comment', room, ...cut, redact })}`;
}

type Ended = Extract<CommentState, { kind: 'ended' }>;

interface Place {
  /** Length of the text above, in the comment's unit. */
  readonly taken: number;
  readonly hasRunLink: boolean;
  readonly redact: Redact;
}

function describeState(state: CommentState): readonly [icon: string, words: string] {
  if (state.kind === 'running') return ['⏳', 'running'];
  if (state.kind === 'step_cancelled') return ['🚫', 'the step was canceled'];
  if (state.kind === 'step_gone') return [icons.lost, 'the step ended before it reported the result of the run'];
  return [icons[state.conclusion], state.conclusion.replaceAll('_', ' ')];
}

function short(text: string, room: number): string {
  return keepHead(text.replace(/\s+/g, ' ').trim(), { surface: 'comment', room });
}

/** An overlong address is left out rather than cut. The label remains. */
function address(label: string, target: string): string {
  return target === '' || target.length > addressRoom
    ? quoteInline(short(label, titleRoom))
    : link(short(label, titleRoom), target);
}
