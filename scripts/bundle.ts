/**
 * The action as the runner starts it: one folder of JavaScript that needs nothing else. @vercel/ncc makes it of what
 * tsc emitted. Each program gets a file of its own and more files for what it loads by import(), each with a list of
 * its sources at the top.
 */
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { packageFolder, printLicences } from './licences.ts';

interface Bundle {
  /** Files of the bundle and what tsc made of their sources. */
  readonly programs: Readonly<Record<string, string>>;
  /** action.yml names these files. They share the code of index.js. */
  readonly steps: Readonly<Record<string, string>>;
}

/** By the folder below the root. */
export const bundles = {
  dist: {
    // The server starts the last three by their path next to its own file.
    programs: {
      'index.js': 'build/js/action/index.js',
      'watchdog.js': 'build/js/server/executor/cleanup/watchdog.js',
      'builtin-agent.js': 'build/js/server/harness/agents/builtin/builtin-agent.js',
      'schema-program.js': 'build/js/server/schema/schema-program.js',
    },
    steps: { 'main/index.js': 'runMain', 'post/index.js': 'runPost' },
  },
  'apply/dist': {
    programs: { 'index.js': 'build/js/apply/index.js' },
    steps: { 'main/index.js': 'runApply' },
  },
} as const satisfies Readonly<Record<string, Bundle>>;

/**
 * Packages that others import and nothing here uses: a model service of the AI SDK's maker, a validator of tool
 * results, two names for a runtime in a package without the text of its license, and the signatures of a way to log
 * in to MCP servers.
 */
export const unused = ['@ai-sdk/gateway', '@modelcontextprotocol/client/_shims', '@workflow/serde', 'jose'] as const;
/**
 * The toolkit imports undici for proxies of its own requests, of which the step makes none. That of the step is
 * imported by another name. The scan for secrets imports debug for a log that is off.
 */
const unusedInStep = [...unused, 'undici', 'debug'] as const;
const unusedFile = 'unused.js';
export const unusedText = `// In place of ${unusedInStep.join(', ')}
class NoGatewayError extends Error {
  static isInstance() {
    return false;
  }
}
export { NoGatewayError as GatewayAuthenticationError, NoGatewayError as GatewayError };
export const gateway = undefined;
export function createGateway() {
  throw new Error('The bundle has no gateway');
}
export class DefaultJsonSchemaValidator {}
export const CORS_IS_POSSIBLE = false;
export const WORKFLOW_SERIALIZE = Symbol('not used');
export const WORKFLOW_DESERIALIZE = Symbol('not used');
export class ProxyAgent {}
export const fetch = undefined;
export default () => () => {};
`;

/** The part of ncc that is used here; it comes without types. */
type Ncc = (
  entry: string,
  options: Readonly<Record<string, unknown>>,
) => Promise<{
  readonly code: string;
  readonly assets: Readonly<Record<string, { readonly source: string }>>;
  readonly stats: { toJson(options: Readonly<Record<string, boolean>>): { readonly chunks: readonly Chunk[] } };
}>;

interface Chunk {
  readonly id: string | number;
  readonly files: readonly string[];
  readonly modules: readonly Module[];
  /** The `import()` calls that load it. */
  readonly origins: readonly { readonly request: string }[];
}

/** Several modules in one scope are a module with `modules`. */
interface Module {
  readonly name: string;
  readonly size: number;
  readonly modules?: readonly Module[];
}

interface Compiled {
  /** Texts by the path in the bundle. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths of sources, relative to the root. */
  readonly sources: readonly string[];
}

/**
 * Writes a bundle of build/js into a folder, which is emptied before. The working directory must be the repository's
 * root.
 */
