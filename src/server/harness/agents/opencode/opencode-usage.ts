import type { JsonObject } from '../../../../base/json.ts';
import { type RunUsage, readCount, readObject } from '../event-parts.ts';

/**
 * Sums the usage of all answers: `{ tokens: { input, output, reasoning, cache: { read, write } } }`, where no number
 * includes another.
 */
export function createUsageSum() {
  const sum = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0, requests: 0 };
  return {
    add(part: JsonObject): RunUsage {
      const { input, output, reasoning, cache } = readObject(part.tokens);
      const { read, write } = readObject(cache);
      sum.input_tokens += readCount(input) + readCount(read) + readCount(write);
      sum.output_tokens += readCount(output) + readCount(reasoning);
      sum.cached_tokens += readCount(read);
      sum.reasoning_tokens += readCount(reasoning);
      sum.requests += 1;
      return { ...sum };
    },
  };
}
