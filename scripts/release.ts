/**
 * `npm run release`: what is published, as folders and tarballs in build/packages. It publishes nothing: it ends with
 * the commands that do. `npm run release -- --to FOLDER`: the same packages of the sources as they are, into another
 * folder, without the checks of a release.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packClient } from './client-package.ts';
import { manifest, root } from './package-folder.ts';
import { packServer } from './server-package.ts';

const usage = `npm run release                   packs what is published into build/packages, and says how to publish it
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
  const tarballs = packAll(join(root, 'build/js'), join(root, 'build/packages'));
  const commands = tarballs.map(tarball => `  npm publish ${tarball} --access public --provenance`);
  console.log(
    `\n${tarballs.join('\n')}\n\nTo publish them:\n${commands.join('\n')}\n  git tag v${version} && git push origin v${version}`,
  );
} else {
  const target = resolve(values.to);
  const js = join(target, 'js');
  runNode('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', js);
  console.log(packAll(js, target).join('\n'));
}

function readArguments() {
  try {
    const options = { to: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    stop(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

function packAll(js: string, target: string): readonly string[] {
  return [packClient({ js, target }), packServer({ js, target })];
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
