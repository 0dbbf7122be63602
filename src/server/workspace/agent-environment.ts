import { dirname } from 'node:path';
import type { StoredRun } from '../store/store.ts';
import type { RunFolder } from './run-folder.ts';

type Variables = Readonly<Record<string, string>>;

/** When a job ends, a runner kills every process with this variable. Only a server inside a step passes it on. */
const trackingVariable = 'RUNNER_TRACKING_ID';
const usualPath = '/usr/local/bin:/usr/bin:/bin';

/** Default PATH of every agent. */
export function findSearchPath(server: Variables): string {
  return server.PATH ?? usualPath;
}

/**
 * Base environment of every agent: paths and user of the server's own environment, and the run's folders. No other
 * variable of the server reaches an agent unless the configuration names it.
 */
export function createBaseEnvironment(
  server: Variables,
  { root, home, temporary, hasOwnWorkspace }: RunFolder,
): Variables & { readonly PATH: string } {
  const locale = ['LANG', 'LC_ALL'].filter(name => /\.utf-?8$/i.test(server[name] ?? ''));
  const kept = [...locale, 'USER', 'LOGNAME', trackingVariable].flatMap(name =>
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
    // Data folders are often inside a clone, which git would otherwise take for the agent's.
    ...(hasOwnWorkspace ? { GIT_CEILING_DIRECTORIES: dirname(root) } : trustForGit),
  };
}

/**
 * The checkouts of a job in a container belong to another user, and git would refuse them. They may be in any folder
 * of the workspace.
 */
const trustForGit = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };

/**
 * Variables that tell a program about its run. No harness can change them. `skillDir` is the folder of the run's
 * skill; `canAsk` is true if a question could be answered.
 */
export function createRunVariables(
  { runId, config }: StoredRun,
  folder: RunFolder,
  { skillDir, canAsk }: { readonly skillDir: string | undefined; readonly canAsk: boolean },
): Variables {
  return {
    AGENT_RUN_ID: runId,
    AGENT_RUN_RESULT: folder.resultFile,
    AGENT_RUN_ARTIFACTS: folder.artifacts,
    ...(canAsk ? { AGENT_RUN_QUESTION: folder.questionFile } : {}),
    ...(config.model_id === undefined ? {} : { AGENT_RUN_MODEL: config.model_id }),
    ...(skillDir === undefined ? {} : { AGENT_RUN_SKILL_DIR: skillDir }),
  };
}
