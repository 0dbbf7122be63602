import type { ModelApi } from '../../../src/testing/index.ts';

export const apis: readonly ModelApi[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

export interface Question {
  readonly api: ModelApi;
  /** @default m-1 */
  readonly model?: string;
  /** @default false */
  readonly stream?: boolean;
  readonly key?: string;
  readonly system?: string;
  /** @default Say hello. */
  readonly prompt?: string;
  /** Names with JSON Schemas. */
  readonly tools?: Readonly<Record<string, object>>;
  /** Members that replace those of the body. */
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** Asks a model over the bare API. */
export async function ask(url: string, question: Question): Promise<Response> {
  const { path, body } = write(question);
  return await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keyHeaders(question) },
    body: JSON.stringify({ ...body, ...question.body }),
    ...(question.signal === undefined ? {} : { signal: question.signal }),
  });
}

/** The data of a stream's events, in order. `[DONE]` stays a string. */
export async function readFrames(response: Response): Promise<readonly unknown[]> {
  return (await response.text())
    .split(/\r?\n\r?\n/)
    .filter(frame => frame !== '')
    .map(frame => {
      const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '';
      return data === '[DONE]' ? data : JSON.parse(data);
    });
}

function keyHeaders({ api, key }: Question): Record<string, string> {
  const version = api === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
  if (key === undefined) return version;
  if (api === 'anthropic') return { ...version, 'x-api-key': key };
  return api === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };
}

function write({
  api,
  model = 'm-1',
  stream = false,
  system = 'Be brief.',
  prompt = 'Say hello.',
  tools = {},
}: Question) {
  const offered = Object.entries(tools).map(([name, schema]) => ({ name, schema }));
  const messages = [{ role: 'user', content: prompt }];
  switch (api) {
    case 'openai-chat':
      return {
        path: '/v1/chat/completions',
        body: {
          model,
          stream,
          messages: [{ role: 'system', content: system }, ...messages],
          tools: offered.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } })),
        },
      };
    case 'openai-responses':
      return {
        path: '/v1/responses',
        body: {
          model,
          stream,
          instructions: system,
          input: messages,
          tools: offered.map(({ name, schema }) => ({ type: 'function', name, parameters: schema })),
        },
      };
    case 'anthropic':
      return {
        path: '/v1/messages',
        body: {
          model,
          stream,
          system,
          messages,
          max_tokens: 1000,
          tools: offered.map(({ name, schema }) => ({ name, input_schema: schema })),
        },
      };
    case 'gemini':
      return {
        path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        body: {
          systemInstruction: { parts: [{ text: system }] },
          contents: [{ role: 'user', parts: [{ text: prompt }] }],
          tools: [
            { functionDeclarations: offered.map(({ name, schema }) => ({ name, parametersJsonSchema: schema })) },
          ],
        },
      };
  }
}
