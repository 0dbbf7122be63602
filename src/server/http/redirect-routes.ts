/** Two addresses that need no key. They map one unguessable id to another and reveal nothing else of the run. */
import type { Handler } from 'hono';
import type { ConversationRedirect, SessionRedirect } from '../../contract/redirects.ts';
import { isFinal } from '../../contract/tables/state.ts';
import type { Handlers, HttpEnv } from './app.ts';

/** GET /agent/sessions/{sessionUuid}/redirect: `{}` for an unknown session. */
export function handleRedirectSession({ store }: Handlers): Handler<HttpEnv> {
  return async c => {
    const run = await store.findSession(c.req.param('sessionUuid') ?? '');
    return c.json<SessionRedirect>(
      run !== undefined && isFinal(run.state) ? { conversation_id: run.conversationId } : {},
    );
  };
}

/** GET /agent/conversations/{conversationId}/redirect: `{}` for an unknown conversation. */
export function handleRedirectConversation({ store }: Handlers): Handler<HttpEnv> {
  return async c => {
    const run = await store.findNewest((c.req.param('conversationId') ?? '').toLowerCase());
    const session = run?.continuation?.sessionId;
    return c.json<ConversationRedirect>(
      run === undefined || session === undefined || isFinal(run.state) ? {} : { session_id: session },
    );
  };
}
