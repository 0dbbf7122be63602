import type { Run } from '../../contract/run.ts';

/** What came of a step. The `conclusion` output has these words. */
export type Conclusion =
  | 'succeeded'
  | 'failed'
  | 'error'
  | 'cancelled'
  | 'blocked'
  | 'timed_out'
  | 'lost'
  | 'started'
  | 'not_started';

/** The verdict's only table: from a state to a conclusion. Text never decides it. */
const conclusions: ReadonlyMap<string, Conclusion> = new Map([
  ['SUCCEEDED', 'succeeded'],
  ['FAILED', 'failed'],
  ['ERROR', 'error'],
  ['CANCELLED', 'cancelled'],
  ['BLOCKED', 'blocked'],
]);

/** The conclusion of a run that the step follows no more; undefined while it is still running. */
export function concludeRun(run: Pick<Run, 'state'>): Conclusion | undefined {
  return conclusions.get(run.state);
}

/** Whether the step turns red. */
export function isGood(conclusion: Conclusion): boolean {
  return conclusion === 'succeeded' || conclusion === 'started';
}

const openings: Readonly<Partial<Record<Conclusion, string>>> = {
  failed: 'The run failed',
  error: 'The service failed to carry out the run',
  cancelled: 'The run was cancelled',
  blocked: 'The run is blocked: the agent waits for a person',
};

/** One sentence on why the step is red, with the server's reason. */
export function explainRun(run: Pick<Run, 'state' | 'status_message'>, conclusion: Conclusion): string {
  const reason = run.status_message?.message;
  const code = run.status_message?.error_code;
  const opening = openings[conclusion] ?? `The run ended ${run.state}`;
  const why = reason === undefined ? ' and the server gave no reason' : `: ${reason}`;
  return `${opening}${why}${code === undefined ? '' : ` (${code})`}`;
}
