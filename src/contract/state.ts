/**
 * The states of a run and the moves between them, as data. The store refuses every move that is not in `moves`,
 * in the statement that writes it; the client takes a state it does not know as "still running".
 */
interface StateRow {
  readonly state: string;
  /** Final: nothing changes it any more. BLOCKED is open: a follow-up moves it on. */
  readonly final: boolean;
  readonly meaning: string;
}

export const states = [
  { state: 'QUEUED', final: false, meaning: 'accepted, waits for a place' },
  {
    state: 'PENDING',
    final: false,
    meaning: 'being prepared (other services; this server goes from QUEUED to INPROGRESS)',
  },
  { state: 'CLAIMED', final: false, meaning: 'a worker has it (other services)' },
  { state: 'INPROGRESS', final: false, meaning: 'the agent works' },
  { state: 'SUCCEEDED', final: true, meaning: 'the agent ended well, by the rule of its harness' },
  {
    state: 'FAILED',
    final: true,
    meaning: "the user's side: agent error, bad setup, missing skill, no result, time limit",
  },
  { state: 'ERROR', final: true, meaning: "the service's side: worker lost, internal fault" },
  { state: 'BLOCKED', final: false, meaning: 'the agent waits for a person' },
  { state: 'CANCELLED', final: true, meaning: 'stopped on request, or because its lease ran out' },
] as const satisfies readonly StateRow[];

export type RunState = (typeof states)[number]['state'];
export const runStates: readonly RunState[] = states.map(row => row.state);

/** The states that never change again. */
export const finalStates: readonly RunState[] = states.filter(row => row.final).map(row => row.state);

/** From where a run may go where. Whatever is not here is refused. */
export const moves: Readonly<Record<RunState, readonly RunState[]>> = {
  QUEUED: ['INPROGRESS', 'CANCELLED', 'FAILED', 'ERROR'],
  PENDING: [],
  CLAIMED: [],
  INPROGRESS: ['SUCCEEDED', 'FAILED', 'ERROR', 'BLOCKED', 'CANCELLED'],
  BLOCKED: ['QUEUED', 'CANCELLED'],
  SUCCEEDED: [],
  FAILED: [],
  ERROR: [],
  CANCELLED: [],
};

/** The states from which a run may move to `to`. */
export function statesBefore(to: RunState): readonly RunState[] {
  return runStates.filter(from => moves[from].includes(to));
}

/** Whether a state is final. A state that this version does not know counts as still running. */
export function isFinal(state: string): boolean {
  return finalStates.some(final => final === state);
}
