import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunEvent } from '../../../src/client/index.ts';
import { findMarked } from '../../server/executor/processes.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { open } from './embedded-fixture.ts';

const isUnix = process.platform !== 'win32';
// The tests look for processes in /proc.
const isLinux = process.platform === 'linux';

const block = (code: string) => `\`\`\`sh\n${code}\n\`\`\`\n`;

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  }
}

describe.runIf(isUnix)('a run in the step', () => {
  test('gives the task to the command in the workspace, succeeds with its output, and keeps its changes', async () => {
    const { work, client, workspace, tempDir, server, warnings } = await open({
      command: `sh -c 'cat; pwd; echo changed >file.txt'`,
    });
    const run = await work({ prompt: 'say hello' });
    expect(run.state).toBe('SUCCEEDED');
    expect(await client.runs.result(run.run_id)).toBe(`say hello${workspace}\n`);
    expect(readdirSync(tempDir)).toEqual([expect.stringMatching(/^agent-run-/)]);
    await server.close();
    expect(readFileSync(join(workspace, 'file.txt'), 'utf8')).toBe('changed\n');
    expect(readdirSync(tempDir)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('keeps its data where other users cannot read it', async () => {
    const { tempDir } = await open({ command: 'cat' });
    for (const name of readdirSync(tempDir)) expect(statSync(join(tempDir, name)).mode & 0o077).toBe(0);
  });

  test('fails with the exit code and the last line of the command, and streams its events', async () => {
    const { client } = await open({ command: `sh -c 'echo one; exit 4'` });
    const { run_id } = await client.runs.create({ prompt: 'x' });
    const events: RunEvent[] = [];
    for await (const event of client.runs.events(run_id)) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'state', data: { state: 'FAILED' } });
    expect(JSON.stringify(events)).toContain('one');
    const run = await client.runs.retrieve(run_id);
    expect(run.status_message?.message).toBe('the program sh ended with exit code 4. It printed: one');
  });

  test('ends at the time limit that the step sets', async () => {
    const { work } = await open({ command: 'sleep 30', runMinutes: 0.005 });
    expect((await work({ prompt: 'x' })).status_message?.reason).toBe('time_limit');
  });

  test('runs a workspace file as its program and returns a long result whole', async () => {
    const workspace = createTempFolder();
    writeFiles(workspace, { 'tools/agent.sh': '#!/bin/sh\nseq 1 "$1" >"$AGENT_RUN_RESULT"\n' });
    const { work, client } = await open({ workspace, command: './tools/agent.sh 20000' });
    const { run_id } = await work({ prompt: 'x' });
    expect((await client.runs.result(run_id)).split('\n').slice(-3)).toEqual(['19999', '20000', '']);
  });

  test('finds a skill of the repository in the workspace in its current state', async () => {
    const { work, client, workspace } = await open({ allowScript: true, repository: 'octo-org/shop' });
    writeFiles(workspace, {
      '.agents/skills/tell/SKILL.md': `---\nname: tell\ndescription: Tells.\n---\n${block('cat "$AGENT_RUN_SKILL_DIR/extra.txt"; pwd')}`,
      '.agents/skills/tell/extra.txt': 'extra\n',
    });
    const { run_id } = await work({ skill: 'octo-org/shop:tell' });
    expect(await client.runs.result(run_id)).toBe(`extra\n${workspace}\n`);
    await expect(work({ skill: 'octo-org/other:tell' })).rejects.toThrow('octo-org/shop');
  });

  test("sees only the step's passed variables and no other secret", async () => {
    const { work, client } = await open({
      command: 'env',
      passedEnv: { MODEL_API_KEY: 'passed' },
      baseEnv: {
        PATH: process.env.PATH,
        LANG: 'C.UTF-8',
        RUNNER_TRACKING_ID: 'github_1',
        DEPLOY_TOKEN: 'secret-value-1',
        INPUT_API_KEY: 'secret-value-2',
        ACTIONS_RUNTIME_TOKEN: 'secret-value-3',
        HOME: '/secret-value-4',
        NODE_OPTIONS: '--secret-value-5',
      },
    });
    const { run_id } = await work({ prompt: 'x' });
    const result = await client.runs.result(run_id);
    expect(result).toContain('MODEL_API_KEY=passed\n');
    // The runner uses it to kill leftovers at the end of the job.
    expect(result).toContain('RUNNER_TRACKING_ID=github_1\n');
    expect(result).not.toContain('secret-value');
  });
});

describe.runIf(isUnix)('which harness', () => {
  test('is the requested one, otherwise the available one', async () => {
    const both = { command: 'echo from command', allowScript: true };
    const prompt = block('echo from script');
    const tell = async (options: Parameters<typeof open>[0], body = {}) => {
      const { work, client } = await open(options);
      return await client.runs.result((await work({ prompt, ...body })).run_id);
    };
    expect(await tell({ ...both, harness: 'command' })).toBe('from command\n');
    expect(await tell({ ...both, harness: 'script' })).toBe('from script\n');
    expect(await tell({ allowScript: true, harness: 'oz' })).toBe('from script\n');
    const passedEnv = { DEPLOY_HOST: 'host-1' };
    const shown = { prompt: block('echo "$DEPLOY_HOST"') };
    expect(await tell({ allowScript: true, passedEnv }, shown)).toBe('host-1\n');
    const named = { config: { harness: { type: 'script' } } };
    expect(await tell({ ...both, harness: 'command' }, named)).toBe('from script\n');
  });

  test.each([
    [{}, 'no agent is set. Set `model_id` and its key under `env:`'],
    [
      { allowScript: true, command: 'cat' },
      /^`command` selects a program for the task, but `allow_script: true` runs the/,
    ],
    [
      { allowScript: true, modelId: 'm' },
      /^`model_id` selects the model of an agent, but `allow_script: true` runs the/,
    ],
    [{ harness: 'script' }, '`harness`: script needs `allow_script: true`'],
    [{ harness: 'command', allowScript: true }, '`harness`: command needs `command`'],
    [{ harness: 'other', command: 'cat' }, '`harness`: "other" is not an agent that a step can run. Use one of'],
    [{ command: 'a | b' }, /^`command`: \| outside quotes/],
    [
      { command: 'cat', passedEnv: { AGENT_RUN_ID: 'secret-value' } },
      '`pass_env`: AGENT_RUN_ID cannot be passed to the agent',
    ],
    [{ command: 'no-such-program -x' }, '`command`: the program no-such-program is not on the PATH of the step'],
    [
      { allowScript: true, baseEnv: { PATH: '/nowhere' } },
      '`allow_script`: shell blocks need bash, which is not on the PATH of the step; install it in an earlier step',
    ],
    [{ command: './agent.sh' }, /`command`: .*agent\.sh does not exist; check the path/],
    [{ command: './' }, /`command`: \S* is a folder; name a program in it$/],
  ] as const)('%j is refused with the input and the remedy, and creates nothing', async (options, message) => {
    const tempDir = createTempFolder();
    const refusal = await open({ tempDir, ...options }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'InputError', message: expect.stringMatching(message) });
    expect(String(refusal)).not.toContain('secret-value');
    expect(readdirSync(tempDir)).toEqual([]);
  });
});

