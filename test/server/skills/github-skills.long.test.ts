import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseSkillSpec } from '../../../src/contract/tables/skill-spec.ts';
import { createProcessExecutor } from '../../../src/server/executor/process-executor.ts';
import { createGitHubSkills } from '../../../src/server/skills/github-skills.ts';
import { createSkillSource } from '../../../src/server/skills/skill-source.ts';
import { git, openGitHost } from '../../support/git-host.ts';
import { type HostFile, openGitHubSkills, openSkillHost, type SkillHost } from '../../support/skill-host.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { writeTree } from '../worker/worker-fixture.ts';

const spec = parseSkillSpec('octo-org/tools:deploy');
const deploy = '.agents/skills/deploy/SKILL.md';
const never = new AbortController().signal;
const copying = { except: '', signal: never };

type Skills = ReturnType<typeof createSkillSource>;

interface Opened extends SkillHost {
  /** A server that restarts on the same data folder. */
  open(token?: string): Skills;
  readonly skills: Skills;
}

async function open(
  files: Readonly<Record<string, HostFile>>,
  { repositories = ['octo-org/Tools'], ...options }: { repositories?: readonly string[]; token?: string } = {},
): Promise<Opened> {
  const host = await openSkillHost(options);
  host.commit('octo-org/tools', files);
  const folder = createTempFolder();
  const start = (token = options.token) =>
    createSkillSource({}, openGitHubSkills(host.settings({ repositories, ...(token && { token }) }), folder));
  return { ...host, open: start, skills: start() };
}

/** The requests made meanwhile: `GET` for the refs and `POST` for the rest. */
async function count({ seen }: SkillHost, work: () => Promise<unknown>): Promise<number> {
  const before = seen.length;
  await work();
  return seen.length - before;
}

const copyAll = async (found: { copyTo: (to: string, options: typeof copying) => Promise<void> }) => {
  const to = join(mkdtempSync(join(createTempFolder(), 'to-')), 'skill');
  await found.copyTo(to, copying);
  return to;
};

