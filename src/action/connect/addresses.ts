/** Where a person finds a run. */
import type { AgentRuns } from '../../client/index.ts';
import type { CreateRunAnswer } from '../../contract/create.ts';
import { routePath } from '../../contract/tables/routes.ts';

/** The link to a run's page, or undefined: whatever a server says there, only an http address is one. */
export function readSessionLink(answer: { readonly session_link?: unknown }): string | undefined {
  const link = answer.session_link;
  return typeof link === 'string' && /^https?:\/\/[!-~]{1,2000}$/.test(link) ? link : undefined;
}

/** Address of a run: its page where the server has one at `/runs/{id}`, otherwise its address in the interface; '' for an id that fits in none. */
export function addressOfRun(client: AgentRuns, answer: Pick<CreateRunAnswer, 'run_id' | 'session_link'>): string {
  const page = readSessionLink(answer)?.split('?')[0];
  if (page?.endsWith(`/runs/${answer.run_id}`)) return page;
  try {
    return `${client.baseUrl}${routePath('readRun', { runId: answer.run_id })}`;
  } catch {
    // Following such a run says what is wrong with its id.
    return '';
  }
}
