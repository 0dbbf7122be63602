import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

/** Who may import whom. What is not here is refused. ARCHITECTURE.md shows the same tables. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  border: ['base'],
  contract: [],
  client: ['base', 'border', 'contract'],
  web: ['base', 'border', 'contract'],
  server: ['base', 'border', 'contract', 'web'],
  testing: ['base', 'border', 'contract', 'server'],
  action: ['base', 'border', 'contract', 'client'],
  apply: ['base', 'border', 'contract'],
  cli: ['base', 'border', 'contract', 'client', 'server', 'testing'],
  demo: ['base', 'border', 'contract', 'client', 'server', 'testing'],
};
/**
 * The one file of the action that holds the server. Nothing imports it but by `import()`, so that a step with a
 * server of its own does not load it.
 */
const embedding = 'action/embedded/embedded.ts';
/** `review: on` is the verb of `apply`. Nothing imports it but by `import()`, so that other steps do not load it. */
const reviewing = {
  from: ['action/report/step-review.ts', 'action/report/late-code.ts'],
  to: 'apply/review-in-step.ts',
} as const;
/** What both actions use: the runner, GitHub, the way to it, Markdown, and how an input is read. */
const sharedOfAction = [
  'action/connect/network.ts',
  'action/github/',
  'action/host/',
  'action/inputs/file-inputs.ts',
  'action/inputs/input-names.ts',
  'action/inputs/step-context.ts',
  'action/inputs/stray-inputs.ts',
  'action/inputs/values.ts',
  'action/text/',
];
const roomsOfServer: Readonly<Record<string, readonly string[]>> = {
  store: [],
  executor: [],
  harness: ['executor'],
  dispatch: ['store'],
  environments: [],
  output: ['store', 'harness'],
  schema: ['harness'],
  workspace: ['store', 'executor', 'harness', 'environments', 'output'],
  skills: ['executor', 'harness', 'environments', 'workspace'],
  changes: ['store', 'harness', 'environments', 'workspace'],
  worker: ['store', 'executor', 'harness', 'environments', 'output', 'schema', 'workspace', 'skills', 'changes'],
  http: ['store', 'environments'],
  doctor: ['executor', 'harness', 'environments', 'workspace', 'skills'],
};
/** Rooms that are entered by file; all others by their index.ts. */
const openRooms = ['base', 'border', 'contract'];
/** What every room of the server may use: the configuration, the log and errors. */
const sharedOfServer = ['config', 'error-text.ts', 'log.ts', 'low-memory.ts', 'run-containment.ts', 'run-failure.ts'];
/** Where a package may be imported; a path that ends in / is a folder. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  '@actions/core': ['action/host/'],
  kysely: ['server/store/'],
  'node:sqlite': ['server/store/', 'base/process/folder-lock.ts'],
  zod: ['contract/', 'server/'],
  'p-retry': ['base/network/retry.ts'],
  hono: ['server/http/', 'web/'],
  '@hono/node-server': ['server/listen.ts'],
  'markdown-it': ['action/text/markdown-tree.ts', 'border/fenced-blocks.ts'],
  ajv: ['server/schema/', 'apply/review/'],
  picomatch: ['apply/'],
  '@secretlint/core': ['apply/secret-scan.ts'],
  '@secretlint/secretlint-rule-preset-recommend': ['apply/secret-scan.ts'],
  undici: ['action/connect/', 'server/harness/agents/builtin/model/model-proxy.ts'],
  octokit: ['server/environments/github-request.ts'],
  // It throws where the event is not JSON, and takes long to load.
  '@actions/github': ['action/github/github.ts'],
  '@octokit/plugin-retry': ['action/github/github.ts'],
  '@octokit/plugin-throttling': ['action/github/github.ts'],
  // The agent's own program: the server never loads them.
  ai: ['server/harness/agents/builtin/'],
  '@ai-sdk/anthropic': ['server/harness/agents/builtin/model/model.ts'],
  '@ai-sdk/google': ['server/harness/agents/builtin/model/model.ts'],
  '@ai-sdk/openai': ['server/harness/agents/builtin/model/model.ts'],
  '@ai-sdk/openai-compatible': ['server/harness/agents/builtin/model/model.ts'],
  '@modelcontextprotocol/client': [
    'server/harness/agents/builtin/mcp/mcp-client.ts',
    'server/harness/agents/builtin/mcp/mcp-stdio.ts',
  ],
};
/** Who may read the environment. */
const environmentReaders = [
  'client/options/settings.ts',
  'action/host/',
  'server/harness/agents/builtin/builtin-agent.ts',
  'cli/',
  'demo/',
  'testing/',
];
/** Tables that import no package at all, so that the client can take them. */
const bareTables = [
  ...['state', 'source', 'error-codes', 'routes', 'sizes', 'headers', 'skill-spec', 'run-text', 'review-schema'],
].map(name => `contract/tables/${name}.ts`);

