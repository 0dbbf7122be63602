import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
export const packageNames = ['agent-run', 'agent-run-server'] as const;
export type PackageName = (typeof packageNames)[number];

export interface Packed extends Disposable {
  /** A folder outside the clone in whose node_modules the packages are as npm would unpack them. */
  readonly consumer: string;
  tarballOf(name: PackageName): string;
  folderOf(name: PackageName): string;
}

/** Packs the sources as they are and installs the packages by hand: no registry is asked. Gone when disposed of. */
export function packPackages(): Packed {
  const tarballs = packOnce();
  const consumer = realpathSync(mkdtempSync(join(tmpdir(), 'agent-run-package-')));
  const modules = join(consumer, 'node_modules');
  const tarballOf = (name: PackageName) =>
    join(tarballs, readdirSync(tarballs).find(file => new RegExp(`^${name}-\\d.*\\.tgz$`).test(file)) ?? '');
  const link = (name: string) => {
    const place = join(modules, name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place, 'junction');
  };
  const dependencies = packageNames.flatMap(name => {
    mkdirSync(join(modules, name), { recursive: true });
    execFileSync('tar', ['-xzf', tarballOf(name), '--strip-components=1', '-C', join(modules, name)]);
    return Object.keys(JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).dependencies ?? {});
  });
  for (const name of new Set(dependencies)) link(name);
  return {
    consumer,
    tarballOf,
    folderOf: name => join(modules, name),
    [Symbol.dispose]: () => rmSync(consumer, { recursive: true, force: true }),
  };
}

/** Whatever a package is made of. */
const inputs = ['src', 'scripts', 'bin', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const texts = ['LICENSE'];

/** Longer than any run of the tests. */
const keptMs = 3_600_000;

/**
 * Folder of the tarballs. Files of tests pack the same sources once between them: the folder's name is the hash of
 * what goes in.
 */
function packOnce(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of [...inputs, ...texts].flatMap(listFiles)) hash.update(file).update(readFileSync(join(root, file)));
  const folder = join(root, 'build/test-packages');
  const tarballs = join(folder, hash.digest('hex').slice(0, 16));
  if (existsSync(tarballs)) return tarballs;
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder).map(name => join(folder, name)))
    if (statSync(old).mtimeMs < Date.now() - keptMs) rmSync(old, { recursive: true, force: true });
  const fresh = mkdtempSync(join(folder, 'fresh-'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.ts', '--to', fresh], {
    cwd: root,
    encoding: 'utf8',
  });
  try {
    if (status !== 0) throw new Error(`the packages cannot be made: ${stdout}${stderr}`);
    renameSync(fresh, tarballs);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another file of tests may have been quicker.
    if (!existsSync(tarballs)) throw error;
  }
  return tarballs;
}

function listFiles(path: string): readonly string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .toSorted()
    .flatMap(file => listFiles(join(path, file)));
}
