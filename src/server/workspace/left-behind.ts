/**
 * Files that an agent leaves in its workspace outside the repositories. They are removed with the run and are in no
 * patch.
 */
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../base/text.ts';
import { readEntries, removeTree } from '../../border/folders.ts';
import type { Redact } from '../../border/secrets.ts';
import type { EventWriter } from '../output/event-writer.ts';
import type { KeptBaseline } from '../store/continuation.ts';
import type { RunFolder } from './run-folder.ts';

/** Limit on entries to look at, so that a huge folder ends. */
const entriesMax = 10_000;
const namedMax = 5;

/** A timestamp of the file system from before the agent starts. Later changes are the agent's. */
export async function markBeginning({ state }: Pick<RunFolder, 'state'>): Promise<number> {
  const path = join(state, 'began');
  // An earlier run of the conversation may have left anything there.
  const file = await open(path, 'wx', 0o600).catch(async () => {
    await removeTree(path);
    return await open(path, 'wx', 0o600);
  });
  try {
    return (await file.stat()).ctimeMs;
  } finally {
    await file.close();
  }
}

/** Logs them in the run. It is a warning if there are repositories, because then work was meant to be kept. */
export async function reportLeftBehind(
  folder: RunFolder,
  {
    baselines,
    sinceMs,
    redact,
    events,
  }: {
    readonly baselines: readonly Pick<KeptBaseline, 'path'>[];
    readonly sinceMs: number;
    /** A file may have the name of a repository. */
    readonly redact: Redact;
    readonly events: Pick<EventWriter, 'writeSystem' | 'writeWarning'>;
  },
): Promise<void> {
  const repositories = baselines.map(({ path }) => path);
  const described = await describeLeftBehind(folder, { repositories, sinceMs });
  if (described === undefined) return;
  const text = redact(described);
  if (repositories.length === 0) await events.writeSystem(text);
  else await events.writeWarning(text);
}

/**
 * A sentence about files that were changed since then and are kept nowhere. Undefined if there are none.
 * `repositories` are folders below the workspace, with slashes; `.` is the workspace itself. Never throws.
 */
async function describeLeftBehind(
  { workspace, hasOwnWorkspace }: Pick<RunFolder, 'workspace' | 'hasOwnWorkspace'>,
  { repositories, sinceMs }: { readonly repositories: readonly string[]; readonly sinceMs: number },
): Promise<string | undefined> {
  if (!hasOwnWorkspace || repositories.includes('.')) return undefined;
  let looked = 0;
  const list = async (folder: string) => {
    const { entries } = await readEntries(join(workspace, folder), Math.max(0, entriesMax - looked));
    return entries.map(entry => ({
      path: folder === '' ? entry.name : `${folder}/${entry.name}`,
      isFolder: entry.isDirectory(),
    }));
  };
  const isChanged = async (path: string, isFolder: boolean): Promise<boolean> => {
    looked += 1;
    if (looked > entriesMax) return false;
    if (!isFolder) return ((await lstat(join(workspace, path)).catch(() => undefined))?.ctimeMs ?? 0) > sinceMs;
    for (const entry of await list(path)) if (await isChanged(entry.path, entry.isFolder)) return true;
    return false;
  };
  const find = async (folder: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const { path, isFolder } of await list(folder)) {
      if (repositories.includes(path)) continue;
      if (isFolder && repositories.some(repository => repository.startsWith(`${path}/`)))
        found.push(...(await find(path)));
      else if (await isChanged(path, isFolder)) found.push(isFolder ? `${path}/` : path);
    }
    return found;
  };
  const found = await find('');
  if (found.length === 0) return undefined;
  const more = found.length > namedMax ? ` and ${counted(found.length - namedMax, 'other')}` : '';
  const named = found.slice(0, namedMax).map(path => JSON.stringify(path));
  const where = repositories.length === 0 ? 'any repository' : repositories.join(' and ');
  return `files outside ${where} are not kept: ${named.join(', ')}${more}; to keep files, put them into the folder that AGENT_RUN_ARTIFACTS names`;
}
