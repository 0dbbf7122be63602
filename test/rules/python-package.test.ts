import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');

test('the version and the license of the Python package are those of package.json', () => {
  const { version, license } = JSON.parse(readText('package.json')) as { version: string; license: string };
  const [, path = ''] = /^\[tool\.hatch\.version\]\npath = "(.+)"$/m.exec(readText('python/pyproject.toml')) ?? [];
  expect(readText(`python/${path}`)).toContain(`__version__ = "${version}"`);
  expect(readText('python/pyproject.toml')).toContain(`license = { text = "${license}" }`);
  expect(readText('python/LICENSE')).toBe(readText('LICENSE'));
});

test('CI installs the Debian packages that CONTRIBUTING.md lists for the Python client', () => {
  const [, listed = 'no list'] = /for the Python client\s+`([^`]+)`/.exec(readText('CONTRIBUTING.md')) ?? [];
  expect(readText('.ci/run')).toContain(`python=(${listed})`);
});

test('a line of Python has 118 characters at most', () => {
  const files = readdirSync(join(root, 'python'), { recursive: true, encoding: 'utf8' });
  const long = files
    .filter(file => file.endsWith('.py'))
    .flatMap(file =>
      readText(`python/${file}`)
        .split('\n')
        .filter(line => [...line].length > 118),
    );
  expect(long).toEqual([]);
});
