import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { readConfigFile } from '../../src/server/config/config-file.ts';
import { readServerConfig } from '../../src/server/index.ts';

const root = resolve(import.meta.dirname, '../..');

test('the example configuration is a server that can run this repository’s skills, on this machine only', () => {
  const config = readServerConfig({ env: {}, flags: { config: 'examples/agent-run.yaml' }, cwd: root });
  expect(config).toMatchObject({
    host: '127.0.0.1',
    harnesses: { default: 'script', script: true },
    skillRepositories: { 'octo-org/agent-run': root },
  });
});

test('every configuration that a page shows is one', () => {
  const pages = ['README.md', ...readdirSync(join(root, 'docs')).map(file => `docs/${file}`)].filter(path =>
    path.endsWith('.md'),
  );
  const shown = pages.flatMap(page =>
    readFencedBlocks(readFileSync(join(root, page), 'utf8'))
      .filter(({ language, code }) => language === 'yaml' && !/^jobs:|\b(uses|run):/m.test(code))
      .map(({ code, line }) => ({ code, place: `${page}:${line}` })),
  );
  const settings = shown.map(({ code, place }) => readConfigFile(code, place).settings);
  expect(settings.filter(({ harnesses }) => harnesses !== undefined).length).toBeGreaterThan(1);
});
