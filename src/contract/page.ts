import * as z from 'zod';
import { type Run, runSchema } from './run.ts';

export const pageSchema = z.object({
  runs: z.array(runSchema).describe('The runs, without their results'),
  page_info: z.object({
    has_next_page: z.boolean(),
    next_cursor: z.string().optional().describe('Absent on the last page'),
  }),
});

export interface RunPage {
  readonly runs: readonly Run[];
  readonly page_info: { readonly has_next_page: boolean; readonly next_cursor?: string };
}
