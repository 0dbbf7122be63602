/** A tour of the whole interface, whose answers are held against the published shapes. */
import { describe, expect, test, vi } from 'vitest';
import { routes } from '../../src/contract/tables/routes.ts';
import { runStates } from '../../src/contract/tables/state.ts';
import { createDocumentCheck, createPublishedCheck, fits } from './answer-check.ts';
import { journeys } from './journeys.ts';
import { listOperations } from './operations.ts';
import type { Json } from './recorded-requests.ts';
import { type TourRecord, takeTour } from './tour.ts';
import { wordsOf } from './words.ts';

// Whichever test comes first takes the tour.
vi.setConfig({ testTimeout: 300_000 });

let taken: Promise<TourRecord> | undefined;
/** One tour for all tests of the file. */
const tour = (): Promise<TourRecord> => {
  taken ??= takeTour();
  return taken;
};

/** Where the reason is left out, it is the published code. */
function endOf({ state, status_message }: Json = {}): Json {
  const { error_code, reason = error_code ?? '' } = (status_message ?? {}) as Json;
  return { state, error_code, reason };
}

const isSuccess = ({ status }: { readonly status: number }): boolean => status < 400;
const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted();

describe('the tour', () => {
  test('has a success of every operation of the server', async () => {
    const { visits } = await tour();
    const missed = Object.entries(routes).filter(
      ([, { method, path }]) =>
        !visits.some(visit => visit.method === method && fits(path, visit.path) && isSuccess(visit)),
    );
    expect(missed.map(([id]) => id)).toEqual([]);
  });

  test('has a list for every published word of a query', async () => {
    const { lists } = await tour();
    expect(lists.filter(([, status]) => status !== 200)).toEqual([]);
  });

  test('has every state that this server knows', async () => {
    const { visits } = await tour();
    const states = visits.flatMap(({ path, body }) =>
      fits('/agent/runs/{runId}', path) ? ((body as Json | undefined)?.state ?? []) : [],
    );
    const ofOtherServices = ['PENDING', 'CLAIMED'];
    expect(unique(states.map(String))).toEqual(runStates.filter(state => !ofOtherServices.includes(state)).toSorted());
  });

  test('ends every run in its state, with a published code where one is true and ours as the reason', async () => {
    const { runs } = await tour();
    const published = wordsOf('ErrorCode', 'newest');
    const expected = Object.entries(journeys).map(([name, { state, code = '' }]) => ({
      name,
      state,
      error_code: published.includes(code) ? code : undefined,
      reason: code,
    }));
    expect(Object.keys(journeys).map(name => ({ name, ...endOf(runs[name]) }))).toEqual(expected);
  });

  test('says of a lost worker and of the time limit what they are', async () => {
    const { lost, slow, cancelled } = (await tour()).runs;
    const unavailable = 'resource_unavailable';
    expect(endOf(lost)).toEqual({ state: 'ERROR', error_code: unavailable, reason: unavailable });
    expect(endOf(slow)).toEqual({ state: 'FAILED', error_code: undefined, reason: 'time_limit' });
    expect(cancelled?.state).toBe('CANCELLED');
  });
});

describe('answers', () => {
  test('have the published shapes, as the newest client reads them', async () => {
    const { visits } = await tour();
    expect(unique(visits.flatMap(createPublishedCheck('newest')))).toEqual([]);
  });

  test('have for older clients no more that these do not know than what the interface has got since', async () => {
    const { visits } = await tour();
    const unknownTo = (client: 'npm' | 'python') =>
      unique(visits.flatMap(createPublishedCheck(client)).map(text => text.replace(/^.*?: /, '')));
    expect(unknownTo('python')).toEqual([
      'unknown artifact_type "EXTERNAL_REFERENCE"',
      'unknown word "codex"',
      'unknown word "gemini"',
    ]);
    expect(unknownTo('npm')).toEqual([
      'unknown artifact_type "EXTERNAL_REFERENCE"',
      'unknown artifact_type "FILE"',
      'unknown word "BLOCKED"',
      'unknown word "ERROR"',
    ]);
  });

  test('that the published client of npm asks for have the shapes that it knows', async () => {
    const { ofPublishedClient } = await tour();
    expect(ofPublishedClient.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/, '…')}`)).toEqual(
      expect.arrayContaining([
        'POST /agent/run',
        'GET /agent/runs/…',
        'POST /agent/runs/…/cancel',
        'GET /agent/runs',
        'GET /agent',
      ]),
    );
    const violations = unique(ofPublishedClient.flatMap(createPublishedCheck('npm')));
    expect(violations.filter(text => !text.includes('unknown artifact_type'))).toEqual([]);
  });

  test('are what the OpenAPI document of the server says', async () => {
    const { visits, document } = await tour();
    expect(unique(visits.flatMap(createDocumentCheck(document)))).toEqual([]);
  });

  test('name a harness by a published type, and by our name', async () => {
    const { runs } = await tour();
    const shown = Object.keys(journeys).map(name => [name, (runs[name]?.agent_config as Json | undefined)?.harness]);
    expect(shown).toEqual(Object.entries(journeys).map(([name, { harness }]) => [name, harness]));
  });

  test('have the tokens of a run that used some as the published sum, and no usage where none is known', async () => {
    const { builtin, claude, script } = (await tour()).runs;
    expect(builtin?.request_usage).toMatchObject({ total_tokens: 120 });
    expect(claude?.request_usage).toMatchObject({ total_tokens: expect.any(Number) });
    expect(script).not.toHaveProperty('request_usage');
  });

  test('of redirects need no key, and lead from a conversation to its live session and from an ended one to its conversation', async () => {
    const { asked, expected } = (await tour()).redirects;
    expect(asked).toEqual(expected);
  });
});

describe('the OpenAPI document', () => {
  test('has every member that the published clients send to an operation of the server', async () => {
    const { document } = await tour();
    const missing = listOperations('newest').flatMap(({ method, path, query = {}, body }) => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      if (operation === undefined) return [];
      const parameters = operation.parameters?.filter(parameter => parameter.in === 'query').map(({ name }) => name);
      const names = membersOf(document, operation.requestBody?.content['application/json']?.schema);
      const sent = Object.keys((body?.properties ?? {}) as Json);
      return [
        ...Object.keys(query).filter(name => parameters?.includes(name) !== true),
        ...sent.filter(name => !names.includes(name)),
      ].map(name => `${method} ${path}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});

function membersOf(
  { components }: TourRecord['document'],
  schema: { readonly $ref?: string; readonly properties?: Json } = {},
): readonly string[] {
  const { properties = {} } = components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return Object.keys(properties);
}
