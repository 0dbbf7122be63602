import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { examples } from '../../src/server/http/openapi/openapi-examples.ts';
import { createDocumentCheck, createPublishedCheck, type Visit } from './answer-check.ts';
import { type WordList, wordsOf } from './words.ts';

const path = '/agent/runs/0198a2f4-5c1e-7d3a-9b60-3f1c2d4e5a6b';
const json = { method: 'GET', path, status: 200, contentType: 'application/json' };
const run = { ...examples.RunItem, agent_config: { harness: { type: 'oz', name: 'script' } } };
const name = 'GET /agent/runs/{runId} 200';

function check(more: Readonly<Record<string, unknown>>): readonly string[] {
  return createPublishedCheck('newest')({ ...json, body: { ...run, ...more } });
}

test('members that were added are no fault, and every published member of a wrong type is one, with its path', () => {
  expect(check({ added: { by: 'us' } })).toEqual([]);
  expect(
    check({
      state: 'DONE',
      title: undefined,
      created_at: 'yesterday',
      run_time: '5 s',
      agent_config: { harness: { type: 'script' } },
      status_message: { error_code: 'agent_failed' },
      request_usage: { total_tokens: 1.5 },
      artifacts: [
        { artifact_type: 'NOTE', created_at: run.created_at, data: {} },
        {
          artifact_type: 'FILE',
          created_at: run.created_at,
          data: { artifact_uid: 'a', filename: 'b', filepath: 'c' },
        },
      ],
    }).toSorted(),
  ).toEqual([
    `${name} /: must have required property 'title'`,
    `${name} /agent_config/harness/type: unknown word "script"`,
    `${name} /artifacts/*/data: must have required property 'mime_type'`,
    `${name} /artifacts/*: unknown artifact_type "NOTE"`,
    expect.stringContaining(`${name} /created_at: must match pattern`),
    `${name} /request_usage/total_tokens: must be integer`,
    expect.stringContaining(`${name} /run_time: must match pattern`),
    `${name} /state: unknown word "DONE"`,
    `${name} /status_message/error_code: unknown word "agent_failed"`,
    `${name} /status_message: must have required property 'message'`,
  ]);
});

test('an error is a problem document with the status of its answer', () => {
  const visit: Visit = { method: 'GET', path, status: 404, contentType: 'text/html', body: { status: 400 } };
  expect(createPublishedCheck('newest')(visit)).toEqual([
    'GET /agent/runs/{runId} 404: the content type is text/html',
    'GET /agent/runs/{runId} 404 /status: is another than that of the answer',
    ...['type', 'title', 'error'].map(
      member => `GET /agent/runs/{runId} 404 /: must have required property '${member}'`,
    ),
  ]);
});

test('a status and a shape that the document does not have are faults', () => {
  const schema = { type: 'object', required: ['run_id'], properties: { run_id: { type: 'string' } } };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const inDocument = createDocumentCheck({
    paths: { '/agent/runs/{runId}': { get: { responses } } },
    components: { schemas: {} },
  });
  expect(inDocument({ ...json, body: { run_id: 'x' } })).toEqual([]);
  expect(inDocument({ ...json, body: {} })).toEqual([`${name} /: must have required property 'run_id'`]);
  expect(inDocument({ ...json, status: 409, body: {} })).toEqual([
    'GET /agent/runs/{runId} 409: the document has no such status',
  ]);
});

test.each<WordList>(['RunState', 'RunSourceType'])(
  'the client of npm declares the words of %s that stand here',
  list => {
    const entry = fileURLToPath(import.meta.resolve('oz-agent-sdk'));
    const declared = readFileSync(entry.replace(/index\.\w+$/, 'resources/agent/runs.d.ts'), 'utf8');
    const [, words = ''] = new RegExp(`type ${list} = ([^;]+);`).exec(declared) ?? [];
    expect(words.split('|').map(word => word.trim().slice(1, -1))).toEqual(wordsOf(list, 'npm'));
  },
);
