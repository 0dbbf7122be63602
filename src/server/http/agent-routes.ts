import type { Handler } from 'hono';
import { type AgentsAnswer, agentQuerySchema, type FoundAgents } from '../../contract/agents.ts';
import type { RunStore } from '../store/store.ts';
import type { Handlers, HttpEnv } from './app.ts';
import { RequestError } from './problem-response.ts';
import { parseQuery } from './request-body.ts';
import { printTime } from './runs/run-view.ts';

type Agent = AgentsAnswer['agents'][number];

/** GET /agent */
export function handleListAgents({ listSkills, store, stopping }: Handlers): Handler<HttpEnv> {
  return async c => {
    const query = c.req.query();
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
    const { repo, refresh, sort_by, include_malformed_skills } = parseQuery(agentQuerySchema, given);
    const answer = await listSkills({
      repo,
      isFresh: refresh === 'true',
      withMalformed: include_malformed_skills === 'true',
      signal: stopping,
    }).catch((error: unknown) => {
      if (!stopping.aborted) throw error;
      throw new RequestError('resource_unavailable', 'the server is stopping');
    });
    if ('refused' in answer) throw new RequestError(answer.refused, answer.message);
    const agents = await addLastRuns(answer, store);
    return c.json<AgentsAnswer>({ agents: sort_by === 'last_run' ? sortByLastRun(agents) : agents });
  };
}

async function addLastRuns({ agents }: FoundAgents, store: RunStore): Promise<Agent[]> {
  const ids = agents.flatMap(({ variants }) => variants.map(({ id }) => id));
  const lastRuns = await store.findLastRuns(ids);
  const addTo = (variant: (typeof agents)[number]['variants'][number]) => {
    const lastRun = lastRuns.get(variant.id);
    return { ...variant, last_run_timestamp: lastRun === undefined ? null : printTime(lastRun) };
  };
  return agents.map(({ name, variants }) => ({ name, variants: variants.map(addTo) }));
}

/** Keeps the order of names for equal times. Timestamps of one format sort as text. */
function sortByLastRun(agents: readonly Agent[]): Agent[] {
  const newestFirst = (a: string | null | undefined, b: string | null | undefined): number =>
    (a ?? '') < (b ?? '') ? 1 : (a ?? '') > (b ?? '') ? -1 : 0;
  return agents
    .map(({ name, variants }) => ({
      name,
      variants: variants.toSorted((a, b) => newestFirst(a.last_run_timestamp, b.last_run_timestamp)),
    }))
    .toSorted((a, b) => newestFirst(a.variants[0]?.last_run_timestamp, b.variants[0]?.last_run_timestamp));
}
