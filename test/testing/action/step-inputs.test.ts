import { expect, test } from 'vitest';
import { ActionMetadataError } from '../../../src/testing/index.ts';
import { openRunner } from '../throwaway-action.ts';

const printInputs = `
  const inputs = Object.entries(process.env).filter(([name]) => name.startsWith('INPUT_'));
  put('OUTPUT', 'inputs<<E\\n' + JSON.stringify(Object.fromEntries(inputs.sort())) + '\\nE\\n');
`;
const expression = (inner: string) => `\${{ ${inner} }}`;
const inputsOf = (outputs: Readonly<Record<string, string>>): unknown => JSON.parse(outputs.inputs ?? 'null');

test('inputs become variables: upper case, underscores for spaces, hyphens and line breaks kept', async () => {
  const runner = await openRunner({
    main: printInputs,
    inputs: { 'base url': {}, 'dry-run': {}, prompt: {}, count: {} },
  });
  const step = runner.startStep({ inputs: { 'base url': 'x', 'dry-run': true, Prompt: '  a\n\tb \n', count: 3 } });
  expect(inputsOf((await step.done).outputs)).toEqual({
    INPUT_BASE_URL: 'x',
    INPUT_COUNT: '3',
    'INPUT_DRY-RUN': 'true',
    INPUT_PROMPT: '  a\n\tb \n',
  });
});

test('a default replaces a missing input, not an empty one', async () => {
  const runner = await openRunner({
    main: printInputs,
    inputs: { wait: { default: true }, name: { default: 'x' }, must: { required: true } },
  });
  const { outputs, outcome } = await runner.startStep({ inputs: { name: '' } }).done;
  expect(inputsOf(outputs)).toEqual({ INPUT_WAIT: 'true', INPUT_NAME: '', INPUT_MUST: '' });
  expect(outcome).toBe('success');
});

test('an undeclared input is passed on with the real runner’s warning', async () => {
  const runner = await openRunner({ main: printInputs, inputs: { prompt: {}, name: {} } });
  const result = await runner.startStep({ inputs: { promt: 'x', nmae: 'y', name: 'z' } }).done;
  const message = "Unexpected input(s) 'promt', 'nmae', valid inputs are ['prompt', 'name']";
  expect(result.annotations).toEqual([{ level: 'warning', message }]);
  expect(inputsOf(result.outputs)).toMatchObject({ INPUT_PROMT: 'x', INPUT_NAME: 'z' });
});

test('a deprecated input causes a warning only if it is given', async () => {
  const runner = await openRunner({ main: '', inputs: { old: { deprecationMessage: 'use new' } } });
  const { annotations } = await runner.startStep({ inputs: { old: '1' } }).done;
  expect(annotations.map(({ message }) => message)).toEqual(["Input 'old' has been deprecated with message: use new"]);
  expect((await runner.startStep().done).annotations).toEqual([]);
});

test('defaults may name contexts, also as JSON', async () => {
  const inputs = {
    token: { default: expression('github.token') },
    matrix: { default: expression('toJSON(matrix)') },
    leg: { default: `${expression('strategy.job-index')}/${expression('strategy.job-total')}` },
    number: { default: expression('github.event.issue.number') },
    absent: { default: `${expression('github.event.pull_request.number')}${expression("'!'")}` },
    temp: { default: expression('runner.temp') },
  };
  const runner = await openRunner(
    { main: printInputs, inputs },
    {
      context: { token: 'ghs_1' },
      event: { issue: { number: 7 } },
      matrix: { os: 'linux' },
      strategy: { 'job-index': 1, 'job-total': 2 },
    },
  );
  expect(inputsOf((await runner.startStep().done).outputs)).toEqual({
    INPUT_TOKEN: 'ghs_1',
    INPUT_MATRIX: '{\n  "os": "linux"\n}',
    INPUT_LEG: '1/2',
    INPUT_NUMBER: '7',
    INPUT_ABSENT: '!',
    INPUT_TEMP: runner.temp,
  });
});

test('the matrix of a job without one is null', async () => {
  const runner = await openRunner({ main: printInputs, inputs: { matrix: { default: expression('toJSON(matrix)') } } });
  expect(inputsOf((await runner.startStep().done).outputs)).toEqual({ INPUT_MATRIX: 'null' });
});

test.each([expression("github.ref == 'x'"), expression('secrets.KEY'), expression("hashFiles('a')")])(
  'a default that cannot be evaluated is refused and not guessed: %s',
  async text => {
    const runner = await openRunner({ main: '', inputs: { x: { default: text } } });
    expect(() => runner.startStep()).toThrow(ActionMetadataError);
  },
);

test('an input above the system’s limit for a variable fails the step, as on a real runner', async () => {
  const runner = await openRunner({ main: '', inputs: { prompt: {} } });
  const result = await runner.startStep({ inputs: { prompt: 'x'.repeat(3_000_000) } }).done;
  expect(result).toMatchObject({ outcome: 'failure', exitCode: undefined });
  expect(result.annotations[0]?.message).toMatch(/^The program could not be started: .*E2BIG/);
});
