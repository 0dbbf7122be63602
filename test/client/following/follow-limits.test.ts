import { expect, test } from 'vitest';
import { FollowLimits } from '../../../src/client/following/follow-limits.ts';
import { createRun } from '../fixtures.ts';

test('updated_at counts as activity of a run without last_seq, even after events', () => {
  const limits = new FollowLimits({ stallTimeoutMs: 60_000 }, 0);
  const run = { ...createRun('INPROGRESS'), last_seq: null as never };
  limits.noteRun(run, 0);
  limits.noteEvent(5, 1000);
  limits.noteRun({ ...run, updated_at: '2030-01-01T00:01:00.000Z' }, 50_000);
  expect(limits.nearest(70_000)).toMatchObject({ limit: 'stall', leftMs: 40_000 });
});
