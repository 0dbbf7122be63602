/**
 * `agent-run` as it is published: the client alone, with types that need nothing but the platform's. The one package
 * it uses is compiled into it.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { buildSync } from 'esbuild';
import { TypeFlattener } from './flat-types.ts';
import { printLicences } from './licences.ts';
import { nameDeclarations, relativeImportsOf, root, writePackage } from './package-folder.ts';

interface Places {
  /** What tsc made of src. */
  readonly js: string;
  readonly target: string;
}

/** Path of the tarball. */
export function packClient({ js, target }: Places): string {
  using flattener = new TypeFlattener();
  const read = (path: string) => readFileSync(join(js, path), 'utf8');
  const retrying = compileRetry();
  const modules = collectFiles('client/index.js', path =>
    path === retryPath ? retrying.text : read(path).replace("from 'p-retry'", "from './p-retry.js'"),
  );
  const declarations = collectFiles('client/index.d.ts', path =>
    nameDeclarations(flattener.flatten(read(path), path.replace(/\.d\.ts$/, '.ts'))),
  );
  return writePackage({
    target,
    name: 'agent-run',
    fields: {
      description: 'Typed client for agent-run: start coding agents, follow them and get the true end',
      sideEffects: false,
      engines: { node: '>=20.3' },
      // For compilers that know no `exports`.
      main: './js/client/index.js',
      types: './js/client/index.d.ts',
      exports: {
        '.': { types: './js/client/index.d.ts', default: './js/client/index.js' },
        './package.json': './package.json',
      },
    },
    files: new Map([
      ...[...modules, ...declarations].map(([path, text]) => [`js/${path}`, text] as const),
      ['licenses.txt', retrying.licences],
      ['README.md', readFileSync(join(root, 'scripts/client-readme.md'), 'utf8')],
    ]),
  });
}

const retryPath = 'base/network/p-retry.js';

/** p-retry and what it imports, as one module. It declares a newer Node than it needs; the tests run it on Node 20. */
function compileRetry(): { readonly text: string; readonly licences: string } {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    stdin: { contents: "export { default } from 'p-retry';", resolveDir: root },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
  const inputs = Object.keys(metafile.inputs).filter(path => path.includes('node_modules/'));
  return { text: outputFiles[0]?.text ?? '', licences: printLicences(root, inputs) };
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
