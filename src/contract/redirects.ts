import { z } from 'zod';

/** Where a viewer of a session should look instead; empty while the session is the right place. */
export const sessionRedirectSchema = z.object({
  conversation_id: z.string().optional().describe('Present once the run with that session has ended'),
});
export type SessionRedirect = Readonly<z.infer<typeof sessionRedirectSchema>>;

/** Where a viewer of a conversation should look instead; empty while the conversation is the right place. */
export const conversationRedirectSchema = z.object({
  session_id: z
    .string()
    .optional()
    .describe('Present while a run of that conversation is open and its agent has reported a session'),
});
export type ConversationRedirect = Readonly<z.infer<typeof conversationRedirectSchema>>;
