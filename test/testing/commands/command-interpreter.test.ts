import { expect, test } from 'vitest';
import type { StepResult } from '../../../src/testing/index.ts';
import { openRunner } from '../throwaway-action.ts';

const run = async (main: string) => await (await openRunner({ main })).startStep().done;
/** The log lines of the program itself. The header ends with the first endgroup. */
const shown = ({ log }: StepResult) =>
  log.slice(log.findIndex(({ kind }) => kind === 'endgroup') + 1).map(({ kind, text }) => `${kind}|${text}`);

test('notices, warnings and errors become annotations and lines, and do not fail the step', async () => {
  const result = await run(`
    say('::notice::one');
    say('::warning file=' + process.cwd() + '/src/a.ts,line=3,endLine=4,col=1,endColumn=9,title=T%3A::two%0Alines');
    say('  ::error file=/etc/b,line=x::three');
  `);
  expect(result.outcome).toBe('success');
  expect(result.annotations).toEqual([
    { level: 'notice', message: 'one' },
    {
      level: 'warning',
      message: 'two\nlines',
      title: 'T:',
      file: 'src/a.ts',
      line: 3,
      endLine: 4,
      column: 1,
      endColumn: 9,
    },
    { level: 'error', message: 'three', file: '/etc/b' },
  ]);
  expect(shown(result)).toEqual(['notice|one', 'warning|two\nlines', 'error|three']);
});

test('an error without a message is an annotation and no line', async () => {
  const result = await run(`say('::error::');`);
  expect(result.annotations).toEqual([{ level: 'error', message: '' }]);
  expect(shown(result)).toEqual([]);
});

