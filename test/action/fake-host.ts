import { logNote } from '../../src/action/host/annotations.ts';
import type { ActionHost } from '../../src/action/host/host.ts';
import { createMasks } from '../../src/action/host/masks.ts';
import { logLine } from '../../src/border/log-text.ts';

export interface FakeHost extends ActionHost {
  readonly outputs: Record<string, string>;
  readonly masks: string[];
  readonly warnings: string[];
  /** Messages of `fail`, including those that became no annotation. */
  readonly failures: string[];
  readonly plainFailures: string[];
  /** The log's lines. A group is `[title` … `]`. */
  readonly lines: string[];
  readonly state: Record<string, string>;
  readonly summary: string[];
  /** Cancels the step, like a runner's signal. */
  cancel(): void;
}

/** A host in memory that records what a step tells the runner. */
export function createFakeHost(
  inputs: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): FakeHost {
  const told = {
    outputs: {} as Record<string, string>,
    masks: [] as string[],
    warnings: [] as string[],
    failures: [] as string[],
    plainFailures: [] as string[],
    lines: [] as string[],
    state: {} as Record<string, string>,
    summary: [] as string[],
  };
  const masks = createMasks();
  const warned = new Set<string>();
  let annotates = true;
  const listeners = new Set<() => void>();
  return {
    ...told,
    readInput: name => inputs[name] ?? '',
    readVariable: name => variables[name],
    variables: () => ({ ...variables }),
    setOutput: (name, value) => {
      told.outputs[name] = value;
    },
    saveState: (name, value) => {
      told.state[name] = value;
    },
    readState: name => told.state[name] ?? '',
    mask(value) {
      told.masks.push(value);
      masks.add(value);
    },
    redact: masks.redact,
    print: line => told.lines.push(logLine(line)),
    group: title => told.lines.push(`[${logLine(title)}`),
    endGroup: () => told.lines.push(']'),
    warn(given) {
      const message = logNote(given);
      warned.add(message);
      (annotates ? told.warnings : told.lines).push(message);
    },
    warned: () => [...warned],
    fail: message => (annotates ? told.failures : told.plainFailures).push(logNote(message)),
    leaveOutAnnotations: () => {
      annotates = false;
    },
    appendSummary: async markdown => void told.summary.push(markdown),
    summaryRoom: () => 1024 * 1024 - Buffer.byteLength(told.summary.join('')),
    keepFiles: () => {},
    restoreFiles: async () => [],
    onCancel: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    cancel: () => {
      for (const listener of [...listeners]) {
        listeners.delete(listener);
        listener();
      }
    },
  };
}
