import { expect, test } from 'vitest';
import { createRunSchema } from '../../src/contract/create.ts';
import { sizes } from '../../src/contract/tables/sizes.ts';

const pathsOf = (body: unknown) => {
  const parsed = createRunSchema.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map(issue => issue.path.join('.'));
};

test('a prompt of spaces counts as missing unless one of the three members names a skill', () => {
  expect(pathsOf({})).toEqual(['prompt']);
  expect(pathsOf({ prompt: ' \n\t' })).toEqual(['prompt']);
  for (const body of [
    { skill: 'octo-org/shop:x' },
    { config: { skill_spec: 'octo-org/shop:x' } },
    { config: { skills: ['octo-org/shop:x'] } },
  ])
    expect(pathsOf(body)).toEqual([]);
});

test('every fault has its path', () => {
  expect(
    pathsOf({
      prompt: 5,
      title: 'x'.repeat(201),
      config: { name: 1, skill_spec: 'nope', idle_timeout_minutes: 99 },
      metadata: { 'a b': 'x' },
    }).toSorted(),
  ).toEqual(['config.idle_timeout_minutes', 'config.name', 'config.skill_spec', 'metadata.a b', 'prompt', 'title']);
});

test('a prompt is measured in bytes, a title in code points', () => {
  expect(pathsOf({ prompt: 'x'.repeat(sizes.promptBytes) })).toEqual([]);
  expect(pathsOf({ prompt: '€'.repeat(sizes.promptBytes / 2) })).toEqual(['prompt']);
  expect(pathsOf({ prompt: 'x', title: '😀'.repeat(sizes.titleCodePoints) })).toEqual([]);
  expect(pathsOf({ prompt: 'a\0b' })).toEqual(['prompt']);
});

test('unknown members of a newer client are ignored', () => {
  expect(createRunSchema.parse({ prompt: 'x', runtime_skills: [1], config: { tomorrow: true } })).toEqual({
    prompt: 'x',
    config: {},
  });
});