describe('search', () => {
  test('a skill comes with the files of its folder, all of them in one fetch', async () => {
    const binary = new Uint8Array([0, 255, 254, 13, 10, 128]);
    const { skills, seen } = await open({
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
    // The last commit, its file names, and the contents of the needed files.
    expect(seen.filter(({ path }) => path.includes('/info/refs'))).toHaveLength(3);
  });

  test('by name, the usual folders win, then a folder’s name, then the name in front matter', async () => {
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
    const path = async (name: string) => (await skills.find(parseSkillSpec(`octo-org/tools:${name}`))).path;
    expect(await path('deploy')).toBe('.warp/skills/deploy/SKILL.md');
    expect(await path('release')).toBe('x/release/SKILL.md');
    expect(await path('check')).toBe('z/any/SKILL.md');
    expect(await path('a/b/c/d/e/deep/SKILL.md')).toBe('a/b/c/d/e/deep/SKILL.md');
    for (const name of ['deep', 'hidden'])
      await expect(path(name)).rejects.toMatchObject({ code: 'resource_not_found' });
  });

  test('a missing skill is refused with what was searched, and an ambiguous one with the paths', async () => {
    const { skills } = await open({ 'a/deploy/SKILL.md': '', 'b/deploy/SKILL.md': '' });
    await expect(skills.find(parseSkillSpec('octo-org/tools:gone'))).rejects.toMatchObject({
      code: 'resource_not_found',
      message: expect.stringMatching(
        /octo-org\/Tools has no skill gone \(looked for gone\/SKILL\.md in \.agents\/skills, .*four folders deep, on GitHub\); its skills: a\/deploy/,
      ),
    });
    await expect(skills.find(parseSkillSpec('octo-org/tools:x/SKILL.md'))).rejects.toMatchObject({
      message: expect.stringContaining('links are not followed'),
    });
    await expect(skills.find(spec)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('links and submodules are left out and reported', async () => {
    const { skills } = await open({
      [deploy]: 'x',
      '.agents/skills/deploy/link': { mode: '120000', content: '/etc/passwd' },
      '.agents/skills/deploy/sub': { mode: '160000', content: '0123456789'.repeat(4) },
      '.agents/skills/deploy/.gitattributes': '*.sh eol=crlf ident\n',
      '.agents/skills/deploy/run.sh': '$Id$\n',
      'linked/SKILL.md': { mode: '120000', content: '../x' },
    });
    const found = await skills.find(spec);
    expect(found.notes).toEqual([expect.stringContaining('skipped links and submodules in its folder (2)')]);
    const to = await copyAll(found);
    expect((await readdir(to, { recursive: true })).toSorted()).toEqual(['.gitattributes', 'SKILL.md', 'run.sh']);
    expect(await readFile(join(to, 'run.sh'), 'utf8')).toBe('$Id$\n');
    await expect(skills.find(parseSkillSpec('octo-org/tools:linked/SKILL.md'))).rejects.toMatchObject({
      code: 'resource_not_found',
    });
  });

  test('paths that git itself refuses are skipped, and odd names are ordinary names', async () => {
    const opened = await open({});
    const folder = join(opened.root, 'octo-org/tools.git');
    const id = (args: readonly string[], input: string) =>
      execFileSync('git', args, { cwd: folder, input, encoding: 'utf8' }).trim();
    const blob = id(['hash-object', '-w', '--stdin'], 'out');
    const tree = (...entries: readonly string[]) => id(['mktree', '-z'], entries.map(entry => `${entry}\0`).join(''));
    const file = (name: string) => `100644 blob ${blob}\t${name}`;
    const inner = tree(file('out'));
    const skill = tree(
      ...[file('SKILL.md'), file('..'), file('a\\b'), file('line\nend'), file(':(top)x')],
      ...[`040000 tree ${inner}\t.git`, `040000 tree ${inner}\t..`, `040000 tree ${inner}\tNode_Modules`],
    );
    const root = tree(`040000 tree ${skill}\t-d`);
    git(folder, 'update-ref', 'refs/heads/main', git(folder, 'commit-tree', '-m', 'odd', root));
    const to = await copyAll(await opened.skills.find(parseSkillSpec('octo-org/tools:-d')));
    expect((await readdir(to, { recursive: true })).toSorted()).toEqual([':(top)x', 'SKILL.md', 'line\nend']);
  });

  test('a folder with more than 100 files or 8 MiB is an error that says what to do', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`skills/many/${index}`, `${index}`]));
    const { skills } = await open({
      'skills/many/SKILL.md': '',
      ...many,
      'skills/big/SKILL.md': '',
      'skills/big/a': new Uint8Array(8 * 1024 * 1024 + 1),
      'skills/long/SKILL.md': new Uint8Array(1024 * 1024 + 1),
    });
    for (const [name, what] of [
      ['many', '101 files'],
      ['big', '2 files of 8193 KiB together'],
    ])
      await expect(skills.find(parseSkillSpec(`octo-org/tools:${name}`))).rejects.toMatchObject({
        code: 'environment_setup_failed',
        message: expect.stringMatching(`has ${what}; from GitHub come .* skills\\.repositories`),
      });
    await expect(skills.find(parseSkillSpec('octo-org/tools:long'))).rejects.toMatchObject({
      code: 'resource_not_found',
    });
  });
});

describe('access', () => {
  test('a repository that is not configured is refused with those that are, without a request', async () => {
    const { skills, seen } = await open({ [deploy]: '' });
    expect(await skills.refuse(parseSkillSpec('octo-org/other:x'))).toBe(
      'this server has no checkout of octo-org/other; none is named in skills.repositories; from GitHub it reads octo-org/Tools (skills.github.repositories)',
    );
    expect(await skills.refuse(parseSkillSpec('octo-org/tools:gone'))).toBeUndefined();
    expect(seen).toEqual([]);
  });

  test('owner/* offers all repositories of the owner and no others', async () => {
    const opened = await open({ [deploy]: 'x' }, { repositories: ['octo-org/*'] });
    expect((await opened.skills.find(parseSkillSpec('Octo-Org/tools:deploy'))).repository).toBe('Octo-Org/tools');
    expect(await opened.skills.refuse(parseSkillSpec('octo-org-2/tools:deploy'))).toContain('no checkout');
  });

  test('a local checkout wins over GitHub, even if it lacks the skill', async () => {
    const host = await openSkillHost();
    const checkout = await writeTree({ 'skills/here/SKILL.md': 'local' });
    const github = openGitHubSkills(host.settings(), createTempFolder());
    const skills = createSkillSource({ 'octo-org/tools': checkout }, github);
    expect((await skills.find(parseSkillSpec('octo-org/tools:here'))).checkout).toBe(checkout);
    expect(await skills.refuse(parseSkillSpec('octo-org/tools:gone'))).toContain('has no skill gone');
    expect(host.seen).toEqual([]);
  });

  test('only the host gets the token: redirects are not followed, and an echo is redacted', async () => {
    const token = 'token-0123456789';
    const elsewhere = await openSkillHost();
    const opened = await open({ [deploy]: 'x' }, { token });
    expect((await opened.skills.find(spec)).body).toBe('x');
    opened.interfere(() => 301);
    await expect(opened.open().find(spec)).rejects.toMatchObject({
      code: 'resource_not_found',
      message: expect.stringContaining('it has been renamed'),
    });
    expect(elsewhere.seen).toEqual([]);
    const echo = await openGitHost({ repeats: true });
    const settings = { ...opened.settings({ token }), url: echo.url };
    const git = { hosts: { [echo.host]: { token, apiUrl: '' } }, env: {} };
    const skills = createSkillSource({}, openGitHubSkills({ ...settings, git }, createTempFolder()));
    const error = await skills.find(spec).catch((fault: unknown) => fault);
    expect(String(error)).toContain('you sent Basic ***');
    for (const secret of [token, btoa(`x-access-token:${token}`)]) expect(String(error)).not.toContain(secret);
  });

  test.each([
    ['without a token', 401, undefined, 'resource_not_found', /a private repository needs a token, named in skills/],
    ['that is not there', 404, undefined, 'resource_not_found', /a private repository needs a token, named in skills/],
    ['that the token cannot read', 404, 'token-1', 'resource_not_found', /its token, set in .* needs read access/],
    ['with a wrong token', 401, 'token-1', 'environment_setup_failed', /rejected the token; set another one/],
    ['that is blocked', 403, undefined, 'environment_setup_failed', /answered 403/],
  ])('a repository %s is reported with what to do', async (_, status, token, code, message) => {
    const opened = await open({ [deploy]: 'x' });
    opened.interfere(() => status);
    await expect(opened.open(token).find(spec)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(
        new RegExp(`^the skills of octo-org/Tools cannot be read from GitHub: .*${message.source}`),
      ),
    });
  });

  test('a repository without a commit is reported', async () => {
    const { root, skills } = await open({});
    git(join(root, 'octo-org/tools.git'), 'update-ref', '-d', 'refs/heads/main');
    await expect(skills.find(spec)).rejects.toMatchObject({
      code: 'resource_not_found',
      message: expect.stringContaining('it has no commits'),
    });
  });

  test('a server without git says that it needs it', async () => {
    const { settings } = await openSkillHost();
    const executor = createProcessExecutor({ serverId: 'no-git', watchdog: false });
    onTestFinished(() => executor.close());
    const place = { executor, dataDir: createTempFolder(), searchPath: createTempFolder() };
    const skills = createSkillSource({}, createGitHubSkills(settings(), place));
    await expect(skills.find(spec)).rejects.toMatchObject({
      code: 'environment_setup_failed',
      message: expect.stringContaining("not found on PATH. Install git on the server's machine or in its image"),
    });
  });
});

