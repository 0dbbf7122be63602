import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSkillSpec } from '../../../src/contract/tables/skill-spec.ts';
import { createSkillSource } from '../../../src/server/skills/skill-source.ts';
import { writeTree } from '../worker/worker-fixture.ts';

const open = async (files: Readonly<Record<string, string>>) => {
  const checkout = await writeTree(files);
  return { checkout, skills: createSkillSource({ 'octo-org/Shop': checkout }) };
};

describe('by name', () => {
  test('the usual folders are searched in order, and the first hit counts', async () => {
    const { skills } = await open({
      'skills/deploy/SKILL.md': 'last',
      '.claude/skills/deploy/SKILL.md': 'third',
      '.warp/skills/deploy/SKILL.md': 'second',
      'other/deploy/SKILL.md': 'never',
    });
    expect(await skills.find(parseSkillSpec('octo-org/shop:deploy'))).toMatchObject({
      path: '.warp/skills/deploy/SKILL.md',
      folder: '.warp/skills/deploy',
      body: 'second',
      name: 'deploy',
      repository: 'octo-org/Shop',
    });
  });

  test('elsewhere, a skill is found by its folder or by the name in its front matter', async () => {
    const { skills } = await open({
      'tools/agents/deploy/SKILL.md': 'a',
      'docs/x/SKILL.md': '---\nname: release\n---\nb',
      'node_modules/p/hidden/SKILL.md': 'c',
      'a/b/c/d/e/deep/SKILL.md': 'd',
    });
    expect((await skills.find(parseSkillSpec('octo-org/shop:deploy'))).path).toBe('tools/agents/deploy/SKILL.md');
    expect(await skills.find(parseSkillSpec('octo-org/shop:release'))).toMatchObject({
      path: 'docs/x/SKILL.md',
      body: 'b',
      bodyLine: 4,
    });
    for (const name of ['hidden', 'deep'])
      expect(await skills.refuse(parseSkillSpec(`octo-org/shop:${name}`))).toContain('has no skill');
  });

  test('several hits are an error that lists their paths, raised by the run', async () => {
    const { skills } = await open({ 'a/deploy/SKILL.md': '', 'b/deploy/SKILL.md': '' });
    await expect(skills.find(parseSkillSpec('octo-org/shop:deploy'))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/2 skills called deploy: a\/deploy\/SKILL\.md, b\/deploy\/SKILL\.md/),
    });
    expect(await skills.refuse(parseSkillSpec('octo-org/shop:deploy'))).toBeUndefined();
  });

  test('a missing skill is refused with the searched places and at most ten existing skills', async () => {
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`skills/s${10 + index}/SKILL.md`, '']));
    const { skills } = await open(files);
    const refusal = (await skills.refuse(parseSkillSpec('octo-org/shop:deploy'))) ?? '';
    expect(refusal).toContain('octo-org/Shop has no skill deploy');
    expect(refusal).toContain('.agents/skills, .warp/skills');
    expect(refusal.match(/skills\/s\d+\/SKILL\.md/g)).toHaveLength(10);
    expect(refusal).toContain('and 2 more');
  });
});

describe('by path', () => {
  test('the given file is used, and its folder is its name', async () => {
    const { skills, checkout } = await open({ 'any/where/deploy/SKILL.md': 'text', 'SKILL.md': 'top' });
    expect(await skills.find(parseSkillSpec('octo-org/shop:any/where/deploy/SKILL.md'))).toMatchObject({
      name: 'deploy',
      checkout,
    });
    expect(await skills.find(parseSkillSpec('octo-org/shop:SKILL.md'))).toMatchObject({
      name: 'shop',
      folder: '.',
      body: 'top',
    });
  });

  test('a link out of the checkout is refused, and one within it is followed', async () => {
    const outside = await writeTree({ 'secret/SKILL.md': 'secret' });
    const { skills, checkout } = await open({ '.agents/skills/deploy/SKILL.md': 'text' });
    await mkdir(join(checkout, 'skills'));
    await symlink(join(outside, 'secret'), join(checkout, 'skills/secret'));
    await symlink('../../.agents/skills', join(checkout, 'skills/all'));
    await symlink('.agents', join(checkout, 'inside'));
    for (const spec of ['octo-org/shop:skills/secret/SKILL.md', 'octo-org/shop:secret']) {
      const refusal = await skills.refuse(parseSkillSpec(spec));
      expect(refusal).toMatch(/^octo-org\/Shop has no /);
      expect(refusal).not.toContain(outside);
    }
    expect((await skills.find(parseSkillSpec('octo-org/shop:inside/skills/deploy/SKILL.md'))).path).toBe(
      '.agents/skills/deploy/SKILL.md',
    );
  });

  test('a file that is not regular is refused without waiting for it', async () => {
    const { skills, checkout } = await open({ 'dir/SKILL.md/file': '', 'big/SKILL.md': 'x'.repeat(1024 * 1024 + 1) });
    await mkdir(join(checkout, 'pipe'));
    execFileSync('mkfifo', [join(checkout, 'pipe/SKILL.md')]);
    for (const folder of ['dir', 'pipe', 'big', 'gone'])
      expect(await skills.refuse(parseSkillSpec(`octo-org/shop:${folder}/SKILL.md`))).toContain(
        `no file ${folder}/SKILL.md`,
      );
  });
});

