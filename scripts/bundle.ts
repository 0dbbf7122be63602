/**
 * The action as the runner starts it: one folder of JavaScript with nothing else needed. What every step loads stands in one file, core.js, for
 * each file more is a millisecond on the way to the first request; what is loaded only when it is needed stands in files of its own.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { nameChunks } from './chunk-names.ts';
import { leanPackages } from './lean-packages.ts';
import { printLicences } from './licences.ts';

/** Path in the bundle, without its ending, and source. action.yml names them. */
const entries = { 'main/index': 'src/action/main-program.ts', 'post/index': 'src/action/post-program.ts' } as const;

/** Sources that go into core.js with all that they import at once. */
const core = ['src/action/host/entry.ts', 'src/action/run-action.ts', 'src/action/post-action.ts'] as const;

/** Programs of their own, which the server starts by their path beside the file that the source `startedBy` is in. */
const programs = [
  {
    name: 'watchdog.js',
    source: 'src/server/executor/watchdog.ts',
    startedBy: 'src/server/executor/watchdog-link.ts',
  },
  {
    name: 'builtin-agent.js',
    source: 'src/server/harness/agents/builtin/builtin-agent.ts',
    startedBy: 'src/server/harness/agents/builtin/builtin.ts',
  },
  {
    name: 'schema-program.js',
    source: 'src/server/worker/schema-program.ts',
    startedBy: 'src/server/worker/schema-thread.ts',
  },
] as const;

/** Packages of CommonJS ask for Node's own modules by `require`, which an ES module does not have. */
const requireShim = 'var __require =';
const requireBanner = "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);\n";

/** Writes the bundle of the sources below `root` into a folder, which is emptied before. */
export async function writeBundle(root: string, folder: string): Promise<void> {
  const common = {
    absWorkingDir: root,
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    logLevel: 'warning',
    plugins: [leanPackages],
  } as const satisfies BuildOptions;
  const split = { ...common, entryPoints: entries, chunkNames: '[name]-[hash]', splitting: true } as const;
  const starts = startsOf((await build(split)).metafile);
  const step = await build({ ...split, plugins: [leanPackages, namePackages, gatherCore(root, starts)] });
  const others = await Promise.all(programs.map(({ source }) => build({ ...common, entryPoints: [source] })));

  const names = nameChunks(step.metafile, { fixed: Object.keys(entries).map(name => `${name}.js`), core: core[0] });
  checkPrograms(step.metafile, names);
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const file of step.outputFiles) {
    const name = nameOf(root, file);
    const text = [...names].reduce((whole, [from, to]) => whole.replaceAll(`/${from}"`, `/${to}"`), file.text);
    write(names.get(name) ?? name, withRequire(text));
  }
  for (const [index, { outputFiles }] of others.entries())
    for (const file of outputFiles) write(programs[index]?.name ?? '', withRequire(file.text));
  write('package.json', `${JSON.stringify({ type: 'module' })}\n`);
  write(
    'licenses.txt',
    printLicences(
      root,
      [step, ...others].flatMap(({ metafile }) => inputsOf(metafile)),
    ),
  );
}

/** The sources that a file of its own begins with: the entries, and what they load by import(). */
function startsOf(metafile: Metafile): ReadonlySet<string> {
  const found = Object.values(metafile.outputs).map(({ entryPoint }) => entryPoint);
  return new Set(found.filter(source => source !== undefined));
}

/**
 * A source goes into the same file as those that are reached from the same starts. So each start imports the whole core, which costs nothing, as
 * none of them is loaded without it.
 */
function gatherCore(root: string, starts: ReadonlySet<string>): Plugin {
  const prefix = core.map(source => `import ${JSON.stringify(resolve(root, source))};\n`).join('');
  const ours = new Set([...starts].map(source => resolve(root, source)));
  return {
    name: 'gather-core',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        ours.has(path) ? { contents: prefix + readFileSync(path, 'utf8'), loader: 'ts' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: packageNamespace }, async ({ path }) => ({
        contents: prefix + (await printExports(path)),
        resolveDir: root,
      }));
    },
  };
}

const packageNamespace = 'package';

/**
 * A package of CommonJS that is loaded by import() would have a default export alone in the bundle, while Node finds the names as well. So it is
 * loaded through a source that exports what Node finds.
 */
const namePackages: Plugin = {
  name: 'name-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./:][^:]*$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: packageNamespace } : undefined,
    );
  },
};

async function printExports(name: string): Promise<string> {
  const names = Object.keys(await import(name)).filter(exported => /^[\w$]+$/.test(exported));
  return `export { ${names.sort().join(', ')} } from ${JSON.stringify(name)};\n`;
}

/** What stands in the bundle; what fell out as unused is not in it. */
function inputsOf(metafile: Metafile): readonly string[] {
  return Object.values(metafile.outputs).flatMap(output =>
    Object.entries(output.inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([input]) => input),
  );
}

function withRequire(text: string): string {
  return `${text.includes(requireShim) ? requireBanner : ''}${text}`;
}

/** The server looks for its programs beside the file that it is in itself. */
function checkPrograms(metafile: Metafile, names: ReadonlyMap<string, string>): void {
  for (const { name, startedBy } of programs) {
    const homes = Object.entries(metafile.outputs)
      .filter(([, { inputs }]) => startedBy in inputs)
      .map(([path]) => path.slice('dist/'.length))
      .map(path => names.get(path) ?? path);
    if (homes.some(home => home.includes('/')))
      throw new Error(`${startedBy} is in dist/${homes.join()}, not beside ${name}; load the server by import()`);
  }
}

function nameOf(root: string, { path }: OutputFile): string {
  return path.slice(join(root, 'dist').length + 1).replaceAll('\\', '/');
}
