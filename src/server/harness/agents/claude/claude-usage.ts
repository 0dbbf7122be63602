import type { JsonObject } from '../../../../base/json.ts';
import type { EventDraft } from '../../../../contract/events.ts';
import { type RunUsage, readCount, readObject, readText } from '../event-parts.ts';

type Tokens = Pick<RunUsage, 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'reasoning_tokens'>;

/** Counts the usage of a run. Each function returns a usage event, or nothing if nothing changed. */
export interface ClaudeUsage {
  /** An answer began, so its input is known. */
  begin(id: string, usage: unknown): readonly EventDraft[];
  /** An answer ended, so its output is known. */
  end(id: string, usage: unknown): readonly EventDraft[];
  /** A result covers all answers since the one before, also those of subagents. */
  settle(result: JsonObject): readonly EventDraft[];
}

/**
 * Limits within one result: models, and answers since the result before. Tools can write any number to the program's
 * output.
 */
const modelsMax = 1000;
const answersMax = 10_000;
const none: Tokens = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 };

export function countClaudeUsage(): ClaudeUsage {
  /** Answers since the last result. */
  const open = new Map<string, Tokens>();
  let openSum = none;
  let settled = none;
  let settledRequests = 0;
  /** Undefined once it is unknown for one model. */
  let cost: number | undefined = 0;
  let told = '';
  const report = (): readonly EventDraft[] => {
    const data: RunUsage = {
      ...combine(settled, openSum, add),
      requests: settledRequests + open.size,
      ...(open.size > 0 || !cost ? {} : { cost_usd: cost }),
    };
    const json = JSON.stringify(data);
    if (json === told || (told === '' && data.requests === 0)) return [];
    told = json;
    return [{ type: 'usage', data: { ...data } }];
  };
  const note = (id: string, tokens: Tokens): void => {
    const before = open.get(id);
    if (before === undefined && open.size >= answersMax) return;
    open.set(id, tokens);
    openSum = combine(combine(openSum, tokens, add), before ?? none, (sum, one) => sum - one);
  };
  return {
    begin(id, usage) {
      note(id, readTokens(usage));
      return report();
    },
    end(id, usage) {
      // Some endpoints report the input only at the beginning.
      note(id, combine(open.get(id) ?? none, readTokens(usage), Math.max));
      return report();
    },
    settle({ model_usage_since_last_result: byModel }) {
      const models = Object.values(readObject(byModel)).slice(0, modelsMax).map(readObject);
      const sum =
        models.length > 0 ? models.map(readModelTokens).reduce((all, one) => combine(all, one, add)) : openSum;
      settled = combine(settled, sum, add);
      settledRequests += open.size;
      open.clear();
      openSum = none;
      const isPriced = models.every(({ costBasis }) => readText(costBasis) === 'list');
      cost =
        cost === undefined || !isPriced
          ? undefined
          : models.reduce((total, { costUSD }) => total + readCount(costUSD), cost);
      return report();
    },
  };
}

const add = (one: number, other: number): number => one + other;

/** Combines each number of one with the same number of the other. */
function combine(one: Tokens, other: Tokens, put: (one: number, other: number) => number): Tokens {
  return {
    input_tokens: put(one.input_tokens, other.input_tokens),
    output_tokens: put(one.output_tokens, other.output_tokens),
    cached_tokens: put(one.cached_tokens, other.cached_tokens),
    reasoning_tokens: put(one.reasoning_tokens, other.reasoning_tokens),
  };
}

/** Anthropic does not count tokens read from or written to the cache as input. */
function readTokens(usage: unknown): Tokens {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens_details } =
    readObject(usage);
  const cached = readCount(cache_read_input_tokens);
  return {
    input_tokens: readCount(input_tokens) + cached + readCount(cache_creation_input_tokens),
    output_tokens: readCount(output_tokens),
    cached_tokens: cached,
    reasoning_tokens: readCount(readObject(output_tokens_details).thinking_tokens),
  };
}

function readModelTokens({
  inputTokens,
  outputTokens,
  cacheReadInputTokens,
  cacheCreationInputTokens,
  thinkingTokens,
}: JsonObject): Tokens {
  const cached = readCount(cacheReadInputTokens);
  return {
    input_tokens: readCount(inputTokens) + cached + readCount(cacheCreationInputTokens),
    output_tokens: readCount(outputTokens),
    cached_tokens: cached,
    reasoning_tokens: readCount(thinkingTokens),
  };
}
