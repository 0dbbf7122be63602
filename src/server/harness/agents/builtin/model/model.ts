import type { LanguageModel, ModelMessage } from 'ai';
import type { AgentSpec } from '../../adapter.ts';

/** The model to ask, and the API's options in addition to the messages. */
export interface AskedModel {
  readonly model: LanguageModel;
  readonly options: ProviderOptions;
  /** Added to the system prompt and the last message, for APIs that must be told to cache the conversation. */
  readonly cacheMark: ProviderOptions;
  /** Limit on the tokens of one answer. Undefined if the API needs none. */
  readonly maxOutputTokens: number | undefined;
}

type ProviderOptions = NonNullable<ModelMessage['providerOptions']>;
type Fetch = typeof globalThis.fetch;

/**
 * For unknown models the SDK asks for 4096, which truncates a long file. Known models with a lower limit get that
 * limit.
 */
const anthropicOutputTokens = 32_000;
/** The SDK requires a key. Without one, its header is removed again. */
const noKey = 'none';
const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** Loads only the package of the endpoint's API, because loading is slow. */
export async function createModel(
  { endpoint, model: name }: Pick<AgentSpec, 'endpoint' | 'model'>,
  fetch: Fetch,
): Promise<AskedModel> {
  const { root, api, apiKey, headers } = endpoint;
  const settings = {
    apiKey: apiKey ?? noKey,
    ...(headers && { headers }),
    fetch: apiKey === undefined ? withoutKey(fetch) : fetch,
  };
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
      // The conversation is kept here and sent completely each time, because not every endpoint stores one.
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
