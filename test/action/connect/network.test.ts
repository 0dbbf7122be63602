import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type Network, type NetworkOptions, openNetwork } from '../../../src/action/connect/network.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { waitMs } from '../../support/wait-until.ts';
import { makeCertificate } from './certificates.ts';
import { hiddenHost, openProxy, openTarget } from './partners.ts';

const authority = makeCertificate({ name: 'Test authority' });
const identity = makeCertificate({ name: hiddenHost, authority, hosts: [hiddenHost, '127.0.0.1'] });
const proxyIdentity = makeCertificate({ name: 'localhost', authority });

async function open(options: NetworkOptions): Promise<Network> {
  const network = await openNetwork(options);
  onTestFinished(() => network.close());
  return network;
}

function writeAuthority(text = authority.cert): string {
  const path = join(createTempFolder(), 'ca.pem');
  writeFileSync(path, text);
  return path;
}

async function read(network: Network, url: string): Promise<string> {
  return await (await network.fetch(url, {})).text();
}

/**
 * Runs a script in its own process in the repository's root and returns its output. Rejects if it does not end by
 * itself.
 */
async function runScript(script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env: { ...process.env, ...env },
    timeout: waitMs,
  });
  return stdout;
}

test('without proxies and ca_file nothing is described, masked or closed', async () => {
  const target = await openTarget();
  const network = await open({ variables: { NO_PROXY: 'example.com', PATH: '/bin' } });
  const url = `http://127.0.0.1:${target.port}`;
  expect([await read(network, url), network.describe(url), network.proxyOf(url), network.secrets]).toEqual([
    'hello',
    undefined,
    undefined,
    [],
  ]);
});

test('undici is loaded only with a proxy, and a closed network lets the process end', async () => {
  const [target, hidden] = [await openTarget(), await openTarget()];
  const proxy = await openProxy(hidden);
  const script = `
    import { createRequire } from 'node:module';
    import { openNetwork } from './src/action/connect/network.ts';
    const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some(path => /node_modules.undici/.test(path));
    const loaded = [];
    const read = async (network, url) => {
      await (await network.fetch(url, {})).text();
      loaded.push(isLoaded());
    };
    await read(await openNetwork({ variables: {} }), 'http://127.0.0.1:${target.port}');
    const network = await openNetwork({ variables: { http_proxy: 'http://${proxy.host}' } });
    await read(network, 'http://127.0.0.1:${target.port}');
    await read(network, 'http://${hiddenHost}');
    // Nobody reads the body.
    globalThis.kept = await network.fetch('http://${hiddenHost}/events', {});
    await network.close();
    console.log(JSON.stringify(loaded));
  `;
  expect(JSON.parse(await runScript(script))).toEqual([false, true, true]);
});

test('a server that only the proxy can resolve is reached over http', async () => {
  const target = await openTarget();
  const proxy = await openProxy(target);
  const network = await open({ variables: { HTTP_PROXY: `http://${proxy.host}` } });
  expect(await read(network, `http://${hiddenHost}/here`)).toBe('hello');
  expect([proxy.seen, target.seen]).toEqual([[`GET http://${hiddenHost}/here`], ['GET /here']]);
  expect(network.describe(`http://${hiddenHost}`)).toBe(`through the proxy ${proxy.host} (HTTP_PROXY)`);
});

test('a server with a private authority is reached over https, and the proxy sees only its host', async () => {
  const target = await openTarget(identity);
  const proxy = await openProxy(target);
  const network = await open({ variables: { https_proxy: proxy.host }, caFile: writeAuthority() });
  const url = `https://${hiddenHost}/here`;
  expect(await read(network, url)).toBe('hello');
  expect([proxy.seen, target.seen]).toEqual([[`CONNECT ${hiddenHost}:443`], ['GET /here']]);
  expect(network.describe(url)).toBe(
    `through the proxy ${proxy.host} (https_proxy), also trusting \`ca_file\` (certificates: 1)`,
  );
});

test('a request with a body arrives whole', async () => {
  const target = await openTarget(identity);
  const proxy = await openProxy(target);
  const network = await open({ variables: { https_proxy: proxy.host }, caFile: writeAuthority() });
  const headers = { 'Content-Type': 'application/json' };
  const response = await network.fetch(`https://${hiddenHost}/`, { method: 'POST', body: '{}', headers });
  expect([response.status, target.seen]).toEqual([200, ['POST /']]);
});

