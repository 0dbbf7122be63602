import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { environmentOf, repositoryAt } from '../server/worker/environment-fixture.ts';
import { writeTree } from '../server/worker/worker-fixture.ts';
import { openTestServer } from '../support/test-server.ts';
import { createFakeShell } from './fake-shell.ts';

async function open(more: Readonly<Record<string, string>> = {}) {
  const skill = (description: string, body: string) => `---\ndescription: ${description}\n---\n${body}`;
  const shop = await writeTree({
    'skills/audit/SKILL.md': skill('Looks \x1b[31mclosely', 'Look.'),
    'skills/report/SKILL.md': skill('Tells how it is', '```sh\necho fine\n```\n'),
    ...more,
  });
  const server = await openTestServer({
    skillRepositories: { 'octo-org/shop': shop },
    environments: [environmentOf(undefined, { repositories: [repositoryAt('https://github.com/octo-org/shop.git')] })],
  });
  const call = async (...args: readonly string[]) => {
    const shell = createFakeShell({ cwd: '/' });
    const code = await runCommandLine([...args, '--base-url', server.url, '--api-key', server.key], shell);
    return { code, printed: shell.printed.join('\n'), notes: shell.notes.join('\n') };
  };
  return { server, call };
}

test('skills lists a skill with invalid front matter and its fault', async () => {
  const { call } = await open({ 'skills/broken/SKILL.md': '---\ndescription: "open\n---\nbody' });
  expect((await call('skills')).printed).toMatch(
    /^octo-org\/shop:skills\/broken\/SKILL\.md +never +its front matter is not valid: /m,
  );
});

test('skills lists name, last run and description, sorted by last use if asked', async () => {
  const { server, call } = await open();
  const { run_id } = await server.client.runs.create({ skill: 'octo-org/shop:report' });
  await server.client.runs.wait(run_id);
  const { code, printed } = await call('skills');
  expect(code).toBe(0);
  expect(printed.split('\n')).toEqual([
    'SKILL                                 LAST RUN  DESCRIPTION',
    'octo-org/shop:skills/audit/SKILL.md   never     Looks closely',
    expect.stringMatching(/^octo-org\/shop:skills\/report\/SKILL\.md {2}\d s +Tells how it is$/),
  ]);
  const sorted = JSON.parse((await call('skills', 'octo-org/shop', '--sort-by', 'last_run', '--json')).printed);
  expect(sorted.map(({ name }: { name: string }) => name)).toEqual(['report', 'audit']);
  expect(sorted[0].variants[0].last_run_timestamp).toMatch(/Z$/);
  const unknown = await call('skills', 'octo-org/other', '--refresh');
  expect([unknown.code, unknown.notes]).toEqual([
    3,
    expect.stringMatching(/^agent-run: The server refused the request: this server has no checkout of octo-org\/other/),
  ]);
  const wrong = await call('skills', '--sort-by', 'age');
  expect([wrong.code, wrong.notes]).toEqual([2, expect.stringContaining('--sort-by must be one of name, last_run')]);
});

test('environments lists name, setup result and repositories', async () => {
  const { call } = await open();
  const { code, printed } = await call('environments');
  expect([code, printed]).toEqual([0, 'NAME  LAST RUN  SETUP  REPOSITORIES\nshop  never     -      octo-org/shop']);
  expect(JSON.parse((await call('environments', '--json')).printed)).toMatchObject([
    { config: { name: 'shop' }, setup_failed: false },
  ]);
});
