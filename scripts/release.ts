/**
 * `npm run release`: the npm package, as a folder and a tarball in build/packages. It publishes nothing: it ends with
 * the commands that do. `npm run release -- --to FOLDER`: the package of the sources as they are, into another folder,
 * without the checks of a release.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packNpmPackage } from './npm-package.ts';
import { manifest, root } from './package-folder.ts';

const usage = `npm run release                   packs the npm package into build/packages, and says how to publish it
npm run release -- --to FOLDER    packs the sources as they are into another folder, without the checks of a release`;

const values = readArguments();
if (values.help) {
  console.log(usage);
  process.exit();
}
const { version } = manifest;
if (values.to === undefined) {
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(version))
    stop(`CHANGELOG.md has no entry for ${version}`);
  runNode('scripts/build.ts', '--check');
  const tarball = await packNpmPackage({ js: join(root, 'build/js'), target: join(root, 'build/packages') });
  console.log(`\n${tarball}\n\nTo publish it:\n  npm publish ${tarball} --access public --provenance`);
} else {
  const target = resolve(values.to);
  const js = join(target, 'js');
  runNode('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', js);
  console.log(await packNpmPackage({ js, target }));
}

function readArguments() {
  try {
    const options = { to: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    stop(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function runNode(...args: readonly string[]): void {
  try {
    execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  } catch {
    stop(`${args.join(' ')} failed`);
  }
}

function stop(reason: string): never {
  console.error(reason);
  process.exit(1);
}