test('ten annotations of a level are kept, every line is shown, a long message is cut', async () => {
  const result = await run(
    `for (let i = 0; i < 12; i += 1) say('::error::' + i); say('::warning::' + 'x'.repeat(5000));`,
  );
  const errors = result.annotations.filter(({ level }) => level === 'error');
  expect(errors.map(({ message }) => message)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  expect(result.annotations.at(-1)?.message).toHaveLength(4096);
  expect(shown(result)).toHaveLength(13);
});

test('commands are obeyed on both streams, after a carriage return and in the older form inside a line', async () => {
  const result = await run(`
    fs.writeSync(2, '::error::on stderr\\n');
    await sleep(500);
    fs.writeSync(1, '50%\\r::error::after CR\\n');
    say('agent says ##[error]inside');
  `);
  expect(result.annotations.map(({ message }) => message)).toEqual(['on stderr', 'after CR', 'inside']);
});

test('between stop-commands and its token no command is obeyed, and the token is masked', async () => {
  const result = await run(`
    say('::stop-commands::tok-123456');
    say('::error::no'); say('##[error]no'); say('::add-mask::no'); say('::other-token::'); say('::stop-commands::x');
    say('::TOK-123456::');
    say('::error::yes');
  `);
  expect(result.annotations).toEqual([{ level: 'error', message: 'yes' }]);
  expect(result.masks).toEqual([]);
  expect(shown(result)).toEqual([
    'text|::stop-commands::***',
    'text|::error::no',
    'text|##[error]no',
    'text|::add-mask::no',
    'text|::other-token::',
    'text|::stop-commands::x',
    'text|::TOK-123456::',
    'error|yes',
  ]);
});

test.each(['', 'pause-logging', 'Error', 'stop-commands'])(
  'the stop token %j is refused: commands stay on, the step fails',
  async token => {
    const result = await run(`say('::stop-commands::${token}'); say('::notice::still on');`);
    expect(result.outcome).toBe('failure');
    expect(result.annotations.map(({ level }) => level)).toEqual(['error', 'notice']);
  },
);

test('stop-commands ends with the program: the post part starts with commands on', async () => {
  const runner = await openRunner({ main: `say('::stop-commands::tok-123456');`, post: `say('::notice::on');` });
  await runner.startStep().done;
  expect((await runner.post())[0]?.annotations).toEqual([{ level: 'notice', message: 'on' }]);
});

test('a mask hides a value and each of its lines from then on, in the whole job', async () => {
  const runner = await openRunner({
    main: `say('s1 s2'); say('::add-mask::s1%0A  s2'); say('s1 s2'); say('::error::s2');`,
  });
  const first = await runner.startStep().done;
  const second = await runner.startStep().done;
  expect(first.masks).toEqual(['s1\n  s2']);
  expect(shown(first)).toEqual(['text|s1 s2', 'text|*** ***', 'error|***']);
  expect(first.annotations[0]?.message).toBe('***');
  expect(shown(second)[0]).toBe('text|*** ***');
});

test('a secret of the job is masked in the whole log, including the inputs', async () => {
  const runner = await openRunner({ main: `say(process.env.INPUT_KEY);`, inputs: { key: {} } }, { secrets: ['k3y'] });
  const result = await runner.startStep({ inputs: { key: 'k3y' } }).done;
  expect(result.log.map(({ text }) => text)).toEqual(['Run ./', 'with:', '  key: ***', '', '***']);
});

test('an empty mask causes a warning and masks nothing', async () => {
  const result = await run(`say('::add-mask:: '); say('a b');`);
  expect(result.annotations[0]?.message).toBe("Can't add secret mask for empty string in ##[add-mask] command.");
  expect(shown(result).at(-1)).toBe('text|a b');
});

test('groups open and close; the commands themselves are not shown', async () => {
  expect(shown(await run(`say('::group::Build'); say('x'); say('::endgroup::');`))).toEqual([
    'group|Build',
    'text|x',
    'endgroup|',
  ]);
});

test('while echo is on, commands are shown as printed, masks without their value', async () => {
  const result = await run(
    `say('::echo::on'); say('::group::A'); say('::add-mask::hush'); say('::echo::OFF'); say('::group::B');`,
  );
  expect(shown(result)).toEqual(['text|::group::A', 'group|A', 'text|::add-mask::***', 'text|::echo::OFF', 'group|B']);
});

test('set-output and save-state are obeyed with a warning and recorded; files win', async () => {
  const runner = await openRunner({
    main: `say('::set-output name=a::1'); say('::set-output name=b::1'); say('::save-state name=s::x'); put('OUTPUT', 'b=2\\n');`,
    post: `put('OUTPUT', 's=' + process.env.STATE_s);`,
  });
  const result = await runner.startStep().done;
  expect(result).toMatchObject({ outcome: 'success', outputs: { a: '1', b: '2' }, state: { s: 'x' } });
  expect(result.deprecatedCommands).toEqual(['set-output', 'set-output', 'save-state']);
  expect(result.annotations.map(({ level }) => level)).toEqual(['warning', 'warning', 'warning']);
  expect((await runner.post())[0]?.outputs).toEqual({ s: 'x' });
});

test('set-env and add-path change nothing, fail the step and are recorded', async () => {
  const result = await run(`say('::set-env name=A::1'); say('::add-path::/x');`);
  expect(result).toMatchObject({ outcome: 'failure', exitCode: 0, env: {}, path: [] });
  expect(result.refusedCommands).toEqual(['set-env', 'add-path']);
  expect(result.annotations[0]?.message).toBe("Unable to process command '::set-env name=A::1' successfully.");
  expect(result.annotations[1]?.message).toMatch(/^The `set-env` command is disabled\. /);
});

test.each(['::set-output::1', '::echo::maybe'])('%s is invalid and fails the step', async line => {
  expect((await run(`say('${line}');`)).outcome).toBe('failure');
});

test('an invalid command is shown as it is', async () => {
  expect(shown(await run(`say('::constructor::x'); say('a::b::c'); say('');`))).toEqual([
    'text|::constructor::x',
    'text|a::b::c',
    'text|',
  ]);
});
