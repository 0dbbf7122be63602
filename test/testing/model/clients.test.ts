import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ModelScript, startModelServer } from '../../../src/testing/index.ts';
import { apis } from './ask.ts';
import { clientModel } from './clients.ts';

const command = jsonSchema<{ command: string }>({
  type: 'object',
  properties: { command: { type: 'string' } },
  required: ['command'],
});
const bash = tool({ description: 'Runs.', inputSchema: command, execute: async input => `ran ${input.command}` });
const quiet = { maxRetries: 1, tools: { bash }, stopWhen: isStepCount(5), prompt: 'Say hello.' };

beforeAll(() => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
});

describe.each(apis)('a third-party client over %s', api => {
  const text = 'Let me see: ünïcödé and 😀😀😀😀😀😀😀😀, then the shell.';
  const script: ModelScript = [
    { reasoning: 'I think that it is so.', text, tools: [{ shell: 'echo a' }, { shell: 'echo b' }] },
    { text: 'All done.', usage: { input: 50, output: 9, cached: 20, reasoning: 4 } },
  ];

  test('streams text, reasoning and calls, and sends results that the server reads', async () => {
    await using server = await startModelServer(script);
    const result = streamText({ ...quiet, model: clientModel(api, server.url), instructions: 'Be brief.' });
    const deltas: string[] = [];
    let reasoning = '';
    for await (const part of result.stream) {
      if (part.type === 'text-delta') deltas.push(part.text);
      if (part.type === 'reasoning-delta') reasoning += part.text;
    }
    const steps = await result.steps;
    expect(deltas.length).toBeGreaterThan(4);
    expect(reasoning).toBe('I think that it is so.');
    expect(steps.map(step => [step.text, step.finishReason])).toEqual([
      [text, 'tool-calls'],
      ['All done.', 'stop'],
    ]);
    const { toolResults, system, messages, isStreamed } = server.requests[1] ?? {};
    expect(toolResults?.map(({ name, text: said }) => [name, said])).toEqual([
      ['bash', 'ran echo a'],
      ['bash', 'ran echo b'],
    ]);
    expect(system).toBe('Be brief.');
    expect(messages?.map(({ role }) => role).filter((role, index, all) => role !== all[index - 1])).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
    expect(messages?.flatMap(({ calls }) => calls.map(({ input }) => input))).toEqual([
      { command: 'echo a' },
      { command: 'echo b' },
    ]);
    expect([isStreamed, server.problems, server.remaining]).toEqual([true, [], 0]);
  });

  test('reads the same without a stream', async () => {
    await using server = await startModelServer(script);
    const { steps } = await generateText({ ...quiet, model: clientModel(api, server.url) });
    expect(steps.map(step => [step.text, step.finishReason])).toEqual([
      [text, 'tool-calls'],
      ['All done.', 'stop'],
    ]);
    expect(server.requests.map(({ isStreamed }) => isStreamed)).toEqual([false, false]);
  });

  test.each([true, false])('counts the tokens that the script names (streamed: %s)', async isStreamed => {
    const usage = { input: 50, output: 9, cached: 20, reasoning: 4 };
    await using server = await startModelServer([{ text: 'Hello.', usage }]);
    const options = { ...quiet, model: clientModel(api, server.url) };
    const counted = isStreamed ? await streamText(options).usage : (await generateText(options)).usage;
    expect(counted).toMatchObject({ inputTokens: 50, outputTokens: 9, inputTokenDetails: { cacheReadTokens: 20 } });
    // Anthropic's API does not report reasoning separately.
    if (api !== 'anthropic') expect(counted.outputTokenDetails.reasoningTokens).toBe(4);
  });

  test.each([
    [{ text: 'Too long a', stop: 'length' }, 'length'],
    [{ refusal: 'I will not.' }, 'content-filter'],
  ] as const)('gets the finish reason: %j', async (turn, reason) => {
    await using server = await startModelServer([turn, turn]);
    const model = clientModel(api, server.url);
    expect(await streamText({ ...quiet, model }).finishReason).toBe(reason);
    expect((await generateText({ ...quiet, model })).finishReason).toBe(reason);
  });

  test('retries a rate-limited request, and takes the next turn', async () => {
    await using server = await startModelServer([
      { status: 429, headers: { 'retry-after-ms': '1' } },
      { text: 'Fine.' },
    ]);
    expect(await streamText({ ...quiet, model: clientModel(api, server.url) }).text).toBe('Fine.');
    expect(server.requests).toHaveLength(2);
  });

  test('gets an error in a stream after the text', async () => {
    await using server = await startModelServer([{ text: 'Some words', streamError: 'the model has a fever' }]);
    const result = streamText({ ...quiet, model: clientModel(api, server.url), onError() {} });
    const seen: string[] = [];
    for await (const part of result.stream) {
      if (part.type === 'text-delta') seen.push(part.text);
      if (part.type === 'error') seen.push(JSON.stringify(part.error));
    }
    expect(seen.join('')).toMatch(/^Some words.*the model has a fever/);
  });
});

test.each(['openai-chat', 'openai-responses', 'anthropic'] as const)(
  'arguments that are not JSON reach a client of %s unchanged',
  async api => {
    await using server = await startModelServer([
      { tools: [{ name: 'bash', inputText: '{"command": ' }] },
      { text: 'Ah.' },
    ]);
    const result = streamText({ ...quiet, model: clientModel(api, server.url) });
    expect(await result.text).toBe('Ah.');
    const [first] = await result.steps;
    expect(first?.toolCalls[0]?.input).toBe('{"command": ');
  },
);
