import type { Metafile } from 'esbuild';

type Output = Metafile['outputs'][string];

/**
 * Names without a hash for the files of a bundle in dist/, so that a change of the sources shows as a change of a file and not as another file:
 * from the name that esbuild gave, relative to dist/, to the new one. A file that is loaded on its own is named after its source, one that others
 * share after the largest source in it, and the one that holds the source `core` is core.js. `fixed` names stay.
 */
export function nameChunks(
  { outputs }: Metafile,
  { fixed, core }: { readonly fixed: readonly string[]; readonly core: string },
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(fixed);
  const chunks = Object.entries(outputs)
    .map(([path, output]) => [path.slice('dist/'.length), wishFor(output, core)] as const)
    .filter(([name]) => !taken.has(name))
    // The hash decides only between those that would be called the same.
    .sort(([nameA, wishA], [nameB, wishB]) => compare(wishA, wishB) || compare(nameA, nameB));
  for (const [name, wish] of chunks) {
    let given = `${wish}.js`;
    for (let count = 2; taken.has(given); count += 1) given = `${wish}-${count}.js`;
    taken.add(given);
    names.set(name, given);
  }
  return names;
}

function wishFor({ entryPoint, inputs }: Output, core: string): string {
  if (core in inputs) return 'core';
  if (entryPoint !== undefined) return shortName(entryPoint);
  const largest = Object.entries(inputs).sort(
    ([a, { bytesInOutput: x }], [b, { bytesInOutput: y }]) => y - x || compare(a, b),
  )[0];
  return largest === undefined ? 'commonjs' : `shared-${shortName(largest[0])}`;
}

/** `comment` of src/action/report/comment.ts, `yaml` of any file of that package, `octokit-core` of @octokit/core. */
function shortName(source: string): string {
  const inPackage = /^.*node_modules\/(@[^/]+\/)?([^/]+)\//.exec(source);
  if (inPackage !== null) return `${inPackage[1] ?? ''}${inPackage[2]}`.replace('@', '').replace('/', '-');
  if (source.startsWith('package:')) return source.slice('package:'.length).replace('@', '').replace('/', '-');
  return source.replace(/^.*\//, '').replace(/\.\w+$/, '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
