/** What the built-in agent prints to standard output, a JSON object a line: events as the log of the run has them, and these. */
import type { EventDraft } from '../../../../contract/events.ts';
import type { AgentClaim } from '../adapter.ts';

export type BuiltinLine =
  | EventDraft
  /** By which it goes on with the conversation, once that is kept. */
  | { readonly session: string }
  /** The model has answered; counts from 1. */
  | { readonly step: number }
  /** The model is at work on an answer. */
  | { readonly alive: true }
  /** Last of all. */
  | { readonly end: BuiltinEnd };

export type BuiltinEnd = Exclude<AgentClaim, { readonly kind: 'none' }>;
export type BuiltinFailure = Extract<BuiltinEnd, { readonly kind: 'failed' }>;
