import * as core from '@actions/core';

/** What the action needs of the runner. The only file that knows the toolkit and the environment. */
export interface ActionHost {
  /** An input exactly as it was given; '' when it was not. */
  readInput(name: string): string;
  readVariable(name: string): string | undefined;
  setOutput(name: string, value: string): void;
  /** State for the post step of this same step. */
  saveState(name: string, value: string): void;
  readState(name: string): string;
  /** Masks a value in the log from here on. */
  mask(value: string): void;
  /** A line in the log. Text of others goes through `guardLines` first. */
  print(line: string): void;
  warn(message: string): void;
  /** Turns the step red, with the message as its annotation. */
  fail(message: string): void;
  /** Appends Markdown to the job's summary. Throws when the file cannot be written. */
  appendSummary(markdown: string): Promise<void>;
  /** Called when the runner wants the step to stop; once. Returns how to stop listening. */
  onCancel(listener: () => void): () => void;
}

/** The runner that started this process. */
export function runnerHost(): ActionHost {
  return {
    readInput: name => core.getInput(name, { trimWhitespace: false }),
    readVariable: name => process.env[name],
    setOutput: core.setOutput,
    saveState: core.saveState,
    readState: core.getState,
    mask: core.setSecret,
    print: core.info,
    warn: core.warning,
    fail: core.setFailed,
    async appendSummary(markdown) {
      await core.summary.addRaw(markdown).write();
    },
    onCancel(listener) {
      const signals = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;
      const stop = () => {
        for (const signal of signals) process.off(signal, heard);
      };
      // A second signal ends the process at once, as without us.
      const heard = () => {
        stop();
        listener();
      };
      for (const signal of signals) process.on(signal, heard);
      return stop;
    },
  };
}