const root = resolve(import.meta.dirname, '../../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => file.split(sep).join('/'));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

interface Import {
  readonly from: string;
  /** A path below src, or the name of a package. */
  readonly to: string;
  readonly isPackage: boolean;
}

/** Static, dynamic and type-only imports and re-exports; the formatter keeps their shape. */
function importsOf(file: string): readonly Import[] {
  const specifiers = [...textOf(file).matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)(['"])([^'"\n]+)\1/g)].map(
    match => match[2] ?? '',
  );
  return specifiers.map(specifier => {
    if (!specifier.startsWith('.')) return { from: file, to: packageOf(specifier), isPackage: true };
    return {
      from: file,
      to: relative(root, resolve(root, dirname(file), specifier))
        .split(sep)
        .join('/'),
      isPackage: false,
    };
  });
}

function packageOf(specifier: string): string {
  return specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
}

const imports = files.flatMap(importsOf);
const isIn = (file: string, places: readonly string[]) =>
  places.some(place => (place.endsWith('/') ? file.startsWith(place) : file === place));
const roomOf = (file: string) => file.split('/')[0] ?? '';

function refuse(found: Import): string | undefined {
  const [from, to] = [roomOf(found.from), roomOf(found.to)];
  if (from === to) return from === 'server' ? refuseInServer(found) : undefined;
  if (found.from === embedding && found.to === 'server/index.ts') return undefined;
  if (found.to === reviewing.to && isIn(found.from, reviewing.from)) return undefined;
  if (from === 'apply' && isIn(found.to, sharedOfAction)) return undefined;
  if (!(rooms[from] ?? []).includes(to)) return `${from} may not import ${to}`;
  if (!openRooms.includes(to) && found.to !== `${to}/index.ts`) return `${to} is entered by its index.ts`;
  return undefined;
}

function refuseInServer({ from, to }: Import): string | undefined {
  const [fromRoom, toRoom] = [from.split('/')[1] ?? '', to.split('/')[1] ?? ''];
  if (!(fromRoom in roomsOfServer) || fromRoom === toRoom || sharedOfServer.includes(toRoom)) return undefined;
  return (roomsOfServer[fromRoom] ?? []).includes(toRoom)
    ? undefined
    : `server/${fromRoom} may not import server/${toRoom}`;
}

test('every room imports only what it may, through the right door', () => {
  const refused = imports
    .filter(found => !found.isPackage)
    .flatMap(found => refuse(found)?.concat(`: ${found.from} -> ${found.to}`) ?? []);
  expect(refused).toEqual([]);
});

test('what a step may never need is loaded when it is needed', () => {
  // GitHub's API, the embedded server, YAML, the reports, and the review.
  const late = /^(action\/(github\/github|embedded\/embedded|report\/summary|report\/comment)\.ts|apply\/.*|yaml)$/;
  const textsOf = files.filter(file => /^(action|base|border)\//.test(file)).map(file => [file, textOf(file)] as const);
  const early = textsOf.flatMap(([file, text]) =>
    [...text.matchAll(/^(?:import|export)(?! type)[^;]*?from '([^']+)';/gms)].flatMap(([, specifier = '']) => {
      const to = specifier.startsWith('.') ? join(dirname(file), specifier).split(sep).join('/') : specifier;
      return late.test(to) ? [`${file} -> ${to}`] : [];
    }),
  );
  expect(early).toEqual([]);
});

test('the rule sees all the ways to import', () => {
  expect(imports.length).toBeGreaterThan(100);
  const from = 'base/x.ts';
  expect(refuse({ from, to: 'server/index.ts', isPackage: false })).toBe('base may not import server');
  expect(refuse({ from: 'cli/x.ts', to: 'server/server.ts', isPackage: false })).toBe(
    'server is entered by its index.ts',
  );
  expect(refuse({ from: 'server/http/x.ts', to: 'server/worker/worker.ts', isPackage: false })).toBe(
    'server/http may not import server/worker',
  );
});

test('packages have homes', () => {
  const strays = imports.filter(
    ({ from, to, isPackage }) => isPackage && packageHomes[to] !== undefined && !isIn(from, packageHomes[to]),
  );
  expect(strays).toEqual([]);
});

test('the tables of the contract import no package', () => {
  expect(imports.filter(({ from, isPackage }) => isPackage && bareTables.includes(from))).toEqual([]);
});

test('the client and the actions take types from schemas, never the schema library', () => {
  const taken = files
    .filter(file => /^(client|action|apply)\//.test(file))
    .flatMap(file =>
      [...textOf(file).matchAll(/import (?!type)[^;]*?from '([^']*contract\/[^']+)'/g)].map(match => ({
        file,
        table: match[1]?.replace(/^.*?contract\//, 'contract/') ?? '',
      })),
    );
  expect(taken.filter(({ table }) => !bareTables.includes(table))).toEqual([]);
});

test('the environment is read in few places', () => {
  const readers = files.filter(file => /\bprocess\.env\b/.test(textOf(file)));
  expect(readers.filter(file => !isIn(file, environmentReaders))).toEqual([]);
});

test('what an error says is read by messageOf alone', () => {
  const raw = /\b(\w+) instanceof Error \? \1\.message : (String\()?\1\b/;
  expect(files.filter(file => raw.test(textOf(file)))).toEqual([
    'base/cause.ts',
    // It imports no other room.
    'contract/config.ts',
  ]);
});

test('a file name stands for one thing', () => {
  const names = files.map(file => file.split('/').at(-1) ?? '').filter(name => !/^(index|main)\.ts$/.test(name));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('a folder holds sixteen files at most', () => {
  const sizes = Map.groupBy(files, file => dirname(file));
  expect([...sizes].filter(([, held]) => held.length > 16).map(([folder]) => folder)).toEqual([]);
});

test('a comment fits into 120 columns, unless it is a table', () => {
  const long = files.flatMap(file =>
    textOf(file)
      .split('\n')
      .filter(line => line.length > 120 && /^ *(\/\/|\/?\*) (?!\|)/.test(line)),
  );
  expect(long).toEqual([]);
});

test('no file imports itself in a circle', () => {
  const edges = Map.groupBy(
    imports.filter(found => !found.isPackage && !isTypeOnly(found)),
    found => found.from,
  );
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    else for (const { to } of edges.get(file) ?? []) visit(to, [...way, file]);
  };
  for (const file of files) visit(file, []);
  expect([...new Set(circles)]).toEqual([]);
});

function isTypeOnly({ from, to }: Import): boolean {
  const name = to.split('/').at(-1)?.replace('.', '\\.');
  return new RegExp(`(import|export) type [^;]*?from '[^']*${name}'`).test(textOf(from));
}
