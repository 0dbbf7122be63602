import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillPlaceholders } from '../../../src/server/skills/skill-placeholders.ts';

test('the whole prompt, and its words from 0, are filled in, in every form', () => {
  const prompt = '  fix "the login" \'and  more\' don\'t "x"y \n';
  const fill = (text: string) => fillPlaceholders(text, prompt);
  expect(fill('<$ARGUMENTS>')).toBe('<fix "the login" \'and  more\' don\'t "x"y>');
  expect(fill('$0|$1|$2|$3|$4')).toBe('fix|the login|and  more|don\'t|"x"y');
  expect(fill('$ARGUMENTS[0] and $ARGUMENTS[1]')).toBe('fix and the login');
  expect(fill('`npm test $0`, ($1).')).toBe('`npm test fix`, (the login).');
});

test('indexes beyond the prompt and other dollar signs stay', () => {
  const text = '$7 $ARGUMENTS[7] $ARGUMENTS_2 $argumentS $$0 US$1 $1,000 $1.50 $1st $HOME ${1} $123';
  expect(fillPlaceholders(text, 'a b')).toBe(text);
  expect(fillPlaceholders('for $0: $ARGUMENTS.', '')).toBe('for $0: .');
});

test('a backslash escapes a placeholder and is removed', () => {
  expect(fillPlaceholders('\\$ARGUMENTS \\$0 \\$ARGUMENTS[0] $0', 'a')).toBe('$ARGUMENTS $0 $ARGUMENTS[0] a');
});

test('$N in a fenced block stays for the shell; $ARGUMENTS is filled in', () => {
  const code =
    '1. Do\n   ```sh\n   awk "{print $1}" \\$0 $ARGUMENTS[1] $ARGUMENTS\n   ```\nthen $1\n~~~\n$0\n```\n$0\n~~~\n$0';
  expect(fillPlaceholders(code, 'a b')).toBe(
    '1. Do\n   ```sh\n   awk "{print $1}" \\$0 b a b\n   ```\nthen b\n~~~\n$0\n```\n$0\n~~~\na',
  );
});

test('placeholders in the prompt are not filled in', () => {
  expect(fillPlaceholders('$0 $1', '$1 $ARGUMENTS')).toBe('$1 $ARGUMENTS');
  expect(fillPlaceholders('$ARGUMENTS', "$& $' $`")).toBe("$& $' $`");
});

test('a text without placeholders is unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, prompt) => {
      const plain = text.replaceAll('$', '');
      expect(fillPlaceholders(plain, prompt)).toBe(plain);
    }),
  );
});

test('a skill that repeats a long prompt too often is an error', () => {
  const prompt = 'x'.repeat(1_000_000);
  expect(fillPlaceholders('$ARGUMENTS', prompt)).toHaveLength(1_000_000);
  expect(() => fillPlaceholders('$ARGUMENTS '.repeat(90_000), prompt)).toThrow(/longer than 4000000 bytes/);
});

test('a prompt of quotes alone is split fast', () => {
  const start = performance.now();
  fillPlaceholders('$0', '"a '.repeat(300_000));
  fillPlaceholders('$0', `${'"'.repeat(500_000)}x`);
  fillPlaceholders('$0', '\'"'.repeat(400_000));
  expect(performance.now() - start).toBeLessThan(10_000);
});
