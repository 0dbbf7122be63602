import type { OfferedTool } from './model-request.ts';
import type { ModelUsage } from './script/turn.ts';

/** A call as the model makes it, with an input for the APIs that take objects and a text for those that take text. */
export interface ReplyCall {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly kind: OfferedTool['kind'];
  readonly input: unknown;
  readonly inputText: string;
}

/** What a model answers, before an API words it. */
export interface Reply {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly ReplyCall[];
  readonly stop: 'stop' | 'tools' | 'length' | 'refusal';
  readonly usage: ModelUsage;
}
