import { expect, test } from 'vitest';
import { type Condition, findMismatch, judgeCondition, parseCondition } from '../../../src/action/verdict/fail-when.ts';
import { type Conclusion, conclusions, decide, isRed } from '../../../src/action/verdict/verdict.ts';
import type { Run } from '../../../src/client/index.ts';

const conditionOf = (text: string) => parseCondition(text) as Condition;
const judge = (text: string, structured: unknown) => judgeCondition(conditionOf(text), structured);

test.each([
  ['verdict == request_changes', { verdict: 'request_changes' }, true],
  ['verdict == request_changes', { verdict: 'approve' }, false],
  ['verdict==request_changes', { verdict: 'request_changes' }, true],
  ['verdict != approve', { verdict: 'comment' }, true],
  ['verdict != approve', { verdict: 'approve' }, false],
  ['verdict == [request_changes, "needs work"]', { verdict: 'needs work' }, true],
  ["verdict == ['a, b', c]", { verdict: 'a, b' }, true],
  ['verdict != [approve, comment]', { verdict: 'comment' }, false],
  ['verdict != [approve, comment]', { verdict: 'request_changes' }, true],
  ['review.verdict == bad', { review: { verdict: 'bad' } }, true],
  ['checks.1.ok == false', { checks: [{ ok: true }, { ok: false }] }, true],
  ['score == 1.0', { score: 1 }, true],
  ['score == ""', { score: 0 }, false],
  ['reason == null', { reason: null }, true],
  ['say == "a \\"b\\""', { say: 'a "b"' }, true],
  ['verdict == Approve', { verdict: 'approve' }, false],
])('%s over %j: %s', (text, structured, isMet) => {
  expect(judge(text, structured)).toMatchObject({ isMet });
});

test.each([
  [undefined, 'the run has no structured result'],
  [{}, 'the structured result has no `review`'],
  [null, 'the structured result has no `review`'],
  [{ review: 'text' }, 'the structured result has no `review.verdict`'],
  [{ review: {} }, 'the structured result has no `review.verdict`'],
  [{ review: { verdict: ['approve'] } }, '`review.verdict` of the structured result is not a single value'],
  [{ review: { verdict: { is: 'approve' } } }, '`review.verdict` of the structured result is not a single value'],
])('a condition on %j cannot be checked', (structured, fault) => {
  for (const operator of ['==', '!='])
    expect(judge(`review.verdict ${operator} approve`, structured)).toEqual({ fault });
});

test('members that every object inherits, and the length of a list, are not members of the result', () => {
  for (const path of ['constructor', '__proto__', 'toString'])
    expect(judge(`${path} != x`, {})).toHaveProperty('fault');
  expect(judge('findings.length == 0', { findings: [] })).toHaveProperty('fault');
});

test.each([
  'verdict',
  'verdict = bad',
  'verdict ==',
  '== bad',
  'verdict === bad',
  'verdict == needs work',
  'verdict == a || verdict == b',
  'verdict == bad && score == 1',
  'verdict == []',
  'verdict == [a b]',
  'verdict == [a, [b]]',
  'verdict == "a',
  'verdict > 3',
  'verdict in [a]',
  '.verdict == bad',
  'review..verdict == bad',
  'verdict contains bad',
])('%j is not a condition', text => {
  expect(parseCondition(text)).toBeUndefined();
});

const schema = {
  type: 'object',
  properties: {
    verdict: { enum: ['approve', 'comment', 'request_changes'] },
    score: { type: 'number' },
    open: { anyOf: [{ type: 'object' }] },
    passed: { type: 'boolean' },
    count: { type: ['integer', 'null'] },
    findings: { type: 'array', items: { type: 'object', properties: { severity: { enum: ['critical', 'low'] } } } },
  },
};

test.each([
  ['verdict == request_changes', undefined],
  [
    'verdict == request_change',
    '`output_schema` does not allow "request_change" for `verdict`. Did you mean "request_changes"?',
  ],
  [
    'verdict != [approve, zzz]',
    '`output_schema` does not allow "zzz" for `verdict`. It allows approve, comment, request_changes',
  ],
  ['verdit == approve', '`output_schema` has no "verdit". Did you mean "verdict"?'],
  ['nothing == approve', '`output_schema` has no "nothing". It has verdict, score, open, passed, count, findings'],
  [
    'constructor == approve',
    '`output_schema` has no "constructor". It has verdict, score, open, passed, count, findings',
  ],
  ['score == 3', undefined],
  ['open.deep == 3', undefined],
  ['passed == flase', '`output_schema` does not allow "flase" for `passed`. Did you mean "false"?'],
  ['passed == [true, false]', undefined],
  ['score == high', '`output_schema` does not allow "high" for `score`. It allows a number'],
  ['count == 1.5', '`output_schema` does not allow "1.5" for `count`. It allows a whole number, null'],
  ['count == [1.0, null]', undefined],
  ['findings.0.severity == critical', undefined],
  [
    'findings.0.severity == criticall',
    '`output_schema` does not allow "criticall" for `findings.0.severity`. Did you mean "critical"?',
  ],
  ['findings.0.severty == low', '`output_schema` has no "severty". Did you mean "severity"?'],
  ['findings.length == 0', '`findings` is a list in `output_schema`, so a number must follow it, not "length"'],
])('%s against a schema: %s', (text, mismatch) => {
  expect(findMismatch(conditionOf(text), schema)).toBe(mismatch);
});

test('a schema that may add members elsewhere rules nothing out', () => {
  expect(findMismatch(conditionOf('other == 1'), { ...schema, $ref: '#/$defs/more' })).toBeUndefined();
  expect(findMismatch(conditionOf('other == 1'), { type: 'object' })).toBeUndefined();
});

const decideOn = (structured: unknown, state = 'SUCCEEDED') =>
  decide(
    { kind: 'ended' },
    { state, started_at: 'now', result: { text: '', truncated: false, structured } } as unknown as Run,
    {
      requiresResult: true,
      failWhen: conditionOf('verdict != approve'),
    },
  );

test('a result that meets the condition is rejected and red, whatever `fail_on` lists', () => {
  const verdict = decideOn({ verdict: 'request_changes' });
  expect(verdict).toMatchObject({ conclusion: 'rejected', phase: 'result' });
  expect(verdict.sentence).toBe('The result meets `fail_when: verdict != approve`: `verdict` is "request_changes"');
  expect([new Set<Conclusion>(), new Set(conclusions)].map(list => isRed(verdict, list))).toEqual([true, true]);
});

test('a result that does not meet the condition leaves the step green', () => {
  const verdict = decideOn({ verdict: 'approve' });
  expect(verdict).toMatchObject({ conclusion: 'succeeded', sentence: undefined });
});

test('a success whose condition cannot be checked is failed and red, whatever `fail_on` lists', () => {
  for (const [structured, why] of [
    [undefined, 'the run has no structured result'],
    [{ summary: 'fine' }, 'the structured result has no `verdict`'],
  ]) {
    const verdict = decideOn(structured);
    expect(verdict.sentence).toBe(`The run succeeded, but \`fail_when: verdict != approve\` cannot be checked: ${why}`);
    expect([verdict.conclusion, isRed(verdict, new Set())]).toEqual(['failed', true]);
  }
});

test('a run that failed keeps its own reason, and `fail_on` decides about it', () => {
  const verdict = decideOn(undefined, 'FAILED');
  expect([verdict.conclusion, isRed(verdict, new Set()), isRed(verdict, new Set(['failed']))]).toEqual([
    'failed',
    false,
    true,
  ]);
});
