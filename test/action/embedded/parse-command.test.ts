import { expect, test } from 'vitest';
import { parseCommand } from '../../../src/action/embedded/parse-command.ts';

test.each([
  ['my-agent --json', ['my-agent', '--json']],
  ['  my-agent\t -p  ', ['my-agent', '-p']],
  [`my-agent -p 'a | b > $c' "d 'e' \\"f\\" \\$g \\h 5$"`, ['my-agent', '-p', 'a | b > $c', `d 'e' "f" $g \\h 5$`]],
  [`a b'c 'd"e "f '' ""`, ['a', 'bc de f', '', '']],
  [`a two\\ words \\| it\\'s`, ['a', 'two words', '|', `it's`]],
  [`sh -c 'first\nsecond'`, ['sh', '-c', 'first\nsecond']],
  ['a x=1 b~c d#e !', ['a', 'x=1', 'b~c', 'd#e', '!']],
  ['["sh", "-c", "a | b"]', ['sh', '-c', 'a | b']],
  ['[my-agent, --version, 1.0, "2"]', ['my-agent', '--version', '1.0', '2']],
  // Scalars keep their spelling, so a number is a word.
  ['["my-agent", "--retries", 3, 1.0]', ['my-agent', '--retries', '3', '1.0']],
  ['- my-agent\n- --json\n- yes\n', ['my-agent', '--json', 'yes']],
  ['-agent -x', ['-agent', '-x']],
] as const)('the words of %j', async (text, words) => {
  expect(await parseCommand(text)).toEqual(words);
});

test.each([
  ['a | b', '| outside quotes'],
  ['a && b', '&& outside quotes'],
  ['a; b', '; outside quotes'],
  ['a >b', '> outside quotes'],
  ['a <b', '< outside quotes'],
  ['a $HOME', '$ outside quotes'],
  ['a $(b)', '$ outside quotes'],
  ['a `b`', '` outside quotes'],
  ['a *.md', '* outside quotes'],
  ['a ~/b', '~ outside quotes'],
  ['a # b', '# outside quotes'],
  ['a "$HOME"', '$ in double quotes'],
  ['a "${HOME}"', '$ in double quotes'],
  ['a "$(b)"', '$ in double quotes'],
  ['a "`b`"', '` in double quotes'],
  ['a\nb', 'must be one line or a list'],
  ['a \\\n b', 'must be one line or a list'],
] as const)('%j is refused, because a shell would interpret it', async (text, why) => {
  await expect(parseCommand(text)).rejects.toThrow(why);
  await expect(parseCommand(text)).rejects.toThrow('["sh", "-c", "…"]');
});

test.each([
  ["a 'b", "the quote ' is never closed"],
  ['a "b\\"', 'the quote " is never closed'],
  ['', 'must start with a program'],
  ['""', 'must start with a program'],
  ['[]', 'must start with a program'],
  ['["", "a"]', 'must start with a program'],
  ['KEY=secret-value my-agent', 'not with a variable; set the variable under `env:`'],
  ['["a", ["secret-value"]]', 'must contain only strings'],
  ['[a, {secret-value: 1}]', 'must contain only strings'],
  ['["a", "secret-value', 'neither JSON nor YAML'],
] as const)('%j is refused without showing any of it', async (text, why) => {
  const error = await parseCommand(text).catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({ name: 'InputError', message: expect.stringContaining(why) });
  expect(String(error)).not.toContain('secret-value');
});
