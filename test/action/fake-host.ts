import type { ActionHost } from '../../src/action/host/host.ts';

export interface FakeHost extends ActionHost {
  readonly outputs: Record<string, string>;
  readonly masks: string[];
  readonly warnings: string[];
  readonly failures: string[];
  readonly lines: string[];
}

/** A host in memory: what a step would have told the runner. */
export function createFakeHost(
  inputs: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): FakeHost {
  const state: Record<string, string> = {};
  const host = {
    outputs: {} as Record<string, string>,
    masks: [] as string[],
    warnings: [] as string[],
    failures: [] as string[],
    lines: [] as string[],
  };
  return {
    ...host,
    readInput: name => inputs[name] ?? '',
    readVariable: name => variables[name],
    setOutput: (name, value) => {
      host.outputs[name] = value;
    },
    saveState: (name, value) => {
      state[name] = value;
    },
    readState: name => state[name] ?? '',
    mask: value => host.masks.push(value),
    print: line => host.lines.push(line),
    warn: message => host.warnings.push(message),
    fail: message => host.failures.push(message),
    appendSummary: async () => {},
    onCancel: () => () => {},
  };
}
