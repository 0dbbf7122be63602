/** Checks what runs of the environments need: variables that are passed on, and repositories that can be cloned. */
import { spawn } from 'node:child_process';
import { describeUnsetVariable, isUsualVariableName } from '../../base/variable-name.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { findRepositoryFault } from '../workspace/environment-clone.ts';
import { inPassingFolder } from '../workspace/run-folder.ts';
import type { GitParts } from '../workspace/run-git.ts';
import type { Finding } from './finding.ts';

export function* checkVariables({ unsetVariables }: Pick<ServerConfig, 'unsetVariables'>): Generator<Finding> {
  for (const { name, user, place } of unsetVariables)
    yield {
      subject: isUsualVariableName(name) ? `variable ${name}` : 'variable',
      status: 'warn',
      text: `${place}: ${isUsualVariableName(name) ? 'it is not set' : describeUnsetVariable(name)}, so ${user} runs without it`,
      remedy: "set it in the server's environment, or remove it from `env`",
    };
}

/** Lists the refs of each repository with the token of the runs, one after another. */
export async function* checkRepositories(
  { environments, git }: Pick<ServerConfig, 'environments' | 'git'>,
  searchPath: string,
  answerMs = 20_000,
): AsyncGenerator<Finding> {
  const execute = executeWithin(answerMs);
  for (const environment of environments)
    for (const repository of environment.repositories) {
      const subject = `environment ${environment.name}: repository`;
      const signal = new AbortController().signal;
      const fault = await inPassingFolder(folder =>
        findRepositoryFault(environment, repository, { folder, searchPath, execute, git, signal }),
      );
      yield fault === undefined
        ? { subject, status: 'ok', text: `${repository.name}, ${repository.url}` }
        : {
            subject,
            status: 'fail',
            text: fault,
            remedy:
              'fix its `url`, `ref` or `publish_base`, or make sure that this machine and the token or the App of its host can read it',
          };
    }
}

const alone = { stopped: undefined, leftovers: 0, survivors: 0, survivorPids: [] };

export const executeWithin =
  (answerMs: number): GitParts['execute'] =>
  async ({ argv: [file, ...args], cwd, env }, onOutput) => {
    const child = spawn(file, args, { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      // Includes the programs that git started.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, answerMs);
    child.stdout.on('data', (chunk: Buffer) => void onOutput('stdout', chunk));
    child.stderr.on('data', (chunk: Buffer) => void onOutput('stderr', chunk));
    try {
      return await new Promise(resolve => {
        child.once('error', error => resolve({ kind: 'not_started', message: error.message }));
        child.once('close', (exitCode, signal) => {
          if (isLate) resolve({ kind: 'not_started', message: `its host did not answer within ${answerMs / 1000} s` });
          else resolve({ kind: 'ended', exitCode: exitCode ?? undefined, signal: signal ?? undefined, ...alone });
        });
      });
    } finally {
      clearTimeout(timer);
    }
  };
