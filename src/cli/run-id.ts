import type { AgentRuns } from '../client/index.ts';
import { sizes } from '../contract/tables/sizes.ts';
import { UsageError } from './arguments.ts';

const whole = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const part = /^[0-9a-f][0-9a-f-]{3,34}$/i;

/** The end of an id. It is random, while ids from the same minute begin alike. */
export function shortenId(id: string): string {
  return whole.test(id) ? id.slice(-8) : id;
}

const whatToGive = 'Give "last", a full id, or 4 or more characters from its start or its end; see npx agent-run list';

/** Why a named run may not exist, and what to do. */
export function explainUnknownRun(text: string): string {
  if (whole.test(text)) return `This server has no run ${text}; see npx agent-run list`;
  const fault = /^[0-9a-f]{1,3}$/i.test(text) ? 'too short for a run id' : 'not the id of a run on this server';
  return `"${text}" is ${fault}. ${whatToGive}`;
}

/**
 * The id of the run that a person means by an id, its beginning or end, the beginning of its short form, or `last`. A
 * whole id costs no request. Throws UsageError if several runs match.
 */
export async function findRunId(client: AgentRuns, text: string): Promise<string> {
  if (text !== 'last' && (whole.test(text) || !part.test(text))) return text;
  const limit = text === 'last' ? 1 : sizes.listLimit;
  const { runs } = await client.runs.list({ limit, sort_by: 'created_at' });
  const wanted = text.toLowerCase();
  const found = runs.filter(
    ({ run_id: id }) =>
      text === 'last' || id.startsWith(wanted) || id.endsWith(wanted) || shortenId(id).startsWith(wanted),
  );
  if (found[0] === undefined)
    throw new Error(
      runs.length === 0
        ? 'This server has no runs yet'
        : `No run matches "${text}" (searched the newest ${runs.length}). ${whatToGive}`,
    );
  if (found.length === 1 || text === 'last') return found[0].run_id;
  const matches = found.slice(0, 10).map(({ run_id: id, state, title }) => `  ${id}  ${state}  ${title}`);
  const more = found.length > matches.length ? [`  and ${found.length - matches.length} more`] : [];
  throw new UsageError(
    [`"${text}" matches ${found.length} runs. Give more of the id:`, ...matches, ...more].join('\n'),
  );
}
