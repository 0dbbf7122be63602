import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { routes } from '../../../../src/contract/tables/routes.ts';
import { readAnswer } from '../../../support/answer.ts';
import { openHttpApp } from '../../../support/http-app.ts';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly {
    readonly name: string;
    readonly style?: string;
    readonly required: boolean;
    readonly schema: { readonly description?: string };
  }[];
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
    readonly schemas: Readonly<
      Record<string, { readonly properties: Readonly<Record<string, object>>; readonly examples?: readonly unknown[] }>
    >;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

async function readDocument(): Promise<Document> {
  const app = await openHttpApp();
  return (await (await app.fetch(new Request('http://127.0.0.1/openapi.json'))).json()) as Document;
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('the document needs no key and has every route', async () => {
  const document = await readDocument();
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([{ url: 'https://agents.example.com/api/v1' }]);
  const operations = Object.values(document.paths).flatMap(path =>
    ['get', 'post', 'put', 'delete'].flatMap(method => path[method]?.operationId ?? []),
  );
  expect(operations.toSorted()).toEqual([...Object.keys(routes), 'readFile'].toSorted());
  expect(document.paths['/agent/runs']?.get?.parameters.map(parameter => parameter.name)).toContain('created_after');
});

test('shapes of the public interface have its names and are referenced', async () => {
  const { components, paths } = await readDocument();
  const published = [
    ...['RunAgentRequest', 'RunAgentResponse', 'ListRunsResponse', 'RunItem', 'PageInfo', 'RunStatusMessage'],
    ...['RunCreatorInfo', 'RunState', 'RunSourceType', 'AmbientAgentConfig', 'MCPServerConfig', 'Error'],
  ];
  const { schemas } = components;
  expect(Object.keys(schemas).toSorted()).toEqual([...published, 'RunEvent', 'EventPage'].toSorted());
  const used = JSON.stringify({ paths, components });
  expect(published.filter(name => !used.includes(JSON.stringify(ref(name)).slice(1, -1)))).toEqual([]);
  expect(Object.keys(schemas.RunAgentRequest?.properties ?? {})).toEqual(
    expect.arrayContaining(['prompt', 'skill', 'config', 'lease_seconds', 'metadata']),
  );
  expect(schemas.RunAgentRequest?.properties.config).toEqual(ref('AmbientAgentConfig'));
  expect(schemas.RunAgentResponse?.properties.state).toEqual(ref('RunState'));
  expect(schemas.AmbientAgentConfig?.properties.mcp_servers).toMatchObject({
    additionalProperties: ref('MCPServerConfig'),
  });
  expect(schemas.RunItem?.properties).toMatchObject({
    state: ref('RunState'),
    source: ref('RunSourceType'),
    status_message: ref('RunStatusMessage'),
    creator: ref('RunCreatorInfo'),
    agent_config: ref('AmbientAgentConfig'),
  });
  expect(schemas.ListRunsResponse?.properties).toMatchObject({
    runs: { items: ref('RunItem') },
    page_info: ref('PageInfo'),
  });
  expect(schemas.EventPage?.properties.events).toMatchObject({ items: ref('RunEvent') });
  const create = paths['/agent/runs']?.post;
  expect(create?.requestBody?.content['application/json']?.schema).toEqual(ref('RunAgentRequest'));
  expect(create?.responses['200']?.content['application/json']?.schema).toEqual(ref('RunAgentResponse'));
  expect(create?.responses['400']?.content['application/problem+json']?.schema).toEqual(ref('Error'));
  const parameters = paths['/agent/runs']?.get?.parameters ?? [];
  expect(parameters.find(({ name }) => name === 'state')?.schema).toMatchObject({ items: ref('RunState') });
});

test('the examples satisfy their schemas', async () => {
  const document = await readDocument();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema(document, 'document');
  const withExamples = Object.entries(document.components.schemas).filter(([, { examples }]) => examples !== undefined);
  expect(withExamples.map(([name]) => name)).toEqual(['RunAgentRequest', 'RunAgentResponse', 'RunItem', 'Error']);
  for (const [name, { examples = [] }] of withExamples) {
    const check = ajv.compile({ $ref: `document${ref(name).$ref}` });
    expect(examples.map(example => (check(example) ? [] : check.errors))).toEqual([[]]);
    // Proves that the check can fail.
    expect(check({})).toBe(name === 'RunAgentRequest');
    expect(check({ prompt: 5 })).toBe(false);
  }
});

test('optional bodies, query brackets and streams are described for generated clients', async () => {
  const { paths } = await readDocument();
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

test('filters described as empty match no run, and artifact_type is not one of them', async () => {
  const app = await openHttpApp();
  await app.startRun();
  const { paths } = (await (await app.fetch(new Request('http://127.0.0.1/openapi.json'))).json()) as Document;
  const names = (paths['/agent/runs']?.get?.parameters ?? [])
    .filter(({ schema }) => schema.description?.includes('the list is empty'))
    .map(({ name }) => name);
  expect(names).toEqual(['schedule_id', 'ancestor_run_id', 'automation_id', 'factory_uid']);
  for (const name of names) expect((await readAnswer(app.call('GET', `/agent/runs?${name}=x`))).runs).toEqual([]);
});

test('each address lists its own error codes', async () => {
  const { paths } = await readDocument();
  const notFound = (path: string) => paths[`/agent/runs/{runId}${path}`]?.get?.responses['404']?.description;
  expect([notFound(''), notFound('/result')]).toEqual(['resource_not_found', 'resource_not_found, no_result']);
  expect(Object.keys(paths['/agent/runs']?.get?.responses ?? {})).toEqual(['200', '400', '401', '500']);
});

test('only the address of files lists 403, and every body 413', async () => {
  const { paths } = await readDocument();
  const operations = Object.values(paths).flatMap(({ get, post, put, delete: remove }) =>
    [get, post, put, remove].filter(operation => operation !== undefined),
  );
  const answering = (status: string) =>
    operations.filter(({ responses }) => responses[status] !== undefined).map(({ operationId }) => operationId);
  expect(answering('403')).toEqual(['readFile']);
  const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
  expect(answering('413').toSorted()).toEqual(withBody.map(({ operationId }) => operationId).toSorted());
  expect(answering('304')).toEqual(['readRun']);
});

test('the address of files takes a token instead of a key', async () => {
  const { get } = (await readDocument()).paths['/artifacts/{artifactUid}'] ?? {};
  expect(get?.security).toEqual([]);
  expect(get?.parameters.map(({ name, required }) => [name, required])).toEqual([
    ['artifactUid', true],
    ['token', true],
  ]);
  expect(Object.keys(get?.responses ?? {})).toEqual(['200', '403', '404', '500']);
});

test('the document satisfies the schema of OpenAPI 3.1', async () => {
  expect(await new Validator().validate({ ...(await readDocument()) })).toEqual({ valid: true });
});

test('every route has a handler', async () => {
  const app = await openHttpApp();
  for (const route of Object.values(routes)) {
    const path = route.path.replace(/\{\w+\}/, '0192f000-0000-7000-8000-000000000000');
    const response = await app.call(route.method, path);
    expect([route.path, response.status === 405]).toEqual([route.path, false]);
    if (response.status === 404) expect((await readAnswer(response)).detail).toMatch(/no run|no file/);
  }
});
