import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { readServerConfig, type ServerConfig } from '../../../src/server/config/server-config.ts';
import { checkContainers } from '../../../src/server/doctor/container-check.ts';
import { examineServer } from '../../../src/server/doctor/doctor.ts';
import { checkRepositories } from '../../../src/server/doctor/environment-check.ts';
import type { Finding } from '../../../src/server/doctor/finding.ts';
import { checkTls } from '../../../src/server/doctor/machine-check.ts';
import { checkAgentProgram } from '../../../src/server/doctor/program-check.ts';
import { claudeAdapter } from '../../../src/server/harness/agents/claude/claude.ts';
import { startModelServer } from '../../../src/testing/index.ts';
import { grantToken, openFakeGitHub } from '../../support/fake-github.ts';
import { createOrigin, openGitHost } from '../../support/git-host.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { settings } from '../harness/agents/fake-agent.ts';

async function examine(config: ServerConfig, asksModels = false) {
  const findings: Finding[] = [];
  for await (const finding of examineServer(config, { asksModels })) findings.push(finding);
  return Object.fromEntries(findings.map(({ subject, ...rest }) => [subject, rest]));
}

function configure(file: string, env: Readonly<Record<string, string>> = {}): ServerConfig {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), file);
  return readServerConfig({ env: { PATH: process.env.PATH, HOME: cwd, ...env }, cwd });
}

/** A folder for PATH with programs that print a text. */
function createPrograms(programs: Readonly<Record<string, string>>): string {
  const folder = createTempFolder();
  for (const [name, printed] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho '${printed}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test('a working server is ok, and the check leaves nothing', async () => {
  await using model = await startModelServer([{ text: 'ok' }], { apiKey: 'key-of-the-model' });
  const endpoint = `{ url: '${model.url}', api: openai-chat, key: MODEL_KEY }`;
  const config = configure(
    `harnesses: { default: builtin, script: {}, builtin: { model: m-1, endpoint: ${endpoint} } }`,
    {
      MODEL_KEY: 'key-of-the-model',
    },
  );
  const found = await examine(config, true);
  expect(Object.entries(found).filter(([name, { status }]) => name !== 'containment' && status !== 'ok')).toEqual([]);
  expect(Object.keys(found)).toEqual([
    'data folder',
    'containment',
    'git',
    'bash',
    'harness builtin: program',
    'harness builtin: model',
  ]);
  expect(JSON.stringify(found)).not.toContain('key-of-the-model');
  expect(existsSync(config.dataDir)).toBe(false);
  mkdirSync(config.dataDir);
  expect((await examine(config))['data folder']).toMatchObject({ status: 'ok', text: config.dataDir });
  expect(readdirSync(config.dataDir)).toEqual([]);
});

test('a missing harness is an error, missing bash and git are warnings', async () => {
  const found = await examine(configure('{}', { PATH: '/nowhere' }));
  expect(found.harnesses).toMatchObject({ status: 'fail', text: 'none is configured, so no run can start' });
  expect([found.git?.status, found.bash?.status]).toEqual(['warn', 'warn']);
  const script = await examine(configure('harnesses: { script: {} }', { PATH: '/nowhere' }));
  expect(script.bash).toMatchObject({ status: 'fail', remedy: 'install bash' });
});

test('missing programs are errors with their install command', async () => {
  const config = configure(
    'harnesses: { default: own, own: { command: [no-such-program] }, claude: { model: m-1, endpoint: { url: "http://127.0.0.1:1" } } }',
    { PATH: '/nowhere' },
  );
  const found = await examine(config);
  expect(found['harness own: program']).toMatchObject({
    status: 'fail',
    text: "no-such-program was not found on the server's PATH",
  });
  expect(found['harness claude: program']).toEqual({
    status: 'fail',
    text: 'Claude Code needs the program claude, which is not on the PATH of the server',
    remedy: 'Run `npx agent-run agents install claude`, or set its path as `program`',
  });
});

