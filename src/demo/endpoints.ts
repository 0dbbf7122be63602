/**
 * Real models found on this machine, and the commands that make the demo use one. The search contacts only this
 * machine, so it costs nothing.
 */
import { isObject } from '../base/json.ts';
import type { ModelApi } from '../testing/index.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export const modelApis = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
] as const satisfies readonly ModelApi[];

/** Usual variables for keys, and a model to begin with. */
const providers = [
  { variable: 'OPENAI_API_KEY', api: 'openai-responses', model: 'gpt-5.4-mini' },
  { variable: 'ANTHROPIC_API_KEY', api: 'anthropic', model: 'claude-haiku-4-5' },
  { variable: 'GEMINI_API_KEY', api: 'gemini', model: 'gemini-flash-latest' },
] as const satisfies readonly { readonly variable: string; readonly api: ModelApi; readonly model: string }[];

/** The usual variable for the key of an API's own provider. */
export function usualKeyVariable(api: ModelApi): string {
  return providers.find(provider => provider.api === api)?.variable ?? 'OPENAI_API_KEY';
}

const ollamaUrl = 'http://127.0.0.1:11434';
const probeMs = 200;

export interface Suggestion {
  /** Reason for the suggestion. */
  readonly found: string;
  readonly command: string;
}

/** Suggests a command for each key and for a running Ollama. Never rejects. */
export async function suggestEndpoints(env: Variables, ollama = ollamaUrl): Promise<readonly Suggestion[]> {
  const keys = providers
    .filter(({ variable }) => (env[variable] ?? '').trim() !== '')
    .map(({ variable, api, model }) => ({
      found: `${variable} is set`,
      command: `npm start -- --model ${model} --model-api ${api}`,
    }));
  const local = await findOllamaModel(ollama);
  if (local === undefined) return keys;
  const command = `npm start -- --model ${local} --model-url ${ollama}`;
  return [...keys, { found: `Ollama is running on ${new URL(ollama).host}`, command }];
}

/** An installed model whose name needs no quotes in a command. */
async function findOllamaModel(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(probeMs) });
    const answer: unknown = await response.json();
    const models: readonly unknown[] = isObject(answer) && Array.isArray(answer.models) ? answer.models : [];
    const names = models.map(model => (isObject(model) ? String(model.name) : ''));
    return names.find(name => /^[\w.:/-]+$/.test(name) && !name.startsWith('-'));
  } catch {
    return undefined;
  }
}
