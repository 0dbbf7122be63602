import { type LanguageModelUsage, type ModelMessage, streamText, type ToolSet } from 'ai';
import { messageOf } from '../../../../../base/cause.ts';
import type { Clock } from '../../../../../base/clock.ts';
import { splitReasoning } from '../answer-text.ts';
import type { BuiltinLine } from '../builtin-lines.ts';
import type { Messages } from '../history.ts';
import { ToolFault } from '../tools/tool-fault.ts';
import type { AskedModel } from './model.ts';
import { type ModelFault, readModelFault } from './model-fault.ts';

export interface StepParts {
  readonly asked: AskedModel;
  readonly system: string;
  readonly tools: ToolSet;
  readonly messages: Messages;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly emit: (line: BuiltinLine) => void;
  /** Called when the model has answered and its tools start. */
  readonly onAnswer: (usage: LanguageModelUsage) => void;
}

/** The finish reason. */
type Finish = 'answer' | 'calls' | 'length' | 'refusal';

export type StepOutcome =
  | {
      readonly kind: 'answered';
      readonly finish: Finish;
      /** The answer's text, without reasoning and calls. */
      readonly text: string;
      /** Messages to append to the conversation: the answer, and the results of its calls. */
      readonly messages: Messages;
    }
  /** The answer is incomplete, and no tool was called. */
  | ({ readonly kind: 'failed' } & ModelFault);

/**
 * Asks the model once, and runs the tools that it calls, one after another. Its text becomes lines when the answer is
 * complete. Rejects when stopped.
 */
export async function takeStep(parts: StepParts): Promise<StepOutcome> {
  const { asked, signal, clock } = parts;
  const broken = new AbortController();
  const answer = new StepLines(parts);
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    // No tool of an incomplete answer may run, because the model will be asked again.
    if (!answer.isWhole) broken.abort();
  };
  const result = streamText({
    model: asked.model,
    instructions: { role: 'system', content: parts.system, providerOptions: asked.cacheMark },
    messages: markLast(parts.messages, asked.cacheMark),
    tools: parts.tools,
    toolCallConcurrency: 1,
    maxRetries: 0,
    providerOptions: asked.options,
    ...(asked.maxOutputTokens === undefined ? {} : { maxOutputTokens: asked.maxOutputTokens }),
    abortSignal: AbortSignal.any([signal, broken.signal]),
    onError: ({ error }) => fail(error),
    onLanguageModelCallEnd: ({ content, usage, finishReason }) => {
      if (failure === undefined) answer.end({ content, usage, finishReason });
    },
  });
  let ending: { readonly finishReason: string; readonly rawFinishReason: string | undefined } | undefined;
  try {
    for await (const part of result.stream) {
      if (part.type === 'error') fail(part.error);
      else if (part.type === 'finish-step') ending = part;
      else if (part.type === 'tool-result') answer.addResult(part.toolCallId, part.output);
      else if (part.type === 'tool-error') answer.addFailure(part.toolCallId, part.error);
    }
  } catch (error) {
    fail(error);
  }
  signal.throwIfAborted();
  if (failure !== undefined && !answer.isWhole)
    return { kind: 'failed', ...readModelFault(failure.error, clock.now()) };
  // A connection that breaks after the end of an answer does no harm.
  if (failure !== undefined && ending === undefined) throw failure.error;
  const finish = readFinish(ending, answer.calls);
  if (typeof finish !== 'string') return { kind: 'failed', ...finish };
  const isWhole = finish === 'answer' || finish === 'calls';
  const messages = isWhole ? await result.responseMessages : keepText(answer.text);
  return { kind: 'answered', finish, text: answer.text, messages };
}

/** Drops the calls of an answer that were not run. Endpoints refuse a conversation with calls that have no results. */
function keepText(text: string): Messages {
  return text === '' ? [] : [{ role: 'assistant', content: text }];
}

