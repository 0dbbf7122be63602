import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openRunner } from '../../testing/throwaway-action.ts';

const sourceOf = (name: string) =>
  JSON.stringify(pathToFileURL(resolve(import.meta.dirname, `../../../src/action/host/${name}.ts`)).href);
const runnerHost = `import { runnerHost } from ${sourceOf('host')}; const host = runnerHost();`;
const entries = `import { enterMain, enterPost } from ${sourceOf('entry')};`;

test("the host's output is what the runner parses", async () => {
  const runner = await openRunner({
    main: `${runnerHost}
      host.mask('one key of a step');
      host.print('one key of a step');
      host.setOutput('redacted', host.redact('it is one key of a step'));
      host.group('Build: 100%');
      host.print('inside');
      host.endGroup();
      host.setOutput('result', '  two\\nlines\\n');
      host.setOutput('input', host.readInput('some text') + '|' + host.readInput('none'));
      host.saveState('run_id', 'r-1');
      await host.appendSummary('**é**');
      host.setOutput('summary_room', String(host.summaryRoom()));
      host.setOutput('variables', JSON.stringify([host.variables().COLOR, host.readVariable('COLOR'), host.readVariable('NONE') ?? null]));
      host.warn('careful, 50%\\nof it');
      host.fail('it broke');`,
    post: `${runnerHost} host.setOutput('state', host.readState('run_id') + host.readState('none'));`,
    inputs: { 'some text': {}, none: {} },
  });
  const result = await runner.startStep({ inputs: { 'some text': '  as it is \n' }, env: { COLOR: 'blue' } }).done;
  expect(result).toMatchObject({
    outcome: 'failure',
    exitCode: 1,
    outputs: {
      result: '  two\nlines\n',
      input: '  as it is \n|',
      summary_room: String(1024 * 1024 - 6 - 2),
      redacted: 'it is ***',
      variables: '["blue","blue",null]',
    },
    state: { run_id: 'r-1' },
    summary: '**é**',
    deprecatedCommands: [],
    refusedCommands: [],
  });
  expect(result.annotations).toEqual([
    { level: 'warning', message: 'careful, 50% of it' },
    { level: 'error', message: 'it broke' },
  ]);
  const shown = result.log.map(({ kind, text }) => `${kind}|${text}`);
  expect(shown).toContain('text|***');
  expect(shown).toContain('group|Build: 100%');
  expect((await runner.post())[0]?.outputs).toEqual({ state: 'r-1' });
});

test('without annotations, warnings and failures are lines, and the step still fails', async () => {
  const runner = await openRunner({
    main: `${runnerHost} host.leaveOutAnnotations(); host.warn('careful'); host.fail('it broke');`,
  });
  const result = await runner.startStep().done;
  expect([result.exitCode, result.annotations]).toEqual([1, []]);
  expect(result.log.map(line => line.text)).toEqual(expect.arrayContaining(['warning: careful', 'error: it broke']));
});

test('surplus annotations are counted when the process ends', async () => {
  const runner = await openRunner({
    main: `${runnerHost} for (let index = 1; index <= 25; index += 1) host.warn('finding ' + index);`,
  });
  const { annotations, log } = await runner.startStep().done;
  expect([annotations.length, annotations.at(-1)?.message]).toEqual([10, '16 more, see the log']);
  expect(log.map(line => line.text)).toContain('warning: finding 25');
});

test('a log of ten megabytes is complete when the process ends', async () => {
  const runner = await openRunner({
    main: `${runnerHost} for (let index = 0; index < 10_000; index += 1) host.print('x'.repeat(1000)); host.print('the last line');`,
  });
  const { log } = await runner.startStep().done;
  expect([log.filter(line => line.text.startsWith('xxx')).length, log.at(-1)?.text]).toEqual([10_000, 'the last line']);
});

test('an error in main fails it with a sentence, and an error in post is a warning', async () => {
  const breaks = `() => Promise.reject(new Error('no disk\\n::error::x'))`;
  const runner = await openRunner({
    main: `${entries} await enterMain(${breaks});`,
    post: `${entries} await enterPost(${breaks});`,
  });
  const main = await runner.startStep().done;
  expect([main.exitCode, main.annotations]).toEqual([
    1,
    [{ level: 'error', message: 'The step failed unexpectedly: no disk ::error::x' }],
  ]);
  const [post] = await runner.post();
  expect([post?.exitCode, post?.annotations]).toEqual([
    0,
    [{ level: 'warning', message: 'The cleanup failed unexpectedly: no disk ::error::x' }],
  ]);
});
