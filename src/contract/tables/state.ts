import type { OpenWord } from '../open-world.ts';

/**
 * The states of a run and the moves between them. The store refuses every move that is not in `moves`, in the
 * statement that writes it. The client treats an unknown state as still running.
 */
/** Whether a state is final. BLOCKED is not: a follow-up continues the run. */
const finality = {
  QUEUED: false,
  PENDING: false,
  CLAIMED: false,
  INPROGRESS: false,
  SUCCEEDED: true,
  FAILED: true,
  ERROR: true,
  BLOCKED: false,
  CANCELLED: true,
} as const;

export type RunState = keyof typeof finality;
export const runStates = Object.keys(finality) as readonly RunState[];

/** The states that never change again. Open words allow `finalStates.includes(run.state)`. */
export const finalStates: readonly OpenWord<RunState>[] = runStates.filter(state => finality[state]);

/** Separate from the states to keep the client's bundle small. */
export const stateMeanings: Readonly<Record<RunState, string>> = {
  QUEUED: 'accepted, waiting for a free slot',
  PENDING: 'being prepared (other services only)',
  CLAIMED: 'taken by a worker (other services only)',
  INPROGRESS: 'the agent is working',
  SUCCEEDED: 'the agent succeeded',
  FAILED: 'agent error, bad setup, missing skill, no result, time limit',
  ERROR: 'the service failed: worker lost, internal error',
  BLOCKED: 'the agent is waiting for a person',
  CANCELLED: 'stopped on request, or its lease expired',
};

/** The allowed moves, by state. All others are refused. */
export const moves: Readonly<Record<RunState, readonly RunState[]>> = {
  QUEUED: ['INPROGRESS', 'CANCELLED', 'FAILED', 'ERROR'],
  PENDING: [],
  CLAIMED: [],
  INPROGRESS: ['SUCCEEDED', 'FAILED', 'ERROR', 'BLOCKED', 'CANCELLED', 'QUEUED'],
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

/** Whether a state is final. An unknown state counts as still running. */
export function isFinal(state: string): boolean {
  return finalStates.includes(state);
}