test.each([
  ['loopback', 'environments: { shop: { docker_image: "tools:1" } }', 'http://127.0.0.1:1', 'the environment shop'],
  [
    'loopback',
    'environments: { a: { docker_image: "tools:1" }, b: { docker_image: "tools:1" } }',
    'http://127.0.0.1:1',
    'the environments a, b',
  ],
  ['loopback', 'docker: { image: "tools:1" }', 'http://localhost:1', 'this server'],
  ['no network', 'docker: { image: "tools:1", network: none }', 'https://models.example.com', 'this server'],
])('containers without a reachable model (%s) are a warning: %s', async (_name, containers, url, where) => {
  const findings: Finding[] = [];
  const agents = `builtin: { model: m-1, endpoint: { url: "${url}", api: openai-chat } }`;
  for await (const finding of checkContainers(
    configure(`${containers}\nharnesses: { default: script, script: {}, ${agents} }`, { PATH: '/nowhere' }),
  ))
    findings.push(finding);
  expect(findings).toContainEqual({
    subject: 'agents in containers',
    status: 'warn',
    text: expect.stringContaining(
      `no agent can run in the containers of ${where}: the model endpoint of builtin: ${url} `,
    ),
    remedy: expect.stringMatching(/^(use an address that the container can reach|choose another network)/),
  });
});

test.each([
  ['host', 'docker: { image: "tools:1", network: host }', ''],
  [
    'of another agent',
    'docker: { image: "tools:1" }',
    'claude: { model: m, endpoint: { url: "https://models.example.com" } }',
  ],
])('an agent that reaches its model from a container is ok (%s)', async (_name, containers, more) => {
  const agents = `builtin: { model: m-1, endpoint: { url: "http://127.0.0.1:1", api: openai-chat } }, ${more}`;
  const config = configure(`${containers}\nharnesses: { default: script, script: {}, ${agents} }`, {
    PATH: '/nowhere',
  });
  for await (const { subject } of checkContainers(config)) expect(subject).not.toBe('agents in containers');
});

test.each([
  ['data', ''],
  ['file/data', '..'],
])('the data folder %s is an error if a part of its path is a file', async (data, taken) => {
  const config = configure(`data: ${data}\n`);
  writeFileSync(join(config.dataDir, taken), '');
  expect((await examine(config))['data folder']).toMatchObject({
    status: 'fail',
    text: `${config.dataDir} cannot be used: part of its path is a file`,
    remedy: expect.stringContaining('--data'),
  });
});

test('a containment that does not work here is an error', async () => {
  const config = { ...configure('containment: bubblewrap\n'), containment: 'bubblewrap' as const };
  const { containment } = await examine(config);
  expect(containment).toMatchObject(
    existsSync('/usr/bin/bwrap') ? { text: expect.stringContaining('bubblewrap') } : { status: 'fail' },
  );
});

test.each([
  ['2.1.332 (Claude Code)', 'ok', /^Claude Code 2\.1\.332, .* \(on the PATH\)$/],
  ['2.0.1 (Claude Code)', 'warn', /2\.0\.1, .*; this agent-run was tested with 2\.1\.332$/],
  ['command not found', 'fail', /it printed no version: command not found$/],
])('a program that prints %j is %s', async (printed, status, text) => {
  const path = [createPrograms({ claude: printed }), '/usr/bin', '/bin'].join(delimiter);
  const finding = await checkAgentProgram('claude', claudeAdapter, settings, path);
  expect(finding).toMatchObject({ status, text: expect.stringMatching(text) });
  expect(finding.remedy === undefined).toBe(status === 'ok');
});

test('a missing repository or branch of an environment is an error', async () => {
  const origin = createOrigin();
  const config = configure(
    [
      'environments:',
      `  fine: { repositories: ['${origin.url}'] }`,
      `  lost: { repositories: ['file:///nowhere/octo-org/lost.git'] }`,
      `  old: { repositories: [{ url: '${origin.url}', ref: gone }] }`,
    ].join('\n'),
  );
  const found = await examine(config);
  expect(found['environment fine: repository']).toEqual({ status: 'ok', text: `octo-org/shop, ${origin.url}` });
  expect(found['environment lost: repository']).toMatchObject({
    status: 'fail',
    text: expect.stringMatching(
      /^octo-org\/lost could not be cloned from file:\/\/\/nowhere.*does not appear to be a git repository/,
    ),
  });
  expect(found['environment old: repository']).toMatchObject({
    status: 'fail',
    text: 'octo-org/shop has no branch and no tag gone',
  });
});

