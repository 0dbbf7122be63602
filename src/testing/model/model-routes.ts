import type { Target } from './apis/wire-api.ts';
import type { ModelApi } from './model-request.ts';

/** Purpose of an address. */
export type ModelRoute =
  | { readonly for: 'answer' | 'count'; readonly api: ModelApi; readonly target: Target }
  /** All models, or one. */
  | { readonly for: 'models'; readonly api: ModelApi; readonly model: string | undefined };

const posts: Readonly<Record<string, ModelRoute>> = {
  '/v1/chat/completions': { for: 'answer', api: 'openai-chat', target: {} },
  '/v1/responses': { for: 'answer', api: 'openai-responses', target: {} },
  '/v1/responses/input_tokens': { for: 'count', api: 'openai-responses', target: {} },
  '/v1/messages': { for: 'answer', api: 'anthropic', target: {} },
  '/v1/messages/count_tokens': { for: 'count', api: 'anthropic', target: {} },
};

/** Undefined for an unknown address. `isAnthropic`: OpenAI and Anthropic list their models at one address. */
export function findModelRoute(method: string, path: string, isAnthropic: boolean): ModelRoute | undefined {
  if (method === 'POST' && Object.hasOwn(posts, path)) return posts[path];
  const [, version, rest, verb] = /^\/(v1beta|v1)\/models(?:\/([^:]+))?(?::(\w+))?$/.exec(path) ?? [];
  if (version === undefined) return undefined;
  const model = rest === undefined ? undefined : decodeModel(rest);
  if (method === 'GET' && verb === undefined)
    return { for: 'models', api: version === 'v1beta' ? 'gemini' : isAnthropic ? 'anthropic' : 'openai-chat', model };
  if (method !== 'POST' || version !== 'v1beta' || model === undefined) return undefined;
  switch (verb) {
    case 'generateContent':
      return { for: 'answer', api: 'gemini', target: { model, isStreamed: false } };
    case 'streamGenerateContent':
      return { for: 'answer', api: 'gemini', target: { model, isStreamed: true } };
    case 'countTokens':
      return { for: 'count', api: 'gemini', target: { model } };
    default:
      return undefined;
  }
}

/** The API of an address. Unknown addresses have one too, so that errors have the right shape. */
export function guessApi(path: string, isAnthropic: boolean): ModelApi {
  if (path.startsWith('/v1beta')) return 'gemini';
  if (path.startsWith('/v1/responses')) return 'openai-responses';
  return isAnthropic || path.startsWith('/v1/messages') ? 'anthropic' : 'openai-chat';
}

function decodeModel(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
