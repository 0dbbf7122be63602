/** A run's outputs, within their limits. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outputsOfRun } from '../../../src/action/report/outputs.ts';
import { keepResult, makeKeptFolder, outputsOfResult, resultOf } from '../../../src/action/report/result.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { budgets } from '../../../src/action/text/budget.ts';
import type { Run } from '../../../src/client/index.ts';
import { sizes } from '../../../src/contract/tables/sizes.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost, type FakeHost } from '../fake-host.ts';

const { max: wordsMax } = budgets.words;
const { max: listMax } = budgets.list;
const { max: jsonMax } = budgets.resultJson;
const runWith = (more: object) => ({ run_id: 'r-1', state: 'SUCCEEDED', title: 't', ...more }) as unknown as Run;
const outputsOf = (more: object, usage?: Readonly<Record<string, unknown>>) =>
  outputsOfRun(runWith(more), { usage, link: undefined });

/** A list with a single text whose JSON has this many characters. */
const listOf = (units: number) => ['x'.repeat(units - '[""]'.length)];

test.each<readonly [string, (result: string) => Partial<Record<'text' | 'structured', unknown>>]>([
  ['a text that is JSON', text => ({ text })],
  ['a structured result', text => ({ text: '', structured: JSON.parse(text) as unknown })],
])('%s is `result_json` up to its limit, and null above it', (_what, resultOf) => {
  const jsonOf = (units: number) => {
    const result = resultOf(JSON.stringify(listOf(units)));
    return outputsOfResult(runWith({ result }), { text: String(result.text), isPart: false }, '').result_json;
  };
  // Compares lengths, so that a failure does not print all of it.
  expect([jsonOf(jsonMax)?.length, jsonOf(jsonMax + 1)]).toEqual([jsonMax, 'null']);
});

test('a structured result that is too long for its output is whole in the file and marked as cut', async () => {
  const path = join(createTempFolder(), 'result.md');
  const keep = (units: number, text = '') => {
    const run = runWith({ result: { text, structured: listOf(units) } });
    return keepResult(run, { text, isPart: false }, path);
  };
  expect(await keep(jsonMax + 1)).toMatchObject({ result_json: 'null', result_truncated: 'true', result_file: path });
  expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(listOf(jsonMax + 1)));
  expect(await keep(100)).toMatchObject({ result_truncated: 'false', result_file: path });
  // The file has the text if there is one.
  expect((await keep(jsonMax + 1, 'a text')).result_truncated).toBe('true');
  expect(readFileSync(path, 'utf8')).toBe('a text');
});

test.each([
  ['SUCCEEDED', '2030-01-01T00:00:09.000Z', '9'],
  ['INPROGRESS', undefined, ''],
  // Other services only tell when a run last changed.
  ['SUCCEEDED', undefined, '4'],
])('a run that is %s and ended at %s worked for %j', (state, finished_at, seconds) => {
  const times = { started_at: '2030-01-01T00:00:00.000Z', updated_at: '2030-01-01T00:00:04.000Z', finished_at };
  expect(outputsOf({ state, ...times }).duration_seconds).toBe(seconds);
});

test('the working time is what the server measured, even if its clock was changed', () => {
  const times = { started_at: '2030-01-01T00:00:00.000Z', finished_at: '2031-01-01T00:00:00.000Z' };
  expect(outputsOf({ state: 'SUCCEEDED', ...times, run_time: 'PT1.5S' }).duration_seconds).toBe('1.5');
});

test('all outputs together fit a job, whatever a service sends', () => {
  const much = 'x'.repeat(1_000_000);
  const words = ['title', 'session_id', 'created_at', 'started_at', 'finished_at', 'state'].map(name => [name, much]);
  const run = runWith({
    ...Object.fromEntries(words),
    agent_config: { name: much },
    status_message: { message: much, error_code: much },
    artifacts: listOf(listMax),
    result: { text: much, truncated: false, structured: listOf(jsonMax) },
  });
  const outputs = {
    ...outputsOfRun(run, { usage: { a: 'x'.repeat(listMax - 8) }, link: `https://example.com/${'x'.repeat(2000)}` }),
    ...outputsOfResult(run, { text: much, isPart: false }, '/tmp/result.md'),
  };
  expect(Object.values(outputs).join('').length).toBeLessThan(budgets.outputs.max);
});

