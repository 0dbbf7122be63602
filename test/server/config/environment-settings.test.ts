import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/server/config/config-schema.ts';
import { readServerConfig } from '../../../src/server/config/server-config.ts';
import { makeEnvironmentUid } from '../../../src/server/environments/environment.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const env = {
  HOST_TOKEN: 'token-0123456789',
  MY_KEY: 'passed on',
  https_proxy: 'http://proxy.example.com',
  OTHER: 'x',
};
const hosts = 'git: { hosts: { github.com: { token: HOST_TOKEN } } }\n';

function read(yaml: string, more: Readonly<Record<string, string>> = {}) {
  const cwd = createTempFolder();
  mkdirSync(join(cwd, 'work'));
  writeFileSync(join(cwd, 'agent-run.yaml'), yaml);
  return readServerConfig({ env: { ...env, ...more }, cwd });
}

/** The fault of a file, without path and place. */
function fault(yaml: string, more?: Readonly<Record<string, string>>): string {
  try {
    read(yaml, more);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(/^.*agent-run\.yaml:\d+:\d+: /gm, '');
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test('an environment and the tokens of git hosts are read', () => {
  const { environments, git } = read(`
environments:
  shop:
    description: The shop
    repositories: [octo-org/shop, { url: https://git.example.com/tools.git, ref: v1, path: libs/tools, depth: 0 }]
    setup: [npm ci]
    env: [MY_KEY, NOT_SET]
git:
  hosts:
    github.com: { token: HOST_TOKEN }
    git.example.com: { token: HOST_TOKEN, api_url: https://api.example.com/ }
    ghe.example.com: { token: HOST_TOKEN }
`);
  expect(environments).toEqual([
    {
      uid: makeEnvironmentUid('shop'),
      name: 'shop',
      description: 'The shop',
      repositories: [
        { name: 'octo-org/shop', url: 'https://github.com/octo-org/shop.git', ref: undefined, path: 'shop', depth: 1 },
        { name: 'tools', url: 'https://git.example.com/tools.git', ref: 'v1', path: 'libs/tools', depth: 0 },
      ],
      setup: ['npm ci'],
      env: { MY_KEY: 'passed on' },
      publish: 'none',
      publishBase: undefined,
      updatedAt: expect.any(Number),
    },
  ]);
  expect(Date.now() - (environments[0]?.updatedAt ?? 0)).toBeLessThan(60_000);
  expect(git.env).toEqual({ https_proxy: 'http://proxy.example.com' });
  expect(Object.entries(git.hosts).map(([host, { token, apiUrl }]) => [host, token, apiUrl])).toEqual([
    ['github.com', env.HOST_TOKEN, 'https://api.github.com'],
    ['git.example.com', env.HOST_TOKEN, 'https://api.example.com'],
    ['ghe.example.com', env.HOST_TOKEN, 'https://ghe.example.com/api/v3'],
  ]);
});

test('the documented example is read', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/environments.md'), 'utf8');
  const [, example = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const { environments } = read(example, { SHOP_GITHUB_TOKEN: 'token-0123456789', NPM_TOKEN: 'x' });
  expect(environments.map(({ name, publish }) => [name, publish])).toEqual([
    ['shop', 'pull_request'],
    ['shop-and-tools', 'none'],
  ]);
});

test('a single repository is the workspace itself, unless it has a path', () => {
  const [a, b] = read(
    'environments: { a: { repositories: [o/r] }, b: { repositories: [{ url: o/r, path: r }] } }',
  ).environments;
  expect([a?.repositories[0]?.path, b?.repositories[0]?.path]).toEqual(['.', 'r']);
});

test.each([
  ['repositories: [{ url: o/r, branch: x }]', 'repositories.0.branch: unknown key'],
  ['repositories: [{ ref: x }]', 'repositories.0.url: is missing; it must be a string'],
  ['repositories: [7]', 'repositories.0: must be an object, not 7'],
  ['repositories: ["git@github.com:o/r.git"]', 'repositories.0.url: must not be an SSH URL'],
  ['repositories: [o/r, O/R]', 'repositories.1.url: O/R is listed twice'],
  ['repositories: [o/r, p/r]', 'repositories.1.path: the folder r overlaps with the folder of o/r'],
  [
    'repositories: [{ url: o/r, path: a }, { url: p/s, path: A/b }]',
    'repositories.1.path: the folder A/b overlaps with the folder of o/r',
  ],
  ['repositories: [{ url: o/r, path: ../x }]', 'repositories.0.path: must be a folder inside the workspace'],
  ['repositories: [{ url: o/r, path: a/.git/hooks }]', 'repositories.0.path: must be a folder inside the workspace'],
  ['repositories: [{ url: o/r, path: /tmp }]', 'repositories.0.path: must be a folder inside the workspace'],
  ['repositories: [{ url: o/r, ref: --x }]', 'repositories.0.ref: must be the name of a branch or tag, not "--x"'],
  ['publish_base: "a:b"', 'publish_base: must be a branch name, not "a:b"'],
  ['docker_image: --privileged', 'docker_image: must be an image name, such as node:24'],
  ['env: [HOST_TOKEN]', 'env.0: HOST_TOKEN holds the token of git.hosts, which agents never get'],
  ['env: [AGENT_RUN_API_KEY]', 'env.0: must not start with AGENT_RUN_'],
  ['publish: pull', 'publish: must be one of none, branch, pull_request, not "pull"'],
  [
    '{ repositories: [https://other.example.com/o/r], publish: branch }',
    'publish: `branch` needs a token for other.example.com',
  ],
  [
    '{ repositories: [file:///srv/o/r], publish: pull_request }',
    'publish: `pull_request` needs a host with a token, not a folder',
  ],
  ['{ repositories: [https://github.com/alone], publish: pull_request }', 'repositories.0.url: must include an owner'],
  ['repositories: [http://github.com/o/r]', 'repositories.0.url: the token for github.com would be sent unencrypted'],
])('%s is rejected with its place', (entry, message) => {
  const text = entry.startsWith('{') ? entry : `{ ${entry} }`;
  expect(fault(`${hosts}environments: { shop: ${text} }\n`)).toMatch(
    new RegExp(`^environments\\.shop\\.${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
  );
});

test('a missing or invalid token is reported by its variable and never shown', () => {
  expect(fault('git: { hosts: { github.com: { token: NOT_SET } } }')).toBe(
    'git.hosts.github.com.token: the variable NOT_SET is not set; set it to the token for github.com, or remove this setting',
  );
  expect(fault(hosts, { HOST_TOKEN: 'a\nX-Header: b' })).toMatch(
    /^git\.hosts\.github\.com\.token: the variable HOST_TOKEN contains spaces(?!.*X-Header)/s,
  );
  expect(fault('git: { hosts: { github.com: { token: HOST_TOKEN, api_url: "http://api.example.com" } } }')).toMatch(
    /^git\.hosts\.github\.com\.api_url: the token would be sent unencrypted/,
  );
});

const appFile = 'git: { hosts: { github.com: { app: { id: 12345, private_key: APP_KEY } } } }\n';
const appKey = (type: 'pkcs1' | 'pkcs8') =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type, format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

test('a host may use a GitHub App with a key on one line or several', () => {
  for (const key of [
    appKey('pkcs1'),
    appKey('pkcs8').replaceAll('\n', '\\n'),
    appKey('pkcs1').replaceAll('\n', '\r\n'),
  ]) {
    const shop = 'environments: { shop: { repositories: [octo-org/shop], publish: pull_request } }\n';
    const config = read(appFile + shop, { APP_KEY: key });
    expect(config.git.hosts['github.com']).toEqual({ token: expect.any(Function), apiUrl: 'https://api.github.com' });
    expect(JSON.stringify(config)).not.toContain(key.slice(100, 140));
  }
});

test.each([
  ['not set', {}, 'private_key: the variable APP_KEY is not set; set it to a private key of GitHub App 12345'],
  ['no key', { APP_KEY: 'hunter2' }, 'private_key: the variable APP_KEY does not hold an RSA key in PEM (its value is'],
  [
    'a key of another kind',
    { APP_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
    'private_key: the variable APP_KEY does not hold an RSA key in PEM (its value is not shown)',
  ],
])("an App's key that is %s is reported by its variable", (_what, more, message) => {
  expect(fault(appFile, more)).toContain(`git.hosts.github.com.app.${message}`);
});

test('a host has a token or an App, and agents cannot get either', () => {
  for (const entry of ['{}', '{ token: HOST_TOKEN, app: { id: 1, private_key: APP_KEY } }'])
    expect(fault(`git: { hosts: { github.com: ${entry} } }`)).toBe(
      'git.hosts.github.com: must have either `token` or `app`',
    );
  expect(fault(`${appFile}environments: { shop: { env: [APP_KEY] } }`, { APP_KEY: appKey('pkcs8') })).toMatch(
    /^environments\.shop\.env\.0: APP_KEY holds the private key of git\.hosts, which agents never get/,
  );
});

test('environments and one folder for all runs exclude each other', () => {
  expect(fault('workspace: work\nenvironments: { shop: {} }\n')).toMatch(
    /^environments: cannot be combined with `workspace`/,
  );
});

test('the environment of agents contains no token', () => {
  const { baseEnv, environments } = read(
    `${hosts}environments: { shop: { repositories: [octo-org/shop], env: [MY_KEY] } }`,
  );
  expect(JSON.stringify([baseEnv, environments])).not.toContain(env.HOST_TOKEN);
});
