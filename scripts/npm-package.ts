/**
 * `agent-run` as it is published: the client, the command with its server, and the test helpers. The client's modules
 * are as tsc made them, because programs are bundled with them. Everything else is bundled here, so that the package
 * depends on no other.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { bundleCommand, bundleRetry } from './command-bundle.ts';
import { TypeFlattener } from './flat-types.ts';
import { printLicences } from './licences.ts';
import { nameDeclarations, relativeImportsOf, root, writePackage } from './package-folder.ts';

interface Places {
  /** What tsc made of src. */
  readonly js: string;
  readonly target: string;
}

const retryPath = 'base/network/p-retry.js';

/** Path of the tarball. */
export async function packNpmPackage({ js, target }: Places): Promise<string> {
  using flattener = new TypeFlattener();
  const read = (path: string) => readFileSync(join(js, path), 'utf8');
  const [retry, command] = await Promise.all([bundleRetry(), bundleCommand()]);
  const modules = collectFiles('client/index.js', path =>
    path === retryPath ? retry.text : read(path).replace("from 'p-retry'", "from './p-retry.js'"),
  );
  const declarations = ['client/index.d.ts', 'testing/index.d.ts'].flatMap(entry => [
    ...collectFiles(entry, path => nameDeclarations(flattener.flatten(read(path), path.replace(/\.d\.ts$/, '.ts')))),
  ]);
  return writePackage({
    target,
    name: 'agent-run',
    fields: {
      description: 'Start coding agents, follow their runs and learn how they ended: typed client, command and server',
      // The client's code and the test helpers. What is loaded only for its effects is in the bundle.
      sideEffects: ['./bundle/*'],
      // The client's. The command says which one it needs.
      engines: { node: '>=20.3' },
      bin: { 'agent-run': 'bin/agent-run.js' },
      // For compilers that do not read `exports`.
      main: './js/client/index.js',
      types: './js/client/index.d.ts',
      exports: {
        '.': { types: './js/client/index.d.ts', default: './js/client/index.js' },
        './testing': { types: './js/testing/index.d.ts', default: './bundle/testing.js' },
        './package.json': './package.json',
      },
    },
    files: new Map([
      ...[...modules, ...declarations].map(([path, text]) => [`js/${path}`, text] as const),
      ...command.files,
      ...readdirSync(join(root, 'bin'))
        .filter(file => file !== 'start.js')
        .map(file => [`bin/${file}`, readFileSync(join(root, 'bin', file), 'utf8')] as const),
      // A container has the folder of the bundle only.
      ['bundle/package.json', '{ "type": "module" }\n'],
      ['licenses.txt', printLicences(root, [...retry.inputs, ...command.inputs])],
      ['README.md', readFileSync(join(root, 'scripts/package-readme.md'), 'utf8')],
    ]),
  });
}

/** A file and all that it imports, by path. */
function collectFiles(entry: string, read: (path: string) => string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    const text = read(path);
    found.set(path, text);
    for (const specifier of relativeImportsOf(text)) {
      const to = posix.join(posix.dirname(path), specifier);
      visit(path.endsWith('.d.ts') ? to.replace(/\.js$/, '.d.ts') : to);
    }
  };
  visit(entry);
  return found;
}
