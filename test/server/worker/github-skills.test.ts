import { mkdtempSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitHubSkills, type GitHubSkillSettings } from '../../../src/server/worker/github-skills.ts';
import { createSkillSource } from '../../../src/server/worker/skill-source.ts';
import { type FakeFile, type FakeRepositories, openFakeRepositories } from '../../support/fake-github-repositories.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { writeTree } from './worker-fixture.ts';

const spec = 'octo-org/tools:deploy';
const deploy = '.agents/skills/deploy/SKILL.md';
const never = new AbortController().signal;
const copying = { except: '', signal: never };

interface Opened extends FakeRepositories {
  readonly folder: string;
  /** A server that starts anew on the same data folder. */
  open(more?: Partial<GitHubSkillSettings>): ReturnType<typeof createSkillSource>;
  readonly skills: ReturnType<typeof createSkillSource>;
}

async function open(
  files: Readonly<Record<string, FakeFile>>,
  more: Partial<GitHubSkillSettings> = {},
): Promise<Opened> {
  const fake = await openFakeRepositories();
  fake.commit('octo-org/tools', files);
  const folder = createTempFolder();
  const start: Opened['open'] = other => {
    const settings = { repositories: ['octo-org/Tools'], apiUrl: fake.apiUrl, token: undefined, ...more, ...other };
    return createSkillSource({}, createGitHubSkills(settings, folder));
  };
  return { ...fake, folder, open: start, skills: start() };
}

const limited = {
  status: 403,
  body: { message: 'API rate limit exceeded' },
  headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4102444800' },
};
const copyAll = async (found: { copyTo: (to: string, options: typeof copying) => Promise<void> }) => {
  const to = join(mkdtempSync(join(createTempFolder(), 'to-')), 'skill');
  await found.copyTo(to, copying);
  return to;
};