export async function writeBundle(root: string, folder: string, { programs, steps }: Bundle): Promise<void> {
  const compiled = await Promise.all(
    Object.entries(programs).map(([file, source]) => compileInThread({ file, source })),
  );
  const files = new Map([
    ...compiled.flatMap(program => [...program.files]),
    ...Object.entries(steps).map(
      ([file, run]) => [file, `import { ${run} } from '../index.js';\n\nawait ${run}();\n`] as const,
    ),
    [unusedFile, unusedText],
    [
      'licenses.txt',
      printLicences(
        root,
        compiled.flatMap(({ sources }) => sources),
      ),
    ],
  ]);
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** ncc does all its work in the thread that calls it. */
async function compileInThread(program: Program): Promise<Compiled> {
  const [compiled] = await once(new Worker(new URL(import.meta.url), { workerData: program }), 'message');
  return compiled;
}

interface Program {
  readonly file: string;
  readonly source: string;
}

async function compile({ file, source }: Program): Promise<Compiled> {
  const ncc: Ncc = createRequire(import.meta.url)('@vercel/ncc');
  const { code, assets, stats } = await ncc(join(process.cwd(), source), {
    filename: file,
    cache: false,
    quiet: true,
    externals: Object.fromEntries((file === 'index.js' ? unusedInStep : unused).map(name => [name, `./${unusedFile}`])),
  });
  const { chunks } = stats.toJson({
    all: false,
    cachedModules: true,
    chunks: true,
    chunkModules: true,
    chunkOrigins: true,
    ids: true,
    dependentModules: true,
    runtimeModules: true,
    nestedModules: true,
  });
  const sourcesOf = new Map(chunks.flatMap(({ files, modules }) => files.map(name => [name, modules.flatMap(list)])));
  const texts = [
    [file, code] as const,
    ...Object.entries(assets).map(([name, { source }]) => [name, `${source}`] as const),
  ];
  const names = nameChunks(chunks.filter(({ files }) => !files.includes(file)));
  // The place where webpack makes the name of a chunk from its number.
  const makesName = `return "" + chunkId + ".${file}";`;
  const lookUpName = `return ${JSON.stringify(Object.fromEntries(names))}[chunkId] + ".${file}";`;
  if (names.size > 0 && code.split(makesName).length !== 2)
    throw new Error(`ncc names the chunks of ${file} elsewhere`);
  const print = (name: string, text: string) =>
    // Packages bring the addresses of maps that are not in the bundle.
    printSources(sourcesOf.get(name) ?? []) +
    text.replace(makesName, lookUpName).replace(/^\/\/# sourceMappingURL=.*\n/gm, '');
  const nameFile = (name: string) => name.replace(/^\d+/, id => names.get(id) ?? id);
  return {
    files: new Map(texts.map(([name, text]) => [nameFile(name), print(name, text)])),
    sources: [...sourcesOf.values()].flat(),
  };
}

/**
 * Names by number: the source or package that is imported, or `shared-` and the largest module of a file that holds
 * neither. ncc has no option for names.
 */
function nameChunks(chunks: readonly Chunk[]): ReadonlyMap<string, string> {
  const wishes = chunks.map(({ id, origins, modules }) => {
    const held = new Set(modules.flatMap(list).map(shortName));
    const imported = origins.map(({ request }) => shortName(request)).find(name => held.has(name));
    const [largest] = modules.toSorted((a, b) => b.size - a.size);
    return { id: String(id), wish: imported ?? `shared-${shortName(largest?.name ?? '')}`, sources: held.size };
  });
  const names = new Map<string, string>();
  for (const { id, wish } of wishes.toSorted((a, b) => a.sources - b.sources)) {
    const taken = [...names.values()];
    let name = wish;
    for (let count = 2; taken.includes(name); count += 1) name = `${wish}-${count}`;
    names.set(id, name);
  }
  return names;
}

/** `summary` of ./summary.js, `octokit-core` of a path in @octokit/core or of its name. */
function shortName(path: string): string {
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1];
  const name = inPackage ?? (/^(\.|build\/)/.test(path) ? path.replace(/^.*\//, '').replace(/\.js\b.*$/, '') : path);
  return name.replace('@', '').replaceAll('/', '-');
}

function list({ name, modules }: Module): readonly string[] {
  // ncc defers this error to the start of the bundle.
  if (name.includes('@@notfound')) throw new Error(`The bundle lacks a package: ${name}`);
  return modules?.flatMap(list) ?? (name.startsWith('./') ? [name.slice('./'.length)] : []);
}

function printSources(sources: readonly string[]): string {
  const names = sources.map(
    path => packageFolder(path) ?? path.replace(/^build\/js\//, 'src/').replace(/\.js$/, '.ts'),
  );
  return [...new Set(names)]
    .sort()
    .map(name => `// ${name}\n`)
    .join('');
}

if (!isMainThread) parentPort?.postMessage(await compile(workerData));