test('the proxy receives the user name and the password', async () => {
  const target = await openTarget(identity);
  const proxy = await openProxy({ ...target, credentials: 'mona:pa@s/s' });
  const variables = { https_proxy: `http://mona:pa%40s%2Fs@${proxy.host}` };
  const network = await open({ variables, caFile: writeAuthority() });
  expect(await read(network, `https://${hiddenHost}/`)).toBe('hello');
  expect(proxy.credentials()).toBe('mona:pa@s/s');
  expect(network.secrets).toEqual(expect.arrayContaining(['pa%40s%2Fs', 'pa@s/s']));
  expect(network.describe(`https://${hiddenHost}/`)).not.toMatch(/mona|pa@|pa%/);
});

test('a TLS proxy is reached by its own name, and ca_file applies to it too', async () => {
  const target = await openTarget(identity);
  const proxy = await openProxy({ ...target, identity: proxyIdentity });
  const network = await open({ variables: { https_proxy: `https://${proxy.host}` }, caFile: writeAuthority() });
  expect(await read(network, `https://${hiddenHost}/`)).toBe('hello');
  expect(proxy.seen).toEqual([`CONNECT ${hiddenHost}:443`]);
});

test('loopback and the hosts in NO_PROXY are reached without the proxy', async () => {
  const target = await openTarget();
  const proxy = await openProxy(target);
  const network = await open({ variables: { http_proxy: `http://${proxy.host}`, NO_PROXY: hiddenHost } });
  expect(await read(network, `http://127.0.0.1:${target.port}`)).toBe('hello');
  await expect(network.fetch(`http://${hiddenHost}`, {})).rejects.toThrow('fetch failed');
  expect(proxy.seen).toEqual([]);
});

test.each(['http', 'https'])('events come through the proxy one by one as they are sent, over %s', async scheme => {
  const target = await openTarget(scheme === 'https' ? identity : undefined);
  const proxy = await openProxy(target);
  const network = await open({ variables: { all_proxy: proxy.host }, caFile: writeAuthority() });
  const { body } = await network.fetch(`${scheme}://${hiddenHost}/events`, {});
  const reader = body?.getReader();
  const next = async () => new TextDecoder().decode((await reader?.read())?.value);
  expect(await next()).toBe('data: 0\n\n');
  target.streams[0]?.send('data: 1\n\n');
  expect(await next()).toBe('data: 1\n\n');
});

