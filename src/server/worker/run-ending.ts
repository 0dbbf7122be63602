import { randomUUID } from 'node:crypto';
import { findShortage } from '../../base/process/shortage.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import { traceError } from '../error-text.ts';
import type { Log } from '../log.ts';
import { endWithCode, type Stop } from '../run-failure.ts';
import type { RunEnding } from '../store/store.ts';

/**
 * The ending of a run that was given up. Undefined if there is nothing to write. The cause of a fault goes to the log
 * only.
 */
export function endByStop(
  stop: Stop,
  {
    runId,
    log,
    result,
    hasBegun = true,
  }: {
    readonly runId: string;
    readonly log: Log;
    readonly result?: RunText | undefined;
    /** Whether the agent had started. @default true */
    readonly hasBegun?: boolean;
  },
): RunEnding | undefined {
  switch (stop.kind) {
    case 'lost':
      return undefined;
    case 'cancel':
      return { state: 'CANCELLED', statusMessage: { message: stop.reason }, result };
    case 'limit':
      return endWithCode(stop.failure.code, stop.failure.message, result);
    case 'stopping':
      return endWithCode(
        'resource_unavailable',
        'the server stopped before the run ended. Part of its work may be done',
        result,
      );
    case 'fault': {
      const shortage = hasBegun ? undefined : findShortage(stop.error);
      if (shortage !== undefined) return putBack(shortage);
      const trace = randomUUID();
      log('error', 'internal error during a run', { run: runId, trace, error: traceError(stop.error) });
      return endWithCode(
        'internal_error',
        `the server failed during the run. Its log has the cause under ${trace}`,
        result,
      );
    }
  }
}

/** The run itself is fine and has had no effects. */
function putBack(shortage: string): RunEnding {
  const message = `the server is short of open files, processes or memory (${shortage}) and could not start the agent. It will try again`;
  return { state: 'QUEUED', statusMessage: { message } };
}

/** `1 minute 30 seconds`. */
export function describeDuration(ms: number): string {
  const tenths = Math.max(1, Math.round(ms / 100));
  const [minutes, seconds] = [Math.floor(tenths / 600), (tenths % 600) / 10];
  const parts = [minutes > 0 && countUnit(minutes, 'minute'), seconds > 0 && countUnit(seconds, 'second')];
  return parts.filter(part => part !== false).join(' ');
}

function countUnit(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