test('a host that does not answer times out', async () => {
  const path = [createPrograms({}), '/usr/bin', '/bin'].join(delimiter);
  const folder = path.split(delimiter)[0] ?? '';
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nsleep 60 & wait\n', { mode: 0o755 });
  const { environments, git } = configure('environments: { slow: { repositories: [octo-org/shop] } }');
  const findings: Finding[] = [];
  for await (const finding of checkRepositories({ environments, git }, path, 300)) findings.push(finding);
  expect(findings).toMatchObject([
    { status: 'fail', text: expect.stringContaining('its host did not answer within 0.3 s') },
  ]);
});

test('unset variables to pass on are warnings', async () => {
  const file =
    'harnesses: { own: { command: [cat], env: [MY_URL] } }\nenvironments: { shop: { env: [NPM_TOKEN, SET] } }';
  const found = await examine(configure(file, { SET: 'yes' }));
  expect(found['variable MY_URL']).toMatchObject({
    status: 'warn',
    text: expect.stringContaining('harnesses.own.env: it is not set, so the harness own runs without it'),
  });
  expect(found['variable NPM_TOKEN']).toMatchObject({ text: expect.stringContaining('the environment shop') });
  expect(found).not.toHaveProperty('variable SET');
});

test('endpoint variables that no harness reads are warnings', async () => {
  const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', OWN_KEY: 'k' };
  const endpoint = (more: string) => `endpoint: { url: "http://127.0.0.1:1/v1", api: openai-chat ${more} }`;
  const file = `harnesses:
  default: claude
  local: { agent: builtin, model: m, ${endpoint('')} }
  keyed: { agent: builtin, model: m, ${endpoint(', key: OWN_KEY')} }
  claude: { model: m }`;
  const found: Finding[] = [];
  for await (const finding of examineServer(configure(file, env), { asksModels: false })) {
    if (finding.subject.endsWith(': endpoint')) found.push(finding);
    // Stops before the provider's address is resolved.
    if (finding.subject === 'harness claude: endpoint') break;
  }
  expect(found).toEqual([
    {
      subject: 'harness local: endpoint',
      status: 'warn',
      text: 'OPENAI_API_KEY is set, but no key is sent to http://127.0.0.1:1',
      remedy: 'set endpoint.key of the harness local',
    },
    {
      subject: 'harness claude: endpoint',
      status: 'warn',
      text: 'ANTHROPIC_BASE_URL is set, but the server does not read it',
      remedy: 'set endpoint.url (and endpoint.key) of the harness claude',
    },
  ]);
});

test('a secret in a list of variables is reported only by its place', async () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const file = `harnesses: { own: { command: [cat] } }\nenvironments: { shop: { env: [SET, ${secret}] } }`;
  const found = await examine(configure(file, { SET: 'yes' }));
  expect(found.variable?.text).toMatch(
    /environments\.shop\.env\.1: the value \(not shown\) is not the name of a variable/,
  );
  expect(JSON.stringify(found)).not.toContain(secret);
});

test('TLS files are checked as at startup', async () => {
  const folder = createTempFolder();
  const [cert, key, other] = ['cert.pem', 'key.pem', 'other.pem'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const make = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const curve = ['-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  make('req', '-x509', '-newkey', 'ec', ...curve, '-nodes', '-keyout', key, '-out', cert, '-subj', '/CN=a');
  make('genpkey', '-algorithm', 'EC', ...curve, '-out', other);
  const look = async (named: string, keyFile: string) =>
    (await examine(configure(`tls: { cert: '${named}', key: '${keyFile}' }`))).TLS;
  expect(await look(cert, key)).toMatchObject({ status: 'ok', text: expect.stringContaining('valid until 2') });
  expect(await look('/nowhere/no.crt', key)).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('the TLS certificate /nowhere/no.crt cannot be read: the file does not exist'),
    remedy: expect.stringContaining('`tls`'),
  });
  expect(await look(cert, other)).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('does not belong to'),
  });
  const later = Date.now() + 40 * 24 * 60 * 60_000;
  expect(checkTls({ tls: { cert, key } }, later)).toMatchObject({
    status: 'warn',
    text: expect.stringContaining('clients refuse it'),
  });
  expect(await examine(configure(''))).not.toHaveProperty('TLS');
});

