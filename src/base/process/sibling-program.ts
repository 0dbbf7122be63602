/**
 * The address of a program of ours in the folder of the file that asks, as source or as built, whichever that file is. `importerUrl` is its
 * `import.meta.url`, to which a loader may add a query.
 */
export function siblingProgram(name: string, importerUrl: string): URL {
  return new URL(`./${name}.${new URL(importerUrl).pathname.endsWith('.ts') ? 'ts' : 'js'}`, importerUrl);
}
