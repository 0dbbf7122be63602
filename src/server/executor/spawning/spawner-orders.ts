import { printJsonLine } from '../../../base/json.ts';
import type { ProcessRow } from '../cleanup/process-table.ts';
import type { Exit, SpawnRequest } from './spawner.ts';

type NewProcess = Pick<SpawnRequest, 'argv' | 'env'> & { readonly id: number };

/** Lines that a server writes to its spawner. Each is answered by a start or a fault, and a start later by an end. */
export type SpawnerOrder =
  | (NewProcess & {
      readonly kind: 'program';
      readonly cwd: string;
      /** Paths of the standard streams; null for none. */
      readonly streams: readonly (string | null)[];
    })
  | (NewProcess & { readonly kind: 'namespace' });

export type SpawnerReport = { readonly id: number } & (
  | { readonly kind: 'started'; readonly pid: number; readonly startTicks: string }
  | { readonly kind: 'opened'; readonly first: ProcessRow }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined }
  | ({ readonly kind: 'ended' } & Partial<Exit>)
);

export function printLine(line: SpawnerOrder | SpawnerReport): string {
  return printJsonLine(line);
}

/** Reads a line of `printLine`. Both ends run the same version of this file. */
export function parseLine<Line extends SpawnerOrder | SpawnerReport>(line: string): Line {
  return JSON.parse(line) as Line;
}
