import type { ContainerEngine } from '../containers/container-engine.ts';
import type { Leader, Orphans } from './run-processes.ts';

/** What a watchdog is told of a run: its folder, and its first process once that is born. */
export interface WatchedRun {
  readonly folder: string;
  readonly leader?: Leader | undefined;
  readonly orphans?: Orphans | undefined;
  /** Of a run in a container: what removes it. */
  readonly engine?: ContainerEngine | undefined;
}

/**
 * What a server tells its watchdog, one line each, over a pipe whose end is the server's death. A run is announced before its first
 * process is born, and dropped when nothing of it is left, so that the watchdog kills what belongs to this server's life and nothing that a new
 * server on the same data folder has started.
 */
export type WatchdogOrder =
  | ({ readonly kind: 'watch'; readonly runId: string } & WatchedRun)
  | { readonly kind: 'drop'; readonly runId: string }
  | { readonly kind: 'goodbye' };

export function printOrder(order: WatchdogOrder): string {
  return `${JSON.stringify(order)}\n`;
}

/** Reads a line that `printOrder` wrote; both ends are the same version of this file. */
export function parseOrder(line: string): WatchdogOrder {
  return JSON.parse(line) as WatchdogOrder;
}
