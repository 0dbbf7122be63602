import { join } from 'node:path';
import type { StoredRun } from '../store/store.ts';
import type { RunFolder } from './run-folder.ts';
import type { FoundSkill } from './skill-source.ts';

type Variables = Readonly<Record<string, string>>;

const usualPath = '/usr/local/bin:/usr/bin:/bin';

/** PATH of every agent that its harness gives no other. */
export function findSearchPath(server: Variables): string {
  return server.PATH ?? usualPath;
}

/**
 * What every agent's environment starts from: where programs are and who runs them, by the server's own environment, and the run's own
 * folders. Nothing else of the server's environment reaches an agent unless the configuration names it.
 */
export function createBaseEnvironment(
  server: Variables,
  { home, temporary }: RunFolder,
): Variables & { readonly PATH: string } {
  const locale = ['LANG', 'LC_ALL'].filter(name => /\.utf-?8$/i.test(server[name] ?? ''));
  const kept = [...locale, 'USER', 'LOGNAME'].flatMap(name =>
    server[name] === undefined ? [] : [[name, server[name]] as const],
  );
  return {
    ...Object.fromEntries(kept),
    PATH: findSearchPath(server),
    HOME: home,
    TMPDIR: temporary,
    TERM: 'dumb',
    CI: 'true',
    NO_COLOR: '1',
  };
}

/** What tells a program about its run, and no harness changes. */
export function createRunVariables({ runId, config }: StoredRun, folder: RunFolder, skill?: FoundSkill): Variables {
  return {
    AGENT_RUN_ID: runId,
    AGENT_RUN_RESULT: folder.resultFile,
    ...(config.model_id === undefined ? {} : { AGENT_RUN_MODEL: config.model_id }),
    ...(skill === undefined ? {} : { AGENT_RUN_SKILL_DIR: join(folder.workspace, skill.folder) }),
  };
}
