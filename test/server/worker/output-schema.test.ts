import { expect, test } from 'vitest';
import { readStructured, refuseSchema } from '../../../src/server/worker/output-schema.ts';

const schema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } } },
  required: ['items'],
};

test.each([
  ['a document', '{"items": [{"id": 1}]}'],
  ['blanks around it', '\n {"items": [{"id": 1}]}\n'],
  ['a fenced block', 'Here it is:\n```json\n{"items": [{"id": 1}]}\n```\n'],
  ['the last of several blocks', '```\nnone\n```\nthen\n```\n{"items": [{"id": 1}]}\n```'],
])('%s is read', (_name, answer) => {
  expect(readStructured(schema, answer)).toEqual({ isValid: true, value: { items: [{ id: 1 }] } });
});

test.each([
  ['text', 'done', 'it is no JSON document'],
  ['JSON within a sentence', 'It is {"items": []}.', 'it is no JSON document'],
  ['what is missing', '{}', 'items'],
  ['the innermost fault', '{"items": [{"id": "a"}]}', 'items/0/id: '],
  ['what is too long', JSON.stringify({ items: [], more: 'x'.repeat(300_000) }), 'bytes long'],
])('%s is a fault with its place', (_name, answer, fault) => {
  expect(readStructured(schema, answer)).toMatchObject({ isValid: false, fault: expect.stringContaining(fault) });
});

test('an expression that no text gets through is given up', () => {
  const endless = { type: 'string', pattern: '^(a+)+$' };
  expect(refuseSchema(endless)).toBeUndefined();
  const began = performance.now();
  expect(readStructured(endless, JSON.stringify(`${'a'.repeat(40)}!`))).toMatchObject({
    isValid: false,
    fault: expect.stringContaining('cannot be checked'),
  });
  expect(performance.now() - began).toBeLessThan(15_000);
});

test.each([
  ['a reference to nowhere', { $ref: '#/$defs/none' }],
  ['a broken expression', { type: 'object', properties: { a: { pattern: '(' } } }],
])('%s', (_name, broken) => {
  expect(refuseSchema(broken)).toMatch(/^is no JSON Schema: /);
});
