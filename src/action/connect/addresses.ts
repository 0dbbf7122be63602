import type { AgentRuns } from '../../client/index.ts';
import type { CreateRunAnswer } from '../../contract/create.ts';
import { routePath } from '../../contract/tables/routes.ts';

/** Returns the link to a run's page, or undefined. A server may send any value, and only an http(s) URL is used. */
export function readSessionLink(answer: { readonly session_link?: unknown }): string | undefined {
  const link = answer.session_link;
  return typeof link === 'string' && /^https?:\/\/[!-~]{1,2000}$/.test(link) ? link : undefined;
}

/** A run's page if it is at `/runs/{id}`, otherwise its API address. '' if the id fits neither. */
export function addressOfRun(client: AgentRuns, answer: Pick<CreateRunAnswer, 'run_id' | 'session_link'>): string {
  const page = readSessionLink(answer)?.split('?')[0];
  if (page?.endsWith(`/runs/${answer.run_id}`)) return page;
  try {
    return `${client.baseUrl}${routePath('readRun', { runId: answer.run_id })}`;
  } catch {
    // Following such a run reports the faulty id.
    return '';
  }
}
