/** Conversations that continue: in one workspace, with one state folder, by the session of the agent. */
import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type Environment, makeEnvironmentUid } from '../../../src/server/environments/environment.ts';
import { findClones } from '../../../src/server/workspace/environment-clone.ts';
import { removeStaleFolders } from '../../../src/server/workspace/run-folder.ts';
import { ask, creator, done, openTalk, patchOf, say, session } from './conversation-fixture.ts';
import { commitAll, writeTree } from './worker-fixture.ts';

describe('a run that continues a conversation', () => {
  test('has its session, workspace and state, but its own temporary files and results', async () => {
    const talk = await openTalk();
    const first = await talk.work(
      `${session}; pwd > here; echo kept > "$HOME/kept"; echo old > "$TMPDIR/old"; echo old > "$AGENT_RUN_ARTIFACTS/old.txt"; echo first > "$AGENT_RUN_RESULT"; ${done}`,
    );
    expect([first.result, first.run.continuation?.sessionId]).toEqual(['first\n', 's1']);
    const second = await talk.continueRun(
      first.run,
      `${session}; [ "$(cat here)" = "$PWD" ]; cat here "$HOME/kept" >&2; ls "$TMPDIR" "$AGENT_RUN_ARTIFACTS" >&2; ${say({ done: 'again' })}`,
    );
    expect(second.run.runId).not.toBe(first.run.runId);
    expect(second.run.conversationId).toBe(first.run.runId);
    expect([second.run.state, second.result]).toEqual(['SUCCEEDED', 'again']);
    expect(second.log.stderr).toContain(`/runs/${first.run.runId}/workspace\nkept\n`);
    expect(second.log.stderr).not.toContain('old');
    expect(second.log.system).toContain('workspace: as the conversation left it');
    expect(talk.launched.map(({ resume }) => resume)).toEqual([undefined, 's1']);
    expect(second.run.artifacts).toEqual([]);
  });

  test('reports only its own usage, and an empty prompt asks it to continue', async () => {
    const talk = await openTalk();
    const first = await talk.work(`${session}; ${say({ usage: 12 })}; ${done}`);
    const second = await talk.continueRun(first.run, `${session}; ${say({ usage: 5 })}; ${done}`);
    expect(second.events.filter(({ type }) => type === 'usage').map(({ data }) => data)).toEqual([{ tokens: 5 }]);
    await talk.continueRun(second.run, ' ');
    expect(talk.launched.at(-1)?.prompt).toBe('Go on.');
  });

  test('has only its own changes in its patch', async () => {
    const talk = await openTalk();
    const repository = 'git init -q . && git -c user.name=o -c user.email=o@example.com commit -q --allow-empty -m x';
    const first = await talk.work(`${session}; ${repository}; echo one > one.txt; ${done}`);
    const second = await talk.continueRun(first.run, `${session}; echo two > two.txt; ${done}`);
    expect(patchOf(talk, second)).toContain('b/two.txt');
    expect(patchOf(talk, second)).not.toContain('one.txt');
    // The third run is compared with the second, not with itself.
    expect(patchOf(talk, await talk.continueRun(second.run, `${session}; ${done}`))).toBeUndefined();
  });

  test('gets its instructions again, and finds its skill', async () => {
    const checkout = await writeTree({
      'skills/a/SKILL.md': '---\nname: a\ndescription: A\n---\nSpeak low.\n',
      'skills/a/more.txt': 'more\n',
      'skills/b/SKILL.md': '---\nname: b\ndescription: B\n---\nNo.\n',
    });
    const talk = await openTalk({ repositories: { 'octo-org/skills': checkout } });
    const config = { skill_spec: 'octo-org/skills:a', skills: ['octo-org/skills:a', 'octo-org/skills:b'] };
    const first = await talk.work(`${session}; ${done}`, config);
    expect(first.log.system).toContain(
      'more skills, which the agent reads as needed: octo-org/skills:skills/b/SKILL.md\n',
    );
    for (const before of [first, await talk.continueRun(first.run, `${session}; ${done}`)]) {
      const again = await talk.continueRun(before.run, `${session}; cat "$AGENT_RUN_SKILL_DIR/more.txt" >&2; ${done}`);
      expect([again.run.state, again.log.stderr]).toEqual(['SUCCEEDED', 'more\n']);
    }
    expect(new Set(talk.launched.map(({ instructions }) => instructions))).toEqual(new Set(['Speak low.']));
  });

  test('finds existing clones, and runs no setup command again', async () => {
    const origin = await writeTree({ 'README.md': '# shop\n' });
    commitAll(origin);
    const environment = {
      uid: makeEnvironmentUid('shop'),
      name: 'shop',
      description: undefined,
      repositories: [{ name: 'shop', url: `file://${origin}`, ref: undefined, path: '.' }],
      setup: ['echo set >> setup.log'],
      env: { COLOUR: 'red' },
      publish: 'none' as const,
      publishBase: undefined,
      updatedAt: 0,
    };
    const talk = await openTalk({ environments: [environment] });
    const first = await talk.work(`${session}; echo mine >> README.md; ${done}`, { environment_id: environment.uid });
    expect(first.run.continuation?.clones).toMatchObject([{ path: '.', commit: expect.any(String) }]);
    const second = await talk.continueRun(
      first.run,
      `${session}; cat README.md setup.log >&2; echo $COLOUR >&2; ${done}`,
    );
    expect(second.log.stderr).toBe('# shop\nmine\nset\nred\n');
    expect(second.log.system).not.toContain('setup command');
  });

  test('can follow a run that failed, or whose server was killed', async () => {
    const talk = await openTalk();
    const failed = await talk.work(`${session}; echo here > note; ${say({ fail: 'provider' })}`);
    expect(failed.run.state).toBe('ERROR');
    expect((await talk.continueRun(failed.run, `${session}; cat note >&2; ${done}`)).log.stderr).toBe('here\n');
    const claimed = await talk.claim(`${session}; sleep 30`);
    const stopping = new AbortController();
    const work = talk.worker.run(claimed, stopping.signal);
    while ((await talk.store.readRun(claimed.runId))?.continuation === undefined) await systemClock.sleep(20);
    await talk.store.endOrphans('the server was killed');
    stopping.abort();
    await work;
    const orphan = (await talk.look(claimed.runId)).run;
    expect(orphan.state).toBe('ERROR');
    expect((await talk.continueRun(orphan, `${session}; ${done}`)).run.state).toBe('SUCCEEDED');
  });

  test('fails with a sentence if the conversation is gone', async () => {
    const talk = await openTalk();
    const first = await talk.work(`${session}; rm -rf "$HOME/../state"; ${done}`);
    expect(await talk.worker.isConversationKept(first.run)).toBe(false);
    const second = await talk.continueRun(first.run, `${session}; ${done}`);
    expect(second.run.statusMessage).toMatchObject({
      error_code: 'resource_not_found',
      message: expect.stringContaining(`the conversation ${first.run.runId} is gone`),
    });
  });
});

