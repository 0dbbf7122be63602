import type { Shell } from '../../src/cli/terminal/command-shell.ts';

export interface FakeShell extends Shell {
  readonly notes: readonly string[];
  readonly printed: readonly string[];
}

/** A shell that records output, for commands that end before they start anything. */
export function createFakeShell({
  env = {},
  cwd,
  input = [],
}: {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input?: readonly Uint8Array[];
}): FakeShell {
  const notes: string[] = [];
  const printed: string[] = [];
  return {
    env,
    cwd,
    notes,
    printed,
    columns: 80,
    isTerminal: false,
    showStatus: () => false,
    paint: text => text,
    input: (async function* () {
      yield* input;
    })(),
    isInputTyped: false,
    outputClosed: new AbortController().signal,
    note: line => void notes.push(line),
    print: text => void printed.push(text),
    printJson: value => void printed.push(JSON.stringify(value)),
    onSignal() {},
    onCrash() {},
    exit(code) {
      throw new Error(`exit ${code}`);
    },
  };
}
