import { serverFeatures } from '../../../contract/tables/headers.ts';
import type { FaultKind } from './fault-plan.ts';

/** The accepted values of a fault's member. */
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
  /** Members in addition to the aim. The name of a required one ends in `!`. */
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Whether it applies to some requests, to a run, or to all responses. */
  readonly scope: 'requests' | 'run' | 'always';
}

const moment = ['before', 'after'] as const;

/**
 * Every kind of fault. If several hit one request, an earlier one is closer to the server. docs/testing.md prints
 * this table.
 */
export const faultKinds = {
  'feature-off': {
    meaning: 'The server lacks this feature, or `all`',
    fields: { 'feature!': [...serverFeatures, 'all'] },
    scope: 'always',
  },
  'lagging-copy': {
    meaning: 'A new run is 404 for the first `looks` requests, or for `ms`',
    fields: { looks: 'whole', ms: 'duration' },
    scope: 'always',
  },
  'deleted-run': { meaning: 'From this request on, the run is 404', fields: {}, scope: 'run' },
  answer: {
    meaning: 'This is the answer; the server sees no request',
    fields: { 'status!': 'status', headers: 'headers', body: 'any' },
    scope: 'requests',
  },
  'unknown-state': {
    meaning: 'The run has this state (`PAUSED`)',
    fields: { state: 'text' },
    scope: 'requests',
  },
  'clock-skew': {
    meaning: "The server's clock is `ms` ahead",
    fields: { 'ms!': 'offset' },
    scope: 'always',
  },
  'wrong-type': {
    meaning: 'The answer has this content type (`text/html`)',
    fields: { type: 'text' },
    scope: 'requests',
  },
  'empty-body': { meaning: 'The answer has no body', fields: {}, scope: 'requests' },
  truncate: {
    meaning: 'The body ends after `bytes`, as valid HTTP',
    fields: { 'bytes!': 'whole' },
    scope: 'requests',
  },
  'silent-stream': {
    meaning: 'An event stream opens and stays silent',
    fields: {},
    scope: 'requests',
  },
  'buffered-stream': {
    meaning: 'A proxy buffers an event stream until it ends',
    fields: {},
    scope: 'requests',
  },
  'break-stream': {
    meaning: 'An event stream is reset after `events` events',
    fields: { 'events!': 'whole' },
    scope: 'requests',
  },
  'slow-body': {
    meaning: 'The body comes in pieces of `bytes`, each after `ms`',
    fields: { 'bytes!': 'count', 'ms!': 'duration' },
    scope: 'requests',
  },
  'cut-body': {
    meaning: 'The connection is reset after `bytes` of the body (half)',
    fields: { bytes: 'whole' },
    scope: 'requests',
  },
  'close-after': {
    meaning: 'The connection closes after the answer (over a port only)',
    fields: {},
    scope: 'requests',
  },
  'lost-answer': {
    meaning: 'The server acts; the connection is reset before its answer',
    fields: {},
    scope: 'requests',
  },
  hang: {
    meaning: 'No answer comes; with `when: after`, the server has acted',
    fields: { when: moment },
    scope: 'requests',
  },
  reset: {
    meaning: 'The connection is reset before the server sees the request',
    fields: {},
    scope: 'requests',
  },
  delay: {
    meaning: 'The request, or with `when: after` the answer, is delayed by `ms`',
    fields: { 'ms!': 'duration', when: moment },
    scope: 'requests',
  },
} as const satisfies Readonly<Record<FaultKind, KindRow>>;

/** In order, starting at the server. */
export const faultOrder = Object.keys(faultKinds) as readonly FaultKind[];

/** For requests of event streams only. */
export const streamKinds: ReadonlySet<FaultKind> = new Set(['silent-stream', 'buffered-stream', 'break-stream']);
