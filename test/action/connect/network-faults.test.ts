import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type NetworkOptions, openNetwork } from '../../../src/action/connect/network.ts';
import { explainNetworkFault } from '../../../src/action/connect/network-faults.ts';
import { AgentRuns, ConnectionError, StartUnknownError } from '../../../src/client/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { type Identity, makeCertificate } from './certificates.ts';
import { hiddenHost, openProxy, openTarget } from './partners.ts';

const authority = makeCertificate({ name: 'Test authority' });
const identity = makeCertificate({ name: hiddenHost, authority, hosts: [hiddenHost, '127.0.0.1'] });

/** The client's message for a failing call, and our addition. */
async function failAt(
  baseUrl: string,
  { variables = {}, caFile }: Partial<NetworkOptions> = {},
): Promise<{ error: ConnectionError; hint: string | undefined }> {
  const network = await openNetwork({ variables, caFile });
  onTestFinished(() => network.close());
  const client = new AgentRuns({
    baseUrl,
    apiKey: 'key-of-a-test',
    allowHttp: true,
    fetch: network.fetch,
    maxRetries: 0,
    logLevel: 'off',
  });
  const error: unknown = await client.runs.retrieve('run-1').then(
    () => undefined,
    thrown => thrown,
  );
  if (!(error instanceof ConnectionError)) throw new Error('the call did not fail on its way', { cause: error });
  const way = { hasCaFile: caFile !== undefined, proxy: network.proxyOf(baseUrl) };
  return { error, hint: explainNetworkFault(error, way) };
}

function writeCertificate({ cert }: Identity): string {
  const path = join(createTempFolder(), 'ca.pem');
  writeFileSync(path, cert);
  return path;
}

