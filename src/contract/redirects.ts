import { z } from 'zod';

/** Where a viewer of a session should look instead; empty while the session is the right place. */
export const sessionRedirectSchema = z.object({
  conversation_id: z.string().optional().describe('Once the run with that session is over'),
});
export type SessionRedirect = Readonly<z.infer<typeof sessionRedirectSchema>>;

/** Where a viewer of a conversation should look instead; empty while the conversation is the right place. */
export const conversationRedirectSchema = z.object({
  session_id: z.string().optional().describe('While a run of that conversation is not over, once its agent told one'),
});
export type ConversationRedirect = Readonly<z.infer<typeof conversationRedirectSchema>>;
