import { expect, test } from 'vitest';
import { parseCommandLine } from '../../../src/cli/arguments.ts';
import { commands, exitCodes, printFlag } from '../../../src/cli/command-table.ts';
import { printCommandHelp, printHelp } from '../../../src/cli/terminal/help.ts';

test.for(commands)('the help of $name names each flag and exit code, and fits a narrow terminal', command => {
  const text = printCommandHelp(command);
  for (const flag of command.flags) expect(text).toContain(`  ${printFlag(flag)} `);
  // The other examples name a run.
  if (command.flags.some(({ name }) => name === 'base-url'))
    for (const { meaning } of exitCodes) expect(text).toContain(meaning);
  expect(text.split('\n').filter(line => line.length > 80)).toEqual([]);
  expect(
    new Set(text.split('\n').flatMap(line => /^ {2}--[\w-]+(?: [A-Z]+)? +/.exec(line)?.[0].length ?? [])).size,
  ).toBe(1);
});

test.for(commands)('the example of $name is a valid command line', ({ name, example }) => {
  const words = example
    .replace(/ > .*$/, '')
    .match(/"[^"]*"|\S+/g)
    ?.map(word => word.replace(/^"|"$/g, ''));
  expect(words?.[0]).toBe('agent-run');
  expect(parseCommandLine(words?.slice(1) ?? [])).toMatchObject(
    name === 'help' ? { kind: 'help' } : { kind: 'command', name },
  );
});

test('a flag has the same form in every command, because flags are parsed before the command', () => {
  const kinds = Map.groupBy(
    commands.flatMap(command => command.flags),
    flag => flag.name,
  );
  for (const flags of kinds.values()) expect(new Set(flags.map(flag => flag.value)).size).toBe(1);
});

test('the general help names every command', () => {
  for (const { name, summary } of commands) expect(printHelp()).toMatch(new RegExp(`^ {2}${name} +${summary}$`, 'm'));
});
