import { expect, test } from 'vitest';
import { errorCodeEntry, errorCodes, findErrorCode } from '../../src/contract/tables/error-codes.ts';
import { readFeatures, serverFeatures } from '../../src/contract/tables/headers.ts';
import { routePath } from '../../src/contract/tables/routes.ts';
import { finalStates, isFinal, moves, runStates, statesBefore } from '../../src/contract/tables/state.ts';

test('an unknown state counts as still running', () => {
  expect(isFinal('PAUSED_FOR_REVIEW')).toBe(false);
  expect(finalStates).toEqual(['SUCCEEDED', 'FAILED', 'ERROR', 'CANCELLED']);
});

test('statesBefore is the inverse of the moves', () => {
  for (const from of runStates)
    for (const to of runStates) expect(statesBefore(to).includes(from)).toBe(moves[from].includes(to));
});

test('error codes are unique, and those with a status have an error status', () => {
  const codes = errorCodes.map(row => row.code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const row of errorCodes) if (row.status !== undefined) expect(row.status).toBeGreaterThanOrEqual(400);
  expect(findErrorCode('nonsense')).toBeUndefined();
  expect(errorCodeEntry('no_result').endsRunAs).toBe('FAILED');
});

test('a path part is percent-encoded, and one that would change the path is refused', () => {
  expect(routePath('readRun', { runId: 'a/b?c' })).toBe('/agent/runs/a%2Fb%3Fc');
  for (const runId of ['', '.', '..']) expect(() => routePath('cancelRun', { runId })).toThrow(RangeError);
  expect(() => routePath('cancelRun')).toThrow('runId');
});

test('features are parsed as words, and a service without the header has none', () => {
  expect(readFeatures(new Headers({ 'Agent-Run-Features': serverFeatures.join(', ') }))).toEqual(
    new Set(serverFeatures),
  );
  expect(readFeatures(new Headers())).toEqual(new Set());
});