describe('what is found', () => {
  test('a skill comes with the files of its folder, in three questions and one for each file', async () => {
    const binary = new Uint8Array([0, 255, 254, 13, 10, 128]);
    const { skills, calls } = await open({
      'README.md': 'not read',
      [deploy]: '---\nname: deploy\ndescription: Brings it out\n---\nDo it.\n',
      '.agents/skills/deploy/lib/run.sh': { mode: '100755', content: 'echo hi\n' },
      '.agents/skills/deploy/logo.bin': binary,
    });
    const found = await skills.find(spec);
    expect(found).toMatchObject({
      name: 'deploy',
      description: 'Brings it out',
      repository: 'octo-org/Tools',
      checkout: undefined,
      path: deploy,
      folder: '.agents/skills/deploy',
      body: 'Do it.\n',
      bodyLine: 5,
      notes: [],
    });
    expect(found.origin).toMatch(/^octo-org\/Tools:\.agents\/skills\/deploy\/SKILL\.md at [0-9a-f]{7}$/);
    const to = await copyAll(found);
    expect((await readdir(to, { recursive: true })).toSorted()).toEqual(['SKILL.md', 'lib', 'lib/run.sh', 'logo.bin']);
    expect(new Uint8Array(await readFile(join(to, 'logo.bin')))).toEqual(binary);
    expect((await stat(join(to, 'lib/run.sh'))).mode & 0o111).toBe(0o111);
    expect((await stat(join(to, 'SKILL.md'))).mode & 0o111).toBe(0);
    expect(calls.map(call => call.replace(/[0-9a-f]{40}/, 'ID'))).toEqual([
      'GET /repos/octo-org/Tools/commits/HEAD',
      'GET /repos/octo-org/Tools/git/trees/ID?recursive=1',
      ...Array.from({ length: 3 }, () => 'GET /repos/octo-org/Tools/git/blobs/ID'),
    ]);
  });

  test('by name, the usual folders go before any other, and then the folder’s name before that in the front matter', async () => {
    const { skills } = await open({
      'other/deploy/SKILL.md': 'never',
      'skills/deploy/SKILL.md': 'last',
      '.warp/skills/deploy/SKILL.md': 'second',
      'x/release/SKILL.md': 'folder',
      'y/any/SKILL.md': '---\nname: release\n---\n',
      'z/any/SKILL.md': '---\nname: check\n---\n',
      'a/b/c/d/e/deep/SKILL.md': 'deep',
      'node_modules/p/hidden/SKILL.md': 'hidden',
    });
    const path = async (name: string) => (await skills.find(`octo-org/tools:${name}`)).path;
    expect(await path('deploy')).toBe('.warp/skills/deploy/SKILL.md');
    expect(await path('release')).toBe('x/release/SKILL.md');
    expect(await path('check')).toBe('z/any/SKILL.md');
    expect(await path('a/b/c/d/e/deep/SKILL.md')).toBe('a/b/c/d/e/deep/SKILL.md');
    for (const name of ['deep', 'hidden'])
      await expect(path(name)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('one that is missing is told with what was searched, and several of one name are an error', async () => {
    const { skills } = await open({ 'a/deploy/SKILL.md': '', 'b/deploy/SKILL.md': '' });
    await expect(skills.find('octo-org/tools:gone')).rejects.toMatchObject({
      code: 'resource_not_found',
      message: expect.stringMatching(
        /octo-org\/Tools has no skill gone \(looked for gone\/SKILL\.md in \.agents\/skills, .*four folders deep, on GitHub\); its skills: a\/deploy/,
      ),
    });
    await expect(skills.find('octo-org/tools:x/SKILL.md')).rejects.toMatchObject({
      message: expect.stringContaining('links are not followed'),
    });
    await expect(skills.find(spec)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('links and submodules are left out and told of, and paths that lead out are passed over', async () => {
    const { skills } = await open({
      [deploy]: 'x',
      '.agents/skills/deploy/link': { mode: '120000', content: '/etc/passwd' },
      '.agents/skills/deploy/sub': { mode: '160000', content: '' },
      '.agents/skills/deploy/../../../out': 'out',
      '.agents/skills/deploy/.git/config': 'hooks',
      'linked/SKILL.md': { mode: '120000', content: '../x' },
    });
    const found = await skills.find(spec);
    expect(found.notes).toEqual([expect.stringContaining('skipped links and submodules in its folder (2)')]);
    expect(await readdir(await copyAll(found), { recursive: true })).toEqual(['SKILL.md']);
    await expect(skills.find('octo-org/tools:linked/SKILL.md')).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('a folder with more than 100 files or 8 MiB is an error that names the way out, and is not read', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`skills/many/${index}`, '']));
    const { skills, calls } = await open({
      'skills/many/SKILL.md': '',
      ...many,
      'skills/big/SKILL.md': '',
      'skills/big/a': new Uint8Array(8 * 1024 * 1024 + 1),
    });
    for (const name of ['many', 'big'])
      await expect(skills.find(`octo-org/tools:${name}`)).rejects.toMatchObject({
        code: 'environment_setup_failed',
        message: expect.stringContaining('skills.repositories'),
      });
    expect(calls.filter(call => call.includes('blobs'))).toEqual([]);
  });

  test('where GitHub cuts the list of files, the usual folders and paths are asked for', async () => {
    const opened = await open({
      'a.txt': '',
      'b.txt': '',
      'skills/deploy/SKILL.md': 'found',
      'skills/deploy/more/a.sh': 'x',
      'deep/in/it/SKILL.md': 'by path',
      'other/hidden/SKILL.md': 'not seen',
    });
    opened.limitTree(2);
    const found = await opened.skills.find(spec);
    expect([found.path, found.body]).toEqual(['skills/deploy/SKILL.md', 'found']);
    expect(await readdir(await copyAll(found), { recursive: true })).toContain('more/a.sh');
    expect((await opened.skills.find('octo-org/tools:deep/in/it/SKILL.md')).body).toBe('by path');
    await expect(opened.skills.find('octo-org/tools:hidden')).rejects.toMatchObject({
      message: expect.stringContaining('not all of its folders were looked at'),
    });
  });
});

describe('what may be asked', () => {
  test('a repository that is not named is refused at once, in words that name what is; nothing is asked', async () => {
    const { skills, calls } = await open({ [deploy]: '' });
    expect(await skills.refuse('octo-org/other:x')).toBe(
      'this server has no checkout of octo-org/other; none is named in skills.repositories; from GitHub it reads octo-org/Tools (skills.github.repositories)',
    );
    expect(await skills.refuse('octo-org/tools:gone')).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test('owner/* offers all that the owner has and nothing of others', async () => {
    const opened = await open({ [deploy]: 'x' }, { repositories: ['octo-org/*'] });
    expect((await opened.skills.find('Octo-Org/tools:deploy')).repository).toBe('Octo-Org/tools');
    expect(await opened.skills.refuse('octo-org-2/tools:deploy')).toContain('no checkout');
  });

  test('a local checkout goes before GitHub, also where it lacks the skill', async () => {
    const fake = await openFakeRepositories();
    const settings = { repositories: ['octo-org/*'], apiUrl: fake.apiUrl, token: undefined };
    const checkout = await writeTree({ 'skills/here/SKILL.md': 'local' });
    const skills = createSkillSource({ 'octo-org/tools': checkout }, createGitHubSkills(settings, createTempFolder()));
    expect((await skills.find('octo-org/tools:here')).checkout).toBe(checkout);
    expect(await skills.refuse('octo-org/tools:gone')).toContain('has no skill gone');
    expect(fake.calls).toEqual([]);
  });

  test('the token goes to the API alone: redirects are not followed, and an echo of it is not told', async () => {
    const token = 'token-0123456789';
    const elsewhere = await openFakeRepositories();
    const opened = await open({ [deploy]: 'x' }, { token });
    opened.interfere(() => ({ status: 301, body: {}, headers: { location: `${elsewhere.apiUrl}/repositories/1` } }));
    await expect(opened.skills.find(spec)).rejects.toMatchObject({
      code: 'resource_not_found',
      message: expect.stringContaining('it has been renamed'),
    });
    expect([opened.tokens, elsewhere.calls]).toEqual([[`token ${token}`], []]);
    opened.interfere(() => ({ status: 403, body: { message: `bad ${token}` } }));
    const error = await opened.skills.find(spec).catch((fault: unknown) => fault);
    expect(String(error)).toContain('bad ***');
    expect(String(error)).not.toContain(token);
  });
});

describe('what is kept', () => {
  test('a second look is one conditional question, also after a restart; a new commit brings only what is new', async () => {
    const files = { [deploy]: 'one', '.agents/skills/deploy/same': 'same' };
    const opened = await open(files);
    await opened.skills.find(spec);
    const asked = async (skills: typeof opened.skills) => {
      const before = opened.calls.length;
      const found = await skills.find(spec);
      return [found.body, opened.calls.slice(before).map(call => call.replace(/^.*\/Tools\/|\/[0-9a-f]{40}.*/g, ''))];
    };
    expect(await asked(opened.skills)).toEqual(['one', ['commits/HEAD']]);
    expect(await asked(opened.open())).toEqual(['one', ['commits/HEAD']]);
    opened.commit('octo-org/tools', { ...files, [deploy]: 'two' });
    expect(await asked(opened.skills)).toEqual(['two', ['commits/HEAD', 'git/trees', 'git/blobs']]);
  });

  test.each([
    [
      'limits the rate',
      limited,
      /limits the rate of requests \(403\) until 2100-01-01T00:00:00\.000Z; more are allowed with a token/,
    ],
    ['fails', { status: 502, body: {} }, /answered 502/],
    ['is gone', 'lost' as const, /cannot be reached/],
  ])('while GitHub %s, a run gets what was read last and is told so', async (_, fault, words) => {
    const opened = await open({ [deploy]: 'one' });
    await opened.skills.find(spec);
    opened.interfere(() => fault);
    for (const skills of [opened.skills, opened.open()]) {
      const found = await skills.find(spec);
      expect([found.body, found.notes.length]).toEqual(['one', 1]);
      expect(found.notes[0]).toMatch(words);
      expect(found.notes[0]).toMatch(/using the last copy of octo-org\/Tools, at [0-9a-f]{7}$/);
    }
    // Nobody knows whether it was added since.
    await expect(opened.skills.find('octo-org/tools:new')).rejects.toMatchObject({
      code: 'resource_unavailable',
      message: expect.stringMatching(words),
    });
  });

  test('where it fails in the middle, the commit that was read whole counts', async () => {
    const opened = await open({ [deploy]: 'one' });
    await opened.skills.find(spec);
    opened.commit('octo-org/tools', { [deploy]: 'two' });
    opened.interfere(call => (call.includes('blobs') ? limited : undefined));
    expect((await opened.skills.find(spec)).body).toBe('one');
    opened.interfere(undefined);
    expect((await opened.skills.find(spec)).body).toBe('two');
  });

  test('without anything kept it is unavailable; a connection that drops once is asked again', async () => {
    const opened = await open({ [deploy]: 'one' });
    opened.interfere(() => limited);
    await expect(opened.skills.find(spec)).rejects.toMatchObject({ code: 'resource_unavailable' });
    expect(opened.calls).toHaveLength(1);
    opened.interfere(() => {
      opened.interfere(undefined);
      return 'lost';
    });
    expect((await opened.skills.find(spec)).body).toBe('one');
  });

  test('what the token may not read any more is not served from what is kept', async () => {
    const opened = await open({ [deploy]: 'one' });
    await opened.skills.find(spec);
    for (const [status, code] of [
      [401, 'environment_setup_failed'],
      [404, 'resource_not_found'],
    ] as const) {
      opened.interfere(() => ({ status, body: { message: 'no' } }));
      await expect(opened.skills.find(spec)).rejects.toMatchObject({ code });
    }
  });

  test('a file that is not what its id says is not used, whether it comes or was kept', async () => {
    const opened = await open({ [deploy]: 'one' });
    opened.interfere(call =>
      call.includes('blobs') ? { status: 200, body: { content: Buffer.from('forged').toString('base64') } } : undefined,
    );
    await expect(opened.skills.find(spec)).rejects.toMatchObject({ code: 'resource_unavailable' });
    opened.interfere(undefined);
    await opened.skills.find(spec);
    const kept = (await readdir(opened.folder, { recursive: true })).find(path => /blobs\/\w{40}$/.test(path));
    await writeFile(join(opened.folder, kept ?? 'none'), 'forged');
    expect((await opened.skills.find(spec)).body).toBe('one');
    expect(opened.calls.at(-1)).toContain('git/blobs');
  });

  test('who gives up while GitHub is silent gets that reason', async () => {
    const opened = await open({ [deploy]: 'one' });
    const control = new AbortController();
    opened.interfere(() => {
      control.abort(new Error('given up'));
      return 'silent';
    });
    await expect(opened.skills.find(spec, control.signal)).rejects.toThrow('given up');
  });
});
