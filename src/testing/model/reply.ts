import type { OfferedTool } from './model-request.ts';
import type { ModelUsage } from './script/turn.ts';

/** A tool call of the model: `input` for APIs that take objects, `text` for those that take text. */
export interface ReplyCall {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly kind: OfferedTool['kind'];
  readonly input: unknown;
  readonly inputText: string;
}

/** A model's answer, independent of an API. */
export interface Reply {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly ReplyCall[];
  readonly stop: 'stop' | 'tools' | 'length' | 'refusal';
  readonly usage: ModelUsage;
}
