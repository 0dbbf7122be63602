/** Results of a run: files of its artifacts folder, and changes of a repository. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createRepository, kept, script } from './artifact-fixture.ts';
import { type Bench, openBench } from './worker-fixture.ts';

/** Warnings of a run. Clients show them even if they hide the rest of the log. */
const warningsOf = ({ events }: Awaited<ReturnType<Bench['work']>>) =>
  events.flatMap(({ type, data }) => (type === 'log' && data.level === 'warning' ? [data.text] : []));

test('files in the artifacts folder are kept, with name, path, size and type', async () => {
  const bench = await openBench();
  const ended = await bench.work(
    script(
      'cd "$AGENT_RUN_ARTIFACTS"; mkdir -p shots; printf "{}" > report.json; printf "<p>" > "shots/a page.html"; echo ok',
    ),
  );
  expect(ended.run.state).toBe('SUCCEEDED');
  expect(ended.run.artifacts.map(({ type, data }) => ({ type, ...data, artifact_uid: undefined }))).toEqual([
    { type: 'FILE', filename: 'report.json', filepath: 'report.json', mime_type: 'application/json', size_bytes: 2 },
    { type: 'FILE', filename: 'a page.html', filepath: 'shots/a page.html', mime_type: 'text/html', size_bytes: 3 },
  ]);
  expect(await kept(bench, ended, 'report.json')).toBe('{}');
  // Before the end, so that a follower has seen them by then.
  expect(ended.events.slice(-3).map(({ type }) => type)).toEqual(['artifact', 'artifact', 'state']);
  expect(ended.left).toEqual([]);
});

test('files of a failed run are kept', async () => {
  const bench = await openBench();
  const ended = await bench.work(script('echo why > "$AGENT_RUN_ARTIFACTS/why.txt"; exit 3'));
  expect(ended.run.state).toBe('FAILED');
  expect(await kept(bench, ended, 'why.txt')).toBe('why\n');
});

test('links, pipes and a folder replaced by a link are not artifacts', async () => {
  const bench = await openBench();
  const links = await bench.work(
    script('cd "$AGENT_RUN_ARTIFACTS"; ln -s /etc/passwd users; mkfifo pipe; ln -s / root; echo x > real; echo ok'),
  );
  expect(links.run.artifacts.map(({ data }) => data.filename)).toEqual(['real']);
  expect(warningsOf(links)).toEqual([
    expect.stringContaining('not kept as artifacts: "pipe", "root", "users", which are not regular files'),
  ]);
  const replaced = await bench.work(script('rmdir "$AGENT_RUN_ARTIFACTS"; ln -s /etc "$AGENT_RUN_ARTIFACTS"; echo ok'));
  expect(replaced.run.artifacts).toEqual([]);
});

test('files with invalid names are reported, and similar valid names are kept', async () => {
  const bench = await openBench();
  const ended = await bench.work(
    script(
      String.raw`cd "$AGENT_RUN_ARTIFACTS"; mkdir $'d\xff'; for n in $'a\xff' $'d\xff/x' $'b\xef\xbf\xbd'; do echo x > "$n"; done; echo ok`,
    ),
  );
  expect(ended.run.artifacts.map(({ data }) => data.filename)).toEqual(['b\uFFFD']);
  expect(warningsOf(ended)).toEqual(['warning: not kept as artifacts: 2 things with a name that is not UTF-8\n']);
});

