import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sizes } from '../../../src/contract/tables/sizes.ts';
import { inPassingFolder, removeStaleFolders } from '../../../src/server/workspace/run-folder.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { findMarked } from '../executor/processes.ts';
import { type Bench, baseEnv, block, commitAll, openBench, writeTree } from './worker-fixture.ts';

const hasPrinted = (bench: Bench, runId: string, text: string) =>
  waitUntil(async () => (await bench.look(runId)).log.stdout.includes(text));

describe('how a run ends', () => {
  test('a run whose blocks succeed is SUCCEEDED with their output as log and result, and leaves no file', async () => {
    const bench = await openBench();
    const { run, result, log, left } = await bench.work(block('echo hello; echo oops >&2; touch "$HOME/file"'));
    expect(run).toMatchObject({
      state: 'SUCCEEDED',
      statusMessage: undefined,
      result: { text: 'hello\n', truncated: false },
    });
    expect(result).toBe('hello\n');
    expect(log).toEqual({ stdout: 'hello\n', stderr: 'oops\n', system: 'workspace: an empty folder\n' });
    expect(left).toEqual([]);
  });

  test('a run for a repository that no environment contains logs that no code is there', async () => {
    const { log } = await (await openBench()).work(block('echo hello'), {}, { repository: 'octo-org/shop' });
    expect(log.system).toBe(
      'workspace: an empty folder\nocto-org/shop was not cloned, and the workspace is empty, because the run names no environment; set `environment_id` (in the command `--environment`)\n',
    );
  });

  test('a failing block ends the run FAILED and keeps the result written before', async () => {
    const bench = await openBench();
    const { run, result } = await bench.work(block('echo half >"$AGENT_RUN_RESULT"; echo no >&2; exit 4'));
    expect(run).toMatchObject({
      state: 'FAILED',
      statusMessage: {
        error_code: 'agent_failed',
        retryable: false,
        message: 'block 1 of 1 (line 1 of the prompt) ended with exit code 4. It printed: no',
      },
    });
    expect(result).toBe('half\n');
  });

  test('the last lines of a failure are those of the failing block, without the divider', async () => {
    const bench = await openBench();
    const { run, log } = await bench.work(
      block('echo before; echo error before >&2') + block('printf half') + block('printf "%s\\n" " line"; exit 4'),
    );
    expect(run.statusMessage?.message).toBe(
      'block 3 of 3 (line 7 of the prompt) ended with exit code 4. It printed: line',
    );
    expect([log.stdout, log.stderr]).toEqual(['before\nhalf line\n', 'error before\n']);
  });

  test('a result from standard output is whole up to the size of a result', async () => {
    const bench = await openBench();
    const { run, result } = await bench.work(block('seq 1 40000'));
    expect(result).toBe(`${Array.from({ length: 40_000 }, (_, index) => index + 1).join('\n')}\n`);
    expect(run.result?.truncated).toBe(true);
  });

  test('the result file is used only if it is a regular file with visible text', async () => {
    const bench = await openBench();
    const work = async (code: string) => (await bench.work(block(`echo printed; ${code}`))).result;
    expect(await work('printf "über\\0" >"$AGENT_RUN_RESULT"')).toBe('über\uFFFD');
    expect(await work('echo >"$AGENT_RUN_RESULT"')).toBe('printed\n');
    expect(await work('mkfifo "$AGENT_RUN_RESULT"')).toBe('printed\n');
    expect(await work('ln -s /etc/passwd "$AGENT_RUN_RESULT"')).toBe('printed\n');
    expect(await work('mkdir "$AGENT_RUN_RESULT"')).toBe('printed\n');
  });

  test('a result that is too long is cut at its start and says so', async () => {
    const bench = await openBench();
    const { run, result = '' } = await bench.work(
      block('truncate -s 20G "$AGENT_RUN_RESULT"; echo end >>"$AGENT_RUN_RESULT"'),
    );
    expect(run.result?.left_out_bytes).toBeGreaterThan(19e9);
    expect(result.endsWith('end\n')).toBe(true);
  });

  test.each([0, 1])('a result that is too long starts with a whole character, %i bytes on', async shift => {
    const bench = await openBench();
    const write = `head -c 2500000 /dev/zero | tr '\\0' y | sed 's/y/ü/g'; head -c ${shift} /dev/zero | tr '\\0' x`;
    const { run, result = '' } = await bench.work(block(`{ ${write}; } >"$AGENT_RUN_RESULT"`));
    const { left_out_bytes: leftOutBytes = 0 } = run.result ?? {};
    expect([leftOutBytes + Buffer.byteLength(result), /^ü+x?$/.test(result)]).toEqual([5_000_000 + shift, true]);
  });

  test('a result file of escape sequences alone is no result', async () => {
    const bench = await openBench();
    const write = `yes "$(printf '\\033[0m')" | head -c 50000`;
    const { result } = await bench.work(block(`{ ${write}; } >"$AGENT_RUN_RESULT" 2>/dev/null || :; echo printed`));
    expect(result).toBe('printed\n');
  });

  test.each(['>"$AGENT_RUN_RESULT"', ''])('spaces after an answer do not hide it: result %s', async to => {
    const bench = await openBench();
    const { run, result = '' } = await bench.work(
      block(`{ echo 'The answer is 42.'; head -c 9000000 /dev/zero | tr '\\0' '\\n'; } ${to}`),
    );
    expect([run.state, result.trim()]).toEqual(['SUCCEEDED', 'The answer is 42.']);
    expect(run.result).not.toHaveProperty('left_out_bytes');
  });

  test.each(['>"$AGENT_RUN_RESULT"', ''])('a long result keeps its end and counts the rest: %s', async to => {
    const bench = await openBench();
    const of = (count: number) => bench.work(block(`{ yes line | head -n ${count} || :; } ${to}`));
    const whole = await of(800_000);
    expect(whole.run.result).not.toHaveProperty('left_out_bytes');
    expect(whole.result).toBe('line\n'.repeat(800_000));
    const { run, result = '' } = await of(1_000_000);
    expect(run.result?.left_out_bytes).toBe(5_000_000 - sizes.resultBytes);
    expect(result).toBe('line\n'.repeat(1_000_000).slice(-sizes.resultBytes));
  });

  test('a cut answer that does not match the schema still says how much is missing', async () => {
    const bench = await openBench({
      harnesses: { commands: { long: { argv: ['sh', '-c', 'yes | head -c 5000000'], env: {} } } },
    });
    const { run } = await bench.work('x', { harness: { type: 'long' }, output_schema: { type: 'object' } });
    expect(run).toMatchObject({
      statusMessage: { error_code: 'result_invalid' },
      result: { left_out_bytes: 5_000_000 - sizes.resultBytes },
    });
  });

  test('a command that prints nothing ends FAILED, no_result', async () => {
    const commands = { quiet: { argv: ['true'] as [string], env: {} } };
    const bench = await openBench({ harnesses: { commands } });
    const { run } = await bench.work('do it', { harness: { type: 'quiet' } });
    expect(run).toMatchObject({ state: 'FAILED', statusMessage: { error_code: 'no_result' } });
  });

  test('a command that prints only cursor and color sequences ends FAILED, no_result', async () => {
    const commands = { quiet: { argv: ['printf', '\\033[?25h\\033[0m\\n'] as [string, string], env: {} } };
    const bench = await openBench({ harnesses: { commands } });
    const { run } = await bench.work('do it', { harness: { type: 'quiet' } });
    expect(run).toMatchObject({ state: 'FAILED', statusMessage: { error_code: 'no_result' } });
  });

  test('a prompt without blocks, an unknown harness and a missing program fail before any start', async () => {
    const commands = { gone: { argv: ['/no/such/agent'] as [string], env: {} } };
    const bench = await openBench({ harnesses: { commands } });
    expect((await bench.work('please')).run).toMatchObject({
      state: 'FAILED',
      statusMessage: { error_code: 'invalid_request', message: expect.stringContaining('no fenced sh or bash block') },
    });
    expect((await bench.work('please', { harness: { type: 'other' } })).run).toMatchObject({
      state: 'FAILED',
      statusMessage: { error_code: 'operation_not_supported', message: 'this server has no harness "other"' },
    });
    const { run, left } = await bench.work('please', { harness: { type: 'gone' } });
    expect(run).toMatchObject({
      state: 'FAILED',
      statusMessage: {
        error_code: 'environment_setup_failed',
        message: 'cannot start "/no/such/agent": the file does not exist',
      },
    });
    expect(left).toEqual([]);
  });

  test('a run at its time limit ends FAILED with the limit and the result so far', async () => {
    const bench = await openBench({ limits: { run_minutes: 0.5 / 60 } });
    const { run, result, left } = await bench.work(
      block('echo part >"$AGENT_RUN_RESULT"; setsid sleep 501 & sleep 502'),
    );
    expect(run).toMatchObject({
      state: 'FAILED',
      statusMessage: {
        error_code: 'time_limit',
        message: 'the run timed out after 0.5 s. Raise `limits.run_minutes` of the server',
      },
    });
    expect([result, left, findMarked(`${bench.serverId}/`)]).toEqual(['part\n', [], []]);
  });

  test('processes that the agent leaves running are killed, and the log says so', async () => {
    const bench = await openBench();
    const { run, log } = await bench.work(block('setsid sleep 511 >/dev/null 2>&1 & echo done; sleep 0.1'));
    expect(run.state).toBe('SUCCEEDED');
    expect(log.system).toContain('1 process was still running after the agent ended and had to be killed');
    expect(findMarked(`${bench.serverId}/`)).toEqual([]);
  });
});

