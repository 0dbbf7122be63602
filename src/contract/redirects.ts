import * as z from 'zod';

/** Where to view a session instead; empty while its own page is right. */
export const sessionRedirectSchema = z.object({
  conversation_id: z.string().optional().describe('Present once the run with that session has ended'),
});
export type SessionRedirect = Readonly<z.infer<typeof sessionRedirectSchema>>;

/** Where to view a conversation instead; empty while its own page is right. */
export const conversationRedirectSchema = z.object({
  session_id: z.string().optional().describe('Present while that conversation has an open run with a known session'),
});
export type ConversationRedirect = Readonly<z.infer<typeof conversationRedirectSchema>>;
