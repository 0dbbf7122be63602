import type { LanguageModelUsage } from 'ai';

/** Usage of a run so far. */
export interface RunUsage {
  /** Includes cached tokens. */
  readonly input_tokens: number;
  /** Includes tokens of reasoning. */
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  /** Includes failed requests. */
  readonly requests: number;
}

export const noUsage: RunUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  reasoning_tokens: 0,
  requests: 0,
};

/** Counts that an endpoint does not report are 0. */
export function addUsage(usage: RunUsage, step: LanguageModelUsage): RunUsage {
  return {
    ...usage,
    input_tokens: usage.input_tokens + (step.inputTokens ?? 0),
    output_tokens: usage.output_tokens + (step.outputTokens ?? 0),
    cached_tokens: usage.cached_tokens + (step.inputTokenDetails.cacheReadTokens ?? 0),
    reasoning_tokens: usage.reasoning_tokens + (step.outputTokenDetails.reasoningTokens ?? 0),
  };
}
