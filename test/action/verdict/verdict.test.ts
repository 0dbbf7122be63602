import { expect, test } from 'vitest';
import { parseCondition } from '../../../src/action/verdict/fail-when.ts';
import {
  badConclusions,
  type Conclusion,
  conclusions,
  decide,
  isRed,
  type Outcome,
} from '../../../src/action/verdict/verdict.ts';
import { type Run, runStates } from '../../../src/client/index.ts';

const outcomes: readonly Outcome[] = [
  { kind: 'ended' },
  { kind: 'started' },
  { kind: 'blocked', isWanted: false },
  { kind: 'step_cancelled', stopping: 'The run was told to stop' },
  { kind: 'timed_out', why: 'The run did not end in time', phase: 'run', stopping: 'The run was told to stop' },
  { kind: 'cancel_asked' },
  { kind: 'lost', why: 'The server is gone' },
];
const words = ['ended', 'started', 'blocked', 'step_cancelled', 'timed_out', 'cancel_asked', 'lost'] as const;
const strange = ['PAUSED_FOR_REVIEW', 'constructor', '__proto__', 'toString', 'succeeded'];
const runIn = (state: string, more: Partial<Run> = {}) =>
  ({ state, started_at: '2026-01-01T00:00:00.000Z', result: { text: 'done', truncated: false }, ...more }) as Run;
const verdictOf = (outcome: Outcome, state: string | undefined, requiresResult = false) =>
  decide(outcome, state === undefined ? undefined : runIn(state), { requiresResult });

/** Documented conclusion for each state and outcome. */
const table: Readonly<Record<(typeof words)[number], Readonly<Record<string, Conclusion>>>> = {
  ended: { SUCCEEDED: 'succeeded', FAILED: 'failed', ERROR: 'failed', CANCELLED: 'cancelled' },
  started: { SUCCEEDED: 'started', FAILED: 'started', ERROR: 'started', CANCELLED: 'started' },
  blocked: { SUCCEEDED: 'succeeded', FAILED: 'failed', ERROR: 'failed', CANCELLED: 'blocked' },
  step_cancelled: { SUCCEEDED: 'succeeded', FAILED: 'failed', ERROR: 'failed', CANCELLED: 'cancelled' },
  timed_out: { SUCCEEDED: 'succeeded', FAILED: 'failed', ERROR: 'failed', CANCELLED: 'timed_out' },
  cancel_asked: { SUCCEEDED: 'succeeded', FAILED: 'failed', ERROR: 'failed', CANCELLED: 'cancelled' },
  lost: { SUCCEEDED: 'succeeded', FAILED: 'failed', ERROR: 'failed', CANCELLED: 'lost' },
};
const open: Readonly<Record<(typeof words)[number], Conclusion>> = {
  ended: 'lost',
  started: 'started',
  blocked: 'blocked',
  step_cancelled: 'cancelled',
  timed_out: 'timed_out',
  cancel_asked: 'lost',
  lost: 'lost',
};

test.each(outcomes.map(outcome => [outcome.kind, outcome] as const))('%s × every state', (kind, outcome) => {
  const word = kind as (typeof words)[number];
  for (const state of [...runStates, ...strange, undefined]) {
    const expected = new Map(Object.entries(table[word])).get(state ?? '') ?? open[word];
    expect([state, verdictOf(outcome, state).conclusion]).toEqual([state, expected]);
  }
});

test('a step fails for every conclusion but three, or for the named ones, never for a requested end', () => {
  expect(conclusions.filter(word => !badConclusions.has(word))).toEqual(['succeeded', 'skipped', 'started']);
  const failed = verdictOf({ kind: 'ended' }, 'FAILED');
  expect([isRed(failed, badConclusions), isRed(failed, new Set(['lost'])), isRed(failed, new Set())]).toEqual([
    true,
    false,
    false,
  ]);
  const wanted = [
    verdictOf({ kind: 'cancel_asked' }, 'CANCELLED'),
    verdictOf({ kind: 'cancel_asked' }, 'FAILED'),
    verdictOf({ kind: 'blocked', isWanted: true }, 'BLOCKED'),
  ];
  expect(wanted.map(verdict => isRed(verdict, new Set(conclusions)))).toEqual([false, false, false]);
  expect(isRed(verdictOf({ kind: 'blocked', isWanted: false }, 'BLOCKED'), badConclusions)).toBe(true);
  expect(isRed(verdictOf({ kind: 'cancel_asked' }, 'INPROGRESS'), badConclusions)).toBe(true);
});

test('a run that waits for a person shows its question and how to answer', () => {
  const run = runIn('BLOCKED', { run_id: 'id-1', status_message: { message: 'Which?' } });
  const { sentence } = decide({ kind: 'blocked', isWanted: false }, run, { requiresResult: false });
  expect(sentence).toBe(
    `The run is blocked: the agent asked a question. Answer it with \`npx agent-run followup id-1 MESSAGE\`. The question: Which?`,
  );
});