test.each(['http', 'https'])('an abort reaches the server through the proxy, over %s', async scheme => {
  const target = await openTarget(scheme === 'https' ? identity : undefined);
  const proxy = await openProxy(target);
  const network = await open({ variables: { all_proxy: proxy.host }, caFile: writeAuthority() });
  const controller = new AbortController();
  const response = await network.fetch(`${scheme}://${hiddenHost}/events`, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(response.text()).rejects.toThrow();
  await target.streams[0]?.closed;
  await expect(network.fetch(`${scheme}://${hiddenHost}`, { signal: controller.signal })).rejects.toThrow('enough');
});

test('a closed network ends open streams and sends nothing more', async () => {
  const target = await openTarget(identity);
  const proxy = await openProxy(target);
  const network = await openNetwork({ variables: { https_proxy: proxy.host }, caFile: writeAuthority() });
  const response = await network.fetch(`https://${hiddenHost}/events`, {});
  await network.close();
  await expect(response.text()).rejects.toThrow();
  await target.streams[0]?.closed;
  await expect(network.fetch(`https://${hiddenHost}`, {})).rejects.toThrow('closed');
});

test('ca_file is trusted in addition to the platform until the network closes, and names are checked', async () => {
  const target = await openTarget(identity);
  const url = `https://127.0.0.1:${target.port}`;
  const known = tls.getCACertificates('default');
  const network = await openNetwork({ variables: {}, caFile: writeAuthority() });
  expect(await read(network, url)).toBe('hello');
  expect(tls.getCACertificates('default')).toEqual(expect.arrayContaining(known));
  await expect(read(network, `https://localhost:${target.port}`)).rejects.toMatchObject({
    cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  });
  await network.close();
  expect(tls.getCACertificates('default').length).toBe(known.length);
});

test("if Node's trust cannot be extended, ca_file applies to this network only, with or without a proxy", async () => {
  const { setDefaultCACertificates } = tls;
  Object.assign(tls, { setDefaultCACertificates: undefined });
  onTestFinished(() => void Object.assign(tls, { setDefaultCACertificates }));
  const target = await openTarget(identity);
  const proxy = await openProxy({ ...target, identity: proxyIdentity });
  const network = await open({ variables: { https_proxy: `https://${proxy.host}` }, caFile: writeAuthority() });
  expect(await read(network, `https://127.0.0.1:${target.port}`)).toBe('hello');
  expect(await read(network, `https://${hiddenHost}`)).toBe('hello');
  await expect(read(network, `https://localhost:${target.port}`)).rejects.toThrow('fetch failed');
  await expect(fetch(`https://127.0.0.1:${target.port}`)).rejects.toThrow('fetch failed');
});

test('a file with several certificates is read whole, whatever other text it has', async () => {
  const other = makeCertificate({ name: 'Other authority' });
  const target = await openTarget(identity);
  const caFile = writeAuthority(`# ours\r\n${other.cert}\n${other.key}\n${authority.cert.replaceAll('\n', '\r\n')}`);
  const network = await open({ variables: {}, caFile });
  const url = `https://127.0.0.1:${target.port}`;
  expect([await read(network, url), network.describe(url)]).toEqual([
    'hello',
    'also trusting `ca_file` (certificates: 2)',
  ]);
});

test('ca_file and NODE_EXTRA_CA_CERTS are both trusted', async () => {
  const other = makeCertificate({ name: 'Other authority' });
  const ofOther = makeCertificate({ name: 'localhost', authority: other });
  const [mine, others] = [await openTarget(identity), await openTarget(ofOther)];
  const script = `
    import { openNetwork } from './src/action/connect/network.ts';
    const network = await openNetwork({ variables: {}, caFile: ${JSON.stringify(writeAuthority())} });
    for (const url of ['https://127.0.0.1:${mine.port}', 'https://localhost:${others.port}'])
      console.log(await (await network.fetch(url, {})).text());
    await network.close();
  `;
  expect(await runScript(script, { NODE_EXTRA_CA_CERTS: writeAuthority(other.cert) })).toBe('hello\nhello\n');
});

const der = Buffer.from(authority.cert.replace(/-----[^-]+-----|\s/g, ''), 'base64');
const badFiles: readonly (readonly [kind: string, write: (path: string) => void, message: RegExp])[] = [
  ['is missing', () => {}, /`ca_file`: "[^"]+ca\.pem" cannot be read: the file does not exist\. Did an earlier step/],
  ['is a folder', path => mkdirSync(path), /cannot be read: it is a folder\. Name a file/],
  ...(process.platform === 'win32'
    ? []
    : [
        [
          'is a device',
          (path: string) => symlinkSync('/dev/zero', path),
          /cannot be read: it is a device or a pipe/,
        ] as const,
      ]),
  ['is empty', path => writeFileSync(path, ''), /contains no PEM certificate/],
  ['is in DER form', path => writeFileSync(path, der), /contains no PEM certificate.*openssl x509 -inform der/],
  ['is a key', path => writeFileSync(path, authority.key), /contains no PEM certificate/],
  [
    'is damaged',
    path => writeFileSync(path, `${authority.cert}${authority.cert.replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA')}`),
    /is damaged: certificate 2 of 2 cannot be read/,
  ],
];

test.each(badFiles)('a ca_file that %s is refused with a remedy', async (_kind, write, message) => {
  const caFile = join(createTempFolder(), 'ca.pem');
  write(caFile);
  await expect(openNetwork({ variables: {}, caFile })).rejects.toThrow(message);
});

test('a proxy that closes the connection instead of opening a tunnel is asked once', async () => {
  let asked = 0;
  const proxy = createServer(socket => {
    socket.once('data', () => {
      asked += 1;
      socket.destroy();
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const network = await open({ variables: { HTTPS_PROXY: `http://127.0.0.1:${port}` } });
  await expect(network.fetch('https://agents.example.com', {})).rejects.toMatchObject({
    name: 'ProxyError',
    neverLeft: true,
    message: expect.stringContaining('closed the connection'),
  });
  expect(asked).toBe(1);
});

test('an unusable proxy stops the step only if it is on the way to the server', async () => {
  const variables = { HTTPS_PROXY: 'http://proxy.example.com:3128', ALL_PROXY: 'socks5://proxy.example.com:1080' };
  await expect(openNetwork({ variables })).rejects.toThrow('ALL_PROXY');
  await expect(openNetwork({ variables, baseUrl: 'http://agents.example.com' })).rejects.toThrow('ALL_PROXY');
  const network = await open({ variables, baseUrl: 'https://agents.example.com' });
  await expect(network.fetch('http://agents.example.com', {})).rejects.toMatchObject({
    name: 'ConnectionError',
    fault: 'fetch',
    neverLeft: true,
    message: expect.stringContaining('ALL_PROXY'),
  });
});
