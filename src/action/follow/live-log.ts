/**
 * Shows in the step's log what a run does while it works, and keeps what the report needs. Nothing here throws or
 * decides: a fault of the log becomes a line in it. Memory is bounded, however much an agent prints.
 */

import { messageOf } from '../../base/cause.ts';
import { UsageTotal } from '../../base/wording/usage-total.ts';
import { quoteLines } from '../../border/log-text.ts';
import type { Run, RunEvent } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import type { ActionHost } from '../host/host.ts';
import { EventPrinter, type LogLevel } from './event-printer.ts';
import { RunWarnings } from './run-warnings.ts';
import { type StateChange, StateHistory } from './state-history.ts';

/** A step without output looks dead. */
const defaultHeartbeatMs = 60_000;

/** Limits writes to the output file for a server that changes states endlessly. */
const statesTellable = 20;

export interface LiveLog {
  noteRun(run: Run): void;
  noteEvent(event: RunEvent): void;
  noteStatesOnly(): void;
  stop(): void;
  /** The run's last lines, in order: at most 40 lines, at most 8 KiB. */
  lastLines(): readonly string[];
  unseenLines(): readonly string[];
  /** Tells which call the time went to: `, 28 of them in \`npm test\``. '' if no call is open. */
  describeOpenCall(allMs: number): string;
  states(): readonly StateChange[];
  /** The server's warnings, in order, at most nine. */
  warnings(): readonly string[];
  usage(): Readonly<Record<string, unknown>> | undefined;
}

interface LiveLogOptions {
  /** `full` shows everything, `normal` up to a budget, `quiet` only the states. */
  readonly level: LogLevel;
  readonly address?: string | undefined;
  /** Called for each state shown, at most twenty times. */
  readonly onState?: ((state: string) => void) | undefined;
  /** @default 60_000 */
  readonly heartbeatMs?: number | undefined;
}

export function startLiveLog(
  host: ActionHost,
  { silentMs }: Pick<Connection, 'silentMs'>,
  { level, address, onState, heartbeatMs = defaultHeartbeatMs }: LiveLogOptions,
): LiveLog {
  const startedAt = performance.now();
  let printedAt = startedAt;
  const print = (line: string) => {
    printedAt = performance.now();
    host.print(line);
  };
  const printer = new EventPrinter({
    host: { print, group: title => host.group(title), endGroup: () => host.endGroup() },
    level,
    redact: host.redact,
    address: address === '' ? undefined : address,
  });
  const history = new StateHistory();
  const usage = new UsageTotal();
  const warnings = new RunWarnings();
  let isBroken = false;
  let statesTold = 0;
  const attempt = (show: () => void): void => {
    try {
      show();
    } catch (error) {
      if (!isBroken) printer.say(`the log has a gap: ${messageOf(error)}`);
      isBroken = true;
    }
  };
  const sayState = (state: string | undefined) => {
    if (state === undefined) return;
    printer.say(`state: ${state}`);
    statesTold += 1;
    if (statesTold <= statesTellable) onState?.(state);
  };
  const heartbeat = setInterval(() => {
    if (performance.now() - printedAt >= heartbeatMs * 0.98)
      attempt(() => printer.say(describeSilence(performance.now() - startedAt, silentMs())));
  }, heartbeatMs);
  return {
    noteRun: run => attempt(() => sayState(history.noteRun(run))),
    noteEvent: event =>
      attempt(() => {
        warnings.note(event);
        if (event.type === 'state') {
          printer.endLines();
          sayState(history.noteEvent({ state: event.data.state, at: event.at, seq: event.seq }));
        } else if (event.type === 'usage') usage.add(event.data);
        else printer.print(event);
      }),
    noteStatesOnly: () =>
      attempt(() => printer.say('this server does not send the log of the agent, only the state of the run')),
    stop() {
      clearInterval(heartbeat);
      attempt(() => printer.finish());
    },
    lastLines: () => printer.lastLines(),
    // Every other level shows them right above the end.
    unseenLines: () => (level === 'quiet' ? printer.lastLines() : []),
    describeOpenCall: allMs => printer.describeOpenCall(allMs),
    states: () => history.list(),
    warnings: () => warnings.list(),
    usage: () => usage.read(),
  };
}

/** The line after a minute without news. It claims that the run works only if the server was heard. */
export function describeSilence(runningMs: number, silentMs: number): string {
  const minutes = (ms: number) => Math.round(ms / 60_000);
  if (silentMs >= defaultHeartbeatMs)
    return `the server has not answered for ${minutes(silentMs)} min, so the state of the run is unknown`;
  return `still running after ${minutes(runningMs)} min`;
}

/** Prints outside any group, because a person looks at the end of the log. */
export function printLastLines(host: Pick<ActionHost, 'print'>, lines: readonly string[]): void {
  if (lines.length > 0) host.print('the last lines of the run:');
  for (const line of lines.flatMap(quoteLines)) host.print(line);
}
