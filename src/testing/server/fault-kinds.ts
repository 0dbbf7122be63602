import { serverFeatures } from '../../contract/headers.ts';
import type { FaultKind } from './fault-plan.ts';

/** What a member of a fault takes. */
export type FieldType =
  | 'count'
  | 'whole'
  | 'duration'
  | 'offset'
  | 'status'
  | 'text'
  | 'headers'
  | 'any'
  | readonly string[];

interface KindRow {
  readonly meaning: string;
  /** Members beside those of the aim; the name of one that must be there ends in `!`. */
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Whether it is about some requests, about a run, or about everything the server says. */
  readonly scope: 'requests' | 'run' | 'always';
}

const moment = ['before', 'after'] as const;

/**
 * Every kind of fault, from the server outwards: where several meet one request, an earlier one is nearer to the server. docs/testing.md
 * prints this table.
 */
export const faultKinds = {
  'feature-off': {
    meaning: 'The server neither announces this feature nor has it. `all`: it looks like the public service',
    fields: { 'feature!': [...serverFeatures, 'all'] },
    scope: 'always',
  },
  'lagging-copy': {
    meaning: 'Looks at a new run are answered with 404, so many of them (`looks`) or for so long (`ms`)',
    fields: { looks: 'whole', ms: 'duration' },
    scope: 'always',
  },
  'deleted-run': { meaning: 'From this request on, the run is answered with 404', fields: {}, scope: 'run' },
  answer: {
    meaning: 'This answer comes, and the server never sees the request',
    fields: { 'status!': 'status', headers: 'headers', body: 'any' },
    scope: 'requests',
  },
  'unknown-state': {
    meaning: 'The run in the answer is in a state that no client knows',
    fields: { state: 'text' },
    scope: 'requests',
  },
  'clock-skew': {
    meaning: "The server's clock is `ms` ahead: `Date`, all times of answers, filters by time",
    fields: { 'ms!': 'offset' },
    scope: 'always',
  },
  'wrong-type': { meaning: 'The answer has another content type', fields: { type: 'text' }, scope: 'requests' },
  'empty-body': { meaning: 'The head of the answer is followed by no body', fields: {}, scope: 'requests' },
  truncate: {
    meaning: 'The body ends after `bytes`, in a whole HTTP answer',
    fields: { 'bytes!': 'whole' },
    scope: 'requests',
  },
  'silent-stream': {
    meaning: 'An event stream begins, and nothing ever comes',
    fields: {},
    scope: 'requests',
  },
  'buffered-stream': {
    meaning: 'A proxy holds an event stream back until it has ended',
    fields: {},
    scope: 'requests',
  },
  'break-stream': {
    meaning: 'The connection of an event stream is reset after `events` events',
    fields: { 'events!': 'whole' },
    scope: 'requests',
  },
  'slow-body': {
    meaning: 'The body comes in pieces of `bytes`, each after `ms`',
    fields: { 'bytes!': 'count', 'ms!': 'duration' },
    scope: 'requests',
  },
  'cut-body': {
    meaning: 'The connection is reset after `bytes` of the body',
    fields: { bytes: 'whole' },
    scope: 'requests',
  },
  'close-after': {
    meaning: 'The server closes the connection right after the answer, without a word (over a port only)',
    fields: {},
    scope: 'requests',
  },
  'lost-answer': {
    meaning: 'The server acts, and the connection is reset before a byte of its answer',
    fields: {},
    scope: 'requests',
  },
  hang: {
    meaning: 'No answer ever comes; `after`: although the server has acted',
    fields: { when: moment },
    scope: 'requests',
  },
  reset: {
    meaning: 'The connection is reset before the server sees the request',
    fields: {},
    scope: 'requests',
  },
  delay: {
    meaning: '`ms` pass before the server sees the request; `after`: before its answer is sent',
    fields: { 'ms!': 'duration', when: moment },
    scope: 'requests',
  },
} as const satisfies Readonly<Record<FaultKind, KindRow>>;

/** From the server outwards. */
export const faultOrder = Object.keys(faultKinds) as readonly FaultKind[];

/** Of requests for event streams only. */
export const streamKinds: ReadonlySet<FaultKind> = new Set(['silent-stream', 'buffered-stream', 'break-stream']);
