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
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export interface Packed extends Disposable {
  /** A folder outside the clone in whose node_modules the package is as npm would unpack it. */
  readonly consumer: string;
  readonly tarball: string;
  readonly folder: string;
}

/** Packs the sources as they are and installs the package by hand: no registry is asked. Gone when disposed of. */
export function packPackage(): Packed {
  const tarballs = packOnce();
  const tarball = join(tarballs, readdirSync(tarballs).find(file => file.endsWith('.tgz')) ?? '');
  const consumer = realpathSync(mkdtempSync(join(tmpdir(), 'agent-run-package-')));
  const folder = join(consumer, 'node_modules/agent-run');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
  return { consumer, tarball, folder, [Symbol.dispose]: () => rmSync(consumer, { recursive: true, force: true }) };
}

/** Whatever the package is made of. */
const inputs = ['src', 'scripts', 'bin', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const texts = ['LICENSE'];

/** Longer than any run of the tests. */
const keptMs = 3_600_000;

/**
 * Folder of the tarball. Files of tests pack the same sources once between them: the folder's name is the hash of
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
    if (status !== 0) throw new Error(`the package cannot be made: ${stdout}${stderr}`);
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
