import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/server/config/config-schema.ts';
import { readServerConfig, type ServerFlags } from '../../../src/server/config/server-config.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

function read(
  yaml: string | undefined,
  { env = {}, flags = {} }: { env?: Record<string, string>; flags?: ServerFlags } = {},
) {
  const cwd = createTempFolder();
  mkdirSync(join(cwd, 'checkouts', 'shop'), { recursive: true });
  if (yaml !== undefined) writeFileSync(join(cwd, 'agent-run.yaml'), yaml);
  return { cwd, config: readServerConfig({ env, flags, cwd }) };
}

function faults(yaml: string | undefined, more: Parameters<typeof read>[1] = {}): string {
  try {
    read(yaml, more);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test('the documented example is read, with paths relative to its folder', () => {
  const { cwd, config } = read(
    `
public_url: https://agents.example.com/
harnesses:
  default: script
  script: {}
  my-agent: { command: ["./my-agent", "--json"], env: [MY_KEY, NOT_SET] }
skills:
  repositories: { "octo-org/shop": "./checkouts/shop" }
limits: { concurrency: 2, run_minutes: 90 }
`,
    { env: { MY_KEY: 'secret', OTHER: 'x', PATH: '/bin' } },
  );
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 7420,
    publicUrl: 'https://agents.example.com',
    dataDir: join(cwd, '.agent-run'),
    harnesses: {
      default: 'script',
      script: true,
      commands: { 'my-agent': { argv: [join(cwd, 'my-agent'), '--json'], env: { MY_KEY: 'secret' } } },
    },
    skillRepositories: { 'octo-org/shop': join(cwd, 'checkouts/shop') },
    baseEnv: { PATH: '/bin' },
  });
  expect(config.limits).toMatchObject({ concurrency: 2, run_minutes: 90, min_lease_seconds: 30 });
});

test('flags override the environment, and the environment the file', () => {
  const yaml = 'port: 1\nhost: localhost\n';
  expect(read(yaml).config.port).toBe(1);
  expect(read(yaml, { env: { AGENT_RUN_PORT: '2' } }).config.port).toBe(2);
  expect(read(yaml, { env: { AGENT_RUN_PORT: '2' }, flags: { port: 3 } }).config.port).toBe(3);
});

test('unknown keys are rejected with file, line, path and the nearest known key', () => {
  const text = faults('limits:\n  concurency: 2\npulic_url: https://example.com\n');
  expect(text).toMatch(/agent-run\.yaml:2:3: limits\.concurency: unknown key. Did you mean "concurrency"\?/);
  expect(text).toMatch(/agent-run\.yaml:3:1: pulic_url: unknown key. Did you mean "public_url"\?/);
});

test('a typo in a key of harnesses does not become a harness', () => {
  expect(faults('harnesses:\n  defualt: script\n  script: {}\n')).toMatch(
    /:2:3: harnesses\.defualt: .*Did you mean "default"\?/,
  );
});

test('values of a wrong type and broken YAML are named with their line', () => {
  expect(faults('limits:\n  concurrency: many\n')).toMatch(/:2:3: limits\.concurrency: .*number/);
  expect(faults('limits: { concurrency: 2\n')).toMatch(/agent-run\.yaml:\d+:\d+: /);
  expect(faults('port: 1\nport: 2\n')).toMatch(/unique/);
  expect(faults('- a\n')).toMatch(/agent-run\.yaml:1:1: the file must be an object, not a list/);
});

