import * as z from 'zod';
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
      token: variableName
        .optional()
        .describe("Variable that holds a read-only token; by default, the host's token under `git.hosts`"),
      url: z
        .url({ protocol: /^https?$/ })
        .default('https://github.com')
        .describe('Address of the host, such as a GitHub Enterprise Server'),
    })
    .optional(),
});
