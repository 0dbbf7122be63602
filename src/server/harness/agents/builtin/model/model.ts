import type { LanguageModel, ModelMessage } from 'ai';
import type { AgentSpec } from '../../adapter.ts';

/** The model to ask, and what its API needs beside the messages. */
export interface AskedModel {
  readonly model: LanguageModel;
  readonly options: ProviderOptions;
  /** Put beside the system prompt and the last message: where the API is to remember the conversation so far. */
  readonly cacheMark: ProviderOptions;
  /** Tokens of one answer; undefined where the API needs no bound. */
  readonly maxOutputTokens: number | undefined;
}

type ProviderOptions = NonNullable<ModelMessage['providerOptions']>;
type Fetch = typeof globalThis.fetch;

/** Of models that the SDK does not know it would ask for 4096, which cuts a file of some length. Known ones that give less are asked for less. */
const anthropicOutputTokens = 32_000;
/** The SDK wants a key; where there is none its header is taken away again. */
const noKey = 'none';
const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** Loads the package of the endpoint's API alone: each takes its time. */
export async function createModel(
  { endpoint, model: name }: Pick<AgentSpec, 'endpoint' | 'model'>,
  fetch: Fetch,
): Promise<AskedModel> {
  const { root, api, apiKey } = endpoint;
  const settings = { apiKey: apiKey ?? noKey, fetch: apiKey === undefined ? withoutKey(fetch) : fetch };
  const plain = { options: {}, cacheMark: {}, maxOutputTokens: undefined };
  switch (api) {
    case 'openai-chat': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const provider = createOpenAICompatible({
        ...settings,
        name: 'endpoint',
        baseURL: `${root}/v1`,
        includeUsage: true,
      });
      return { ...plain, model: provider(name) };
    }
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const model = createOpenAI({ ...settings, baseURL: `${root}/v1` }).responses(name);
      // The conversation is kept here and sent whole each time: not every endpoint keeps one.
      return { ...plain, model, options: { openai: { store: false } } };
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return {
        model: createAnthropic({ ...settings, baseURL: `${root}/v1` })(name),
        options: {},
        cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
        maxOutputTokens: anthropicOutputTokens,
      };
    }
    case 'gemini': {
      const { createGoogle } = await import('@ai-sdk/google');
      return { ...plain, model: createGoogle({ ...settings, baseURL: `${root}/v1beta` })(name) };
    }
  }
}

function withoutKey(fetch: Fetch): Fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const name of keyHeaders) headers.delete(name);
    return fetch(input, { ...init, headers });
  };
}
