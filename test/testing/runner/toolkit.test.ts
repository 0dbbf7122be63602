import { expect, test } from 'vitest';
import { openRunner } from '../throwaway-action.ts';

const toolkit = import.meta.resolve('@actions/core');

test('every message of an action with GitHub’s toolkit is understood', async () => {
  const nasty = 'one\r\ntwo <<EOF\n%0A::error::x\n';
  const runner = await openRunner({
    main: `import * as core from ${JSON.stringify(toolkit)};
        core.setSecret('h%sh\\nh');
        core.info('h%sh');
        core.setOutput('text', ${JSON.stringify(nasty)});
        core.setOutput('object', { a: [1] });
        core.saveState('run id', 'r-1');
        core.exportVariable('COLOR', 'blue');
        core.addPath('/tools');
        core.startGroup('Build: 100%');
        core.info('inside');
        core.endGroup();
        core.warning('careful, 50%', { title: 'a:b,c', file: 'src/x.ts', startLine: 3, startColumn: 2 });
        core.debug('not shown');
        await core.summary.addHeading('Report').addRaw('done').write();
        core.setFailed(core.getInput('why') + core.getBooleanInput('flag'));`,
    post: `import * as core from ${JSON.stringify(toolkit)};
        core.setOutput('state', core.getState('run id'));
        core.setOutput('color', process.env.COLOR);`,
    inputs: { why: {}, flag: { default: true } },
  });
  const result = await runner.startStep({ inputs: { why: '  because ' } }).done;
  expect(result).toMatchObject({
    outcome: 'failure',
    exitCode: 1,
    outputs: { text: nasty, object: '{"a":[1]}' },
    state: { 'run id': 'r-1' },
    env: { COLOR: 'blue' },
    path: ['/tools'],
    masks: ['h%sh\nh'],
    deprecatedCommands: [],
    refusedCommands: [],
  });
  expect(result.annotations).toEqual([
    { level: 'warning', message: 'careful, 50%', title: 'a:b,c', file: 'src/x.ts', line: 3, column: 2 },
    { level: 'error', message: 'becausetrue' },
  ]);
  expect(result.summary).toContain('Report');
  const shown = result.log.map(({ kind, text }) => `${kind}|${text}`);
  expect(shown).toContain('text|***');
  expect(shown).toContain('group|Build: 100%');
  expect(shown.filter(line => line.startsWith('debug'))).toEqual([]);
  expect((await runner.post())[0]?.outputs).toEqual({ state: 'r-1', color: 'blue' });
});
