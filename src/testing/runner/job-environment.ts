import type { JobFolders } from './job-folders.ts';

/**
 * The `github` context, by GitHub's own names and without its event. Each becomes a GITHUB_ variable except `token`,
 * which an action only gets as an input.
 */
export type GitHubContext = Readonly<Record<string, string>>;

const contextDefaults = {
  actor: 'octocat',
  api_url: 'https://api.github.com',
  event_name: 'workflow_dispatch',
  graphql_url: 'https://api.github.com/graphql',
  job: 'build',
  ref: 'refs/heads/main',
  repository: 'octo-org/shop',
  run_attempt: '1',
  run_id: '1658821493',
  run_number: '3',
  server_url: 'https://github.com',
  sha: 'ffac537e6cbbf934b08745a378932722df287a53',
  token: '',
  workflow: 'CI',
} as const satisfies GitHubContext;

/** Completes a partial context: names that depend on others (`repository_owner`, `ref_name`, …) are derived. */
export function completeContext(given: GitHubContext): GitHubContext {
  const context = { ...contextDefaults, ...given };
  const [, kind = '', ...name] = context.ref.split('/');
  return {
    ref_name: name.join('/'),
    ref_type: kind === 'tags' ? 'tag' : 'branch',
    repository_owner: context.repository.split('/')[0] ?? '',
    triggering_actor: context.actor,
    workflow_sha: context.sha,
    ...context,
  };
}

export function contextVariables(context: GitHubContext): Readonly<Record<string, string>> {
  const exported = Object.entries(context).filter(([name]) => name !== 'token');
  return Object.fromEntries(exported.map(([name, value]) => [`GITHUB_${name.toUpperCase()}`, value]));
}

/** The `runner` context, by GitHub's own names. Each becomes a RUNNER_ variable. */
export function runnerContext(folders: JobFolders, debug: boolean): Readonly<Record<string, string>> {
  return {
    arch: { x64: 'X64', arm64: 'ARM64', ia32: 'X86', arm: 'ARM' }[process.arch as string] ?? process.arch.toUpperCase(),
    environment: 'self-hosted',
    name: 'fake-runner',
    os: { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }[process.platform as string] ?? process.platform,
    temp: folders.temp,
    tool_cache: folders.toolCache,
    workspace: folders.workspaceParent,
    ...(debug ? { debug: '1' } : {}),
  };
}

export function runnerVariables(context: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [`RUNNER_${name.toUpperCase()}`, value]));
}

/**
 * The environment before the job adds variables. From this process's own environment it has only the variables that a
 * program needs to start, so that no key, token or proxy of the machine reaches the action by accident.
 */
export function baseVariables(folders: JobFolders): Readonly<Record<string, string>> {
  const inherited = process.platform === 'win32' ? windowsVariables : ['PATH'];
  const present = inherited.flatMap(name => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(present),
    HOME: folders.home,
    LANG: 'C.UTF-8',
    TMPDIR: folders.scratch,
    ...(process.platform === 'win32' ? { USERPROFILE: folders.home, TEMP: folders.scratch, TMP: folders.scratch } : {}),
    CI: 'true',
  };
}

const windowsVariables = ['PATH', 'PATHEXT', 'COMSPEC', 'SYSTEMDRIVE', 'SYSTEMROOT', 'WINDIR', 'PROGRAMFILES'];