describe('repositories', () => {
  test('an unknown one is refused with the known ones, without their locations', async () => {
    const { skills, checkout } = await open({});
    const refusal = await skills.refuse(parseSkillSpec('octo-org/other:deploy'));
    expect(refusal).toBe('this server has no checkout of octo-org/other; skills.repositories names octo-org/Shop');
    expect(await createSkillSource({}).refuse(parseSkillSpec('octo-org/other:deploy'))).toContain('none is named');
    const gone = createSkillSource({ 'octo-org/shop': join(checkout, 'gone') });
    expect(await gone.refuse(parseSkillSpec('octo-org/shop:deploy'))).toBe(
      'the checkout of octo-org/shop is not where skills.repositories says',
    );
  });
});

describe('front matter', () => {
  const find = async (text: string) =>
    (await open({ 'skills/deploy/SKILL.md': text })).skills.find(parseSkillSpec('octo-org/shop:deploy'));

  test('name and description are used if they are strings', async () => {
    expect(
      await find('---\nname: Ship it\ndescription: >\n  Ships\n  everything\nlicense: MIT\n---\nbody\n'),
    ).toMatchObject({
      name: 'Ship it',
      description: 'Ships everything',
      body: 'body\n',
      bodyLine: 8,
    });
    expect(await find('---\nname: [a]\ndescription: 3\n---\n# Title\n\nFirst\nparagraph.\n\nSecond.')).toMatchObject({
      name: 'deploy',
      description: 'First paragraph.',
    });
  });

  test('a generated description is cut at 512 characters', async () => {
    expect(Array.from((await find('é'.repeat(600))).description)).toHaveLength(512);
  });

  test('other line ends, an empty block and no block are accepted', async () => {
    expect(await find('---\r\nname: x\r\n---\r\nbody')).toMatchObject({ name: 'x', body: 'body', bodyLine: 4 });
    expect(await find('---\n---\nbody')).toMatchObject({ name: 'deploy', body: 'body', bodyLine: 3 });
    expect(await find('---\n- a list\n---\nbody')).toMatchObject({ name: 'deploy' });
    expect(await find('---\nno end\n')).toMatchObject({ body: '---\nno end\n', bodyLine: 1 });
    expect(await find('\uFEFF---\nname: x\n---\n')).toMatchObject({ name: 'x', body: '' });
  });

  test.each([
    ['description: Make it ready: errors', 'Make it ready: errors'],
    ["description: 'Makes it'\nargument-hint: [a] [b]", 'Makes it'],
    ['description: Makes it\nglobs: *.ts', 'Makes it'],
    ['description: >-\n  Makes\n  it\nuse: a: b', 'Makes it'],
    ['description: [beta] Makes it', '[beta] Makes it'],
    ['use: a: b', 'body'],
  ])('front matter that YAML refuses is read by line: %j', async (lines, description) => {
    for (const text of [`---\nname: ship\n${lines}\n---\nbody\n`, `---\r\nname: ship\r\n${lines}\n---\nbody\n`])
      expect(await find(text)).toMatchObject({ name: 'ship', description, body: 'body\n' });
  });

  test('invalid front matter is refused with the line of the file', async () => {
    await expect(find('---\nname: x\ndescription: "open\n---\nbody')).rejects.toMatchObject({
      code: 'environment_setup_failed',
      message: expect.stringMatching(/octo-org\/Shop:skills\/deploy\/SKILL\.md is not valid: line [34]: /),
    });
  });
});
