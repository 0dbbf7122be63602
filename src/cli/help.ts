import { alignColumns } from './columns.ts';
import { type Command, commands, exitCodes, generalFlags, printFlag, printUsage } from './command-table.ts';

/** All commands, a line each. */
export function printHelp(): string {
  return [
    'agent-run COMMAND [flags]',
    '',
    'Runs coding agents on a server, and tells the truth about it.',
    '',
    ...section(
      'Commands',
      commands.map(command => [command.name, command.summary]),
    ),
    ...section(
      'Flags',
      generalFlags.map(flag => [printFlag(flag), flag.summary]),
    ),
    ...exitCodeSection(),
    'agent-run COMMAND --help shows the flags of a command.',
  ].join('\n');
}

export function printCommandHelp(command: Command): string {
  return [
    printUsage(command),
    '',
    `${command.summary}.`,
    ...command.notes,
    '',
    ...section(
      'Flags',
      command.flags.map(flag => [printFlag(flag), flag.summary]),
    ),
    ...(command.flags.some(flag => flag.name === 'json') ? exitCodeSection() : []),
    'Example',
    `  ${command.example}`,
  ].join('\n');
}

function exitCodeSection(): readonly string[] {
  return section(
    'Exit codes',
    exitCodes.map(({ code, meaning }) => [String(code), meaning]),
  );
}

function section(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  return [title, ...alignColumns(rows).map(line => `  ${line}`), ''];
}
