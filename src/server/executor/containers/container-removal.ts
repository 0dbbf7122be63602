import type { Clock } from '../../../base/clock.ts';
import { printListArguments } from './container-command.ts';
import {
  type ContainerEngine,
  ContainerFault,
  callEngine,
  describeComplaint,
  isNoContainer,
} from './container-engine.ts';

const removeMs = 10_000;
const removeAllMs = 60_000;

/** Kills and removes a container. True if it certainly no longer exists, including when it never did. */
export async function removeContainer(engine: ContainerEngine, idOrName: string, clock: Clock): Promise<boolean> {
  const deadline = clock.monotonicMs() + removeMs;
  for (;;) {
    const { code, stderr } = await callEngine(engine, ['rm', '--force', '--volumes', idOrName]);
    if (code === 0 || isNoContainer(stderr)) return true;
    if (clock.monotonicMs() >= deadline) return false;
    // Another process may be removing it, or the engine is busy.
    await clock.sleep(200);
  }
}

/**
 * Removes every container of a server or of one run, and returns their number. Repeats until it sees none for
 * `quietMs`, because one may be in the making. Throws ContainerFault if they cannot be listed or removed.
 */
export async function removeContainers(
  engine: ContainerEngine,
  owner: { readonly serverId: string; readonly runId?: string | undefined },
  { clock, quietMs = 0 }: { readonly clock: Clock; readonly quietMs?: number },
): Promise<number> {
  const removed = new Set<string>();
  const deadline = clock.monotonicMs() + removeAllMs;
  for (let quietSince: number | undefined; ; ) {
    const { code, stdout, stderr } = await callEngine(engine, printListArguments(owner));
    if (code !== 0) throw new ContainerFault(`cannot list the containers of runs: ${describeComplaint(stderr)}`);
    const ids = stdout.split('\n').filter(id => id !== '');
    for (const id of ids) {
      if (!(await removeContainer(engine, id, clock)))
        throw new ContainerFault(`cannot remove the container ${id.slice(0, 12)} of a run`);
      removed.add(id);
    }
    const now = clock.monotonicMs();
    quietSince = ids.length > 0 ? undefined : (quietSince ?? now);
    if (quietSince !== undefined && now - quietSince >= quietMs) return removed.size;
    if (now > deadline) throw new ContainerFault('containers of runs are created faster than they can be removed');
    await clock.sleep(ids.length > 0 ? 20 : 100);
  }
}
