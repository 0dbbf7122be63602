import { version } from '../base/process/version.ts';
import { type Arguments, type Invocation, parseCommandLine } from './arguments.ts';
import type { CommandName, ExitCode } from './command-table.ts';
import { noteError, type Shell } from './terminal/command-shell.ts';
import { explainFailure } from './terminal/failure.ts';
import { printCommandHelp, printHelp } from './terminal/help.ts';

type Action = (args: Arguments, shell: Shell) => Promise<ExitCode>;

/** Imported on demand, so that client commands do not load the server. */
const actions: Readonly<Record<Exclude<CommandName, 'help'>, () => Promise<Action>>> = {
  serve: async () => (await import('./commands/serve-command.ts')).serve,
  run: async () => (await import('./commands/run-command.ts')).run,
  logs: async () => (await import('./commands/logs-command.ts')).logs,
  wait: async () => (await import('./commands/logs-command.ts')).wait,
  open: async () => (await import('./commands/open-command.ts')).open,
  followup: async () => (await import('./commands/followup-command.ts')).followup,
  list: async () => (await import('./commands/list-command.ts')).list,
  get: async () => (await import('./commands/get-command.ts')).get,
  artifacts: async () => (await import('./commands/artifacts-command.ts')).artifacts,
  cancel: async () => (await import('./commands/cancel-command.ts')).cancel,
  skills: async () => (await import('./commands/skills-command.ts')).skills,
  environments: async () => (await import('./commands/environments-command.ts')).environments,
  agents: async () => (await import('./commands/agents-command.ts')).agents,
  doctor: async () => (await import('./commands/doctor-command.ts')).doctor,
};

/** Runs one command line. Returns the exit code; never rejects. */
export async function runCommandLine(argv: readonly string[], shell: Shell): Promise<ExitCode> {
  try {
    if (argv.length === 0) {
      for (const line of printHelp().split('\n')) shell.note(line);
      return 2;
    }
    return await carryOut(parseCommandLine(argv), shell);
  } catch (error) {
    const { code, sentence } = explainFailure(error);
    noteError(shell, error, sentence);
    return code;
  }
}

async function carryOut(invocation: Invocation, shell: Shell): Promise<ExitCode> {
  switch (invocation.kind) {
    case 'version':
      shell.print(`agent-run ${version}`);
      return 0;
    case 'help':
      shell.print(invocation.command === undefined ? printHelp() : printCommandHelp(invocation.command));
      return 0;
    case 'command': {
      const action = await actions[invocation.name]();
      return await action(invocation.args, shell);
    }
  }
}
