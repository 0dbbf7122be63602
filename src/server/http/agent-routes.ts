import type { Handler } from 'hono';
import { type AgentsAnswer, agentQuerySchema } from '../../contract/agents.ts';
import type { Handlers, HttpEnv } from './app.ts';
import { RequestError } from './problem.ts';
import { parseQuery } from './request-body.ts';

/** GET /agent */
export function handleListAgents({ listSkills, stopping }: Handlers): Handler<HttpEnv> {
  return async c => {
    const query = c.req.query();
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
    const { repo, refresh, include_malformed_skills } = parseQuery(agentQuerySchema, given);
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
    return c.json<AgentsAnswer>(answer);
  };
}
