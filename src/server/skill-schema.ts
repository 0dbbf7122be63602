import { z } from 'zod';
import { variableName } from './environment-schema.ts';

export const skillsSchema = z.strictObject({
  repositories: z
    .record(
      z.string().regex(/^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/, 'is no owner/repo, such as octo-org/shop'),
      z.string().describe('Folder of the checkout of `owner/repo`'),
    )
    .default({}),
  github: z
    .strictObject({
      repositories: z
        .array(
          z
            .string()
            .regex(
              /^[A-Za-z0-9][A-Za-z0-9-]*\/(\*|(?!\.{1,2}$)[A-Za-z0-9._-]+)$/,
              'is no owner/repo and no owner/*, such as octo-org/shop or octo-org/*',
            ),
        )
        .describe('`owner/repo`, or `owner/*` for all'),
      token: variableName.optional().describe('Variable with a token; public repositories need none'),
      api_url: z
        .url({ protocol: /^https?$/ })
        .default('https://api.github.com')
        .describe('API root; `https://HOST/api/v3` for GitHub Enterprise Server'),
    })
    .optional(),
});
