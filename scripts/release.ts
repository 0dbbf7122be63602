/**
 * `npm run release`: what is published, as folders and tarballs in build/packages. It publishes nothing: it ends with the commands that do.
 * `agent-run-server` holds the command, the server and the test helpers as JavaScript, without the Node binaries that the clone uses.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: unknown;
  readonly dependencies: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, '..');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
/** Only the action's bundle needs these. */
const bundledOnly = ['@actions/core'];

if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(manifest.version))
  stop(`CHANGELOG.md says nothing of ${manifest.version}`);
execFileSync(process.execPath, ['scripts/build.ts', '--check'], { cwd: root, stdio: 'inherit' });
const tarball = packServer();
console.log(
  `\n${tarball}\n\nTo publish it:\n  npm publish ${tarball} --access public --provenance\n  git tag v${manifest.version} && git push origin v${manifest.version}`,
);

function packServer(): string {
  const folder = join(root, 'build/packages/agent-run-server');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'build/js'), join(folder, 'js'), {
    recursive: true,
    filter: path => !/^(action|demo)\b/.test(relative(join(root, 'build/js'), path)),
  });
  for (const item of ['bin', 'LICENSE', 'README.md', 'CHANGELOG.md'])
    if (existsSync(join(root, item)))
      cpSync(join(root, item), join(folder, item), { recursive: true, filter: path => !path.endsWith('start.js') });
  const published = {
    name: 'agent-run-server',
    version: manifest.version,
    description: 'The agent-run server and command',
    license: manifest.license,
    type: 'module',
    engines: manifest.engines,
    bin: { 'agent-run': 'bin/agent-run.js' },
    exports: { '.': './js/server/index.js', './testing': './js/testing/index.js', './package.json': './package.json' },
    dependencies: Object.fromEntries(
      Object.entries(manifest.dependencies).filter(([name]) => !bundledOnly.includes(name)),
    ),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
  const packed = execFileSync(npm, ['pack', '--json', '--pack-destination', '..'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return join(root, 'build/packages', fileNameOf(JSON.parse(packed)));
}

/** The name that `npm pack --json` says; npm 12 answers with an object by package, earlier ones with a list. */
function fileNameOf(packed: unknown): string {
  const first = Array.isArray(packed) ? packed[0] : Object.values(packed as Record<string, unknown>)[0];
  return (first as { filename: string }).filename;
}

function stop(reason: string): never {
  console.error(reason);
  process.exit(1);
}