describe('a conversation is kept', () => {
  test('for its minutes after the last run, and then it is removed completely', async () => {
    const talk = await openTalk();
    const { run } = await talk.work(`${session}; ${done}`);
    expect(await talk.worker.isConversationKept(run)).toBe(true);
    expect(await talk.worker.removeStaleWorkspaces()).toBe(0);
    const endedAt = run.finishedAt ?? 0;
    expect(await talk.worker.isConversationKept({ ...run, finishedAt: endedAt - 600_001 })).toBe(false);
    const removing = { dataDir: talk.dataDir, keepMs: 0, onFailure: () => {} };
    const readEnd = async () => ({ endedAt, keepMs: 600_000 });
    expect(await removeStaleFolders({ ...removing, readEnd, now: endedAt + 599_999 })).toBe(0);
    // Before the store is open, the state is unknown.
    expect(await removeStaleFolders({ ...removing, now: endedAt + 6_000_000 })).toBe(0);
    expect(await removeStaleFolders({ ...removing, readEnd, now: endedAt + 600_001 })).toBe(1);
    expect((await talk.look(run.runId)).left).toEqual([]);
  });

  test('for the minutes that its newest run asks for, up to the limit of the server', async () => {
    const talk = await openTalk();
    const { run } = await talk.work(`${session}; ${done}`, { idle_timeout_minutes: 1 });
    const keptAfter = (ms: number, minutes: number) =>
      talk.worker.isConversationKept({
        ...run,
        config: { ...run.config, idle_timeout_minutes: minutes },
        finishedAt: Date.now() - ms,
      });
    expect([await keptAfter(50_000, 1), await keptAfter(61_000, 1)]).toEqual([true, false]);
    // The server's limit was lowered meanwhile.
    expect([await keptAfter(590_000, 30), await keptAfter(601_000, 30)]).toEqual([true, false]);
  });

  test('while a run of it is active', async () => {
    const talk = await openTalk({ limits: { keep_conversation_minutes: 1e-9 } });
    const { run } = await talk.work(`${session}; ${ask('Which?')}; ${done}`);
    expect(run.state).toBe('BLOCKED');
    await systemClock.sleep(5);
    expect(await talk.worker.removeStaleWorkspaces()).toBe(0);
    expect((await talk.answer(run, `${session}; ${done}`)).run.state).toBe('SUCCEEDED');
  });

  test('without the files that contained keys for its agent', async () => {
    const talk = await openTalk();
    const { run, log } = await talk.work(
      `${session}; grep -c of-the-tools "$HOME/../state/fake/settings.json" >&2; ${done}`,
      {
        mcp_servers: {
          tools: { url: 'http://127.0.0.1:9/', headers: { Authorization: 'Bearer of-the-tools' }, required: false },
        },
      },
    );
    expect(log.stderr).toBe('1\n');
    const folder = join(talk.dataDir, 'runs', run.runId, 'state/fake');
    expect([existsSync(folder), existsSync(join(folder, 'settings.json'))]).toEqual([true, false]);
  });

  test('not at all without conversations on the server, or without a session of the agent', async () => {
    const none = await openTalk({ limits: { keep_conversation_minutes: 0 } });
    const { run, left } = await none.work(`${session}; echo "\${AGENT_RUN_QUESTION-unset}" >&2; ${done}`);
    expect([left, await none.worker.isConversationKept(run)]).toEqual([[], false]);
    expect((await none.look(run.runId)).log.stderr).toBe('unset\n');
    const silent = await (await openTalk()).work(done);
    expect([silent.left, silent.run.continuation]).toEqual([[], undefined]);
  });
});