test.each([
  ['port: 70000', ':1:1: port: must be a whole number from 0 to 65535, not 70000'],
  ['behind_proxy: maybe', 'behind_proxy: must be true or false, not "maybe"'],
  ['limits: { run_minutes: 0 }', 'limits.run_minutes: must be a number above 0, not 0'],
  ['limits: { concurrency: }', 'limits.concurrency: must be a whole number from 1 to 1000, not null'],
  ['public_url: agents.example.com', 'public_url: must be a URL that starts with http:// or https://, not "agents'],
  ['tls: { cert: c.pem }', 'tls.key: is missing; it must be a string'],
  ['harnesses: { mine: { command: "x y" } }', 'harnesses.mine.command: must be a list, not a string'],
  ['harnesses: { mine: { command: [""] } }', 'harnesses.mine.command.0: must not be empty'],
  [
    'harnesses:\n  scrpt: {}',
    ':2:3: harnesses.scrpt: did you mean the name "script"? A harness with a name of its own needs `command` (a program) or `agent` (one of',
  ],
  ['skills: { repositories: { octo: /tmp } }', 'octo: its name must be owner/repo, such as octo-org/shop'],
])('the fault in %j is described', (yaml, text) => {
  expect(faults(yaml)).toContain(text);
});

test('faults of several settings together have a line too', () => {
  expect(faults('port: 1\nharnesses:\n  default: scrpt\n  script: {}\n')).toMatch(
    /agent-run\.yaml:3:3: harnesses\.default: there is no harness "scrpt"; configured harnesses: script. Did you mean "script"\?/,
  );
  expect(faults('port: 1\nharnesses: { script: {}, mine: { command: [x] } }\n')).toMatch(
    /yaml:2:1: harnesses\.default: /,
  );
  expect(faults('skills:\n  repositories:\n    octo-org/none: ./nowhere\n')).toMatch(
    /yaml:3:5: skills\.repositories\.octo-org\/none: the folder .* does not exist/,
  );
  expect(faults('port: 1\nhost: 0.0.0.0\n')).toMatch(
    /yaml:2:1: host: other machines can reach 0\.0\.0\.0.*`tls`.*`behind_proxy: true`/,
  );
  expect(faults('host: 0.0.0.0\n', { env: { AGENT_RUN_HOST: '0.0.0.0' } })).toMatch(/^AGENT_RUN_HOST: /);
  expect(faults('host: 0.0.0.0\n', { flags: { host: '0.0.0.0' } })).toMatch(/^--host: /);
});

test('a file as checkout and a folder as configuration are rejected', () => {
  expect(faults('skills: { repositories: { octo-org/shop: ./agent-run.yaml } }')).toContain(
    'agent-run.yaml does not exist',
  );
  expect(faults(undefined, { flags: { config: 'checkouts' } })).toMatch(/checkouts is a folder; use a file/);
});

test("the environment's public address is checked like the file's", () => {
  expect(faults(undefined, { env: { AGENT_RUN_PUBLIC_URL: 'foo' } })).toBe(
    'AGENT_RUN_PUBLIC_URL: must be a URL that starts with http:// or https://, not "foo"',
  );
  expect(read(undefined, { env: { AGENT_RUN_PUBLIC_URL: 'https://a.example.com/' } }).config.publicUrl).toBe(
    'https://a.example.com',
  );
});

test('an unknown or missing default harness is reported', () => {
  expect(faults('harnesses: { default: claude, script: {} }')).toContain(
    'there is no harness "claude"; configured harnesses: script',
  );
  expect(faults('harnesses: { script: {}, mine: { command: ["x"] } }')).toContain('script, mine');
  expect(read('harnesses: { script: {} }').config.harnesses.default).toBe('script');
  expect(read(undefined).config.harnesses.default).toBeUndefined();
});

test('no variable of the server itself is passed on to an agent', () => {
  expect(faults('harnesses: { mine: { command: [x], env: [AGENT_RUN_API_KEY] } }')).toContain('harnesses.mine.env.0');
});

test('a missing folder is reported at startup', () => {
  expect(faults('skills: { repositories: { octo-org/none: ./nowhere } }')).toContain(
    'skills.repositories.octo-org/none: the folder ',
  );
  expect(faults(undefined, { flags: { config: 'other.yaml' } })).toContain('other.yaml');
});

