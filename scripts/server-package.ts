/**
 * `agent-run-server` as it is published: the server, the command and the test helpers, without the Node binaries that
 * the clone uses.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { dependenciesOf, manifest, nameDeclarations, root, writePackage } from './package-folder.ts';

/** Only the bundles of the actions need them. */
const bundledOnly = [
  ...['@actions/core', '@actions/github', '@octokit/plugin-retry', '@octokit/plugin-throttling', 'picomatch'],
  ...['@secretlint/core', '@secretlint/secretlint-rule-preset-recommend'],
];

interface Places {
  /** What tsc made of src. */
  readonly js: string;
  readonly target: string;
}

/** Path of the tarball. */
export function packServer({ js, target }: Places): string {
  const paths = readdirSync(js, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(js.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter(path => !/^(action|apply|demo)\//.test(path));
  return writePackage({
    target,
    name: 'agent-run-server',
    fields: {
      description: 'The agent-run server and command',
      engines: manifest.engines,
      bin: { 'agent-run': 'bin/agent-run.js' },
      main: './js/server/index.js',
      types: './js/server/index.d.ts',
      exports: {
        '.': { types: './js/server/index.d.ts', default: './js/server/index.js' },
        './testing': { types: './js/testing/index.d.ts', default: './js/testing/index.js' },
        './package.json': './package.json',
      },
      dependencies: dependenciesOf(name => !bundledOnly.includes(name)),
    },
    files: new Map([
      ...paths.map(path => [`js/${path}`, readScript(join(js, path))] as const),
      ['README.md', readFileSync(join(root, 'scripts/server-readme.md'), 'utf8')],
      ...readdirSync(join(root, 'bin'))
        .filter(file => file !== 'start.js')
        .map(file => [`bin/${file}`, readFileSync(join(root, 'bin', file), 'utf8')] as const),
    ]),
  });
}

function readScript(path: string): string {
  const text = readFileSync(path, 'utf8');
  return path.endsWith('.d.ts') ? nameDeclarations(text) : text;
}
