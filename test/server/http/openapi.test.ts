import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { routes } from '../../../src/contract/routes.ts';
import { readAnswer } from '../../support/answer.ts';
import { openHttpApp } from '../../support/http-app.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties: object } }>>;
  };
}

interface Document {
  readonly openapi: string;
  readonly servers: unknown;
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
  const body = document.paths['/agent/runs']?.post?.requestBody?.content['application/json']?.schema;
  expect(Object.keys(body?.properties ?? {})).toEqual(
    expect.arrayContaining(['prompt', 'skill', 'config', 'lease_seconds', 'metadata']),
  );
  expect(document.paths['/agent/runs']?.get?.parameters.map(parameter => parameter.name)).toContain('created_after');
});

test('the document satisfies the schema of OpenAPI 3.1', async () => {
  const app = await openHttpApp();
  const response = await app.fetch(new Request('http://127.0.0.1/openapi.json'));
  expect(await new Validator().validate((await response.json()) as Record<string, unknown>)).toEqual({ valid: true });
});

test('every route of the table is answered by a handler', async () => {
  const app = await openHttpApp();
  for (const route of Object.values(routes)) {
    const path = route.path.replace('{runId}', '0192f000-0000-7000-8000-000000000000');
    const response = await app.call(route.method, path);
    expect([route.path, response.status === 405]).toEqual([route.path, false]);
    if (response.status === 404) expect((await readAnswer(response)).detail).toContain('no run');
  }
});
