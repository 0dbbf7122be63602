/** The smallest request to a model for each API: a few tokens, without tools. */
import type { ModelApi, ModelEndpoint } from '../harness/agents/adapter.ts';

export interface ModelQuestion {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const prompt = 'Answer with the word ok.';
/** OpenAI's minimum. */
const tokens = 16;

type Asked = Omit<ModelQuestion, 'url'> & { readonly path: string };

const questions: Readonly<Record<ModelApi, (model: string, key: string | undefined) => Asked>> = {
  'openai-chat': (model, key) => ({
    path: '/v1/chat/completions',
    headers: bearer(key),
    body: { model, messages: [{ role: 'user', content: prompt }], max_tokens: tokens },
  }),
  'openai-responses': (model, key) => ({
    path: '/v1/responses',
    headers: bearer(key),
    body: { model, input: prompt, max_output_tokens: tokens, store: false },
  }),
  anthropic: (model, key) => ({
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) },
    body: { model, messages: [{ role: 'user', content: prompt }], max_tokens: tokens },
  }),
  gemini: (model, key) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: key === undefined ? {} : { 'x-goog-api-key': key },
    body: { contents: [{ role: 'user', parts: [{ text: prompt }] }], generationConfig: { maxOutputTokens: tokens } },
  }),
};

export function askModel({ api, root, apiKey, headers: more }: ModelEndpoint, model: string): ModelQuestion {
  const { path, headers, body } = questions[api](model, apiKey);
  return { url: `${root}${path}`, headers: { 'content-type': 'application/json', ...headers, ...more }, body };
}

function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
