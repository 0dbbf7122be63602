/** `agent-run` as it is published: the client alone, with types that need nothing but the platform's. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { TypeFlattener } from './flat-types.ts';
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
  const modules = collectFiles('client/index.js', read);
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
      ['README.md', readFileSync(join(root, 'scripts/client-readme.md'), 'utf8')],
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