/** A port without a listener. */
async function findClosedPort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  await new Promise(closed => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test.each(['http', 'https'])('a proxy that asks for credentials is named with its variable, over %s', async scheme => {
  const proxy = await openProxy({ port: 1, credentials: 'mona:sesame' });
  const { error, hint } = await failAt(`${scheme}://${hiddenHost}`, { variables: { all_proxy: proxy.host } });
  expect(error.message).toBe(`${hiddenHost}: the proxy ${proxy.host} requires a user name and password (407)`);
  expect([error.fault, error.neverLeft]).toEqual(['fetch', true]);
  expect(hint).toBe('Add them to all_proxy as http://user:password@host:port');
});

test.each(['http', 'https'])('credentials that the proxy refuses are not shown, over %s', async scheme => {
  const proxy = await openProxy({ port: 1, credentials: 'mona:sesame' });
  const variables = { all_proxy: `http://mona:wrong-word@${proxy.host}` };
  const { error, hint } = await failAt(`${scheme}://${hiddenHost}`, { variables });
  expect(error.message).toContain(`the proxy ${proxy.host} rejected the user name and password in all_proxy`);
  expect(hint).toContain('Check them; write special characters');
  expect(`${error.stack} ${JSON.stringify(error)} ${hint}`).not.toMatch(/mona|wrong-word/);
});

test('a proxy that refuses a tunnel is reported with its status, and retried only if that can help', async () => {
  const [forbidding, lost] = [await openProxy({ port: 1, refusal: 403 }), await openProxy({ port: 1, refusal: 502 })];
  const first = await failAt(`https://${hiddenHost}`, { variables: { https_proxy: forbidding.host } });
  expect(first.error.message).toBe(
    `${hiddenHost}: the proxy ${forbidding.host} refused to connect to the server (403)`,
  );
  expect([first.error.fault, first.error.neverLeft]).toEqual(['fetch', true]);
  const second = await failAt(`https://${hiddenHost}`, { variables: { https_proxy: lost.host } });
  expect([second.error.fault, second.error.neverLeft]).toEqual(['unreachable', true]);
  expect(second.hint).toContain(`Check that the proxy can resolve ${hiddenHost}`);
});

test('an unreachable proxy is blamed instead of the server', async () => {
  const port = await findClosedPort();
  const refused = await failAt(`https://${hiddenHost}`, { variables: { HTTPS_PROXY: `127.0.0.1:${port}` } });
  expect(refused.error.message).toBe(
    `${hiddenHost}: the proxy 127.0.0.1:${port} refused the connection (ECONNREFUSED)`,
  );
  expect([refused.error.fault, refused.error.neverLeft]).toEqual(['refused', true]);
  expect(refused.hint).toBe(`Check HTTPS_PROXY, or add ${hiddenHost} to NO_PROXY if it needs no proxy`);
  const unknown = await failAt(`https://${hiddenHost}`, { variables: { HTTPS_PROXY: 'proxy.example.invalid:1' } });
  expect(unknown.error.message).toContain('the proxy proxy.example.invalid:1 has a host name that does not resolve');
});

test('an https:// address for a plain http proxy is explained', async () => {
  const address = (await openProxy({ port: 1 })).host.replace('127.0.0.1', 'localhost');
  const { error, hint } = await failAt(`https://${hiddenHost}`, {
    variables: { https_proxy: `https://${address}` },
  });
  expect(error.fault).toBe('tls');
  expect(hint).toContain(`through the proxy ${address} (https_proxy)`);
  expect(hint).toContain('must start with http://');
});

test('an unresolved name suggests that a proxy may be missing', async () => {
  const { error, hint } = await failAt(`https://${hiddenHost}`);
  expect(error.message).toContain(hiddenHost);
  expect(hint).toContain('HTTPS_PROXY');
});

test('a refused loopback connection explains which machine that is', async () => {
  const { hint } = await failAt(`http://127.0.0.1:${await findClosedPort()}`);
  expect(hint).toContain('Nothing is listening at');
});

test('an unknown authority suggests ca_file, or what ca_file lacks', async () => {
  const target = await openTarget(identity);
  const url = `https://127.0.0.1:${target.port}`;
  const without = await failAt(url);
  expect(without.error.fault).toBe('certificate');
  expect(without.hint).toMatch(/Set `ca_file` to the authority's PEM file.*NODE_EXTRA_CA_CERTS/);
  const caFile = writeCertificate(makeCertificate({ name: 'Other authority' }));
  expect((await failAt(url, { caFile })).hint).toContain('`ca_file` does not contain the authority');
});

test('a certificate fault behind a proxy is explained too', async () => {
  const target = await openTarget(identity);
  const proxy = await openProxy(target);
  const { error, hint } = await failAt(`https://${hiddenHost}`, { variables: { https_proxy: proxy.host } });
  expect([error.fault, target.seen]).toEqual(['certificate', []]);
  expect(hint).toMatch(new RegExp(`through the proxy ${proxy.host} .*proxy that inspects its traffic.*\`ca_file\``));
});

test('ca_file is not suggested for an expired certificate or one for another name', async () => {
  const old = await openTarget(makeCertificate({ name: 'old', authority, hosts: ['127.0.0.1'], endsInDays: -1 }));
  const other = await openTarget(makeCertificate({ name: 'other.example.com', authority }));
  const caFile = writeCertificate(authority);
  const expired = await failAt(`https://127.0.0.1:${old.port}`, { caFile });
  expect(expired.hint).toBe('The server needs a new certificate, or the clock of the runner is wrong');
  const misnamed = await failAt(`https://127.0.0.1:${other.port}`, { caFile });
  expect(misnamed.hint).toContain('Use a host name in `base_url` that the certificate lists');
});

test('other errors get no hint, and an unknown start gets the hint of its cause', () => {
  const way = { hasCaFile: false, proxy: undefined };
  expect(explainNetworkFault(new Error('no'), way)).toBeUndefined();
  const closed = new ConnectionError('closed', { host: 'agents.example.com', fault: 'closed', neverLeft: false });
  expect(explainNetworkFault(closed, way)).toBeUndefined();
  const unknown = new StartUnknownError({ idempotencyKey: 'k', cause: closed });
  expect(explainNetworkFault(unknown, { ...way, proxy: 'proxy.example.com:1 (HTTPS_PROXY)' })).toBe(
    'The request to agents.example.com goes through the proxy proxy.example.com:1 (HTTPS_PROXY)',
  );
  const silent = new ConnectionError('silent', { host: 'agents.example.com', fault: 'timeout', neverLeft: true });
  expect(explainNetworkFault(silent, way)).toMatch(/Check that the runner can reach that host\..*HTTPS_PROXY/);
});

test.each(['unresolved', 'refused'] as const)('%s: the hint names the option that set the address', fault => {
  const error = new ConnectionError('x', { host: 'agents.example.com', fault, neverLeft: true });
  const way = { hasCaFile: false, proxy: undefined };
  expect(explainNetworkFault(error, way)).toContain('`base_url`');
  const hint = explainNetworkFault(error, { ...way, option: 'AGENT_RUN_BASE_URL' });
  expect(hint).toContain('AGENT_RUN_BASE_URL');
  expect(hint).not.toContain('`base_url`');
});
