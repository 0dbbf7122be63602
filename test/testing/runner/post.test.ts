import { expect, test } from 'vitest';
import { openRunner, writeAction } from '../throwaway-action.ts';

test('state saved by main reaches its own post part, in the same job, with its inputs', async () => {
  const runner = await openRunner({
    main: `put('STATE', 'runId<<E\\none\\ntwo\\nE\\n'); put('ENV', 'LATER=1\\n');`,
    post: `put('OUTPUT', ['STATE_runId', 'LATER', 'INPUT_NAME', 'GITHUB_ACTION']
      .map(name => name + '<<E\\n' + process.env[name] + '\\nE\\n').join(''));`,
    inputs: { name: {} },
  });
  await runner.startStep({ id: 'agent', inputs: { name: 'x' } }).done;
  const [post] = await runner.post();
  expect(post?.outputs).toEqual({ STATE_runId: 'one\ntwo', LATER: '1', INPUT_NAME: 'x', GITHUB_ACTION: 'agent' });
  expect(post?.log[0]?.text).toBe('Post job cleanup.');
});

test('post parts run in reverse order, once, each with the state of its own step', async () => {
  const post = `say('post of ' + process.env.STATE_id);`;
  const runner = await openRunner({ main: `put('STATE', 'id=' + process.env.GITHUB_ACTION);`, post });
  const other = writeAction({ main: '' });
  await runner.startStep().done;
  await runner.startStep({ actionDir: other }).done;
  await runner.startStep().done;
  const lines = (await runner.post()).map(({ log }) => log.at(-1)?.text);
  expect(lines).toEqual(['post of __self_3', 'post of __self']);
  expect(await runner.post()).toEqual([]);
});

test('post runs after a failed, a killed and a canceled main', async () => {
  const runner = await openRunner({
    main: `put('STATE', 'how=' + process.env.INPUT_HOW); say('ready'); if (process.env.INPUT_HOW === 'fails') process.exit(3); await sleep(60_000);`,
    post: `say(process.env.STATE_how);`,
    inputs: { how: {} },
  });
  const start = (how: string) =>
    new Promise<ReturnType<typeof runner.startStep>>(resolve => {
      const step = runner.startStep({ inputs: { how }, onLine: ({ text }) => text === 'ready' && resolve(step) });
    });
  const failed = await (await start('fails')).done;
  const killed = await start('killed');
  killed.kill();
  const cancelled = await (await killed.done.then(() => start('cancelled'))).cancel({ interruptMs: 2_000 });
  expect([failed, await killed.done, cancelled].map(({ outcome }) => outcome)).toEqual([
    'failure',
    'failure',
    'cancelled',
  ]);
  const posts = await runner.post();
  expect(posts.map(({ log }) => log.at(-1)?.text)).toEqual(['cancelled', 'killed', 'fails']);
});

test('a post part may be started by hand, and can fail by itself', async () => {
  const runner = await openRunner({ main: '', post: `say('::error::late'); process.exit(1);` });
  await runner.startStep().done;
  const post = await runner.startPost();
  expect(await post?.done).toMatchObject({ outcome: 'failure', exitCode: 1 });
  expect(await runner.startPost()).toBeUndefined();
});

test('an action without a post part has none', async () => {
  const runner = await openRunner({ main: '' });
  await runner.startStep().done;
  expect(await runner.post()).toEqual([]);
});
