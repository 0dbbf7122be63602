import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { test } from 'vitest';
import { packPackage } from '../package/packed.ts';

export interface Runtime {
  readonly name: string;
  readonly path: string;
  /** How to get it. */
  readonly remedy: string;
}

const fromLock = (name: string, file: string): Runtime => ({
  name,
  path: join(import.meta.dirname, '../runtimes/node_modules', file),
  remedy: 'npm ci --prefix test/runtimes',
});

export const deno = fromLock('Deno', '@deno/linux-x64-glibc/deno');
export const bun = fromLock('Bun', '@oven/bun-linux-x64/bin/bun');
export const workerd = fromLock('workerd', '@cloudflare/workerd-linux-64/bin/workerd');
export const chromium: Runtime = { name: 'Chromium', path: '/usr/bin/chromium', remedy: 'apt-get install chromium' };

/** A test that needs a runtime. Without it the test is skipped, and its name says why; in CI it fails. */
export function testOn({ name, path, remedy }: Runtime, sentence: string, body: () => Promise<void>): void {
  if (existsSync(path)) test(sentence, body, 120_000);
  else if (process.env.CI === 'true')
    test(sentence, () => {
      throw new Error(`${name} is not at ${path}: ${remedy}`);
    });
  else test.skip(`${sentence} (skipped: ${name} is not here, ${remedy})`, () => {});
}

/** The packed client and the exercise as modules; gone when disposed of. */
export async function prepareExercise() {
  const packed = packPackage();
  const entry = join(import.meta.dirname, 'exercise.ts');
  const outfile = join(packed.consumer, 'exercise.js');
  /** Beside the installed package, which it imports by name. */
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    external: ['agent-run'],
    format: 'esm',
    target: 'es2023',
  });
  return {
    folder: packed.consumer,
    /** One file with everything in it, after `source`, which may use `exercise`. */
    async bundle(source: string): Promise<string> {
      const { outputFiles } = await build({
        stdin: { contents: `import { exercise } from './exercise.js';\n${source}`, resolveDir: packed.consumer },
        bundle: true,
        write: false,
        format: 'esm',
        target: 'es2023',
        platform: 'browser',
      });
      return outputFiles[0]?.text ?? '';
    },
    [Symbol.dispose]: () => packed[Symbol.dispose](),
  };
}
