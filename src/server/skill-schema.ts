import { z } from 'zod';
import { variableName } from './environment-schema.ts';

export const skillsSchema = z.strictObject({
  repositories: z
    .record(z.string().regex(/^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/, 'is no owner/repo, such as octo-org/shop'), z.string())
    .default({})
    .describe('`owner/repo` and the folder of its checkout'),
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
        .describe('`owner/repo`, or `owner/*` for all that an owner has'),
      token: variableName
        .optional()
        .describe('Name of the variable that holds the token; public repositories need none'),
      api_url: z
        .url({ protocol: /^https?$/ })
        .default('https://api.github.com')
        .describe('Root of the API; `https://HOST/api/v3` of a GitHub Enterprise Server'),
    })
    .optional()
    .describe('Repositories that skills are read from by the API of GitHub, where there is no checkout'),
});
