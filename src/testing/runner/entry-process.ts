import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { LineSplitter } from '../log/line-splitter.ts';
import { killTree } from './process-tree.ts';

/** How long an ended program's children may keep its output open before they are killed, as in the real runner. */
const openOutputMs = 5_000;

export interface EntryEnd {
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  /** Why the program could not be started. */
  readonly startError: string | undefined;
}

export interface EntryProcess {
  readonly pid: number | undefined;
  /** Resolves after the program ended and its output was read. Never rejects. */
  readonly ended: Promise<EntryEnd>;
  /** Signals the program itself, not its children. Does nothing once it has ended. */
  signal(signal: NodeJS.Signals): void;
  killTree(): void;
}

/** Starts a script of an action. It leads its own process group, so that Ctrl-C in a terminal does not reach it. */
export function startEntryProcess(request: {
  readonly nodePath: string;
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (line: string, source: 'stdout' | 'stderr') => void;
}): EntryProcess {
  const child = attemptStart(request);
  if (child instanceof Error) return unstarted(child.message);
  let hasEnded = false;
  const kill = () => {
    if (child.pid !== undefined) killTree(child.pid);
  };
  const splitters = [child.stdout, child.stderr].map((stream, index) => {
    const splitter = new LineSplitter(line => request.onLine(line, index === 0 ? 'stdout' : 'stderr'));
    stream.on('data', (chunk: Buffer) => splitter.push(chunk));
    return splitter;
  });
  const ended = new Promise<EntryEnd>(resolve => {
    let outputTimer: NodeJS.Timeout | undefined;
    const finish = (end: EntryEnd) => {
      hasEnded = true;
      clearTimeout(outputTimer);
      for (const splitter of splitters) splitter.end();
      resolve(end);
    };
    child.once('error', error => {
      if (child.pid === undefined) finish({ exitCode: undefined, signal: undefined, startError: error.message });
    });
    child.once('exit', () => {
      outputTimer = setTimeout(() => {
        kill();
        child.stdout.destroy();
        child.stderr.destroy();
      }, openOutputMs);
    });
    child.once('close', (code, signal) => {
      if (child.pid !== undefined)
        finish({ exitCode: code ?? undefined, signal: signal ?? undefined, startError: undefined });
    });
  });
  return {
    pid: child.pid,
    ended,
    signal: signal => void child.kill(signal),
    killTree: () => {
      if (!hasEnded) kill();
    },
  };
}

/** Some failures are thrown (an environment that is too large), others come as an event (a missing program). */
function attemptStart(
  request: Parameters<typeof startEntryProcess>[0],
): ChildProcessByStdio<null, Readable, Readable> | Error {
  try {
    return spawn(request.nodePath, [request.script], {
      cwd: request.cwd,
      env: { ...request.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function unstarted(startError: string): EntryProcess {
  return {
    pid: undefined,
    ended: Promise.resolve({ exitCode: undefined, signal: undefined, startError }),
    signal: () => undefined,
    killTree: () => undefined,
  };
}