describe('logs for the operator', () => {
  test('the log of the server contains start and end of a run, with state, code and seconds', async () => {
    const bench = await openBench();
    const { run } = await bench.work(block('exit 1'));
    const good = await bench.work(block('sleep 0.2'));
    expect(bench.logged[0]).toBe(`debug run started {"run":"${run.runId}"}`);
    expect(bench.logged[1]).toMatch(
      /^info run ended \{"run":"[\w-]+","state":"FAILED","code":"agent_failed","seconds":[\d.]+\}$/,
    );
    const [, id, seconds] =
      /^info run ended \{"run":"([\w-]+)","state":"SUCCEEDED","seconds":([\d.]+)\}$/.exec(bench.logged[3] ?? '') ?? [];
    expect(id).toBe(good.run.runId);
    expect(Number(seconds)).toBeGreaterThanOrEqual(0.2);
    expect(Number(seconds)).toBeLessThan(60);
  });

  test('a process that could not be killed is named in the logs of the run and of the server', async () => {
    const bench = await openBench({
      executor: real => ({
        ...real,
        async execute(request) {
          const end = await real.execute(request);
          return end.kind === 'ended' ? { ...end, survivors: 2, survivorPids: [71, 72] } : end;
        },
      }),
    });
    const { run, log } = await bench.work(block('true'));
    expect(log.system).toContain('2 processes were still running after the kill (pid 71, 72)');
    expect(bench.logged).toContain(
      `warn could not kill processes of a run {"run":"${run.runId}","count":2,"pids":"71, 72"}`,
    );
  });
});