test('at most a hundred files are kept, and the rest is reported', async () => {
  const bench = await openBench();
  const { run, log } = await bench.work(
    script('cd "$AGENT_RUN_ARTIFACTS"; for i in $(seq 103); do echo $i > $i.txt; done; echo ok'),
  );
  expect(run.artifacts).toHaveLength(100);
  expect(log.system).toMatch(/3 files beyond the limit of 100 for one run \("[^"]+", "[^"]+", "[^"]+"\)/);
});

test('a folder with more files than are looked at is reported as such', async () => {
  const bench = await openBench();
  const { run, log } = await bench.work(
    script('cd "$AGENT_RUN_ARTIFACTS"; mkdir sub; seq 10050 | xargs touch; echo ok'),
  );
  expect(run.artifacts).toHaveLength(100);
  expect(log.system).toMatch(
    /9(899|900) files beyond the limit of 100 .*; everything after the first 10000 files and folders/,
  );
  expect(log.system).not.toContain('plain file');
});

test('a file larger than the remaining room is left out', async () => {
  const bench = await openBench();
  const { run, log } = await bench.work(
    script('cd "$AGENT_RUN_ARTIFACTS"; truncate -s 300M big.bin; echo x > small; echo ok'),
  );
  expect(run.artifacts.map(({ data }) => data.filename)).toEqual(['small']);
  expect(log.system).toContain('1 file beyond the limit of ');
});

test('commits and the working tree become one patch, which applies', async () => {
  const workspace = createRepository();
  // Work from before the agent is not its change.
  await writeFile(join(workspace, 'dirty.txt'), 'mine\n');
  const bench = await openBench({ workspace });
  const before = execFileSync('git', ['count-objects', '-v'], { cwd: workspace }).toString();
  const ended = await bench.work(
    script(
      [
        'echo two >> a.txt',
        'printf "\\0\\2\\3" > b.bin',
        'git rm --quiet gone.txt',
        'echo new > new.txt',
        'echo x > built',
        'echo done',
      ].join('\n'),
    ),
  );
  expect(ended.run.state).toBe('SUCCEEDED');
  const patch = await kept(bench, ended, 'changes.patch');
  expect(patch).toContain('GIT binary patch');
  expect(patch).not.toContain('dirty.txt');
  expect(patch).not.toContain('built');
  expect(execFileSync('git', ['count-objects', '-v'], { cwd: workspace }).toString()).toBe(before);
  const other = createRepository();
  execFileSync('git', ['apply'], { cwd: other, input: patch });
  expect(await readFile(join(other, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  expect(await readFile(join(other, 'b.bin'))).toEqual(Buffer.from([0, 2, 3]));
  expect(await readdir(other)).toEqual(['.git', '.gitignore', 'a.txt', 'b.bin', 'new.txt']);
});

test('a commit of the agent is in the patch, and a run without changes has no patch', async () => {
  const workspace = createRepository();
  const bench = await openBench({ workspace });
  const committed = await bench.work(
    script('echo two >> a.txt; git -c user.name=o -c user.email=o@example.com commit --quiet -am second; echo ok'),
  );
  expect(await kept(bench, committed, 'changes.patch')).toContain('+two');
  const idle = await bench.work(script('echo ok'));
  expect(idle.run.artifacts).toEqual([]);
});

test('a workspace without a repository has no patch, and a removed repository is reported', async () => {
  const plain = createTempFolder();
  await mkdir(join(plain, 'src'));
  const { run } = await (await openBench({ workspace: plain })).work(script('echo x > y; echo ok'));
  expect(run.artifacts).toEqual([]);
  const workspace = createRepository();
  const gone = await (await openBench({ workspace })).work(script('rm -rf .git; echo ok'));
  expect(gone.run.state).toBe('SUCCEEDED');
  expect(gone.log.system).toContain('could not be made into changes.patch');
  expect(warningsOf(gone)).toEqual([expect.stringContaining('could not be made into changes.patch')]);
});

test('a repository whose settings name another folder is still that of the workspace', async () => {
  const workspace = createRepository();
  const bench = await openBench({ workspace });
  const ended = await bench.work(script('git config core.worktree /; echo two >> a.txt; echo ok'));
  expect(ended.run.state).toBe('SUCCEEDED');
  const patch = await kept(bench, ended, 'changes.patch');
  expect(patch.match(/^diff --git .*$/gm)).toEqual(['diff --git a/a.txt b/a.txt']);
});

/** Cancels a run when its log contains a text. */
async function cancelAtWord(bench: Bench, workspace: string, text: string) {
  const claimed = await bench.claim(script(`${text}\necho up > up; sleep 60`));
  const working = bench.worker.run(claimed);
  while (!existsSync(join(workspace, 'up'))) await setTimeout(20);
  const start = performance.now();
  await bench.store.requestCancel(claimed.runId, 'enough');
  await working;
  return { ...(await bench.look(claimed.runId)), ms: performance.now() - start };
}

test('a run that was canceled, failed, or reached its time limit has a patch, too', async () => {
  const workspace = createRepository();
  const bench = await openBench({ workspace });
  const cancelled = await cancelAtWord(bench, workspace, 'echo two >> a.txt');
  expect(cancelled.run).toMatchObject({ state: 'CANCELLED', statusMessage: { message: 'enough' } });
  expect(await kept(bench, cancelled, 'changes.patch')).toContain('+two');
  const failed = await bench.work(script('echo three >> a.txt; exit 3'));
  expect(failed.run.state).toBe('FAILED');
  expect(await kept(bench, failed, 'changes.patch')).toContain('+three');
  const short = await openBench({ workspace, limits: { run_minutes: 0.02 } });
  const late = await short.work(script('echo four >> a.txt; sleep 60'));
  expect(late.run.statusMessage).toMatchObject({ error_code: 'time_limit' });
  expect(await kept(short, late, 'changes.patch')).toContain('+four');
});

test('a cancel does not wait for a slow patch, and the log says that there is none', async () => {
  const workspace = createRepository();
  const bench = await openBench({ workspace });
  const slow = 'git config filter.slow.clean "sleep 30"; echo "* filter=slow" > .gitattributes; echo new > new.txt';
  const { run, log, ms } = await cancelAtWord(bench, workspace, slow);
  expect([run.state, run.artifacts]).toEqual(['CANCELLED', []]);
  expect(log.system).toContain(
    'could not be made into changes.patch: it took longer than the 2 seconds that it has after a run was canceled',
  );
  expect(ms).toBeLessThan(4000);
});
