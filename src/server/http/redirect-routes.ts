/** The two addresses that need no key: from one unguessable id to the other, and nothing more of the run. */
import type { Handler } from 'hono';
import type { ConversationRedirect, SessionRedirect } from '../../contract/redirects.ts';
import { isFinal } from '../../contract/tables/state.ts';
import type { Handlers, HttpEnv } from './app.ts';

/** GET /agent/sessions/{sessionUuid}/redirect: `{}` also for a session that is not known. */
export function handleRedirectSession({ store }: Handlers): Handler<HttpEnv> {
  return async c => {
    const run = await store.findSession(c.req.param('sessionUuid') ?? '');
    return c.json<SessionRedirect>(
      run !== undefined && isFinal(run.state) ? { conversation_id: run.conversationId } : {},
    );
  };
}

/** GET /agent/conversations/{conversationId}/redirect: `{}` also for a conversation that is not known. */
export function handleRedirectConversation({ store }: Handlers): Handler<HttpEnv> {
  return async c => {
    const run = await store.findNewest((c.req.param('conversationId') ?? '').toLowerCase());
    const session = run?.continuation?.sessionId;
    return c.json<ConversationRedirect>(
      run === undefined || session === undefined || isFinal(run.state) ? {} : { session_id: session },
    );
  };
}
