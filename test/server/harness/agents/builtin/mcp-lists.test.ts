/** Tool lists of third-party MCP servers: usable tools are kept, and the others are named. */
import { expect, onTestFinished, test } from 'vitest';
import { modelApis } from '../../../../../src/server/harness/agents/adapter.ts';
import { readToolSchema } from '../../../../../src/server/harness/agents/builtin/mcp/tool-schema.ts';
import type { McpServer } from '../../../../../src/server/harness/mcp-servers.ts';
import { eventsOf, logOf, runScript } from './loop-fixture.ts';
import { listing, speaking } from './mcp-program.ts';

const plain = { type: 'object', properties: {} };

async function offered(server: McpServer, api: (typeof modelApis)[number] = 'openai-chat') {
  const { end, lines, server: model } = await runScript([{ text: 'Done.' }], { api, spec: { mcpServers: [server] } });
  expect(end).toEqual({ kind: 'succeeded', text: 'Done.' });
  const tools = model.requests[0]?.tools.filter(({ name }) => name.startsWith('mcp__')) ?? [];
  return { log: logOf(lines), names: tools.map(({ name }) => name), schemas: tools.map(({ schema }) => schema) };
}

test.each(['null', '""', 'undefined'])('a list whose next page is %s is complete', async cursor => {
  const server = speaking(
    `return { tools: [{ name: 'a', inputSchema: ${JSON.stringify(plain)} }], nextCursor: ${cursor} };`,
  );
  expect(await offered(server)).toMatchObject({ log: '', names: ['mcp__odd__a'] });
});

test('a list that names the same page again ends there, with the tools so far', async () => {
  const page = `{ tools: [{ name: params?.cursor ?? 'first', inputSchema: ${JSON.stringify(plain)} }], nextCursor: 'more' }`;
  expect(await offered(speaking(`return ${page};`))).toMatchObject({
    log: 'the MCP server odd: its list of tools repeats a page; the tools listed before that are used\n',
    names: ['mcp__odd__first', 'mcp__odd__more'],
  });
});

test('an endless list is read for a hundred pages', async () => {
  const page = `{ tools: [{ name: 'a', inputSchema: ${JSON.stringify(plain)} }], nextCursor: Number(params?.cursor ?? 0) + 1 }`;
  expect(await offered(speaking(`return ${page};`))).toMatchObject({
    log: 'the MCP server odd: its list of tools has more than 100 pages; the tools listed before that are used\n',
    names: ['mcp__odd__a'],
  });
});

test('a system clock that is set forward ends no list', async () => {
  const now = Date.now;
  onTestFinished(() => {
    Date.now = now;
  });
  let hours = 0;
  Date.now = () => {
    hours += 1;
    return now() + hours * 3_600_000;
  };
  const server = speaking(
    `const result = { tools: [{ name: 'a', inputSchema: ${JSON.stringify(plain)} }] };
     if (method === 'tools/list') setTimeout(() => send({ id: message.id, result }), 100);`,
  );
  expect(await offered(server)).toMatchObject({ log: '', names: ['mcp__odd__a'] });
});

test('an unusable tool is left out by name, and the others are kept', async () => {
  const tools = [
    { name: 'a', inputSchema: plain },
    { name: 'bare' },
    { name: 'text', inputSchema: { type: 'string' } },
    { inputSchema: plain },
    { name: 'a', inputSchema: plain },
    { name: 'b', inputSchema: plain },
  ];
  expect(await offered(speaking(listing(tools)))).toMatchObject({
    log: [
      'the MCP server odd: skipped the tool "bare": it has no `inputSchema`\n',
      'the MCP server odd: skipped the tool "text": its `inputSchema` must have the type "object", not "string"\n',
      'the MCP server odd: skipped a tool without a name\n',
    ].join(''),
    names: ['mcp__odd__a', 'mcp__odd__b'],
  });
});

test('a server restricted to some tools offers only those, and a missing one is named', async () => {
  const tools = ['a', 'b'].map(name => ({ name, inputSchema: plain }));
  expect(await offered(speaking(listing(tools), {}, { tools: ['b', 'c'] }))).toMatchObject({
    log: 'the MCP server odd: its entry lists tools that the server does not have: c\n',
    names: ['mcp__odd__b'],
  });
});

const kept = [
  { type: 'object', additionalProperties: { type: 'string' } },
  { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: { anyOf: [{}] } }, x: 1 },
];

test.each(modelApis)('a schema is sent to %s unchanged', async api => {
  const tools = kept.map((inputSchema, index) => ({ name: `t${index}`, inputSchema }));
  expect((await offered(speaking(listing(tools)), api)).schemas).toEqual(kept);
});