describe('giving a run up', () => {
  test('a canceled run stops soon, ends CANCELLED with the reason, and leaves nothing', async () => {
    const bench = await openBench();
    const claimed = await bench.claim(block('echo up; setsid sleep 521 & sleep 522'));
    const working = bench.worker.run(claimed);
    await hasPrinted(bench, claimed.runId, 'up');
    const start = performance.now();
    expect(await bench.store.requestCancel(claimed.runId, 'not needed any more')).toBe('requested');
    await working;
    expect(performance.now() - start).toBeLessThan(15_000);
    const { run, left } = await bench.look(claimed.runId);
    expect(run).toMatchObject({ state: 'CANCELLED', statusMessage: { message: 'not needed any more' } });
    expect([left, findMarked(`${bench.serverId}/`)]).toEqual([[], []]);
  });

  test('a run that was canceled before its worker began starts nothing', async () => {
    const bench = await openBench();
    const claimed = await bench.claim(block('echo never; sleep 20'));
    await bench.store.requestCancel(claimed.runId, 'at once');
    await bench.worker.run(claimed);
    const { run, log } = await bench.look(claimed.runId);
    expect([run.state, log.stdout]).toEqual(['CANCELLED', '']);
  });

  test('a run of a server that stops ends ERROR, retryable, and says why', async () => {
    const bench = await openBench();
    const stopping = new AbortController();
    const claimed = await bench.claim(block('echo up; sleep 531'));
    const working = bench.worker.run(claimed, stopping.signal);
    await hasPrinted(bench, claimed.runId, 'up');
    stopping.abort();
    await working;
    expect((await bench.look(claimed.runId)).run).toMatchObject({
      state: 'ERROR',
      statusMessage: {
        error_code: 'resource_unavailable',
        retryable: true,
        message: expect.stringContaining('stopped'),
      },
    });
  });

  test('a server that is stopping starts no run', async () => {
    const bench = await openBench();
    const claimed = await bench.claim(block('echo never; sleep 20'));
    await bench.worker.run(claimed, AbortSignal.abort());
    const { run, log } = await bench.look(claimed.runId);
    expect([run.state, log.stdout]).toEqual(['ERROR', '']);
  });

  test('a worker whose run was ended by another worker stops its agent and writes nothing more', async () => {
    const bench = await openBench();
    const claimed = await bench.claim(block('echo up; sleep 541'));
    const working = bench.worker.run(claimed);
    await hasPrinted(bench, claimed.runId, 'up');
    await bench.store.endOrphans('given up');
    const { lastSeq } = (await bench.look(claimed.runId)).run;
    await working;
    expect((await bench.look(claimed.runId)).run).toMatchObject({
      state: 'ERROR',
      lastSeq,
      statusMessage: { message: 'given up' },
    });
    expect(findMarked(`${bench.serverId}/`)).toEqual([]);
  });

  test('a store that fails stops the agent; the run ends ERROR with a trace explained in the log', async () => {
    let fails = 0;
    const bench = await openBench({
      overrides: store => ({
        appendEvents: async (claim, events) => {
          if (events.every(event => event.type !== 'log' || event.data.stream !== 'stdout'))
            return store.appendEvents(claim, events);
          fails += 1;
          throw new Error('the disk is full');
        },
      }),
    });
    const { run, left } = await bench.work(block('echo up; sleep 551'));
    expect(fails).toBeGreaterThan(0);
    expect(run).toMatchObject({ state: 'ERROR', statusMessage: { error_code: 'internal_error', retryable: true } });
    const trace = /under ([0-9a-f-]{36})$/.exec(run.statusMessage?.message ?? '')?.[1] ?? 'none';
    expect(bench.logged.filter(line => line.includes(trace) && line.includes('the disk is full'))).toHaveLength(1);
    expect(JSON.stringify(run)).not.toContain('disk');
    expect([left, findMarked(`${bench.serverId}/`)]).toEqual([[], []]);
  });

  test('the end of a run is written even if the store fails at first', async () => {
    let tries = 0;
    const bench = await openBench({
      overrides: store => ({
        finishRun: async (claim, ending) => {
          tries += 1;
          if (tries < 3) throw new Error('busy');
          return store.finishRun(claim, ending);
        },
      }),
    });
    expect((await bench.work(block('echo fine'))).run.state).toBe('SUCCEEDED');
    expect(tries).toBe(3);
  });
});

