import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/server/config/config-schema.ts';
import { readServerConfig } from '../../../src/server/config/server-config.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

function read(yaml: string, env: Readonly<Record<string, string>> = {}) {
  const cwd = createTempFolder();
  mkdirSync(join(cwd, 'work'));
  writeFileSync(join(cwd, 'agent-run.yaml'), yaml);
  return readServerConfig({ env: { SKILL_TOKEN: 'token-0123456789', HOST_TOKEN: 'token-of-host', ...env }, cwd });
}

/** The fault of a file, without its path. */
function fault(yaml: string, env?: Readonly<Record<string, string>>): string {
  try {
    read(yaml, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(/^.*agent-run\.yaml:\d+:\d+: /gm, '');
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test("GitHub skills use their own token or the host's, at any API address", () => {
  const github = (more: string, rest = '') =>
    read(`skills: { github: { repositories: [octo-org/shop, octo-org/*]${more} } }\n${rest}`).githubSkills;
  expect(github('')).toEqual({
    repositories: ['octo-org/shop', 'octo-org/*'],
    url: 'https://github.com',
    git: { hosts: {}, env: {} },
  });
  const hosts = 'git: { hosts: { github.com: { token: HOST_TOKEN }, ghe.example.com: { token: HOST_TOKEN } } }';
  expect(github('', hosts)?.git.hosts).toEqual({
    'github.com': { token: 'token-of-host', apiUrl: 'https://api.github.com' },
  });
  const { url, git } = github(', token: SKILL_TOKEN, url: "https://ghe.example.com/"', hosts) ?? {};
  expect([url, Object.keys(git?.hosts ?? {})]).toEqual(['https://ghe.example.com', ['ghe.example.com']]);
  expect(git?.hosts['ghe.example.com']?.token).toBe('token-0123456789');
  expect(read('skills: { repositories: {} }').githubSkills).toBeUndefined();
});

test('faults name their place and never the token', () => {
  const github = (more: string) => `skills: { github: { repositories: [octo-org/shop]${more} } }`;
  expect(fault(github(', token: OTHER_TOKEN'))).toContain('skills.github.token: the variable OTHER_TOKEN is not set');
  expect(fault(github(', token: SKILL_TOKEN'), { SKILL_TOKEN: 'a b' })).toMatch(
    /contains spaces .*\(its value is not shown\)/,
  );
  expect(fault(github(', token: SKILL_TOKEN, url: "http://ghe.example.com"'))).toContain(
    'skills.github.url: the token would be sent unencrypted',
  );
  expect(fault(github(', url: "https://me:secret@ghe.example.com"'))).not.toContain('secret');
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
