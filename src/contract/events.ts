import * as z from 'zod';
import type { UnknownWord } from './open-world.ts';
import { sizes } from './tables/sizes.ts';

/** The event types and their `data`. A newer server may send more types. */
const eventDataSchemas = {
  state: z.object({ state: z.string(), message: z.string().optional() }),
  message: z.object({ role: z.string(), text: z.string() }),
  tool_call: z.object({ id: z.string(), name: z.string(), input: z.unknown() }),
  tool_result: z.object({
    id: z.string(),
    output: z.unknown(),
    is_error: z.boolean(),
    /** Of a shell command, if the agent reports it. */
    exit_code: z.int().optional(),
  }),
  log: z.object({
    stream: z.enum(['stdout', 'stderr', 'system']),
    text: z.string(),
    /** Set on a line of the service that the run's creator should see. */
    level: z.enum(['warning']).optional(),
  }),
  usage: z.looseObject({}),
  artifact: z.looseObject({}),
} as const;

type EventDataSchemas = typeof eventDataSchemas;
export type EventType = keyof EventDataSchemas;

/** A new event. `type` determines `data`. */
export type EventDraft = {
  [T in EventType]: { readonly type: T; readonly data: z.infer<EventDataSchemas[T]> };
}[EventType];

/** Parses an event draft; undefined if the contract has no such event. Unknown members are omitted. */
export function readEventDraft({
  type,
  data,
}: {
  readonly type?: unknown;
  readonly data?: unknown;
}): EventDraft | undefined {
  if (typeof type !== 'string' || !isEventType(type)) return undefined;
  const read = eventDataSchemas[type].safeParse(data);
  return read.success ? ({ type, data: read.data } as EventDraft) : undefined;
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventDataSchemas, type);
}

interface EventPlace {
  /** Counts from 1 without gaps. */
  readonly seq: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/** An event in the log of a run. A `switch` over `type` narrows `data`; `default` gets the types of newer servers. */
export type RunEvent = (EventDraft & EventPlace) | UnknownEvent;

/** An event of a type that this version does not know. */
export interface UnknownEvent extends EventPlace {
  readonly type: UnknownWord;
  readonly data: Readonly<Record<string, unknown>>;
}

export const eventSchema = z.object({
  seq: z.int(),
  at: z.string().describe('RFC 3339, UTC, milliseconds'),
  type: z.string().describe(`One of ${Object.keys(eventDataSchemas).join(', ')}; newer servers may add more`),
  data: z.looseObject({}).describe('Its members depend on the type'),
});

export const eventPageSchema = z.object({
  events: z.array(eventSchema),
  next_after: z.int().describe('The `after` of the next page'),
  done: z.boolean().describe('The run has ended and this page has its last event'),
});

export interface EventPage {
  readonly events: readonly RunEvent[];
  readonly next_after: number;
  readonly done: boolean;
}

export const eventQuerySchema = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(sizes.eventLimit).default(sizes.eventLimit),
});