test.each([
  ['```json\n{"a": 1}\n```', '{"a":1}'],
  ['\n~~~~\r\n[1,\r\n 2]\r\n~~~~\n', '[1,2]'],
  ['{ "id": 12345678901234567890, "v": 1.0, "t": "a  \\" b" }', '{"id":12345678901234567890,"v":1.0,"t":"a  \\" b"}'],
  ['Here it is:\n```json\n{"a": 1}\n```', 'null'],
  ['```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', 'null'],
  ['{"a": 1}\n\x1b[?25h', '{"a":1}'],
  ['\x1b[32m{"a": \x1b[1m12345678901234567890\x1b[0m}\x1b[0m', '{"a":12345678901234567890}'],
  ['\x1b[2m```json\x1b[0m\n{"a": 1}\n\x1b[2m```\x1b[0m\n', '{"a":1}'],
  ['\x1b[32mnone\x1b[0m', 'null'],
  ['```', 'null'],
  ['```\n```', 'null'],
])('of %j `result_json` is %s', (text, json) => {
  expect(outputsOfResult(runWith({ result: { text } }), { text, isPart: false }, '').result_json).toBe(json);
});

test('a partial result is marked as one everywhere and has no result file', async () => {
  const path = join(createTempFolder(), 'result.md');
  const text = 'x'.repeat(sizes.resultInlineBytes);
  const kept = await keepResult(runWith({ result: { text, truncated: true } }), { text, isPart: true }, path);
  expect(kept).toMatchObject({ result_file: '', result_truncated: 'true' });
  expect(kept.result?.length).toBeLessThanOrEqual(budgets.result.max);
  expect(kept.result).toMatch(/^x{60000}[\s\S]*only the beginning of the result could be read/);
  expect(readFileSync(path, 'utf8')).toMatch(/^x{65536}\n\n\(only the beginning/);
});

test('a result whose visible part is only its end is not empty', async () => {
  const host = await leaveResult(`head -c 70000 /dev/zero | tr '\\0' '\\n'; echo THE ANSWER`);
  expect(host.outputs).toMatchObject({ conclusion: 'succeeded', result_empty: 'false', failure_reason: '' });
  expect(host.summary.join()).toContain('\nTHE ANSWER\n');
});

test("an agent's own line about a cut stays its own", async () => {
  const line = '[the first 5 bytes of the result were cut]';
  const host = await leaveResult(`echo '${line}'; yes | head -c 3000000 || :`);
  expect([host.warnings, host.outputs.result_truncated]).toEqual([[], 'true']);
  expect(readFileSync(host.outputs.result_file ?? '', 'utf8')).toBe(`${line}\n${'y\n'.repeat(1_500_000)}`);
  const run = runWith({ result: { text: `${line}\nx`, truncated: false, left_out_bytes: 7 } });
  expect(resultOf(run)).toMatchObject({ text: `${line}\nx`, cut: { leftOutBytes: 7 } });
});

test('a partial result is never JSON', () => {
  const run = runWith({ result: { text: '[1]', truncated: true } });
  expect(outputsOfResult(run, { text: '[1]', isPart: true }, '')).toMatchObject({
    result_json: 'null',
    result_truncated: 'true',
  });
});

test('lists are whole up to their limit and empty above it, because half a list is not JSON', () => {
  const usageOf = (units: number) => ({ a: 'x'.repeat(units - '{"a":""}'.length) });
  const full = outputsOf({ artifacts: listOf(listMax) }, usageOf(listMax));
  expect([full.artifacts?.length, full.usage?.length]).toEqual([listMax, listMax]);
  const over = outputsOf({ artifacts: listOf(listMax + 1) }, usageOf(listMax + 1));
  expect([over.artifacts, over.usage]).toEqual(['[]', '{}']);
});

test("the server's words are cut between two characters", () => {
  const long = `x${'ü'.repeat(wordsMax)}`;
  const texts = { state: long, title: long, session_id: long, created_at: long, started_at: long, finished_at: long };
  const words = outputsOf({
    ...texts,
    agent_config: { name: long },
    status_message: { message: long, error_code: long },
  });
  const cut = Object.entries(words).filter(([, value]) => value.startsWith('xü'));
  expect(cut.map(([name]) => name).toSorted()).toEqual(
    [...Object.keys(texts), 'name', 'status_message', 'error_code'].toSorted(),
  );
  for (const [name, value] of cut) {
    const room = wordsMax - Buffer.byteLength(value);
    expect([name, room >= 0 && room < 2, /^xü+…?$/.test(value)]).toEqual([name, true, true]);
  }
});

test('the pull request is the last one with an address', () => {
  const pull = (url: unknown) => ({ artifact_type: 'PULL_REQUEST', data: { url } });
  const of = (...artifacts: readonly object[]) => outputsOf({ artifacts }).pull_request_url;
  const [first, second] = ['https://github.com/octo-org/shop/pull/1', 'https://github.com/octo-org/shop/pull/2'];
  expect(of(pull(first), pull(second), { artifact_type: 'FILE', data: { url: 'https://example.com/file' } })).toBe(
    second,
  );
  expect(of(pull(first), pull('javascript:alert(1)'), pull(7))).toBe(first);
  expect(of()).toBe('');
});

test('each step keeps its files in a new folder, even if RUNNER_TEMP does not exist yet', async () => {
  const tempDir = join(createTempFolder(), 'temp');
  const folders = [await makeKeptFolder(tempDir), await makeKeptFolder(tempDir)];
  expect(new Set(folders).size).toBe(2);
  expect(folders.map(folder => [dirname(folder), readdirSync(folder)])).toEqual([
    [tempDir, []],
    [tempDir, []],
  ]);
});

/** Runs a step whose run leaves a result of this many bytes. */
async function leaveResult(write: string, { features }: { readonly features?: 'none' } = {}): Promise<FakeHost> {
  const server = await createTestServer(features === undefined ? {} : { features });
  onTestFinished(() => server.stop());
  const host = createFakeHost(
    { base_url: server.baseUrl, api_key: server.apiKey, prompt: fenced(`{ ${write}; } > "$AGENT_RUN_RESULT"`) },
    { PATH: process.env.PATH ?? '', RUNNER_TEMP: createTempFolder() },
  );
  await runAction(host);
  return host;
}

test('every report tells the full length of a result that the server cut, and the part it has', async () => {
  const wholeBytes = 6_000_000;
  const host = await leaveResult(`head -c ${wholeBytes} /dev/zero | tr '\\0' x`);
  const { result = '', result_file: path = '', result_truncated: isCut } = host.outputs;
  const [, missing, kept = ''] = /^\[the first (\d+) bytes .*\]\n([\s\S]*)$/.exec(readFileSync(path, 'utf8')) ?? [];
  const keptBytes = kept.length;
  expect([Number(missing) + keptBytes, isCut, host.outputs.conclusion]).toEqual([wholeBytes, 'true', 'succeeded']);
  const extent = `only the last ${keptBytes} of ${wholeBytes} bytes were kept; they are in`;
  const [, leftOut, words, shown = ''] = /^\(the first (\d+) bytes are left out; (.*)\)\n([\s\S]*)$/.exec(result) ?? [];
  expect([Number(leftOut) + shown.length, words]).toEqual([wholeBytes, `${extent} the file ${path}`]);
  expect(host.warnings.join()).toContain(`the result is incomplete: ${extent} ${path}`);
  expect(host.summary.join()).toContain(extent);
  expect([result, host.warnings, host.summary].join()).not.toContain('the whole is');
});

test('a partial result without an address on the server is reported as only a part of its end', async () => {
  const host = await leaveResult(`head -c 6000000 /dev/zero | tr '\\0' x`, { features: 'none' });
  expect(host.outputs).toMatchObject({ result_truncated: 'true', result_file: '' });
  const words = /the first \d+ bytes of the result were not kept, and only the beginning of the rest could be read/;
  for (const report of [host.outputs.result, host.summary.join(), host.warnings.join()]) expect(report).toMatch(words);
});

test('a result is data: colors stay in the output and the file but not in the summary', async () => {
  const text = '\x1b[32mall well\x1b[0m\n';
  const host = await leaveResult("printf '\\033[32mall well\\033[0m\\n'");
  expect([host.outputs.result, readFileSync(host.outputs.result_file ?? '', 'utf8')]).toEqual([text, text]);
  expect(host.summary.join()).toContain('\n\nall well\n\n');
});

test("if the server's whole result has no address, the outputs say that they have a part", async () => {
  const stepOn = async (features: 'all' | 'none') => {
    const server = await createTestServer(features === 'none' ? { features } : {});
    onTestFinished(() => server.stop());
    const prompt = fenced(`head -c 100000 /dev/zero | tr '\\0' x > "$AGENT_RUN_RESULT"`);
    const host = createFakeHost(
      { base_url: server.baseUrl, api_key: server.apiKey, prompt },
      { PATH: process.env.PATH ?? '', RUNNER_TEMP: createTempFolder() },
    );
    await runAction(host);
    return host;
  };
  const [whole, part] = [await stepOn('all'), await stepOn('none')];
  const sizeOf = ({ outputs }: FakeHost) => statSync(outputs.result_file ?? '').size;
  expect([sizeOf(whole), whole.outputs.result_truncated]).toEqual([100_000, 'true']);
  expect(part.outputs).toMatchObject({ conclusion: 'succeeded', result_truncated: 'true', result_file: '' });
  expect(part.outputs.result).toContain('only the beginning of the result could be read');
  expect(part.summary.join()).toContain('only the beginning of the result could be read');
  expect(part.summary.join()).not.toMatch(/the complete result is in/);
  expect(part.warnings.join()).toContain('the result is incomplete');
  expect(whole.warnings.join()).not.toContain('the result is incomplete');
});
