/**
 * What users' code relies on. The compiler checks most of it: a type that no longer narrows is an error in this file.
 */
import { expect, expectTypeOf, test } from 'vitest';
import type { Artifact, ArtifactType } from '../../src/contract/artifacts.ts';
import type { CreateRunAnswer, CreateRunBody } from '../../src/contract/create.ts';
import type { EventType, RunEvent } from '../../src/contract/events.ts';
import type { ListParams, ListQuery } from '../../src/contract/list-query.ts';
import type { Run } from '../../src/contract/run.ts';
import type { ErrorCode } from '../../src/contract/tables/error-codes.ts';
import { finalStates } from '../../src/contract/tables/state.ts';

function describeEvent(event: RunEvent): string {
  switch (event.type) {
    case 'log':
      expectTypeOf(event.data.stream).toEqualTypeOf<'stdout' | 'stderr' | 'system'>();
      return event.data.text;
    case 'state':
      expectTypeOf(event.data.message).toEqualTypeOf<string | undefined>();
      return event.data.state;
    case 'message':
      return event.data.role;
    case 'tool_call':
      return event.data.name;
    case 'tool_result':
      return event.data.is_error ? 'error' : 'result';
    case 'usage':
    case 'artifact':
      return event.type;
    default:
      expectTypeOf(event.data).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      return `${event.seq} ${event.type}`;
  }
}

test("a switch over an event's type narrows known types and accepts unknown ones", () => {
  const head = { seq: 3, at: '2026-01-31T12:00:00.000Z' };
  const log: RunEvent = { ...head, type: 'log', data: { stream: 'stdout', text: 'hello' } };
  expect(describeEvent(log)).toBe('hello');
  expect(describeEvent(JSON.parse('{"seq":3,"type":"plan","data":{"steps":[]}}') as RunEvent)).toBe('3 plan');
});

test('a known event keeps its type when passed on, and a misspelled type does not compile', () => {
  const keepText = (event: Extract<RunEvent, { type: 'log' }>) => event.data.text;
  const texts = (events: readonly RunEvent[]) =>
    events.flatMap(event => (event.type === 'log' ? [keepText(event)] : []));
  expect(texts([])).toEqual([]);
  // @ts-expect-error no event has this type
  const isLogs = (event: RunEvent) => event.type === 'logs';
  expect(isLogs).toBeTypeOf('function');
  expectTypeOf<Extract<RunEvent['type'], EventType>>().toEqualTypeOf<EventType>();
});

test("a switch over an artifact's type narrows known types and accepts unknown ones", () => {
  const linkOf = (artifact: Artifact): string | undefined => {
    switch (artifact.artifact_type) {
      case 'PULL_REQUEST':
        expectTypeOf(artifact.data.branch).toEqualTypeOf<string>();
        return artifact.data.url;
      case 'PLAN':
        return artifact.data.url;
      case 'FILE':
        expectTypeOf(artifact.data.size_bytes).toEqualTypeOf<number | undefined>();
        return artifact.data.filepath;
      default:
        return `${artifact.artifact_type} of ${artifact.created_at}`;
    }
  };
  const song = { artifact_type: 'SONG', created_at: 'now', data: {} } as unknown as Artifact;
  expect(linkOf(song)).toBe('SONG of now');
  expectTypeOf<Extract<Artifact['artifact_type'], ArtifactType>>().toEqualTypeOf<ArtifactType>();
});

test("words of a run accept a newer server's and offer the known ones", () => {
  const isBad = ({ state, source, status_message }: Run) =>
    state === 'ERROR' || state === 'PAUSED' || source === 'FAX' || status_message?.error_code === 'out_of_coffee';
  expect(isBad({ state: 'PAUSED' } as Run)).toBe(true);
  expectTypeOf<ErrorCode>().toExtend<NonNullable<NonNullable<Run['status_message']>['reason']>>();
  expectTypeOf<string>().toExtend<Run['state']>();
});

test('a list accepts one state or several, times as text or Date, and no unknown parameter', () => {
  const params: readonly ListParams[] = [
    {},
    { state: 'QUEUED' },
    { state: ['QUEUED', 'PAUSED'], source: 'FAX', sort_by: 'agent', sort_order: 'asc' },
    { created_after: new Date(0), updated_after: '2026-01-31T12:00:00Z', limit: 5, metadata: { team: 'shop' } },
    { q: undefined, execution_location: 'LOCAL', artifact_type: 'PLAN', schedule_id: 's' },
  ];
  expect(params).toHaveLength(5);
  // @ts-expect-error numbers are numbers
  expectTypeOf<{ limit: '5' }>().toExtend<ListParams>();
  // @ts-expect-error a parameter that there is not
  const slip: ListParams = { stat: 'QUEUED' };
  expect(slip).toBeDefined();
  expectTypeOf<keyof ListParams>().toEqualTypeOf<keyof ListQuery>();
});

test('optional members may be undefined in requests and responses', () => {
  type Undefined<T> = {
    readonly [P in keyof T as undefined extends T[P] ? P : object extends Pick<T, P> ? P : never]: undefined;
  };
  expectTypeOf<Undefined<ListParams>>().toExtend<ListParams>();
  expectTypeOf<Undefined<CreateRunBody>>().toExtend<CreateRunBody>();
  expectTypeOf<Undefined<Run>>().toExtend<
    Omit<Run, 'run_id' | 'task_id' | 'title' | 'prompt' | 'state' | 'created_at' | 'updated_at'>
  >();
  expectTypeOf<keyof Undefined<ListParams>>().toEqualTypeOf<keyof ListParams>();
});

test('the state of a new run is open, and finalStates.includes accepts it', () => {
  const answer: CreateRunAnswer = { run_id: 'r', task_id: 'r', state: 'PAUSED' };
  const run = { state: 'FAILED' } as Run;
  expect([finalStates.includes(answer.state), finalStates.includes(run.state)]).toEqual([false, true]);
  expect([...finalStates] satisfies ListParams['state']).toHaveLength(4);
});

test('a body accepts constants and readonly lists', () => {
  const skills: readonly string[] = ['octo-org/shop:greet'];
  const body = {
    config: {
      skills,
      mcp_servers: { tools: { command: 'tools', args: ['--quiet'] } },
      memory_stores: [{ uid: 'm', access: 'read_only', instructions: '' }],
    },
    attachments: [{ file_name: 'a.png', mime_type: 'image/png', data: '' }],
  } as const satisfies CreateRunBody;
  expect(body.config.skills).toBe(skills);
  // @ts-expect-error a skill is a text
  const slip: CreateRunBody = { config: { skills: [5] as const } };
  expect(slip).toBeDefined();
});

test("the types of a body's files and mode are checked", () => {
  const body: CreateRunBody = {
    prompt: 'look at it',
    mode: 'plan',
    attachments: [{ file_name: 'a.png', mime_type: 'image/png', data: 'iVBORw0KGgo=' }],
    images: [{ mime_type: 'image/png', data: 'iVBORw0KGgo=' }],
    config: {
      harness: { type: 'script' },
      mcp_servers: { tools: { url: 'https://tools.example.com', headers: { Authorization: 'x' } } },
    },
  };
  expectTypeOf<CreateRunBody['mode']>().toEqualTypeOf<'normal' | 'plan' | 'orchestrate' | (string & {}) | undefined>();
  // @ts-expect-error an attachment has a name
  const nameless: CreateRunBody = { attachments: [{ mime_type: 'image/png', data: '' }] };
  expect([body, nameless]).toHaveLength(2);
});