describe('storage', () => {
  test('a second search asks only for the last commit, also after a restart; a new commit counts', async () => {
    const opened = await open({ [deploy]: 'one' });
    await opened.skills.find(spec);
    for (const skills of [opened.skills, opened.open()]) expect(await count(opened, () => skills.find(spec))).toBe(2);
    opened.commit('octo-org/tools', { [deploy]: 'two' });
    expect((await opened.skills.find(spec)).body).toBe('two');
  });

  test.each([
    ['limits the rate', 429, /limits the rate of requests/],
    ['fails', 502, /answered 502/],
    ['is gone', 'lost', /cannot be reached/],
  ] as const)('while GitHub %s, a run gets the last stored state with a warning', async (_, fault, words) => {
    const opened = await open({ [deploy]: 'one' });
    await opened.skills.find(spec);
    opened.interfere(() => fault);
    for (const skills of [opened.skills, opened.open()]) {
      const found = await skills.find(spec);
      expect([found.body, found.notes.length]).toEqual(['one', 1]);
      expect(found.notes[0]).toMatch(words);
      expect(found.notes[0]).toMatch(/using the last copy of octo-org\/Tools, at [0-9a-f]{7}$/);
    }
    // It may have been added since.
    await expect(opened.skills.find(parseSkillSpec('octo-org/tools:new'))).rejects.toMatchObject({
      code: 'resource_unavailable',
      message: expect.stringMatching(words),
    });
  });

  test('if a fetch fails in the middle, the last complete commit counts', async () => {
    const opened = await open({ [deploy]: 'one' });
    await opened.skills.find(spec);
    opened.commit('octo-org/tools', { [deploy]: 'two' });
    for (const asked of [3, 5]) {
      let questions = 0;
      opened.interfere(() => (++questions > asked ? 'lost' : undefined));
      expect((await opened.skills.find(spec)).body).toBe('one');
    }
    opened.interfere(undefined);
    expect((await opened.skills.find(spec)).body).toBe('two');
  });

  test('a removed skill, or one the token may no longer read, is not served from storage', async () => {
    const opened = await open({ [deploy]: 'one' }, { token: 'token-0123456789' });
    await opened.skills.find(spec);
    for (const [status, code] of [
      [401, 'environment_setup_failed'],
      [404, 'resource_not_found'],
    ] as const) {
      opened.interfere(() => status);
      await expect(opened.skills.find(spec)).rejects.toMatchObject({ code });
    }
    opened.interfere(undefined);
    opened.commit('octo-org/tools', {});
    await expect(opened.skills.find(spec)).rejects.toMatchObject({ code: 'resource_not_found' });
    opened.interfere(() => 503);
    await expect(opened.skills.find(spec)).rejects.toMatchObject({ code: 'resource_unavailable' });
  });

  test('an aborted search rejects with that reason while GitHub is silent', async () => {
    const opened = await open({ [deploy]: 'one' });
    const control = new AbortController();
    opened.interfere(() => {
      control.abort(new Error('given up'));
      return 'silent';
    });
    await expect(opened.skills.find(spec, control.signal)).rejects.toThrow('given up');
  });
});
