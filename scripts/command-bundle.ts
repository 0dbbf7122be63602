/** What esbuild makes for the npm package: the command with its server, and the one package that the client uses. */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { unused, unusedText } from './bundle.ts';
import { root } from './package-folder.ts';

/**
 * Each list becomes files that share code. The server starts all but the first by their path next to its own file, and
 * none of them needs what another loads.
 */
const programs: readonly Readonly<Record<string, string>>[] = [
  { 'agent-run': 'src/cli/main.ts', testing: 'src/testing/index.ts' },
  { watchdog: 'src/server/executor/cleanup/watchdog.ts' },
  { 'spawner-program': 'src/server/executor/spawning/spawner-program.ts' },
  { 'builtin-agent': 'src/server/harness/agents/builtin/builtin-agent.ts' },
  { 'schema-program': 'src/server/schema/schema-program.ts' },
];

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  format: 'esm',
  legalComments: 'none',
} as const satisfies BuildOptions;

/** CommonJS packages call `require` for Node's modules. */
const banner =
  "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);";

const withoutUnused: Plugin = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${unused.join('|')})$`) }, () => ({ path: 'unused', namespace: 'unused' }));
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: unusedText }));
  },
};

/** Texts by their path in the package, and the files that they were made of. */
export async function bundleCommand(): Promise<{
  readonly files: ReadonlyMap<string, string>;
  readonly inputs: readonly string[];
}> {
  const outdir = join(root, 'bundle');
  const built = await Promise.all(
    programs.map(entryPoints =>
      build({
        ...options,
        entryPoints,
        outdir,
        splitting: true,
        platform: 'node',
        target: 'node22',
        // Names stay, for stack traces.
        minifyWhitespace: true,
        minifySyntax: true,
        banner: { js: banner },
        plugins: [withoutUnused],
      }),
    ),
  );
  for (const { metafile } of built) refuseForeignImports(metafile);
  return {
    files: new Map(
      built
        .flatMap(({ outputFiles }) => outputFiles)
        .map(({ path, text }) => [`bundle/${path.slice(outdir.length + 1)}`, text]),
    ),
    inputs: built.flatMap(({ metafile }) => inputsOf(metafile)),
  };
}

/** p-retry and what it imports, as one module. It declares a newer Node than it needs; the tests run it on Node 20. */
export async function bundleRetry(): Promise<{ readonly text: string; readonly inputs: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    ...options,
    stdin: { contents: "export { default } from 'p-retry';", resolveDir: root },
    platform: 'neutral',
    target: 'es2022',
  });
  return { text: outputFiles[0]?.text ?? '', inputs: inputsOf(metafile) };
}

/** Files of packages. */
function inputsOf({ inputs }: Metafile): readonly string[] {
  return Object.keys(inputs).filter(path => path.includes('node_modules/'));
}

/** esbuild leaves a package that it does not find to the time when the program runs, where an import can be caught. */
function refuseForeignImports({ outputs }: Metafile): void {
  const foreign = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && !isBuiltin(path));
  if (foreign.length > 0) throw new Error(`the bundle lacks ${foreign.map(({ path }) => path).join(', ')}`);
}
