import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

interface Manifest {
  readonly version: string;
  readonly license: string;
}

/** The clone's own package.json. */
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

export interface PackageParts {
  /** The package's folder and its tarball are made anew here. */
  readonly target: string;
  readonly name: string;
  /** Fields that package.json of the clone does not have. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Text files by their path in the package. */
  readonly files: ReadonlyMap<string, string>;
}

/** Writes a package and packs it. Path of the tarball. */
export function writePackage({ target, name, fields, files }: PackageParts): string {
  const folder = join(target, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const { version, license } = manifest;
  const published = { name, version, license, type: 'module', ...fields };
  const all = new Map([...files, ['package.json', `${JSON.stringify(published, undefined, 2)}\n`]]);
  for (const [path, text] of all) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const packed = execFileSync(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['pack', '--json', '--pack-destination', '..'],
    {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  );
  return join(target, fileNameOf(JSON.parse(packed)));
}

/** The name that `npm pack --json` says; npm 12 answers with an object by package, earlier ones with a list. */
function fileNameOf(packed: unknown): string {
  const first = Array.isArray(packed) ? packed[0] : Object.values(packed as Record<string, unknown>)[0];
  return (first as { filename: string }).filename;
}

/** tsc leaves `.ts` in the paths of declarations, where a package has no such file. */
export function nameDeclarations(declarations: string): string {
  return declarations.replace(/((?:from |import\()['"]\.[^'"\n]*)\.ts(['"])/g, '$1.js$2');
}

/** Paths that a module or its declarations import, as they stand there. */
export function relativeImportsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:\bfrom |\bimport\(|^import )['"](\.[^'"\n]*)['"]/gm)].map(match => match[1] ?? '');
}