describe('environment of the agent', () => {
  test('blocks of a run that names a model report that no model was asked; a command does not', async () => {
    const bench = await openBench({ harnesses: { commands: { plain: { argv: ['echo', 'fine'], env: {} } } } });
    const warning =
      /^warning: no model was asked: the harness script runs shell blocks, and hands them m-1 as AGENT_RUN_MODEL$/m;
    expect((await bench.work(block('echo fine'), { model_id: 'm-1' })).log.system).toMatch(warning);
    const command = { harness: { type: 'plain' }, model_id: 'm-1' };
    expect((await bench.work('do it', command)).log.system).not.toMatch(/warning/);
  });

  test('its environment contains only the listed variables', async () => {
    process.env.AGENT_RUN_API_KEY = 'secret-key-of-the-server';
    const commands = { env: { argv: ['env'] as [string], env: { MY_KEY: 'passed' } } };
    const bench = await openBench({ harnesses: { commands } });
    const { run, log } = await bench.work('do it', { harness: { type: 'env' }, model_id: 'm-1' });
    delete process.env.AGENT_RUN_API_KEY;
    const folder = join(bench.dataDir, 'runs', run.runId);
    expect(log.stdout.trim().split('\n').sort()).toEqual(
      [
        `AGENT_RUN_ARTIFACTS=${folder}/artifacts`,
        `AGENT_RUN_ID=${run.runId}`,
        `AGENT_RUN_MARKER=${bench.serverId}/${run.runId}`,
        'AGENT_RUN_MODEL=m-1',
        `AGENT_RUN_PROMPT_FILE=${folder}/state/prompt.md`,
        `AGENT_RUN_RESULT=${folder}/result/result.md`,
        'CI=true',
        `GIT_CEILING_DIRECTORIES=${bench.dataDir}/runs`,
        `HOME=${folder}/home`,
        'LANG=C.UTF-8',
        'MY_KEY=passed',
        'NO_COLOR=1',
        `PATH=${baseEnv.PATH}`,
        'TERM=dumb',
        `TMPDIR=${folder}/tmp`,
        'USER=octo',
      ].sort(),
    );
  });

  test('its folders exist, belong to it and are empty', async () => {
    const bench = await openBench();
    const { log } = await bench.work(block('for d in . "$HOME" "$TMPDIR"; do stat -c %a "$d"; ls -A "$d"; done'));
    expect(log.stdout).toBe('700\n700\n700\n');
  });
});