test.each([
  ['limits: { memory_mb: 500 }', 'warn'],
  ['limits: { memory_mb: 2000 }', undefined],
  ['limits: { memory_mb: 500 }\ndocker: { image: "tools:1" }', undefined],
])('with an agent %j is %s', async (more, status) => {
  const agent = 'harnesses: { builtin: { model: m, endpoint: { url: "http://127.0.0.1:1", api: openai-chat } } }';
  const found = await examine(configure(`${agent}\n${more}`));
  expect(found.memory?.status).toBe(status);
  if (status !== undefined)
    expect(found.memory).toMatchObject({
      text: expect.stringMatching(/^limits\.memory_mb is 500.*builtin can crash/),
      remedy: expect.stringContaining('2000'),
    });
  expect(await examine(configure('harnesses: { script: {} }\nlimits: { memory_mb: 500 }'))).not.toHaveProperty(
    'memory',
  );
});

test('GitHub repositories with skills are checked with their token', async () => {
  const host = await openGitHost({ token: 'token-of-the-host' });
  createOrigin({ 'README.md': 'x' }, { root: host.root });
  const skills = (url: string, more = '') =>
    configure(`skills: { github: { repositories: [octo-org/shop, octo-org/gone, nobody/*], url: '${url}'${more} } }`, {
      HOST_TOKEN: 'token-of-the-host',
    });
  const found = await examine(skills(host.url, ', token: HOST_TOKEN'));
  for (const name of ['octo-org/shop', 'nobody/*'])
    expect(found[`skills of ${name}`]).toEqual({ status: 'ok', text: host.url });
  expect(found['skills of octo-org/gone']).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('has no such repository; its token, set in skills.github.token'),
  });
  expect((await examine(skills(host.url)))['skills of octo-org/shop']).toMatchObject({
    status: 'fail',
    text: expect.stringContaining('a private repository needs a token'),
  });
  expect((await examine(skills('http://127.0.0.1:1')))['skills of octo-org/shop']).toMatchObject({
    status: 'fail',
    text: expect.stringMatching(/^127\.0\.0\.1:1 cannot be reached\. git printed: /),
    remedy: expect.stringContaining('skills.github'),
  });
});

test('a missing base branch is an error only if pull requests are opened', async () => {
  const host = await openGitHost({ token: 'token-of-the-host' });
  createOrigin({ 'a.txt': 'a\n' }, { root: host.root });
  const shop = (publish: string, base: string) =>
    `{ repositories: ['${host.url}/octo-org/shop.git'], publish: ${publish}, publish_base: ${base} }`;
  const file = `git: { hosts: { '${host.host}': { token: HOST_TOKEN, api_url: '${host.url}' } } }
environments: { bad: ${shop('pull_request', 'nobranch')}, good: ${shop('pull_request', 'main')}, other: ${shop('branch', 'nobranch')} }`;
  const found = await examine(configure(file, { HOST_TOKEN: 'token-of-the-host' }));
  expect(found['environment bad: repository']).toMatchObject({
    status: 'fail',
    text: 'octo-org/shop has no branch nobranch, which `publish_base` names for pull requests',
    remedy: expect.stringContaining('`publish_base`'),
  });
  for (const name of ['good', 'other']) expect(found[`environment ${name}: repository`]?.status).toBe('ok');
});

test('a GitHub App is an error for a repository where it is not installed', async () => {
  const [host, api] = [await openGitHost({ token: 'ghs_0123456789' }), await openFakeGitHub()];
  createOrigin({ 'a.txt': 'a\n' }, { root: host.root });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const APP_KEY = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const file = `git: { hosts: { '${host.host}': { app: { id: 12345, private_key: APP_KEY }, api_url: '${api.apiUrl}' } } }
environments: { shop: { repositories: ['${host.url}/octo-org/shop.git'] } }`;
  const missing = await examine(configure(file, { APP_KEY }));
  expect(missing['environment shop: repository']).toMatchObject({
    status: 'fail',
    text: expect.stringMatching(
      /^octo-org\/shop could not be cloned from .*\. GitHub App 12345 is not installed on octo-org\/shop\. /,
    ),
    remedy: expect.stringContaining('App'),
  });
  api.faults.push(...grantToken('ghs_0123456789'));
  const found = await examine(configure(file, { APP_KEY }));
  expect(found['environment shop: repository']?.status).toBe('ok');
});