test.runIf(isUnix)('a `command` that is not executable is refused with a remedy', async () => {
  const workspace = createTempFolder();
  mkdirSync(join(workspace, 'tools'));
  writeFileSync(join(workspace, 'tools/review.sh'), 'cat\n', { mode: 0o644 });
  await expect(open({ workspace, command: './tools/review.sh' })).rejects.toThrow(
    '`command`: tools/review.sh is not executable; run `git update-index --chmod=+x tools/review.sh`, or set `command` to `sh tools/review.sh`',
  );
});

test('is refused on Windows, and the error says what to use instead', async () => {
  await expect(open({ command: 'cat', platform: 'win32' })).rejects.toThrow(
    'the agent cannot run in a step on Windows; set `base_url` to a server',
  );
});

describe.runIf(isUnix)('a server that cannot start', () => {
  test('names the folder in the way and leaves none behind', async () => {
    const folder = createTempFolder();
    await expect(open({ command: 'cat', tempDir: join(folder, 'nowhere') })).rejects.toThrow(
      /cannot create a folder in .*nowhere \(ENOENT\); RUNNER_TEMP must be/,
    );
    await expect(open({ command: 'cat', workspace: folder, tempDir: folder })).rejects.toThrow(
      /^the server inside the step could not start: RUNNER_TEMP .* must not contain each other/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.runIf(isLinux)('the end of the server', () => {
  test('kills an agent that ignores SIGTERM, with its children, soon', async () => {
    const marker = `${process.pid}.${Date.now()}`;
    const { server, client, workspace, tempDir } = await open({
      command: `["bash", "-c", "trap '' TERM; setsid sleep 3${marker} >/dev/null 2>&1 & touch up; while :; do sleep 0.1; done"]`,
    });
    await client.runs.create({ prompt: 'x' });
    await waitUntil(() => readdirSync(workspace).includes('up'));
    const sleeps = () => findMarked(`sleep\x003${marker}`, 'cmdline');
    await waitUntil(() => sleeps().length === 1);
    const start = performance.now();
    await Promise.all([server.close(), server.close()]);
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(sleeps()).toEqual([]);
    expect([readdirSync(tempDir), readdirSync(workspace)]).toEqual([[], ['up']]);
    await expect(server.fetch(server.baseUrl)).rejects.toThrow('fetch failed');
  });

  test('after a cancel comes soon and leaves the run CANCELLED', async () => {
    const { server, client, workspace } = await open({ command: `sh -c 'touch up; exec sleep 60'` });
    const { run_id } = await client.runs.create({ prompt: 'x' });
    await waitUntil(() => readdirSync(workspace).includes('up'));
    await client.runs.cancel(run_id);
    let state: string | undefined;
    for await (const run of client.runs.follow(run_id)) state = run.state;
    expect(state).toBe('CANCELLED');
    const start = performance.now();
    await server.close();
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  test("warns with the folder's name if its data cannot be removed, and does not fail", async () => {
    const { server, tempDir, warnings } = await open({ command: 'cat' });
    const [name = ''] = readdirSync(tempDir);
    renameSync(tempDir, `${tempDir}-gone`);
    writeFileSync(tempDir, '');
    await server.close();
    expect(warnings.at(-1)).toContain(
      `the data of the server inside the step in ${join(tempDir, name)} could not be removed`,
    );
  });

  test("does not affect another step's server", async () => {
    const tempDir = createTempFolder();
    const first = await open({ command: `sh -c 'touch up; exec sleep 30'`, tempDir });
    const second = await open({
      command: `sh -c 'touch up; while [ ! -e go ]; do sleep 0.05; done; echo done'`,
      tempDir,
    });
    onTestFinished(() => second.server.close());
    await first.client.runs.create({ prompt: 'x' });
    const working = second.work({ prompt: 'x' });
    for (const { workspace } of [first, second]) await waitUntil(() => readdirSync(workspace).includes('up'));
    await first.server.close();
    writeFileSync(join(second.workspace, 'go'), '');
    expect((await working).state).toBe('SUCCEEDED');
  });
});