describe('a run with a skill', () => {
  const skillText = [
    '---',
    'name: greet',
    'description: Says hello',
    '---',
    '# Greet',
    '',
    block('cat names.txt; echo "from ${AGENT_RUN_SKILL_DIR#"$PWD/"}"; cat "$AGENT_RUN_SKILL_DIR/extra.txt"'),
  ].join('\n');
  const files = {
    'names.txt': 'Mona\n',
    '.agents/skills/greet/SKILL.md': skillText,
    '.agents/skills/greet/extra.txt': 'extra\n',
    'node_modules/big/index.js': '',
  };

  test('works in a clone without a remote, named with its commit', async () => {
    const { 'node_modules/big/index.js': _, ...committed } = files;
    const checkout = await writeTree(committed);
    const commit = commitAll(checkout);
    const bench = await openBench({ repositories: { 'octo-org/shop': checkout } });
    const { run, log, left } = await bench.work(
      block('git status --short; git remote; ls -d .git/hooks 2>/dev/null || echo no hooks; git log --format=%s'),
      {
        skill_spec: 'Octo-Org/Shop:greet',
      },
    );
    expect(run).toMatchObject({
      state: 'SUCCEEDED',
      skill: { name: 'greet', description: 'Says hello', full_path: '.agents/skills/greet/SKILL.md' },
    });
    expect(log.system).toBe(`workspace: octo-org/shop at ${commit}\n`);
    expect(log.stdout).toBe('Mona\nfrom .agents/skills/greet\nextra\nno hooks\nall\n');
    expect(left).toEqual([]);
  });

  test('works in a copy without installed packages if the checkout is not a git repository', async () => {
    const checkout = await writeTree(files);
    await symlink('names.txt', join(checkout, 'link.txt'));
    const bench = await openBench({ repositories: { 'octo-org/shop': checkout } });
    const { log } = await bench.work(block('ls -A; readlink link.txt'), {
      skill_spec: 'octo-org/shop:.agents/skills/greet/SKILL.md',
    });
    expect(log.system).toBe('workspace: a copy of octo-org/shop\n');
    expect(log.stdout).toBe('Mona\nfrom .agents/skills/greet\nextra\n.agents\nlink.txt\nnames.txt\nnames.txt\n');
  });

  test('a copy of a checkout that contains the data folder does not contain itself', async () => {
    const bench = await openBench({ repositories: folder => ({ 'octo-org/shop': folder }) });
    await writeFile(join(bench.folder, 'SKILL.md'), block('ls -A'));
    expect((await bench.work('', { skill_spec: 'octo-org/shop:SKILL.md' })).log.stdout).toBe('SKILL.md\n');
  });

  test('uses the uncommitted text and files of the checkout', async () => {
    const checkout = await writeTree({ 'names.txt': 'Mona\n' });
    const commit = commitAll(checkout);
    await mkdir(join(checkout, '.agents/skills/greet'), { recursive: true });
    await writeFile(join(checkout, '.agents/skills/greet/SKILL.md'), skillText);
    await writeFile(join(checkout, '.agents/skills/greet/extra.txt'), 'new\n');
    const bench = await openBench({ repositories: { 'octo-org/shop': checkout } });
    const { log } = await bench.work('', { skill_spec: 'octo-org/shop:greet' });
    expect(log.stdout).toBe('Mona\nfrom .agents/skills/greet\nnew\n');
    expect(log.system).toContain(`octo-org/shop at ${commit}, with .agents/skills/greet/SKILL.md as in the checkout`);
  });

  test('never writes outside its workspace through a committed link', async () => {
    const outside = await writeTree({ 'greet/precious.txt': 'keep' });
    const checkout = await writeTree({ 'names.txt': '' });
    await symlink(outside, join(checkout, 'skills'));
    commitAll(checkout);
    await rm(join(checkout, 'skills'));
    await mkdir(join(checkout, 'skills/greet'), { recursive: true });
    await writeFile(join(checkout, 'skills/greet/SKILL.md'), skillText);
    const bench = await openBench({ repositories: { 'octo-org/shop': checkout } });
    const { run } = await bench.work('', { skill_spec: 'octo-org/shop:greet' });
    expect(run).toMatchObject({ state: 'FAILED', statusMessage: { error_code: 'environment_setup_failed' } });
    expect(await readdir(join(outside, 'greet'))).toEqual(['precious.txt']);
  });

  test('works with a checkout that is shallow, detached, or has no commit yet', async () => {
    const source = await writeTree({ 'names.txt': 'old\n' });
    commitAll(source);
    await writeFile(join(source, 'names.txt'), 'Mona\n');
    await mkdir(join(source, 'skills/greet'), { recursive: true });
    await writeFile(join(source, 'skills/greet/SKILL.md'), block('cat names.txt'));
    const commit = commitAll(source);
    const shallow = await writeTree({});
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${source}`, shallow]);
    execFileSync('git', ['checkout', '--quiet', '--detach'], { cwd: shallow });
    const empty = await writeTree({ 'names.txt': 'none\n', 'skills/greet/SKILL.md': block('cat names.txt') });
    execFileSync('git', ['init', '--quiet'], { cwd: empty });
    const bench = await openBench({ repositories: { 'octo-org/shallow': shallow, 'octo-org/empty': empty } });
    const first = await bench.work('', { skill_spec: 'octo-org/shallow:greet' });
    expect(first.log).toMatchObject({ stdout: 'Mona\n', system: `workspace: octo-org/shallow at ${commit}\n` });
    const second = await bench.work('', { skill_spec: 'octo-org/empty:greet' });
    expect(second.log).toMatchObject({ stdout: 'none\n', system: 'workspace: a copy of octo-org/empty\n' });
  });

  test.runIf(process.getuid?.() === 0)('also clones the checkout of another user', async () => {
    const checkout = await writeTree({ 'skills/greet/SKILL.md': block('echo hello') });
    const commit = commitAll(checkout);
    execFileSync('chown', ['-R', '65534', checkout]);
    const bench = await openBench({ repositories: { 'octo-org/shop': checkout } });
    const { log } = await bench.work('', { skill_spec: 'octo-org/shop:greet' });
    expect(log).toMatchObject({ stdout: 'hello\n', system: `workspace: octo-org/shop at ${commit}\n` });
  });

  test('without its file ends the run FAILED, resource_not_found', async () => {
    const bench = await openBench({ repositories: { 'octo-org/shop': await writeTree(files) } });
    const { run } = await bench.work('', { skill_spec: 'octo-org/shop:gret' });
    expect(run).toMatchObject({
      state: 'FAILED',
      statusMessage: {
        error_code: 'resource_not_found',
        message: expect.stringContaining('.agents/skills/greet/SKILL.md'),
      },
    });
  });

  test('names the line of the SKILL.md that failed', async () => {
    const checkout = await writeTree({ 'skills/bad/SKILL.md': `---\nname: bad\n---\n\n${block('exit 9')}` });
    const bench = await openBench({ repositories: { 'octo-org/shop': checkout } });
    const { run } = await bench.work('', { skill_spec: 'octo-org/shop:bad' });
    expect(run.statusMessage?.message).toContain('block 1 of 1 (line 5 of the skill) ended with exit code 9');
  });
});

describe('the log', () => {
  test('output over the limit is counted and reported, and the result is still the end of it', async () => {
    const bench = await openBench({ limits: { log_bytes: 5000 } });
    const { run, result, log } = await bench.work(block('seq 1 20000'));
    const printed = 108_894;
    expect(run.state).toBe('SUCCEEDED');
    expect(log.stdout.length).toBeLessThanOrEqual(5000);
    expect(log.system).toContain(
      `${printed - log.stdout.length} more bytes of output were not kept (limit: 5000 bytes)`,
    );
    expect(result?.endsWith('19999\n20000\n')).toBe(true);
  });
});

describe('folders of ended runs', () => {
  test('a workspace is kept as long as configured, and nothing else of the run', async () => {
    const bench = await openBench({ limits: { keep_workspace_minutes: 10 } });
    const { run } = await bench.work(block('echo kept >file; echo secret >"$HOME/token"'));
    const folder = join(bench.dataDir, 'runs', run.runId);
    expect(await readdir(folder)).toEqual(['workspace']);
    expect(await readFile(join(folder, 'workspace/file'), 'utf8')).toBe('kept\n');
    expect(await bench.worker.removeStaleWorkspaces()).toBe(0);
    const removing = { dataDir: bench.dataDir, keepMs: 600_000, onFailure: () => {} };
    expect(await removeStaleFolders({ ...removing, now: Date.now() + 9 * 60_000 })).toBe(0);
    expect(await removeStaleFolders({ ...removing, now: Date.now() + 11 * 60_000 })).toBe(1);
    expect(await readdir(join(bench.dataDir, 'runs'))).toEqual([]);
  });

  test('git folders of a killed server are removed after ten minutes', async () => {
    const dataDir = createTempFolder();
    const kept = await inPassingFolder(async ({ state }) => {
      const removing = { dataDir, keepMs: 0, onFailure: () => {} };
      const exists = async (ms: number) => {
        await removeStaleFolders({ ...removing, now: Date.now() + ms });
        return existsSync(state);
      };
      return [await exists(9 * 60_000), await exists(11 * 60_000)];
    }, dataDir);
    expect(kept).toEqual([true, false]);
    expect(await readdir(join(dataDir, 'passing'))).toEqual([]);
  });

  test('run folders of a killed server are removed, and those of active runs are not', async () => {
    const bench = await openBench();
    await mkdir(join(bench.dataDir, 'runs/earlier/workspace'), { recursive: true });
    await chmod(join(bench.dataDir, 'runs/earlier/workspace'), 0o500);
    const claimed = await bench.claim(block('echo up; sleep 561'));
    const working = bench.worker.run(claimed);
    await hasPrinted(bench, claimed.runId, 'up');
    expect(await bench.worker.removeStaleWorkspaces()).toBe(1);
    expect(await readdir(join(bench.dataDir, 'runs'))).toEqual([claimed.runId]);
    await bench.store.requestCancel(claimed.runId, 'enough');
    await working;
  });

  test('copies of a run folder that an agent made among the run folders are removed', async () => {
    const bench = await openBench({ limits: { keep_workspace_minutes: 10 } });
    const kept = await bench.work(block('echo kept >file'));
    const moved = await bench.work(
      block('cd ../..; cp -r "$AGENT_RUN_ID" copied; mv "$AGENT_RUN_ID" moved; echo done'),
    );
    expect(kept.run.state).toBe('SUCCEEDED');
    expect(moved.left).toEqual([kept.run.runId]);
    expect(await readdir(join(bench.dataDir, 'runs', kept.run.runId))).toEqual(['workspace']);
    await mkdir(join(bench.dataDir, 'runs/strange/workspace'), { recursive: true });
    expect(await bench.worker.removeStaleWorkspaces()).toBe(1);
    expect(await readdir(join(bench.dataDir, 'runs'))).toEqual([kept.run.runId]);
  });

  test('unreadable folders and folders nested deeper than a path may be long are removed', async () => {
    const bench = await openBench();
    const deep = 'n=$(printf "%0200d" 0); for i in $(seq 1 40); do mkdir $n; cd $n; done';
    const { run, left } = await bench.work(block(`mkdir -p a/b; touch a/b/c; chmod 000 a/b a; (${deep})`));
    expect([run.state, left]).toEqual(['SUCCEEDED', []]);
  });
});

test('a program killed by a signal under a low memory limit is told about the limit', async () => {
  const harnesses = { default: 'own', script: false, commands: { own: { argv: ['sh'] as const, env: {} } } };
  const low = await openBench({ harnesses, limits: { memory_mb: 500 } });
  const hint = /\. limits\.memory_mb is 500, and agents need 2000 or more$/;
  expect((await low.work('kill -TRAP $$')).run.statusMessage?.message).toMatch(hint);
  expect((await low.work('exit 134')).run.statusMessage?.message).toMatch(hint);
  expect((await low.work('exit 3')).run.statusMessage?.message).not.toMatch(hint);
  const enough = await openBench({ harnesses, limits: { memory_mb: 2000 } });
  expect((await enough.work('exit 134')).run.statusMessage?.message).not.toContain('memory_mb');
});
