import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Address of where it is made; '' where it does not say. */
  readonly repository: string;
  readonly texts: readonly string[];
}

/**
 * The licence texts of the packages that these files belong to, as one text. `inputs` are paths relative to `root`,
 * with forward slashes. Of the packages of one repository one may bring the text for all. Throws when a package comes
 * without a licence's name or text, for then nobody may pass it on.
 */
export function printLicences(root: string, inputs: Iterable<string>): string {
  const folders = new Set([...inputs].map(packageFolder).filter(folder => folder !== undefined));
  const packages = [...folders].map(folder => readPackage(join(root, folder)));
  const texts = packages.map(one => {
    const { name, version, licence } = one;
    return `=== ${name} ${version} (${licence}) ===\n\n${findTexts(one, packages).join('\n\n')}\n`;
  });
  return [...new Set(texts)].sort().join('\n\n');
}

/** `node_modules/@octo-org/shop` of a file in it; the innermost one where packages are nested. */
export function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

function findTexts({ name, version, licence, repository, texts }: Package, all: readonly Package[]): readonly string[] {
  if (texts.length > 0) return texts;
  const sibling = all.find(
    other =>
      repository !== '' && other.repository === repository && other.licence === licence && other.texts.length > 0,
  );
  if (sibling === undefined)
    throw new Error(`${name} ${version} is in the bundle but has no license text; remove it or ask its author`);
  return sibling.texts;
}

function readPackage(folder: string): Package {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|notice|copying)/i.test(file));
  if (typeof license !== 'string')
    throw new Error(`${name} ${version} is in the bundle but has no license (${folder}); remove it or ask its author`);
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  const address = typeof repository === 'string' ? repository : (repository?.url ?? '');
  return { name, version, licence: license, repository: address, texts };
}
