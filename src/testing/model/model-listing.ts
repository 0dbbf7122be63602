import type { JsonObject } from '../../base/json.ts';
import type { ModelApi } from './model-request.ts';

/** Creation time of all models of the server, in seconds. */
const madeSeconds = 1_767_225_600;

/** One model, as the API describes it. */
export function describeModel(api: ModelApi, model: string): JsonObject {
  if (api === 'gemini')
    return {
      name: `models/${model}`,
      version: '1',
      displayName: model,
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    };
  if (api === 'anthropic')
    return { type: 'model', id: model, display_name: model, created_at: new Date(madeSeconds * 1000).toISOString() };
  return { id: model, object: 'model', created: madeSeconds, owned_by: 'agent-run' };
}

export function listModels(api: ModelApi, models: readonly string[]): JsonObject {
  const all = models.map(model => describeModel(api, model));
  if (api === 'gemini') return { models: all };
  if (api === 'anthropic')
    return { data: all, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
  return { object: 'list', data: all };
}
