import { z } from 'zod';
import { variableName } from './environment-schema.ts';

export const skillsSchema = z.strictObject({
  repositories: z
    .record(
      z.string().regex(/^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/, 'must be owner/repo, such as octo-org/shop'),
      z.string().describe('Folder with a checkout of `owner/repo`'),
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
              'must be owner/repo or owner/*, such as octo-org/shop or octo-org/*',
            ),
        )
        .describe('`owner/repo`, or `owner/*` for all'),
      token: variableName.optional().describe('Variable that holds a token; not needed for public repositories'),
      api_url: z
        .url({ protocol: /^https?$/ })
        .default('https://api.github.com')
        .describe('API root; `https://HOST/api/v3` for GitHub Enterprise Server'),
    })
    .optional(),
});
