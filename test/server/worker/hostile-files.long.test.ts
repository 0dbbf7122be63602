/** Files of the server that an agent, or a program that git executes for a repository, replaces. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installFakeDocker } from '../../support/fake-docker.ts';
import { createOrigin } from '../../support/git-host.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createRepository, kept, script } from './artifact-fixture.ts';
import { environmentOf, inShop, repositoryAt } from './environment-fixture.ts';
import { openBench } from './worker-fixture.ts';

/**
 * Two repositories in a container. Git of the second executes `evil` for each possible place of the first one's
 * patch, as `$p`.
 */
async function workWithFilter(evil: string) {
  const docker = installFakeDocker();
  const a = createOrigin({ 'a.txt': 'a\n' });
  const b = createOrigin({ 'b.txt': 'b\n' }, { name: 'octo-org/tools' });
  const repositories = [repositoryAt(a.url, { path: 'a' }), repositoryAt(b.url, { path: 'b' })];
  const bench = await openBench({
    containers: { engine: { file: docker.file, env: docker.env } },
    environments: [environmentOf(undefined, { image: 'tools:1', repositories })],
  });
  const ended = await bench.work(
    script(`echo x > a/a.txt; echo y > b/b.txt
cat > b/evil.sh <<'EOF'
first=$(dirname "$GIT_OBJECT_DIRECTORY")/../0
for p in "$first/patch" "$first/../../../../artifacts/changes.patch"; do ${evil}; done
cat
EOF
git -C b config filter.x.clean 'sh ./evil.sh'; echo '* filter=x' > b/.gitattributes; echo ok`),
    inShop,
  );
  expect(ended.run.state).toBe('SUCCEEDED');
  return await kept(bench, ended, 'changes.patch');
}

test('no file of the machine leaves a container through the patch', async () => {
  const secret = join(createTempFolder(), 'host-secret');
  writeFileSync(secret, 'SECRET-OF-THE-HOST\n');
  const patch = await workWithFilter(`rm -f "$p"; ln -s ${secret} "$p"`);
  expect(patch).not.toContain('SECRET-OF-THE-HOST');
  expect(patch).toMatch(/^diff --git a\/a\/a\.txt /);
  expect(patch).toMatch(/^diff --git a\/b\/b\.txt /m);
});

test('a pipe in place of a patch is not waited for', async () => {
  const patch = await workWithFilter('rm -f "$p"; mkfifo "$p"');
  expect(patch).toMatch(/^diff --git a\/a\/a\.txt/);
});

test('a script that replaces its block counter with a pipe ends like any other', async () => {
  const bench = await openBench();
  const { run } = await bench.work(
    script('state=$(dirname "$AGENT_RUN_PROMPT_FILE"); rm "$state/block"; mkfifo "$state/block"; exit 3'),
  );
  expect(run).toMatchObject({ state: 'FAILED', statusMessage: { error_code: 'agent_failed' } });
});

test.each(['script', 'tool'])(
  'a pipe that a setup command puts in the place of the prompt is not waited for (%s)',
  async type => {
    const setup = ['cd "$HOME/../state"; mkfifo prompt.md driver.sh divider block-1.sh'];
    const bench = await openBench({
      environments: [environmentOf(undefined, { setup })],
      harnesses: { commands: { tool: { argv: ['cat'], env: {} } } },
    });
    const { run, result } = await bench.work(script('echo done'), { ...inShop, harness: { type } });
    expect(run.state).toBe('SUCCEEDED');
    expect(result).toContain('done');
  },
);

test('a run ends even if a step after its agent hangs, and its log names that step', async () => {
  let hasBegun = false;
  const bench = await openBench({
    workspace: createRepository(),
    afterLimits: { slowMs: 10_000, patchMs: 100, publishMs: 1, spareMs: 200 },
    executor: real => ({
      ...real,
      execute(request) {
        const [program] = request.command.argv;
        if (program.endsWith('/bash')) hasBegun = true;
        return program === 'git' && hasBegun ? new Promise(() => {}) : real.execute(request);
      },
    }),
  });
  const { run, log, result } = await bench.work(
    script('echo x > "$AGENT_RUN_ARTIFACTS/x"; echo two >> a.txt; echo ok'),
  );
  expect([run.state, result]).toEqual(['SUCCEEDED', 'ok\n']);
  expect(run.artifacts.map(({ data }) => data.filename)).toEqual(['x']);
  expect(log.system).toContain('what it changed could not be found in time');
});