/** A fault if the model did not end its answer itself. */
function readFinish(
  ending: { readonly finishReason: string; readonly rawFinishReason: string | undefined } | undefined,
  calls: number,
): Finish | ModelFault {
  switch (ending?.finishReason) {
    case 'stop':
    case 'tool-calls':
      return calls > 0 ? 'calls' : 'answer';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'refusal';
  }
  const reason = ending?.rawFinishReason;
  if (reason === undefined)
    return { fault: 'network', message: 'the answer broke off without an end', isRetryable: true };
  if (/context_window/i.test(reason))
    return { fault: 'context_length', message: `the model ended with ${reason}`, isRetryable: false };
  return { fault: 'provider', message: `the model ended its answer with ${reason}`, isRetryable: true };
}

interface AnswerEnd {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly toolCallId?: string;
    readonly toolName?: string;
    readonly input?: unknown;
  }[];
  readonly usage: LanguageModelUsage;
  readonly finishReason: string;
}

/** The lines of an answer, buffered until it is complete: a broken one is requested again. */
class StepLines {
  readonly #parts: StepParts;
  readonly #early = new Map<string, BuiltinLine>();
  /** Waiting calls. They run one after another. */
  readonly #waiting: { readonly id: string; readonly line: BuiltinLine }[] = [];
  isWhole = false;
  text = '';
  calls = 0;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  end({ content, usage, finishReason }: AnswerEnd): void {
    if (finishReason === 'error' || finishReason === 'other') return;
    const { emit, onAnswer } = this.#parts;
    this.isWhole = true;
    onAnswer(usage);
    const texts: string[] = [];
    for (const part of content) {
      if (part.type === 'text') {
        const { thoughts, said } = splitReasoning(part.text ?? '');
        this.#think(thoughts);
        if (said.trim() === '') continue;
        texts.push(said);
        emit({ type: 'message', data: { role: 'assistant', text: said } });
      } else if (part.type === 'reasoning') {
        this.#think(part.text ?? '');
      } else if (part.type === 'tool-call') {
        this.calls += 1;
        const id = part.toolCallId ?? '';
        const line: BuiltinLine = { type: 'tool_call', data: { id, name: part.toolName ?? '', input: part.input } };
        this.#waiting.push({ id, line });
      }
    }
    this.text = texts.join('\n\n');
    this.#beginNext();
  }

  #beginNext(): void {
    for (let call = this.#waiting.shift(); call !== undefined; call = this.#waiting.shift()) {
      this.#parts.emit(call.line);
      const result = this.#early.get(call.id);
      if (result === undefined) return;
      this.#parts.emit(result);
    }
  }

  #think(thoughts: string): void {
    const text = thoughts.trim();
    if (text !== '') this.#parts.emit({ type: 'log', data: { stream: 'system', text: `thinking: ${text}\n` } });
  }

  addResult(id: string, output: unknown): void {
    this.#add(id, { output: typeof output === 'string' ? output : JSON.stringify(output), is_error: false });
  }

  addFailure(id: string, error: unknown): void {
    const exit = error instanceof ToolFault ? error.exit : undefined;
    this.#add(id, { output: messageOf(error), is_error: true, ...exit });
  }

  #add(id: string, result: { readonly output: string; readonly is_error: boolean; readonly exit_code?: number }): void {
    const line: BuiltinLine = { type: 'tool_result', data: { id, ...result } };
    // A call of an unknown tool is answered before the model has finished.
    if (!this.isWhole || this.#waiting.some(call => call.id === id)) this.#early.set(id, line);
    else {
      this.#parts.emit(line);
      this.#beginNext();
    }
  }
}

function markLast(messages: Messages, mark: AskedModel['cacheMark']): ModelMessage[] {
  const last = messages.at(-1);
  if (last === undefined || Object.keys(mark).length === 0) return [...messages];
  return [...messages.slice(0, -1), { ...last, providerOptions: { ...last.providerOptions, ...mark } }];
}