test('a run that waits for a person without a question says so', () => {
  const run = runIn('BLOCKED', { run_id: 'id-1', status_message: undefined } as Partial<Run>);
  const { sentence } = decide({ kind: 'blocked', isWanted: false }, run, { requiresResult: false });
  expect(sentence).toBe(
    'The run is blocked: the agent asked a question. Answer it with `npx agent-run followup id-1 MESSAGE`. The question is on the page of the run',
  );
});

test('a success without a result is one only if no result is required', () => {
  const empty = (result?: Run['result']) =>
    decide({ kind: 'ended' }, runIn('SUCCEEDED', { result } as Partial<Run>), { requiresResult: true });
  for (const result of [
    undefined,
    { text: ' \n', truncated: false },
    { text: '\u200b\ufeff \u2060\u{e0001}', truncated: false },
    { text: '\x1b[?25h\x1b[0m\x1b]0;title\x07\n', truncated: false },
  ])
    expect(empty(result)).toMatchObject({ conclusion: 'failed', phase: 'result' });
  for (const text of ['.', '✅', '\u0301é']) expect(empty({ text, truncated: false }).conclusion).toBe('succeeded');
  // The server has more of it than the run shows.
  expect(empty({ text: '\n'.repeat(65_536), truncated: true }).conclusion).toBe('succeeded');
  expect(empty({ text: '', truncated: false, structured: { ok: true } }).conclusion).toBe('succeeded');
  expect(
    decide({ kind: 'ended' }, runIn('SUCCEEDED', { result: undefined }), { requiresResult: false }).conclusion,
  ).toBe('succeeded');
});

test('a review that says nothing is red, whatever passes otherwise', () => {
  const judge = (structured: unknown, isReview = true) => {
    const result = { text: 'done', truncated: false, structured };
    const failWhen = parseCondition('verdict == request_changes');
    return decide({ kind: 'ended' }, runIn('SUCCEEDED', { result }), { requiresResult: true, isReview, failWhen });
  };
  const empty = { summary: ' \u200b', verdict: 'approve', findings: [] };
  expect(judge(empty)).toMatchObject({ conclusion: 'failed', phase: 'result', code: 'no_result' });
  expect(isRed(judge(empty), new Set())).toBe(true);
  expect(judge(empty, false).conclusion).toBe('succeeded');
  expect(judge({ ...empty, summary: 'Fine.' }).conclusion).toBe('succeeded');
  expect(judge({ ...empty, findings: [{}] }).conclusion).toBe('succeeded');
});

test.each([
  ['FAILED', 'agent_failed', 'run'],
  ['FAILED', 'environment_setup_failed', 'setup'],
  ['FAILED', 'resource_not_found', 'setup'],
  ['FAILED', 'no_result', 'result'],
  ['FAILED', 'result_invalid', 'result'],
  ['ERROR', 'resource_unavailable', 'service'],
  ['ERROR', 'authentication_required', 'setup'],
  ['CANCELLED', undefined, 'run'],
])('%s with %s went wrong in the phase %s', (state, error_code, phase) => {
  const status_message = { message: 'as it is', ...(error_code === undefined ? {} : { error_code }) };
  expect(decide({ kind: 'ended' }, runIn(state, { status_message }), { requiresResult: false }).phase).toBe(phase);
});

test('a run that never began went wrong in the queue', () => {
  const verdict = decide({ kind: 'ended' }, runIn('CANCELLED', { started_at: null }), { requiresResult: false });
  expect(verdict.phase).toBe('queue');
});

test('the sentence has reason and code, and says if there is no reason', () => {
  const status_message = { message: 'block 2 failed', error_code: 'agent_failed' };
  const sentenceOf = (state: string, more: Partial<Run> = {}) =>
    decide({ kind: 'ended' }, runIn(state, more), { requiresResult: false }).sentence;
  expect(sentenceOf('FAILED', { status_message })).toBe('The run failed (agent_failed): block 2 failed');
  // Older servers sent every code in error_code.
  const newer = { message: 'block 2 failed', error_code: 'internal_error', reason: 'agent_failed' };
  expect(sentenceOf('FAILED', { status_message: newer })).toBe('The run failed (agent_failed): block 2 failed');
  expect(sentenceOf('ERROR')).toBe('The run ended with an error, and the server gave no reason');
  expect(sentenceOf('SUCCEEDED')).toBeUndefined();
});

test('text never decides', () => {
  const status_message = { message: 'Error: FAILED, conclusion=failed', error_code: 'agent_failed' };
  expect(decide({ kind: 'ended' }, runIn('SUCCEEDED', { status_message }), { requiresResult: false }).conclusion).toBe(
    'succeeded',
  );
  const cheerful = runIn('FAILED', { status_message: { message: 'SUCCEEDED' } });
  expect(decide({ kind: 'ended' }, cheerful, { requiresResult: false }).conclusion).toBe('failed');
});
