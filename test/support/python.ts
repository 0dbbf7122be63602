import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const pythonFolder = join(import.meta.dirname, '../../python');

/**
 * A Python that has the modules, undefined if there is none. The system's comes before the first of PATH, which may
 * be a version manager's without packages.
 */
export function findPython(...modules: readonly string[]): string | undefined {
  const program = `import ${modules.join(', ')}`;
  return ['/usr/bin/python3', 'python3'].find(path => spawnSync(path, ['-c', program]).status === 0);
}

/** What it printed. Throws an error with all that it printed if it fails or takes longer. */
export async function runPython(
  python: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly timeoutMs: number; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(python, args, {
      cwd: options.cwd ?? pythonFolder,
      timeout: options.timeoutMs,
      maxBuffer: 16 * 1024 * 1024,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...options.env },
    });
    return stdout;
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      killed = false,
    } = error as { stdout?: string; stderr?: string; killed?: boolean };
    const end = killed ? `was stopped after ${options.timeoutMs} ms` : 'failed';
    throw new Error(`${python} ${args.join(' ')} ${end}\n${stdout}\n${stderr}`, { cause: error });
  }
}
