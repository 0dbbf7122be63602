import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { firstLine } from '../../../base/text.ts';
import type { Command } from './agents-folder.ts';

const timeoutMs = 30_000;

/**
 * Starts a program with a temporary home, so that it neither reads nor leaves files, and asks for its version. Throws
 * Error with its output if it does not start or prints no version.
 */
export async function readProgramVersion(
  [file, ...args]: Command,
  {
    searchPath,
    versionArgs = ['--version'],
  }: { readonly searchPath: string; readonly versionArgs?: readonly string[] },
): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'agent-run-version-'));
  try {
    const env = { PATH: searchPath, HOME: home, TMPDIR: home, TERM: 'dumb', NO_COLOR: '1', CI: 'true' };
    const { stdout, stderr } = await promisify(execFile)(file, [...args, ...versionArgs], {
      env,
      cwd: home,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const [version] = /\d+\.\d+\.\d+[\w.+-]*/.exec(stdout) ?? [];
    if (version === undefined) throw new Error(`it printed no version: ${firstLine(stdout) || firstLine(stderr)}`);
    return version;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error || 'killed' in error)) throw error;
    const { killed, stderr = '' } = error as Error & { killed?: boolean; stderr?: string };
    if (killed) throw new Error(`it did not print its version within ${timeoutMs / 1000} s`);
    throw new Error(`it does not start: ${firstLine(stderr) || firstLine(error.message)}`);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
