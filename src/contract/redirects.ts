import { z } from 'zod';

/** Where a viewer of a session should look instead; empty while the session is the right place. */
export const sessionRedirectSchema = z.object({
  conversation_id: z.string().optional().describe('Present once the run with that session has ended'),
});
export type SessionRedirect = Readonly<z.infer<typeof sessionRedirectSchema>>;

/** Where a viewer of a conversation should look instead; empty while the conversation is the right place. */
export const conversationRedirectSchema = z.object({
  session_id: z.string().optional().describe('Present while that conversation has an open run with a known session'),
});
export type ConversationRedirect = Readonly<z.infer<typeof conversationRedirectSchema>>;
