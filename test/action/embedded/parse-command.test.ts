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
  // As it is written: a number is a word like any other.
  ['["my-agent", "--retries", 3, 1.0]', ['my-agent', '--retries', '3', '1.0']],
  ['- my-agent\n- --json\n- yes\n', ['my-agent', '--json', 'yes']],
  ['-agent -x', ['-agent', '-x']],
] as const)('the words of %j', async (text, words) => {
  expect(await parseCommand(text)).toEqual(words);
});

test.each([
  ['a | b', '| outside of quotes'],
  ['a && b', '&& outside of quotes'],
  ['a; b', '; outside of quotes'],
  ['a >b', '> outside of quotes'],
  ['a <b', '< outside of quotes'],
  ['a $HOME', '$ outside of quotes'],
  ['a $(b)', '$ outside of quotes'],
  ['a `b`', '` outside of quotes'],
  ['a *.md', '* outside of quotes'],
  ['a ~/b', '~ outside of quotes'],
  ['a # b', '# outside of quotes'],
  ['a "$HOME"', '$ between double quotes'],
  ['a "${HOME}"', '$ between double quotes'],
  ['a "$(b)"', '$ between double quotes'],
  ['a "`b`"', '` between double quotes'],
  ['a\nb', 'goes on after the end of its line'],
  ['a \\\n b', 'goes on after the end of its line'],
] as const)('%j is refused, for a shell would make something else of it', async (text, why) => {
  await expect(parseCommand(text)).rejects.toThrow(why);
  await expect(parseCommand(text)).rejects.toThrow('["sh", "-c", "…"]');
});

test.each([
  ["a 'b", "a quote ' is opened and not closed"],
  ['a "b\\"', 'a quote " is opened and not closed'],
  ['', 'names no program'],
  ['""', 'names no program'],
  ['[]', 'names no program'],
  ['["", "a"]', 'names no program'],
  ['KEY=secret-value my-agent', 'begins with a variable; set that under `env:`'],
  ['["a", ["secret-value"]]', 'something else than words'],
  ['[a, {secret-value: 1}]', 'something else than words'],
  ['["a", "secret-value', 'neither JSON nor YAML'],
] as const)('%j is refused, and nothing of it is shown', async (text, why) => {
  const error = await parseCommand(text).catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({ name: 'InputError', message: expect.stringContaining(why) });
  expect(String(error)).not.toContain('secret-value');
});
