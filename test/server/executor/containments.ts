import { readFileSync } from 'node:fs';
import {
  type Containment,
  ContainmentError,
  type ContainmentKind,
  findContainment,
} from '../../../src/server/executor/cleanup/containment.ts';

/** CAP_SYS_ADMIN allows making a namespace. */
const namespaceCapability = 1n << 21n;

/** The containment of a kind, or why this machine lacks it. Tests that need it are then skipped with that reason. */
export async function findForTests(kind: ContainmentKind): Promise<Containment | string> {
  try {
    return await findContainment({ choice: kind });
  } catch (error) {
    if (!(error instanceof ContainmentError)) throw error;
    if (kind === 'pid_namespace' && process.env.CI === 'true' && mayMakeNamespaces()) throw error;
    console.warn(`skipped: ${error.message}`);
    return error.message;
  }
}

function mayMakeNamespaces(): boolean {
  if (process.platform !== 'linux') return false;
  const [, mask = '0'] = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return (BigInt(`0x${mask}`) & namespaceCapability) !== 0n;
}
