import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseSkillSpec,
  type SkillSpec,
  SkillSpecError,
  skillName,
  skillOf,
  skillsOf,
} from '../../../src/contract/tables/skill-spec.ts';

test('a skill is named by its name, or by the folder of its file', () => {
  expect(skillName(parseSkillSpec('octo-org/shop:code-review'))).toBe('code-review');
  expect(skillName(parseSkillSpec('octo-org/shop:skills/deploy/SKILL.md'))).toBe('deploy');
  expect(skillName(parseSkillSpec('octo-org/shop:SKILL.md'))).toBe('shop');
});

test.each([
  [{}, []],
  [{ config: { skills: [] } }, []],
  [{ config: { skills: ['b', 'c'] } }, ['b', 'c']],
  [{ config: { skill_spec: 'a' } }, ['a']],
  [{ config: { skill_spec: 'b', skills: ['b', 'c'] } }, ['b', 'c']],
  [{ skill: 'a', config: { skill_spec: 'b' } }, ['a']],
  [{ skill: 'c', config: { skills: ['b', 'c'] } }, ['c', 'b']],
])('the skills of %j are %j, the main one first', (body, skills) => {
  expect([skillsOf(body), skillOf(body)]).toEqual([skills, skills[0]]);
});

function printSkillSpec({ owner, repo, target }: SkillSpec): string {
  return `${owner}/${repo}:${'name' in target ? target.name : target.path}`;
}

test('any text is refused, or prints unchanged and stays inside the repository', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9._-]{1,6}$/);
  const near = fc
    .tuple(word, word, fc.array(word, { maxLength: 4 }), fc.boolean())
    .map(([owner, repo, rest, file]) => `${owner}/${repo}:${[...rest, ...(file ? ['SKILL.md'] : [])].join('/')}`);
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), text => {
      try {
        const spec = parseSkillSpec(text);
        expect(printSkillSpec(spec)).toBe(text);
        if ('path' in spec.target) expect(spec.target.path.split('/')).not.toContain('..');
      } catch (error) {
        expect(error).toBeInstanceOf(SkillSpecError);
      }
    }),
  );
});