test.each(['mkfifo', 'touch', 'ln -s /nowhere'])(
  'what an agent puts in the place of its folders (%s) does not end its conversation',
  async put => {
    const talk = await openTalk();
    const places = '"$HOME" "$TMPDIR" "$AGENT_RUN_ARTIFACTS" "$(dirname "$AGENT_RUN_RESULT")"';
    const replace = `for p in ${places}; do rm -rf "$p"; ${put} "$p"; done`;
    const first = await talk.work([session, replace, done].join('\n'));
    expect(first.run.state).toBe('SUCCEEDED');
    const next = await talk.continueRun(
      first.run,
      ['echo answer > "$AGENT_RUN_RESULT"', 'cd "$HOME"', session, done].join('\n'),
    );
    expect([next.run.state, next.result]).toEqual(['SUCCEEDED', 'answer\n']);
    expect(talk.logged.filter(line => line.includes('could not remove'))).toEqual([]);
  },
);

test('a link in place of our folder does not lead the next run outside', async () => {
  const talk = await openTalk();
  const outside = join(talk.folder, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'settings.json'), 'of somebody else');
  const { run } = await talk.work(`${session}; ${done}`);
  const state = join(talk.dataDir, 'runs', run.runId, 'state');
  const second = await talk.continueRun(
    run,
    `${session}; git init -q .; cd "$HOME/../state"; rm -rf fake changes; ln -s ${outside} fake; ln -s ${outside} changes; ${done}`,
  );
  expect(second.run.state).toBe('SUCCEEDED');
  const third = await talk.continueRun(run, `${session}; ${done}`);
  expect(third.run.state).toBe('SUCCEEDED');
  expect(await readdir(outside)).toEqual(['settings.json']);
  expect(readFileSync(join(outside, 'settings.json'), 'utf8')).toBe('of somebody else');
  expect((await lstat(join(state, 'fake'))).isDirectory()).toBe(true);
});

test('a git index replaced with a pipe or a link is neither waited for nor copied', async () => {
  const talk = await openTalk();
  const secret = join(talk.folder, 'secret');
  await writeFile(secret, 'of somebody else');
  const repository = 'git init -q . && git -c user.name=o -c user.email=o@example.com commit -q --allow-empty -m x';
  const { run } = await talk.work(`${session}; ${repository}; echo a > a.txt; ${done}`);
  for (const odd of ['mkfifo .git/index', `ln -s ${secret} .git/index`, 'mkdir .git/index']) {
    const hostile = await talk.continueRun(run, `${session}; rm -rf .git/index; ${odd}; ${done}`);
    expect(hostile.run.state).toBe('SUCCEEDED');
    const next = await talk.continueRun(
      run,
      `${session}; echo ${odd.length} >> a.txt; grep -rl "of somebody else" "$HOME/../state" >&2; ${done}`,
    );
    expect([next.run.state, next.log.stderr]).toEqual(['SUCCEEDED', '']);
    expect(patchOf(talk, next)).toContain(`+${odd.length}`);
  }
});

test('a clone replaced with a link no longer belongs to the conversation', async () => {
  const talk = await openTalk();
  await mkdir(join(talk.folder, 'workspace/shop'), { recursive: true });
  await symlink(talk.folder, join(talk.folder, 'workspace/tools'));
  const repositories = ['shop', 'tools'].map(path => ({ name: path, url: `file:///${path}`, ref: undefined, path }));
  const environment = { repositories } as unknown as Environment;
  const found = await findClones(environment, join(talk.folder, 'workspace'), repositories);
  expect(found.map(({ repository }) => repository.name)).toEqual(['shop']);
});

