import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { routes } from '../../../src/contract/routes.ts';
import { readAnswer } from '../../support/answer.ts';
import { openHttpApp } from '../../support/http-app.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly style?: string }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content: Readonly<Record<string, { readonly schema: object }>> }
    >
  >;
}

interface Document {
  readonly openapi: string;
  readonly servers: unknown;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

test('the document is there without a key, is OpenAPI 3.1 and has every route of the table', async () => {
  const app = await openHttpApp();
  const response = await app.fetch(new Request('http://127.0.0.1/openapi.json'));
  const document = (await response.json()) as Document;
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([{ url: 'https://agents.example.com/api/v1' }]);
  const operations = Object.values(document.paths).flatMap(path =>
    Object.values(path).map(operation => operation.operationId),
  );
  expect(operations.toSorted()).toEqual(Object.keys(routes).toSorted());
  expect(document.paths['/agent/runs']?.get?.parameters.map(parameter => parameter.name)).toContain('created_after');
});

test('what a generator of clients makes types of has a name, and is used by it', async () => {
  const app = await openHttpApp();
  const response = await app.fetch(new Request('http://127.0.0.1/openapi.json'));
  const { components, paths } = (await response.json()) as Document;
  const names = ['Run', 'RunPage', 'RunEvent', 'EventPage', 'CreateRun', 'CreateRunAnswer', 'AgentConfig', 'Problem'];
  expect(Object.keys(components.schemas).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(components.schemas.CreateRun?.properties ?? {})).toEqual(
    expect.arrayContaining(['prompt', 'skill', 'config', 'lease_seconds', 'metadata']),
  );
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(components.schemas.CreateRun?.properties.config).toEqual(ref('AgentConfig'));
  expect(components.schemas.Run?.properties.agent_config).toEqual(ref('AgentConfig'));
  expect(components.schemas.RunPage?.properties.runs).toMatchObject({ items: ref('Run') });
  expect(components.schemas.EventPage?.properties.events).toMatchObject({ items: ref('RunEvent') });
  const create = paths['/agent/runs']?.post;
  expect(create?.requestBody?.content['application/json']?.schema).toEqual(ref('CreateRun'));
  expect(create?.responses['200']?.content['application/json']?.schema).toEqual(ref('CreateRunAnswer'));
  expect(create?.responses['400']?.content['application/problem+json']?.schema).toEqual(ref('Problem'));
});

test('it says what a generated client would get wrong: a body that may be left out, brackets in a query, a stream', async () => {
  const app = await openHttpApp();
  const { paths } = (await (await app.fetch(new Request('http://127.0.0.1/openapi.json'))).json()) as Document;
  const run = '/agent/runs/{runId}';
  expect(paths[`${run}/cancel`]?.post?.requestBody?.required).toBe(false);
  expect(paths[`${run}/followups`]?.post?.requestBody?.required).toBe(true);
  const styles = (paths['/agent/runs']?.get?.parameters ?? []).filter(({ style }) => style !== undefined);
  expect(styles).toMatchObject([{ name: 'metadata', style: 'deepObject', explode: true }]);
  expect(Object.keys(paths[`${run}/events`]?.get?.responses['200']?.content ?? {})).toEqual([
    'application/json',
    'text/event-stream',
  ]);
});

test('an answer’s errors are those that the address has, by their codes', async () => {
  const app = await openHttpApp();
  const { paths } = (await (await app.fetch(new Request('http://127.0.0.1/openapi.json'))).json()) as Document;
  const notFound = (path: string) => paths[`/agent/runs/{runId}${path}`]?.get?.responses['404']?.description;
  expect([notFound(''), notFound('/result')]).toEqual(['resource_not_found', 'resource_not_found, no_result']);
  expect(Object.keys(paths['/agent/runs']?.get?.responses ?? {})).toEqual(['200', '400', '401', '405', '500']);
});

test('the document satisfies the schema of OpenAPI 3.1', async () => {
  const app = await openHttpApp();
  const response = await app.fetch(new Request('http://127.0.0.1/openapi.json'));
  expect(await new Validator().validate((await response.json()) as Record<string, unknown>)).toEqual({ valid: true });
});

test('every route of the table is answered by a handler', async () => {
  const app = await openHttpApp();
  for (const route of Object.values(routes)) {
    const path = route.path.replace(/\{\w+\}/, '0192f000-0000-7000-8000-000000000000');
    const response = await app.call(route.method, path);
    expect([route.path, response.status === 405]).toEqual([route.path, false]);
    if (response.status === 404) expect((await readAnswer(response)).detail).toMatch(/no run|no file/);
  }
});
