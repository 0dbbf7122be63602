import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readServerConfig } from '../../src/server/config.ts';
import { ConfigError } from '../../src/server/config-schema.ts';
import { createTempFolder } from '../support/temp-folder.ts';

function read(yaml: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = createTempFolder();
  mkdirSync(join(cwd, 'work'));
  writeFileSync(join(cwd, 'agent-run.yaml'), yaml);
  return readServerConfig({ env: { SKILL_TOKEN: 'token-0123456789', ...env }, cwd });
}

/** What is wrong with a file, without its path. */
function fault(yaml: string, env?: Readonly<Record<string, string>>): string {
  try {
    read(yaml, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(/^.*agent-run\.yaml:\d+:\d+: /gm, '');
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test('GitHub is read with the token that a variable holds, at its own address or another', () => {
  expect(read('skills: { github: { repositories: [octo-org/shop, octo-org/*] } }').githubSkills).toEqual({
    repositories: ['octo-org/shop', 'octo-org/*'],
    apiUrl: 'https://api.github.com',
    token: undefined,
  });
  expect(
    read(
      'skills: { github: { repositories: [octo-org/shop], token: SKILL_TOKEN, api_url: "https://ghe.example.com/api/v3/" } }',
    ).githubSkills,
  ).toMatchObject({ apiUrl: 'https://ghe.example.com/api/v3', token: 'token-0123456789' });
  expect(read('skills: { repositories: {} }').githubSkills).toBeUndefined();
});

test('what is wrong is told with its place and never with the token', () => {
  const github = (more: string) => `skills: { github: { repositories: [octo-org/shop]${more} } }`;
  expect(fault(github(', token: OTHER_TOKEN'))).toContain('skills.github.token: the variable OTHER_TOKEN is not set');
  expect(fault(github(', token: SKILL_TOKEN'), { SKILL_TOKEN: 'a b' })).toMatch(
    /contains spaces .*\(its value is not shown\)/,
  );
  expect(fault(github(', token: SKILL_TOKEN, api_url: "http://ghe.example.com/api/v3"'))).toContain(
    'skills.github.api_url: the token would be sent unencrypted',
  );
  expect(fault(github(', api_url: "https://me:secret@ghe.example.com"'))).not.toContain('secret');
  expect(fault('skills: { github: { repositories: ["*/*", shop, octo-org/..] } }').split('\n')).toHaveLength(3);
  expect(fault('skills: { github: {} }')).toContain('repositories');
});

test('an environment cannot pass the token on to agents', () => {
  expect(
    fault(
      'skills: { github: { repositories: [octo-org/shop], token: SKILL_TOKEN } }\nenvironments: { shop: { env: [SKILL_TOKEN] } }',
    ),
  ).toContain('SKILL_TOKEN holds the token');
});
