import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly texts: readonly string[];
}

/**
 * The licence texts of the packages that these files belong to, as one text. `inputs` are paths relative to `root`, with forward slashes.
 * Throws when a package comes without a licence's name or text, for then nobody may pass it on.
 */
export function printLicences(root: string, inputs: Iterable<string>): string {
  const folders = new Set([...inputs].map(packageFolder).filter(folder => folder !== undefined));
  const packages = [...folders].map(folder => readPackage(join(root, folder)));
  const texts = packages.map(
    ({ name, version, licence, texts }) => `=== ${name} ${version} (${licence}) ===\n\n${texts.join('\n\n')}\n`,
  );
  return [...new Set(texts)].sort().join('\n\n');
}

/** `node_modules/@octo-org/shop` of a file in it; the innermost one where packages are nested. */
export function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|notice|copying)/i.test(file));
  if (typeof license !== 'string' || files.length === 0)
    throw new Error(
      `${name} ${version} is in the bundle and has no licence (${folder}); leave it out or ask its author`,
    );
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return { name, version, licence: license, texts };
}
