import { expect, test } from 'vitest';
import { readStructured, refuseSchema } from '../../../src/server/schema/output-schema.ts';
import { startOneSchemaThread } from '../../../src/server/schema/schema-thread.ts';
import { slowSchema } from '../../support/slow-schema.ts';

const schema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } } },
  required: ['items'],
};

test.each([
  ['a document', '{"items": [{"id": 1}]}'],
  ['blanks around it', '\n {"items": [{"id": 1}]}\n'],
  ['a fenced block', 'Here it is:\n```json\n{"items": [{"id": 1}]}\n```\n'],
  ['a block behind one of another language', '```ts\nlet a;\n```\nthen\n```json\n{"items": [{"id": 1}]}\n```'],
  ['the last of several blocks', '```\nnone\n```\nthen\n```\n{"items": [{"id": 1}]}\n```'],
  ['a document behind a block with an example', 'As:\n```json\n{"items": []}\n```\nMine:\n\n{"items": [{"id": 1}]}\n'],
  ['a document behind a sentence that ends with a quote and a colon', 'Here is "main":\n\n{"items": [{"id": 1}]}'],
  ['a document behind names in brackets', 'Checked [a] and {main},\n[b] too,\n{"items": [{"id": 1}]}'],
  ['the last of several documents, one a line', '{"items": []}\n{"items": [{"id": 1}]}'],
  ['a document of several lines behind text', 'I looked.\n{\n  "items": [\n{"id": 1}\n]\n}'],
  ['a document in colours', '\x1b[32m{"items": [{"id": \x1b[1m1\x1b[0m}]}\x1b[0m\n'],
  ['a document before a sequence that shows the cursor', '{"items": [{"id": 1}]}\n\x1b[?25h'],
  ['a document behind a line that was drawn over', '10 %\r100 %\r{"items": [{"id": 1}]}'],
  ['a block in colours', '\x1b[1mHere\x1b[0m:\n\x1b[2m```json\n\x1b[0m{"items": [{"id": 1}]}\n\x1b[2m```\x1b[0m\n'],
  ['a document whose lines end with CR', '{\r"items":\r[{"id": 1}]}'],
])('%s is read', async (_name, answer) => {
  await expect(readStructured(schema, answer)).resolves.toEqual({ isValid: true, value: { items: [{ id: 1 }] } });
});

test.each([
  ['text', 'done', 'it does not end with a JSON document'],
  ['JSON within a sentence', 'It is {"items": []}.', 'it does not end with a JSON document'],
  [
    'a block with text behind it',
    '```json\n{"items": []}\n```\nMine: {"items": [{}]}',
    'it does not end with a JSON document',
  ],
  [
    'the last part of a document that is broken',
    '[\n{"items": []},\n{"items": []}\n',
    'it does not end with a JSON document',
  ],
  ['a part behind a number', '[1,\n{"items": []}\n', 'it does not end with a JSON document'],
  ['a part behind a text with a bracket', '{"a": "}",\n{"items": []}\n', 'it does not end with a JSON document'],
  ['a member of one', '{"a":\n{"items": []}\n', 'it does not end with a JSON document'],
  ['lines of brackets without end', '[\n'.repeat(130_000), 'it does not end with a JSON document'],
  ['what is missing', '{}', 'items'],
  ['the innermost fault', '{"items": [{"id": "a"}]}', 'items/0/id: '],
  ['what never ends to nest', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'nested deeper than 100 levels'],
  ['what is too long', JSON.stringify({ items: [], more: 'x'.repeat(300_000) }), 'bytes long'],
])('%s is a fault with its place', async (_name, answer, fault) => {
  await expect(readStructured(schema, answer)).resolves.toMatchObject({
    isValid: false,
    fault: expect.stringContaining(fault),
  });
});

