import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

/** Files outside the border with `***` in their code, and what it is there. */
const otherMasks: Readonly<Record<string, string>> = {
  'action/connect/proxies.ts': 'the user of an address, known or not',
  'action/text/render-markdown.ts': 'a rule in Markdown',
  'contract/mcp-secrets.ts': 'whole fields of a configuration',
  'testing/commands/command-interpreter.ts': 'a command that the runner prints',
};

/** Files outside the border that name escape sequences or classes of control characters, and why. */
const otherControls: Readonly<Record<string, string>> = {
  'cli/terminal/command-shell.ts': 'removes its own line of status',
  'contract/create.ts': 'characters that git refuses in a ref',
  'server/environments/checkout.ts': 'characters that git refuses in a ref',
  'testing/log/log-renderer.ts': 'keeps the colors that a program printed',
};
/** A sequence begins with ESC; a class names a category, or a range that begins or ends within the controls. */
const controls =
  /\\(?:x1b|u001b|e\[|033)|\\p\{C[cf]\}|stripVTControl|fromCharCode\(27\)|\\(?:0|[xu](?:00)?[01]?[\da-f])-\\[xu](?:00)?[01][\da-f]/i;
/** The places that write what people read, and how each of their lines passes the border. */
const sinks: Readonly<Record<string, RegExp>> = {
  'action/host/host.ts': /toolkit\.(info\(logLine|startGroup\(logTitle)\(/,
  'cli/terminal/command-shell.ts':
    /write\(('\\r\\x1b\[2K'|`?(\$\{)?(paintFor\(stderr, (ellipsis\()?terminalLine|decorate\(terminalText|terminalJson)\()/,
};

/**
 * Files outside the border that read what a network sent by themselves, and why. Those of `testing` and `demo` stand
 * in for the other side.
 */
const otherReaders: Readonly<Record<string, string>> = {
  'client/following/stream-reader.ts': 'a stream of events, with a time limit for each chunk',
  'web/live-script.ts': 'runs in the browser',
};

/** How a body is read or passed on, and how a `Retry-After` is read. */
const rawReads: readonly RegExp[] = [
  /\b(\w*(response|answer|reply)|late|c\.res)\??\.body\b/i,
  /\{[^{}]*\bbody\b[^{}]*\}(: Response\b| = (await )?\w*(fetch|response|answer|reply)\b)/i,
  /\.(getReader|pipeThrough|pipeTo)\(|\bReadableStream\.from\(/,
  /\.(text|json|arrayBuffer|bytes|blob|formData)\(\)/,
  /(get\(\s*|\[)['"`]retry-after(-ms)?['"`](?!\] =)/i,
];

const root = resolve(import.meta.dirname, '../../src');
const outside = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => file.split(sep).join('/'))
  .filter(file => !file.startsWith('border/'))
  .map(file => ({ file, code: readFileSync(join(root, file), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '') }));
const filesWith = (pattern: RegExp) => outside.filter(({ code }) => pattern.test(code)).map(({ file }) => file);

test('secrets are redacted by the border alone', () => {
  expect(filesWith(/\*\*\*/).sort()).toEqual(Object.keys(otherMasks));
});

test('no other file searches text for a secret or its encodings', () => {
  const secret = /\w*(secret|token|password|apiKey|credential)\w*/i.source;
  expect(filesWith(new RegExp(`\\.replace(All)?\\(\\s*${secret}\\s*,`, 'i'))).toEqual([]);
  expect(filesWith(new RegExp(`new RegExp\\([^)]*\\b${secret}`, 'i'))).toEqual([]);
  expect(filesWith(/btoa\('\\0'/)).toEqual([]);
  // The forms of a secret are told to the runner, which masks its own log.
  expect(filesWith(/\bformsOf\b/)).toEqual(['action/host/masks.ts']);
});

test('escape sequences and control characters are a matter of the border alone', () => {
  expect(filesWith(controls).sort()).toEqual(Object.keys(otherControls));
});

test.each([
  String.raw`/\x1b\[0m/`,
  String.raw`'\u001b]0;'`,
  String.raw`/[\0-\x1f]/`,
  String.raw`/[\u0000-\u0008]/`,
  String.raw`/\p{Cc}/u`,
])('the rule sees %s', code => {
  expect(code).toMatch(controls);
});

test('the log of a step and the terminal of a command are written in one place each, which guards every line', () => {
  const writers = /\btoolkit\.(info|notice|warning|error|debug|startGroup)\b|\b(stdout|stderr)\.write\b|\bconsole\./;
  const rooms = outside.filter(({ file }) => /^(action|apply|cli)\//.test(file));
  expect(rooms.filter(({ code }) => writers.test(code)).map(({ file }) => file)).toEqual(Object.keys(sinks));
  for (const { file, code } of rooms)
    for (const line of code.split('\n').filter(text => sinks[file] !== undefined && writers.test(text)))
      expect(line).toMatch(sinks[file] ?? '');
});

/** Functions of `node:fs` that wait for the other end of a pipe, follow a link, or take a folder whole. */
const unguarded =
  /^(appendFile|copyFile|cp|createReadStream|createWriteStream|open|opendir|readFile|readdir|writeFile)(Sync)?$/;

/**
 * Files of the actions and the server that use them all the same, by why no agent can put something else there. A path
 * that ends in / is a folder.
 */
const guardedOtherwise: Readonly<Record<string, readonly string[]>> = {
  'new files, which the flag `wx` makes': [
    'action/embedded/instruction-files.ts',
    'action/host/kept-files.ts',
    'action/report/saved-patch.ts',
    'action/report/saved-result.ts',
    'apply/changes/patched-tree.ts',
    'server/changes/patch-file.ts',
    'server/harness/agents/state-files.ts',
    'server/worker/workspace.ts',
    'server/workspace/left-behind.ts',
    'server/workspace/run-git.ts',
  ],
  'files of the person who configures or starts it': ['action/embedded/embedded.ts', 'server/config/'],
  "the server's own data folder": [
    'server/skills/github-skills.ts',
    'server/store/data-lock.ts',
    'server/workspace/run-folder.ts',
  ],
  'the folder of agent programs, and new temporary folders': [
    'server/doctor/machine-check.ts',
    'server/harness/agents/install/install-agent.ts',
    'server/harness/agents/program-version.ts',
    'server/harness/agents/remove-agent.ts',
  ],
  'what the kernel tells': ['server/connections.ts', 'server/executor/cleanup/process-table.ts'],
  'what the server has open': ['server/executor/spawning/spawner-program.ts'],
  'what has a random name, or is before any program of the run': [
    'server/executor/pipe-stock.ts',
    'server/executor/program-pipes.ts',
    'server/workspace/environment-clone.ts',
  ],
  "a program of the agent's own, which the server starts like any other": ['server/harness/agents/builtin/'],
  'a walk that goes one entry at a time and follows no link': [
    'server/harness/agents/codex/session-log.ts',
    'server/workspace/tree-copy.ts',
  ],
};

/** Whether code takes one of these functions, or all of `node:fs`, or removes a tree by Node. */
function isUnguarded(code: string): boolean {
  const imports = [...code.matchAll(/import ([^;]*?) from 'node:fs(?:\/promises)?'/g)].map(([, names = '']) => names);
  return (
    imports.some(names => !/^(type )?\{/.test(names)) ||
    imports.some(names => names.split(/[{,}]/).some(name => unguarded.test(name.trim().split(' ')[0] ?? ''))) ||
    /\bimport\('node:fs/.test(code) ||
    /\brm(Sync)?\([^;]*recursive: true/.test(code)
  );
}

test('the actions and the server open what an agent could have made by the border alone', () => {
  const found = outside.filter(({ file, code }) => /^(action|apply|server)\//.test(file) && isUnguarded(code));
  const places = Object.values(guardedOtherwise).flat();
  const isAt = (place: string) => (file: string) => (place.endsWith('/') ? file.startsWith(place) : file === place);
  const files = found.map(({ file }) => file);
  expect(files.filter(file => !places.some(place => isAt(place)(file)))).toEqual([]);
  expect(places.filter(place => !files.some(isAt(place)))).toEqual([]);
});

test.each([
  ["import { readFile } from 'node:fs/promises';", true],
  ["import {\n  lstat,\n  createReadStream as read,\n} from 'node:fs';", true],
  ["import fs from 'node:fs';", true],
  ["const { readFile } = await import('node:fs/promises');", true],
  ["import * as fs from 'node:fs/promises';", true],
  ["import { rm } from 'node:fs/promises';\nawait rm(path, { recursive: true, force: true });", true],
  ["import { rm } from 'node:fs/promises';\nawait rm(path, { force: true });", false],
  ["import { readPlainFile } from '../border/files.ts';\nimport type { FileHandle } from 'node:fs/promises';", false],
])('the rule sees %j', (code, isFound) => {
  expect(isUnguarded(code)).toBe(isFound);
});

test('what a network sent is read by the border alone', () => {
  const readers = rawReads.flatMap(filesWith).filter(file => !/^(testing|demo)\//.test(file));
  expect([...new Set(readers)].sort()).toEqual(Object.keys(otherReaders));
});

test.each([
  'const reader = response.body.getReader()',
  'for await (const chunk of answer.body) {}',
  'await earlierResponse?.body?.cancel()',
  'const { status, headers, body } = await fetch(url)',
  'async function readHead({ body }: Response) {}',
  'stream.pipeThrough(new TransformStream())',
  'ReadableStream.from(chunks)',
  'return await reply.text()',
  'answer.json()',
  "Number(headers.get('retry-after'))",
  "Number(headers['Retry-After'])",
])('the rule sees %s', code => {
  expect(rawReads.some(pattern => pattern.test(code))).toBe(true);
});

test('a run of the service is checked in one place, and believed everywhere else', () => {
  expect(filesWith(/\bas (unknown as )?Run\b/)).toEqual(['client/http/shape.ts']);
});