test('a port that other machines can reach needs TLS or a proxy', () => {
  expect(faults(undefined, { flags: { host: '0.0.0.0' } })).toContain('--tls-cert');
  expect(read(undefined, { flags: { host: '0.0.0.0', behindProxy: true } }).config.host).toBe('0.0.0.0');
  expect(read(undefined, { flags: { host: '::', tlsCert: 'c.pem', tlsKey: 'k.pem' } }).config.tls).toBeDefined();
  expect(faults(undefined, { flags: { tlsCert: 'c.pem' } })).toContain('--tls-key');
});

test('an invalid key is rejected and not shown', () => {
  const text = faults(undefined, { env: { AGENT_RUN_API_KEY: 'two words' } });
  expect(text).toContain('AGENT_RUN_API_KEY');
  expect(text).not.toContain('two words');
});

test('the configuration is frozen', () => {
  const { config } = read('limits: { concurrency: 2 }');
  expect(Object.isFrozen(config.limits) && Object.isFrozen(config)).toBe(true);
});

test('a workspace is relative to the file and runs one run at a time by default', () => {
  const { cwd, config } = read('workspace: ./checkouts/shop\n');
  expect(config.workspace).toBe(join(cwd, 'checkouts/shop'));
  expect(config.limits.concurrency).toBe(1);
  expect(read('workspace: ./checkouts/shop\nlimits: { concurrency: 3 }\n').config.limits.concurrency).toBe(3);
  expect(read('limits: { run_minutes: 3 }\n').config).toMatchObject({
    workspace: undefined,
    limits: { concurrency: 4 },
  });
  expect(faults('workspace: ./nowhere\n')).toMatch(
    /agent-run\.yaml:1:1: workspace: the folder .*nowhere does not exist$/,
  );
});

test('headers of an endpoint name the variables with their values, and an OAuth token is for claude alone', () => {
  const claude = (endpoint: string) => `harnesses: { claude: { model: m, endpoint: { ${endpoint} } } }`;
  const env = { GATEWAY: ' a-gateway-secret ', CLAUDE_CODE_OAUTH_TOKEN: 'a-token' };
  const { config } = read(claude('key: CLAUDE_CODE_OAUTH_TOKEN, headers: { X-Gateway: GATEWAY }'), { env });
  expect(config.harnesses.agents?.claude?.endpoint).toMatchObject({
    apiKey: 'a-token',
    keyType: 'oauth_token',
    headers: { 'X-Gateway': 'a-gateway-secret' },
  });
  expect(faults(claude('key: GATEWAY, headers: { X-Gateway: NO_SUCH }'), { env })).toContain(
    'harnesses.claude.endpoint.headers: the variable NO_SUCH is not set; set it to the value of the header',
  );
  expect(faults(claude('key: GATEWAY, headers: { Authorization: GATEWAY }'), { env })).toContain(
    'harnesses.claude.endpoint.headers: Authorization carries the key. Set the key instead',
  );
  const builtin = 'harnesses: { builtin: { model: m, endpoint: { api: anthropic, key: CLAUDE_CODE_OAUTH_TOKEN } } }';
  expect(faults(builtin, { env })).toContain(
    'harnesses.builtin.endpoint.key: CLAUDE_CODE_OAUTH_TOKEN is a token for Claude Code only; use an API key',
  );
});

test.each([
  [
    'git: { hosts: { github.com: { token: SECRET } } }',
    'git.hosts.github.com.token: the value (not shown) is not the name of',
  ],
  [
    'skills: { github: { repositories: [octo-org/shop], token: SECRET } }',
    'skills.github.token: the value (not shown) is not',
  ],
  [
    'harnesses: { builtin: { model: m, endpoint: { api: openai-chat, key: SECRET } } }',
    'harnesses.builtin.endpoint.key: the value (not shown) is not the name of a variable',
  ],
])('a secret in place of its variable is redacted: %s', (yaml, message) => {
  for (const secret of ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'gsk_AbCdEf0123456789AbCdEf', 'sk-ant-abc']) {
    const said = faults(yaml.replace('SECRET', secret));
    expect(said).not.toContain(secret);
    if (!secret.includes('-')) expect(said).toContain(message);
  }
});
