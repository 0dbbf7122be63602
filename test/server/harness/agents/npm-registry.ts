import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createTempFolder } from '../../../support/temp-folder.ts';

interface TestPackage {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/**
 * An npm registry with one package. Returns the environment in which npm uses this registry only. Closed after the
 * test.
 */
export async function startRegistry({
  name,
  version,
  files,
  scripts = {},
}: TestPackage): Promise<Readonly<Record<string, string>>> {
  const folder = createTempFolder();
  const manifest = { name, version, scripts };
  for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
    mkdirSync(dirname(join(folder, 'package', path)), { recursive: true });
    writeFileSync(join(folder, 'package', path), text, { mode: 0o755 });
  }
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  const tarball = readFileSync(join(folder, 'package.tgz'));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const server = createServer((request, response) => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (request.url?.endsWith('.tgz')) return response.end(tarball);
    if (decodeURIComponent(request.url ?? '') !== `/${name}`) return response.writeHead(404).end('{}');
    const dist = { tarball: `${address}/${name}.tgz`, integrity };
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    npm_config_cache: join(folder, 'cache'),
    npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    npm_config_fetch_retries: '0',
  };
}