test.each(modelApis)('a schema whose root %s would refuse is sent as an object', async api => {
  const inputSchema = { anyOf: [{ type: 'object', properties: { a: {} } }, { properties: { b: {} } }] };
  const tools = [
    { name: 'empty', inputSchema: {} },
    { name: 'any', inputSchema },
  ];
  expect((await offered(speaking(listing(tools)), api)).schemas).toEqual([
    { type: 'object', properties: {}, required: [] },
    { type: 'object', properties: { a: {}, b: {} }, required: [] },
  ]);
});

const id = { type: 'integer' };
const name = { type: 'string' };

test.each([
  ['nothing', {}, { properties: {}, required: [] }],
  ['no properties', { type: 'object' }, { properties: {}, required: [] }],
  ['no type', { properties: { id }, required: ['id'] }, { properties: { id }, required: ['id'] }],
  ['null for a list', { type: 'object', properties: null, required: null }, { properties: {}, required: [] }],
  ['a list for an object', { type: 'object', properties: [] }, { properties: {}, required: [] }],
  ['a choice of types', { type: ['object', 'null'], properties: { id } }, { properties: { id }, required: [] }],
  [
    'parts that all hold',
    {
      allOf: [
        { properties: { id }, required: ['id'] },
        { properties: { name }, required: ['name'] },
      ],
    },
    { properties: { id, name }, required: ['id', 'name'] },
  ],
  [
    'a union of parts',
    {
      oneOf: [
        { type: 'object', properties: { id, name }, required: ['id', 'name'] },
        { type: 'object', properties: { id: name, name }, required: ['name'] },
        { type: 'null' },
      ],
    },
    { properties: { id: { anyOf: [id, name] }, name }, required: ['name'] },
  ],
  [
    'a link',
    { $ref: '#/definitions/In', definitions: { In: { type: 'object', properties: { id }, required: ['id'] } } },
    {
      definitions: { In: { type: 'object', properties: { id }, required: ['id'] } },
      properties: { id },
      required: ['id'],
    },
  ],
])('a schema with %s at its root becomes an object', (_name, given, schema) => {
  expect(readToolSchema(given).schema).toEqual({ type: 'object', ...schema });
});

test('the model is told the rules that a repaired schema lost', async () => {
  const inputSchema = { ...plain, properties: { id, name }, anyOf: [{ required: ['id'] }, { required: ['name'] }] };
  const { lines, server } = await runScript([{ text: 'Done.' }], {
    spec: { mcpServers: [speaking(listing([{ name: 'find', description: 'Finds it.', inputSchema }]))] },
  });
  expect(logOf(lines)).toBe('');
  expect(JSON.stringify(server.requests[0]?.body)).toContain(
    JSON.stringify(
      'Finds it.\nIts arguments also have to satisfy this JSON Schema: {"anyOf":[{"required":["id"]},{"required":["name"]}]}',
    ).slice(1, -1),
  );
});

test.each([
  ['a list', []],
  ['another type', { type: 'array', items: {} }],
  ['a part of another type', { anyOf: [{ type: 'string' }] }],
  ['a link to nowhere', { $ref: '#/definitions/Gone' }],
  ['a link to itself', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }],
])('a schema that is %s cannot be an object', (_name, given) => {
  expect(() => readToolSchema(given)).toThrow(RangeError);
});

test('a schema of nested references is read up to 10,000 parts', () => {
  let reads = 0;
  const last = {
    get type() {
      reads += 1;
      return 'object';
    },
  };
  const [b, c] = ['b', 'c'].map(part => ({ allOf: Array(60).fill({ $ref: `#/$defs/${part}` }) }));
  const schema = { allOf: Array(60).fill({ $ref: '#/$defs/a' }), $defs: { a: b, b: c, c: last } };
  expect(() => readToolSchema(schema)).toThrow('its `inputSchema` has more than 10000 parts');
  expect(reads).toBeLessThan(10_000);
});

test('a server’s question to a person is declined, and the call continues', async () => {
  const ask = `
    if (method === 'tools/list') return { tools: [{ name: 'ask', inputSchema: ${JSON.stringify(plain)} }] };
    if (method === 'tools/call') { globalThis.call = message.id; send({ id: 'q', method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { odd: true } } }); }
    if (message.id === 'q') send({ id: globalThis.call, result: { content: [{ type: 'text', text: JSON.stringify(message.result ?? message.error) }] } });
  `;
  const { lines } = await runScript([{ tools: [{ mcp: { server: 'odd', tool: 'ask' } }] }, { text: 'Done.' }], {
    spec: { mcpServers: [speaking(ask)] },
  });
  expect(eventsOf(lines, 'tool_result').map(({ data }) => data.output)).toEqual(['{"action":"decline"}']);
});
