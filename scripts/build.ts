/**
 * `npm run build`: the sources as JavaScript in build/js, and the bundles of both actions in dist/ and apply/dist/.
 * `npm run build -- --check`: the same into build/, and fails when a committed bundle differs.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundles, writeBundle } from './bundle.ts';

const root = resolve(import.meta.dirname, '..');

// The bundle names its modules after their paths from here.
process.chdir(root);

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
rmSync(join(root, 'build/js'), { recursive: true, force: true });
run('tsc', ['-p', 'tsconfig.build.json']);
for (const [folder, bundle] of Object.entries(bundles)) {
  const [committed, fresh] = [join(root, folder), join(root, 'build', folder)];
  await writeBundle(root, fresh, bundle);
  if (!values.check) {
    rmSync(committed, { recursive: true, force: true });
    cpSync(fresh, committed, { recursive: true });
    continue;
  }
  const stale = differences(committed, fresh);
  if (stale.length > 0) {
    console.error(
      `${folder}/ does not match the sources (${stale.join(', ')}); run \`npm run build\` and commit ${folder}/`,
    );
    process.exitCode = 1;
  }
}

function run(command: string, args: readonly string[]): void {
  try {
    execFileSync(join(root, 'node_modules/.bin', process.platform === 'win32' ? `${command}.cmd` : command), args, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  } catch {
    console.error(`${command} failed`);
    process.exit(1);
  }
}

/** Paths whose bytes differ between two folders, or that only one of them has. */
function differences(left: string, right: string): readonly string[] {
  const all = new Set([...listFiles(left), ...listFiles(right)]);
  return [...all].filter(file => {
    const [a, b] = [join(left, file), join(right, file)];
    return !existsSync(a) || !existsSync(b) || !readFileSync(a).equals(readFileSync(b));
  });
}

function listFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
