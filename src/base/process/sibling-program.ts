/**
 * The address of a program in the caller's folder, from source or as built, like the caller. `importerUrl` is its
 * `import.meta.url`, to which a loader may add a query.
 */
export function siblingProgram(name: string, importerUrl: string): URL {
  return new URL(`./${name}.${new URL(importerUrl).pathname.endsWith('.ts') ? 'ts' : 'js'}`, importerUrl);
}
