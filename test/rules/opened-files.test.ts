/**
 * Who opens files, so that nobody waits for a pipe, follows a link or reads a folder without end that a program of a run has put there. All others use
 * `base/plain-file.ts`, `base/remove-tree.ts`, `workspace/folder-entries.ts` and `harness/agents/state-files.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

/** Functions that wait for the other end of a pipe, follow a link, or take a folder whole. */
const watched =
  /^(appendFile|copyFile|cp|createReadStream|createWriteStream|open|readFile|readdir|rm|writeFile)(Sync)?$/;
/** By file, with the reason; a path that ends in / is a folder. */
const allowed: Readonly<Record<string, string>> = {
  'config/server-config.ts': 'what the configuration names',
  'connections.ts': 'what the kernel tells',
  'doctor/': 'folders of its own',
  'executor/cleanup/process-table.ts': 'what the kernel tells',
  'executor/program-pipes.ts': 'names that nobody knows, while no program of the run is there',
  'executor/start-failure.ts': 'looked at when it is open',
  'harness/agents/builtin/': "the agent's own program: the server runs none of it",
  'harness/agents/codex/session-log.ts': 'looked at when it is open',
  'harness/agents/install-agent.ts': 'the folder of agent programs',
  'harness/agents/program-version.ts': 'a folder of its own',
  'harness/agents/remove-agent.ts': 'the folder of agent programs, and what the kernel tells',
  'harness/agents/state-files.ts': 'new files, in folders that are no links',
  'store/data-lock.ts': 'the data folder',
  'config/tls-files.ts': 'what the configuration names',
  'worker/artifact-files.ts': 'new files of the data folder',
  'workspace/environment-clone.ts': 'a clone before anything works in it',
  'skills/github-skills.ts': 'the data folder, and a folder that is new',
  'workspace/left-behind.ts': 'a new file',
  'changes/patch-file.ts': 'new files',
  'workspace/run-folder.ts': 'a new file, and folders of the data folder',
  'workspace/run-git.ts': 'a new file',
  'workspace/tree-copy.ts': 'a folder that is new',
  'worker/workspace.ts': 'a new file',
};

const root = resolve(import.meta.dirname, '../../src/server');
const opening = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => file.split(sep).join('/'))
  .filter(file => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(
      /import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g,
    );
    return [...imports].some(([, names = '']) => names.split(',').some(name => watched.test(name.trim())));
  });
const isFor = (file: string, place: string) => (place.endsWith('/') ? file.startsWith(place) : file === place);

test('no other file of the server opens files by itself', () => {
  expect(opening.filter(file => !Object.keys(allowed).some(place => isFor(file, place)))).toEqual([]);
});

test('whoever may does', () => {
  expect(Object.keys(allowed).filter(place => !opening.some(file => isFor(file, place)))).toEqual([]);
});
