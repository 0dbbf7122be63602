import type { JsonObject } from '../../../../base/json.ts';
import type { EventDraft } from '../../../../contract/events.ts';
import { type RunUsage, readCount, readObject, readText } from '../event-parts.ts';

type Tokens = Pick<RunUsage, 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'reasoning_tokens'>;

/** Counts what a run uses. Each function gives the event that tells of it, or nothing where nothing has changed. */
export interface ClaudeUsage {
  /** An answer began: its input is known. */
  begin(id: string, usage: unknown): readonly EventDraft[];
  /** An answer ended: so is its output. */
  end(id: string, usage: unknown): readonly EventDraft[];
  /** A result: what it says holds for all answers since the one before, also those of agents below this one. */
  settle(result: JsonObject): readonly EventDraft[];
}

export function countClaudeUsage(): ClaudeUsage {
  /** Answers since the last result. */
  const open = new Map<string, Tokens>();
  let settled: Tokens[] = [];
  let settledRequests = 0;
  /** Undefined once it is not known of one model. */
  let cost: number | undefined = 0;
  let told = '';
  const tell = (): readonly EventDraft[] => {
    const tokens = [...settled, ...open.values()];
    const sum = (name: keyof Tokens) => tokens.reduce((total, one) => total + one[name], 0);
    const data: RunUsage = {
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
      cached_tokens: sum('cached_tokens'),
      reasoning_tokens: sum('reasoning_tokens'),
      requests: settledRequests + open.size,
      ...(open.size > 0 || !cost ? {} : { cost_usd: cost }),
    };
    const json = JSON.stringify(data);
    if (json === told || (told === '' && data.requests === 0)) return [];
    told = json;
    return [{ type: 'usage', data: { ...data } }];
  };
  return {
    begin(id, usage) {
      open.set(id, readTokens(usage));
      return tell();
    },
    end(id, usage) {
      // Some endpoints tell of the input at the beginning only.
      const [first, last] = [open.get(id) ?? readTokens(undefined), readTokens(usage)];
      const longer = (name: keyof Tokens) => Math.max(first[name], last[name]);
      open.set(id, {
        input_tokens: longer('input_tokens'),
        output_tokens: longer('output_tokens'),
        cached_tokens: longer('cached_tokens'),
        reasoning_tokens: longer('reasoning_tokens'),
      });
      return tell();
    },
    settle({ model_usage_since_last_result: byModel }) {
      const models = Object.values(readObject(byModel)).map(readObject);
      settled = [...settled, ...(models.length > 0 ? models.map(readModelTokens) : open.values())];
      settledRequests += open.size;
      open.clear();
      const isPriced = models.every(({ costBasis }) => readText(costBasis) === 'list');
      cost =
        cost === undefined || !isPriced
          ? undefined
          : models.reduce((total, { costUSD }) => total + readCount(costUSD), cost);
      return tell();
    },
  };
}

/** As Anthropic counts: what is read from the cache and written to it is no part of the input. */
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
