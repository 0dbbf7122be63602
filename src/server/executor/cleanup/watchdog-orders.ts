import { printJsonLine } from '../../../base/json.ts';
import type { ContainerEngine } from '../containers/container-engine.ts';
import type { Leader, Orphans } from './run-processes.ts';

/** What a watchdog knows of a run: its folder, and its first processes once they exist. */
export interface WatchedRun {
  readonly folder: string;
  readonly leaders?: readonly Leader[] | undefined;
  readonly orphans?: Orphans | undefined;
  /** Set for a run in a container: the engine that removes it. */
  readonly engine?: ContainerEngine | undefined;
}

/**
 * Lines that a server writes to its watchdog. The pipe ends when the server dies. A run is announced before its first
 * process starts and dropped once all its processes are gone. So the watchdog kills only this server's processes, not
 * those of a new server on the same data folder.
 */
export type WatchdogOrder =
  | ({ readonly kind: 'watch'; readonly runId: string } & WatchedRun)
  | { readonly kind: 'drop'; readonly runId: string }
  | { readonly kind: 'goodbye' };

export function printOrder(order: WatchdogOrder): string {
  return printJsonLine(order);
}

/** Reads a line of `printOrder`. Both ends run the same version of this file. */
export function parseOrder(line: string): WatchdogOrder {
  return JSON.parse(line) as WatchdogOrder;
}
