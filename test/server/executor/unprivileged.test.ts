import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createTempFolder } from '../../support/temp-folder.ts';

const runner = fileURLToPath(new URL('./unprivileged-run.ts', import.meta.url));
/** The limit in unprivileged-run.ts. */
const processesMax = 40;
const isRoot = process.getuid?.() === 0;
/** Any user except root, such as `nobody`. */
const userId = isRoot ? 65_534 : (process.getuid?.() ?? 0);

/** Prefix of a command line that drops root's rights. */
const asUser = isRoot ? ['setpriv', `--reuid=${userId}`, `--regid=${userId}`, '--clear-groups', '--'] : [];
const obstacle = findObstacle();
if (obstacle !== undefined) console.warn(`skipped: ${obstacle}`);

/** Why the user cannot make a namespace here: no user namespaces, or the sources are not readable. */
function findObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has PID namespaces';
  const attempts = [
    [process.execPath, '-e', 'require("node:fs").accessSync(process.argv[1])', runner],
    ['unshare', '--user', '--map-current-user', '--pid', '--fork', '--mount-proc', 'true'],
  ];
  for (const attempt of attempts) {
    const [file = '', ...args] = [...asUser, ...attempt];
    try {
      execFileSync(file, args, { stdio: 'pipe' });
    } catch (error) {
      return `a user that is not root cannot make namespaces here: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
}

interface Report {
  readonly kind: string;
  readonly because?: string;
  readonly end: unknown;
  readonly stdout: string;
}

async function runAsUser(script: string): Promise<Report & { readonly folder: string }> {
  const folder = createTempFolder();
  chmodSync(folder, 0o777);
  const [file = '', ...args] = [...asUser, process.execPath, runner, folder, script];
  const { stdout } = await promisify(execFile)(file, args, { env: { PATH: '/usr/bin:/bin' } });
  const report: Report = JSON.parse(stdout);
  return { ...report, folder };
}

describe.skipIf(obstacle !== undefined)('the PID namespace of a user that is not root', () => {
  test('keeps user and file owner, kills leftovers and reports signals', async () => {
    const script =
      'id -u; echo mine >file; cd /; (setsid env -i /usr/bin/sleep 60 >/dev/null 2>&1 &); sleep 0.05; kill -KILL $$';
    const { folder, ...report } = await runAsUser(script);
    expect(report).toEqual({
      kind: 'pid_namespace',
      stdout: `${userId}\n`,
      end: {
        kind: 'ended',
        exitCode: undefined,
        signal: 'SIGKILL',
        stopped: undefined,
        leftovers: 1,
        survivors: 0,
        survivorPids: [],
      },
    });
    expect(statSync(join(folder, 'run', 'file')).uid).toBe(userId);
  });

  test("counts only the run's processes against their limit", async () => {
    // Counts without starting a process, because the limit may be reached.
    const [few, many] = [30, 60].map(
      count =>
        `(sleep 0.2; for i in $(seq ${count}); do sleep 9 & done 2>/dev/null) & sleep 2; set -- /proc/[0-9]*; echo $#`,
    );
    const others = execFile(asUser[0] ?? 'bash', [
      ...asUser.slice(1),
      ...(isRoot ? ['bash'] : []),
      '-c',
      'for i in $(seq 50); do sleep 5 & done; wait',
    ]);
    const [within, beyond] = await Promise.all([few, many].map(script => runAsUser(script ?? '')));
    others.kill('SIGKILL');
    expect(Number(within?.stdout)).toBeGreaterThan(30);
    expect(Number(beyond?.stdout)).toBeGreaterThan(30);
    expect(Number(beyond?.stdout)).toBeLessThanOrEqual(processesMax);
  });
});
