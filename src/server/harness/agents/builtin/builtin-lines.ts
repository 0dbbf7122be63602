/**
 * Lines that the built-in agent prints to standard output, one JSON object each: events as in the run's log, and
 * these.
 */
import type { EventDraft } from '../../../../contract/events.ts';
import type { AgentClaim } from '../adapter.ts';

export type BuiltinLine =
  | EventDraft
  /** Id to continue the conversation. Printed once it is stored. */
  | { readonly session: string }
  /** The model has answered. Counts from 1. */
  | { readonly step: number }
  /** The model is working on an answer. */
  | { readonly alive: true }
  /** The last line. */
  | { readonly end: BuiltinEnd };

export type BuiltinEnd = Exclude<AgentClaim, { readonly kind: 'none' }>;
export type BuiltinFailure = Extract<BuiltinEnd, { readonly kind: 'failed' }>;
