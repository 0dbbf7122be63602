import { type Command, commands, exitCodes, generalFlags, printFlag, printUsage } from '../command-table.ts';
import { alignColumns } from './columns.ts';

export function printHelp(): string {
  return [
    'agent-run COMMAND [flags]',
    '',
    'Run coding agents on a server and follow what they do.',
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
    'npx agent-run COMMAND --help shows the flags of a command.',
  ].join('\n');
}

export function printCommandHelp(command: Command): string {
  return [
    printUsage(command),
    '',
    `${command.summary}.`,
    ...(command.word?.name.startsWith('RUN_ID') ? runIdNotes : []),
    ...command.notes,
    '',
    ...section(
      'Flags',
      command.flags.map(flag => [printFlag(flag), flag.summary]),
    ),
    ...(command.flags.some(flag => flag.name === 'base-url') ? exitCodeSection() : []),
    'Example',
    `  npx ${command.example}`,
  ].join('\n');
}

const runIdNotes = [
  'RUN_ID is a full id, or 4 or more characters from its start or its end.',
  'The word "last" means the newest run.',
];

function exitCodeSection(): readonly string[] {
  return section(
    'Exit codes',
    exitCodes.map(({ code, meaning }) => [String(code), meaning]),
  );
}

function section(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  return [title, ...alignColumns(rows).map(line => `  ${line}`), ''];
}
