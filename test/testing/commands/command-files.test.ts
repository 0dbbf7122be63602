import { expect, test } from 'vitest';
import { openRunner } from '../throwaway-action.ts';

const run = async (main: string) => await (await openRunner({ main })).startStep().done;

test('each program gets files of its own', async () => {
  const runner = await openRunner({
    main: `for (const name of ['OUTPUT', 'STATE', 'ENV', 'PATH', 'STEP_SUMMARY'])
      if (fs.readFileSync(process.env['GITHUB_' + name], 'utf8') !== '') throw new Error(name);
      put('OUTPUT', 'file=' + process.env.GITHUB_OUTPUT); put('STEP_SUMMARY', 'x');`,
  });
  const first = await runner.startStep().done;
  const second = await runner.startStep().done;
  expect([first.outcome, second.outcome]).toEqual(['success', 'success']);
  expect(first.outputs.file).not.toBe(second.outputs.file);
});

test('an output is unchanged to the character; the last value of a name wins', async () => {
  const value = '  <<EOF\nname=value\r\n\n%0A ::error::x 😀\t';
  const { outputs } = await run(
    `put('OUTPUT', 'text=first\\ntext<<ghd_9\\n' + ${JSON.stringify(value)} + '\\nghd_9\\n__proto__=own\\n');`,
  );
  expect(outputs.text).toBe(value);
  expect(Object.entries(outputs)).toContainEqual(['__proto__', 'own']);
});

test('a value that contains its delimiter can add outputs', async () => {
  const { outputs } = await run(
    `put('OUTPUT', 'result<<EOF\\n' + 'ok\\nEOF\\nconclusion=succeeded\\nrest<<EOF' + '\\nEOF\\n');`,
  );
  expect(outputs).toEqual({ result: 'ok', conclusion: 'succeeded', rest: '' });
});

test.each([
  ['a<<EOF\nvalue\n', "Invalid value. Matching delimiter not found 'EOF'"],
  ['no pair\n', "Invalid format 'no pair'"],
  ['=value\n', "Value cannot be null. (Parameter 'name')"],
])('the broken file %j fails the step that ended well, and keeps what stands before', async (text, message) => {
  const result = await run(`put('OUTPUT', 'before=1\\n' + ${JSON.stringify(text)}); put('STATE', 'saved=1\\n');`);
  expect(result).toMatchObject({ outcome: 'failure', exitCode: 0, outputs: { before: '1' }, state: { saved: '1' } });
  expect(result.annotations.map(annotation => annotation.message)).toEqual([
    "Unable to process file command 'output' successfully.",
    message,
  ]);
});

test('a deleted command file is accepted, and a folder in its place is a fault', async () => {
  expect((await run(`fs.rmSync(process.env.GITHUB_OUTPUT);`)).outcome).toBe('success');
  const result = await run(`fs.rmSync(process.env.GITHUB_STATE); fs.mkdirSync(process.env.GITHUB_STATE);`);
  expect(result.outcome).toBe('failure');
  expect(result.annotations[0]?.message).toBe("Unable to process file command 'state' successfully.");
});

test('a byte order mark is not part of the first name', async () => {
  expect((await run(`put('OUTPUT', '\\uFEFFname=x\\n');`)).outputs).toEqual({ name: 'x' });
});

test('the summary is kept up to 1 MiB, with secrets masked', async () => {
  const runner = await openRunner(
    { main: `put('STEP_SUMMARY', '# key s3cret\\n' + 'x'.repeat(2 ** 20 - 13));` },
    { secrets: ['s3cret'] },
  );
  const { summary, annotations } = await runner.startStep().done;
  expect(summary.slice(0, 12)).toBe('# key ***\nxx');
  expect(annotations).toEqual([]);
});

test('a summary one byte above 1 MiB is dropped with an error, and the step stays green', async () => {
  const result = await run(`put('STEP_SUMMARY', 'ü'.repeat(2 ** 19) + 'x');`);
  expect(result).toMatchObject({ summary: '', outcome: 'success' });
  expect(result.annotations).toHaveLength(1);
  expect(result.annotations[0]).toMatchObject({ level: 'error' });
  expect(result.annotations[0]?.message).toMatch(
    /^\$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got 1024k\./,
  );
});

test('an output with a secret is kept for the job and listed as lost for other jobs', async () => {
  const result = await run(`say('::add-mask::17'); put('OUTPUT', 'url=http://x/17\\nplain=18\\n');`);
  expect(result.outputs).toEqual({ url: 'http://x/17', plain: '18' });
  expect(result.jobOutputsDropped).toEqual(['url']);
});
