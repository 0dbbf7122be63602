import * as z from 'zod';

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
  .refine(name => !name.startsWith('AGENT_RUN_'), 'must not start with AGENT_RUN_, which is reserved for the service');

/** As in `docker pull`. It can never be read as an option. */
export const imageName = z
  .string()
  .regex(/^[a-z0-9][A-Za-z0-9._/:@-]{0,254}$/, 'must be an image name, such as node:24 or ghcr.io/octo-org/tools:1');

const repositorySchema = z.strictObject({
  url: z.string().min(1).describe('`owner/repo` on github.com, or a URL: https, http without a token, file'),
  ref: z
    .string()
    .min(1)
    .optional()
    .describe("Branch, tag, full ref or commit; the repository's default branch if omitted"),
  path: z.string().min(1).optional().describe('Folder below the workspace'),
  depth: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(1)
    .describe('Number of commits to clone; 0 clones the full history and all branches as `origin/BRANCH`'),
});

export const environmentSchema = z.strictObject({
  description: z.string().max(240).optional().describe('One-line description for people'),
  repositories: z
    .array(z.preprocess(entry => (typeof entry === 'string' ? { url: entry } : entry), repositorySchema))
    .default([])
    .describe('`owner/repo` on github.com, or `url` with `ref`, `path`, `depth`'),
  setup: z.array(z.string().min(1)).default([]).describe('Bash commands to run before the agent'),
  env: z.array(variableName).default([]).describe("The server's variables to pass to setup commands and the agent"),
  docker_image: imageName.optional().describe('Container image for setup commands and the agent'),
  publish: z.enum(['none', 'branch', 'pull_request']).default('none').describe('`none`, `branch` or `pull_request`'),
  publish_base: z.string().min(1).optional().describe('Base branch of pull requests'),
});

export const environmentsSchema = z.record(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must have only letters, digits, ".", "_" and "-"'),
  environmentSchema,
);

export const gitSchema = z.strictObject({
  hosts: z
    .record(
      z.string().regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be a host name in lowercase, such as github.com'),
      z
        .strictObject({
          token: variableName.optional().describe("Variable that holds this host's token"),
          app: z
            .strictObject({
              id: z.int().min(1).describe('App ID, from the settings page of the App'),
              private_key: variableName.describe('Variable that holds a private key of the App, in PEM'),
            })
            .optional(),
          api_url: z
            .url({ protocol: /^https?$/ })
            .optional()
            .describe('API root for pull requests and tokens of an App'),
        })
        .refine(({ token, app }) => (token === undefined) !== (app === undefined), 'must have either `token` or `app`'),
    )
    .default({}),
});

export type EnvironmentEntry = z.infer<typeof environmentSchema>;
