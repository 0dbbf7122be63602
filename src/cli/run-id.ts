import type { AgentRuns } from '../client/index.ts';
import { sizes } from '../contract/sizes.ts';
import { UsageError } from './arguments.ts';

const whole = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const part = /^[0-9a-f][0-9a-f-]{3,34}$/i;

/** The end of an id: it is random, while ids that were made in the same minute have the same beginning. */
export function shortenId(id: string): string {
  return whole.test(id) ? id.slice(-8) : id;
}

/**
 * The id of the run that a person means: an id, its beginning or its end, or `last`. A whole id costs no request. Throws UsageError where
 * several runs match.
 */
export async function findRunId(client: AgentRuns, text: string): Promise<string> {
  if (text !== 'last' && (whole.test(text) || !part.test(text))) return text;
  const limit = text === 'last' ? 1 : sizes.listLimit;
  const { runs } = await client.runs.list({ limit, sort_by: 'created_at' });
  if (text === 'last') {
    if (runs[0] === undefined) throw new Error('There are no runs. Start one with `agent-run run`.');
    return runs[0].run_id;
  }
  const wanted = text.toLowerCase();
  const found = runs.filter(({ run_id: id }) => id.startsWith(wanted) || id.endsWith(wanted));
  if (found[0] === undefined)
    throw new Error(
      `No id among the newest ${runs.length} runs starts or ends with "${text}". Give the whole id, or see agent-run list.`,
    );
  if (found.length > 1)
    throw new UsageError(
      [
        `"${text}" matches ${found.length} runs. Give more of the id:`,
        ...found.slice(0, 10).map(({ run_id: id, state, title }) => `  ${id}  ${state}  ${title}`),
      ].join('\n'),
    );
  return found[0].run_id;
}
