import { z } from 'zod';
import { sizes } from './sizes.ts';
import { runSources } from './source.ts';
import { runStates } from './state.ts';

const instant = z.iso.datetime({ offset: true, error: 'takes a time as in RFC 3339, such as 2026-01-31T12:00:00Z' });

/**
 * The filters of a list. Bounds: `_after` inclusive, `_before` exclusive. `name` and `config_name` mean the same; both with different values
 * is an error. Parameters not known here are ignored.
 */
export const listQuerySchema = z.object({
  state: z.array(z.enum(runStates)).optional().describe('Repeated; any of them'),
  name: z.string().optional(),
  config_name: z.string().optional(),
  model_id: z.string().optional(),
  creator: z.string().optional(),
  source: z.enum(runSources).optional(),
  skill_spec: z.string().optional(),
  environment_id: z.string().optional(),
  q: z.string().optional().describe('Contained in title, prompt or skill, whatever the case of ASCII letters'),
  metadata: z
    .record(z.string().regex(/^[A-Za-z0-9._-]+$/, 'takes letters, digits, ".", "_" and "-"'), z.string())
    .optional()
    .describe('`metadata[key]=value`, repeated; all of them'),
  created_after: instant.optional(),
  created_before: instant.optional(),
  updated_after: instant.optional(),
  limit: z.coerce.number().int().min(1).max(sizes.listLimit).default(sizes.listLimitDefault),
  cursor: z.string().optional().describe('From page_info.next_cursor; valid with the same sort order only'),
  sort_by: z.enum(['updated_at', 'created_at']).default('updated_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
});

export type ListQuery = z.infer<typeof listQuerySchema>;

/** What a caller may ask a list for: numbers and times as they come, state one or many. */
export type ListParams = Partial<Omit<ListQuery, 'state'>> & { readonly state?: string | readonly string[] };