/** The longest time that the event loop was blocked. */
async function watchStill<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly stillMs: number }> {
  let stillMs = 0;
  let last = performance.now();
  const look = () => {
    stillMs = Math.max(stillMs, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(look, 10);
  const value = await work();
  look();
  clearInterval(timer);
  return { value, stillMs };
}

test('an expression that takes forever is stopped, and blocks nothing', async () => {
  const endless = { type: 'string', pattern: '^(a+)+$' };
  await expect(refuseSchema(endless)).resolves.toBeUndefined();
  const { value, stillMs } = await watchStill(() => readStructured(endless, JSON.stringify(`${'a'.repeat(40)}!`)));
  expect(value).toEqual({ isValid: false, fault: 'it cannot be checked: it takes longer than 2 seconds' });
  expect(stillMs).toBeLessThan(1800);
});

test('an answer that repeats the schema of its task does not count', async () => {
  const said = `Form:\n\`\`\`json\n${JSON.stringify({ type: 'object' }, null, 2)}\n\`\`\`\n`;
  const read = await readStructured({ type: 'object' }, said);
  expect(read).toEqual({ isValid: false, fault: 'it is the schema itself' });
});

test('an answer of fences alone is read in linear time', async () => {
  const began = performance.now();
  const read = await readStructured({}, '```json\n'.repeat(60_000));
  expect(read).toMatchObject({ isValid: false, fault: expect.stringContaining('it does not end with') });
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('a check that fills its memory ends only itself', async () => {
  const many = { items: { allOf: Array.from({ length: 2000 }, (_, index) => ({ minimum: index + 1 })) } };
  const read = await readStructured(many, JSON.stringify(Array(50_000).fill(0)));
  expect(read).toMatchObject({ isValid: false, fault: expect.stringContaining('it cannot be checked: it takes ') });
});

test.each([
  ['a reference to nowhere', { $ref: '#/$defs/none' }, 'none'],
  ['a broken expression', { type: 'object', properties: { a: { pattern: '(' } } }, 'Invalid regular expression'],
  ['a check that would be a promise', { $async: true, type: 'object' }, '"$async" is not a JSON Schema keyword'],
  ['one below the root', { properties: { a: { $async: true, type: 'object' } } }, 'async schema in sync schema'],
  ['one behind a reference', { $ref: '#/$defs/a', $defs: { a: { $async: true, type: 'object' } } }, 'async schema'],
])('%s is refused', async (_name, broken, why) => {
  const refusal = await refuseSchema(broken);
  expect(refusal).toEqual({ fault: expect.stringMatching(/^is not a usable JSON Schema: /) });
  expect(refusal).toEqual({ fault: expect.stringContaining(why) });
});

test.each([
  ['names that every object inherits', { required: ['constructor', 'toString'] }, '{}', false],
  ['a member of such a name', { properties: { toString: { type: 'string' } } }, '{}', true],
  ['a number that is kept as null', { properties: { a: { type: 'number' } } }, '{"a": 1e999}', false],
  [
    'a keyword of Ajv that others do not have',
    { properties: { a: { const: { $data: '1/b' } } } },
    '{"a": 1, "b": 1}',
    false,
  ],
  ['a property called $async', { properties: { $async: { type: 'number' } } }, '{"$async": 1}', true],
])('%s', async (_name, given, answer, isValid) => {
  await expect(readStructured(given, answer)).resolves.toMatchObject({ isValid });
});

test('a promise never counts as valid', async () => {
  const asked = { $async: true, properties: { a: { type: 'number' } } };
  await expect(readStructured(asked, '{"a": "wrong"}')).resolves.toMatchObject({ isValid: false });
});

test('an aborted check uses no thread, and a full queue refuses with "try again"', async () => {
  const given = new AbortController();
  const ask = () => refuseSchema(slowSchema, given.signal);
  const asked = Array.from({ length: 22 }, ask);
  const late = await ask();
  expect(late).toEqual({ unasked: '20 schemas wait to be checked already' });
  // A run with an answer is not a new one.
  const checked = readStructured({ type: 'object' }, '{}');
  given.abort();
  const began = performance.now();
  expect(await Promise.all(asked)).toEqual(asked.map(() => ({ unasked: 'the caller is gone' })));
  expect(await refuseSchema({ type: 'object' })).toBeUndefined();
  expect(await checked).toEqual({ isValid: true, value: {} });
  expect(await ask()).toEqual({ unasked: 'the caller is gone' });
  expect(performance.now() - began).toBeLessThan(5000);
});

// Keep this test last: the setting cannot be undone.
test('in a step an ended thread is not replaced, because its agent may have rewritten the program', async () => {
  startOneSchemaThread();
  const endless = { type: 'string', pattern: '^(a+)+$' };
  const ask = () => readStructured(endless, JSON.stringify(`${'a'.repeat(40)}!`));
  // Threads of earlier tests.
  for (let count = 0; count < 2; count += 1) await ask();
  await expect(ask()).resolves.toEqual({
    isValid: false,
    fault: 'it cannot be checked: an earlier check took too long',
  });
});
