import * as z from 'zod';

/** The body of every error response (`application/problem+json`, RFC 9457). */
export const problemSchema = z.object({
  type: z.string().describe("URL of this server's page about the error code; ends with the code"),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  error: z.string().describe('Title and detail as one string, for older clients'),
  retryable: z.boolean(),
  trace_id: z.string().describe('Same as X-Request-Id'),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export type Problem = z.infer<typeof problemSchema>;
