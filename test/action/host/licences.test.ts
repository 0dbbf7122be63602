import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printLicences } from '../../../scripts/licences.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

/** Creates a root with one package and returns the path of one of its files. */
function writePackage(files: Readonly<Record<string, string>>): readonly [root: string, input: string] {
  const root = createTempFolder();
  const folder = join(root, 'node_modules/@octo-org/shop');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return [root, 'node_modules/@octo-org/shop/lib/index.js'];
}

const manifest = JSON.stringify({ name: '@octo-org/shop', version: '1.2.3', license: 'Apache-2.0' });

test('a bundled package is listed once, with its license and its notice', () => {
  const [root, input] = writePackage({
    'package.json': manifest,
    LICENSE: 'Licensed under\r\n',
    'NOTICE.md': 'Made by',
  });
  expect(printLicences(root, [input, 'src/action/main.ts', input])).toBe(
    '=== @octo-org/shop 1.2.3 (Apache-2.0) ===\n\nLicensed under\n\nMade by\n',
  );
});

test('a package without a text gets one of its repository under the same license', () => {
  const from = (name: string, license: string) =>
    JSON.stringify({ name, version: '1.2.3', license, repository: { url: 'https://example.com/octo-org/shop' } });
  const [root, input] = writePackage({ 'package.json': from('@octo-org/shop', 'MIT'), LICENSE: 'Permission is' });
  const add = (name: string, license: string) => {
    mkdirSync(join(root, 'node_modules', name), { recursive: true });
    writeFileSync(join(root, 'node_modules', name, 'package.json'), from(name, license));
    return `node_modules/${name}/index.js`;
  };
  expect(printLicences(root, [input, add('till', 'MIT')])).toContain('=== till 1.2.3 (MIT) ===\n\nPermission is\n');
  expect(() => printLicences(root, [input, add('till', 'ISC')])).toThrow('till 1.2.3 is in the bundle but has no');
});

test('a package without a license text or a name is refused', () => {
  const [root, input] = writePackage({ 'package.json': manifest });
  expect(() => printLicences(root, [input])).toThrow('@octo-org/shop 1.2.3 is in the bundle but has no license');
  const [other, sameInput] = writePackage({
    'package.json': '{"name":"@octo-org/shop","version":"1.2.3"}',
    LICENSE: 'x',
  });
  expect(() => printLicences(other, [sameInput])).toThrow('has no license');
});