describe('a run whose agent asks', () => {
  test('is BLOCKED with the question, and continues with the answer where it stopped', async () => {
    const talk = await openTalk();
    const repository = 'git init -q . && git -c user.name=o -c user.email=o@example.com commit -q --allow-empty -m x';
    const before = await talk.work(`${session}; ${repository}; ${done}`);
    const blocked = await talk.continueRun(
      before.run,
      `${session}; echo 1 > one.txt; echo a > "$AGENT_RUN_ARTIFACTS/a.txt"; ${say({ usage: 3 })}; ${ask('Red or blue?\n')}; ${say({ done: 'I asked.' })}`,
    );
    expect(blocked.run).toMatchObject({
      state: 'BLOCKED',
      statusMessage: { message: 'Red or blue?' },
      result: undefined,
      finishedAt: undefined,
      artifacts: [],
    });
    const ended = await talk.answer(
      blocked.run,
      `${session}; echo 2 > two.txt; ls "$AGENT_RUN_ARTIFACTS" >&2; ${say({ usage: 4 })}; ${say({ done: 'It is blue.' })}`,
    );
    expect(ended.run).toMatchObject({ state: 'SUCCEEDED', attempt: 2, startedAt: blocked.run.startedAt });
    expect([ended.result, ended.log.stderr]).toEqual(['It is blue.', 'a.txt\n']);
    // It is one run: patch, artifacts and usage are those of both parts.
    expect(patchOf(talk, ended)).toMatch(/one\.txt[\s\S]*two\.txt/);
    expect(ended.run.artifacts.map(({ data }) => data.filename).sort()).toEqual(['a.txt', 'changes.patch']);
    expect(ended.events.filter(({ type }) => type === 'usage').at(-1)?.data).toEqual({ tokens: 7 });
    expect(talk.launched.at(-1)?.resume).toBe('s1');
    expect(ended.events.flatMap(e => (e.type === 'state' ? [e.data.state] : []))).toEqual([
      ...['QUEUED', 'INPROGRESS', 'BLOCKED', 'QUEUED', 'INPROGRESS', 'SUCCEEDED'],
    ]);
    expect(ended.events.filter(({ type }) => type === 'message').map(({ data }) => data)).toMatchObject([
      { role: 'user', text: expect.stringContaining('echo 2') },
    ]);
  });

  test('may ask again, and may be canceled while it waits', async () => {
    const talk = await openTalk();
    const { run } = await talk.work(`${session}; ${ask('One?')}; ${done}`);
    const again = await talk.answer(run, `${session}; ${ask('Two?')}; ${done}`);
    expect(again.run).toMatchObject({ state: 'BLOCKED', statusMessage: { message: 'Two?' } });
    expect(await talk.store.requestCancel(run.runId, 'nobody knows')).toBe('cancelled');
    const { run: cancelled } = await talk.look(run.runId);
    expect(cancelled).toMatchObject({ state: 'CANCELLED', statusMessage: { message: 'nobody knows' } });
    // Its work is not lost.
    expect((await talk.continueRun(cancelled, `${session}; ${done}`)).run.state).toBe('SUCCEEDED');
  });

  test.each([
    ['failed', `${ask('Which?')}; ${say({ fail: 'refusal' })}`, 'FAILED'],
    ['told no session to go on with', `${ask('Which?')}; ${done}`, 'SUCCEEDED'],
    ['asked nothing but blanks', `${session}; ${ask(' \n')}; ${done}`, 'SUCCEEDED'],
    ['has a question and no answer', `${session}; ${ask('Which?')}; ${say({ done: ' ' })}`, 'BLOCKED'],
    ['asked by a link', `${session}; ln -s /etc/hostname "$AGENT_RUN_QUESTION"; ${done}`, 'SUCCEEDED'],
  ])('where the agent %s', async (_name, prompt, state) => {
    const talk = await openTalk();
    expect((await talk.work(prompt)).run.state).toBe(state);
  });

  test('redacts its question', async () => {
    const talk = await openTalk();
    const { run, events } = await talk.work(`${session}; ${ask('Is the-key-of-the-model right?')}; ${done}`);
    expect([run.state, run.statusMessage?.message]).toEqual(['BLOCKED', 'Is *** right?']);
    expect(JSON.stringify(events)).not.toContain('the-key-of-the-model');
  });

  test('learns how to ask if the run is interactive', async () => {
    const talk = await openTalk();
    await talk.work(`${session}; ${done}`);
    await talk.store.createRun({
      title: 'a run',
      prompt: `${session}; ${done}`,
      config: {},
      source: 'API',
      creator,
      isInteractive: true,
    });
    const claimed = await talk.store.claimRun();
    if (claimed !== undefined) await talk.worker.run(claimed);
    const [plain, interactive] = talk.launched.map(({ instructions }) => instructions);
    expect(plain).not.toContain('AGENT_RUN_QUESTION');
    expect(interactive).toContain('AGENT_RUN_QUESTION');
  });
});
