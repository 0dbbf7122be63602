import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInputs } from '../../../src/action/inputs/inputs.ts';
import { InputError } from '../../../src/action/inputs/values.ts';
import { reviewSchema } from '../../../src/contract/tables/review-schema.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createFakeHost } from '../fake-host.ts';

const read = (inputs: Readonly<Record<string, string>>, variables = {}) =>
  readInputs(createFakeHost({ prompt: 'x', ...inputs }, variables));

test('a prompt is kept exactly as written, and identifiers are trimmed', async () => {
  const { task } = await read({ prompt: '    code\n\n  more \n', model_id: 'm-1 ', name: ' n' });
  expect(task).toMatchObject({ prompt: '    code\n\n  more \n', modelId: 'm-1', name: 'n' });
});

const identifiers = {
  ...{ environment_id: 'env\n123', model_id: 'm\r\n1', name: 'a\tb', harness: 'cla\u0000ude', comment_key: 'a\u2028b' },
  ...{ run_id: 'r\n1', skill_spec: 'octo-org/x:\ny', base_url: 'https://a.example\n.com', ca_file: 'a\nb' },
};

test.each(Object.entries(identifiers))(
  '`%s` is refused by name if it has a control character, and is trimmed',
  async (name, value) => {
    await expect(read({ [name]: value })).rejects.toThrow(
      `\`${name}\`: ${JSON.stringify(value)} contains a line break or another control`,
    );
    const prompt = name === 'run_id' ? '' : 'x';
    const text = name === 'skill_spec' ? 'octo-org/x:y' : 'a-b';
    expect(JSON.stringify(await read({ prompt, [name]: `\n ${text}\r\n` }))).toContain(`"${text}"`);
  },
);

test.each([
  [
    'OUTPUT-SCHEMA',
    '`output-schema` is an input of openai/codex-action, not of this action. Did you mean `output_schema`?',
  ],
  ['FAIL-ON', '`fail-on` is not an input of this action. Did you mean `fail_on`'],
  ['PROMT', '`promt` is not an input of this action. Did you mean `prompt`'],
  ['APIKEY', '`apikey` is not an input of this action. Did you mean `api_key`'],
  ['MODEL', '`model` is not an input of this action. Did you mean `model_id`?'],
  ['WORKING-DIRECTORY', '`working-directory` is an input of openai/codex-action, not of this action. Did you mean'],
  ['CLAUDE_ARGS', 'this action. Remove it; docs/coming-from-another-action.md of agent-run says what to use instead'],
  [
    'EFFORT',
    '`effort` is an input of openai/codex-action, not of this action. Remove it; this action has nothing like',
  ],
  ['ANTHROPIC_API_KEY', 'not of this action. Set ANTHROPIC_API_KEY under `env:` of the step'],
  ['OPENAI-API-KEY', 'Set OPENAI_API_KEY under `env:`'],
  ['GEMINI_API_KEY', 'Set GEMINI_API_KEY under `env:`'],
  ['GEMINI_MODEL', 'Did you mean `model_id`'],
  ['DRY_RUN', '`dry_run` is an input of agent-run/apply, not of this action'],
  ['REVIEW_PATHS', '`review_paths` is an input of agent-run/apply, not of this action'],
])('an input INPUT_%s is refused with the intended name and without its value', async (name, sentence) => {
  const failed = await read({}, { [`INPUT_${name}`]: 'a value' }).catch((error: Error) => error);
  expect(failed).toBeInstanceOf(InputError);
  expect((failed as Error).message).toContain(sentence);
  expect((failed as Error).message).not.toContain('a value');
});

test.each([
  ['USE_STICKY_COMMENT', 'true', "Did you mean `comment: 'on'`?"],
  ['USE_STICKY_COMMENT', 'false', 'not of this action. Remove it'],
  ['SHOW_FULL_OUTPUT', 'true', 'Did you mean `log: full`?'],
  [
    'CLAUDE_ARGS',
    '--model claude-haiku-4-5 --max-turns 5\n--allowedTools "Edit,Bash(git log --all)"',
    'not of this action. Set `model_id: claude-haiku-4-5` for --model; there is no input for --max-turns, --allowedTools; `timeout_minutes` limits the run',
  ],
  [
    'CLAUDE_ARGS',
    `--append-system-prompt='Be a secret' --model="opus" --mcp-config {"a":"b"}`,
    'Set `base_prompt` for --append-system-prompt, `model_id: opus` for --model, `mcp_servers` for --mcp-config',
  ],
])('INPUT_%s: %s of another action is refused with its replacement', async (name, value, sentence) => {
  const message = await read({}, { [`INPUT_${name}`]: value }).catch((error: Error) => error.message);
  expect(String(message).slice(-sentence.length)).toBe(sentence);
});

test('all inputs of other actions are reported together, with the missing ones', async () => {
  const theirs = {
    INPUT_DIRECT_PROMPT: 'x',
    INPUT_MODEL: 'x',
    INPUT_CLAUDE_ARGS: '--max-turns 5',
    INPUT_MAX_TURNS: '5',
  };
  const message = await read({ prompt: '', timeout_minutes: 'x' }, theirs).catch((error: Error) => error.message);
  for (const part of [
    '`direct_prompt`',
    '`model`',
    '`claude_args`',
    '`max_turns`',
    'nothing to run',
    '`timeout_minutes` must',
  ])
    expect(message).toContain(part);
});

test('a misspelled input is reported before the one that it leaves out', async () => {
  await expect(read({ prompt: '' }, { INPUT_PROMT: 'x' })).rejects.toThrow(
    /Did you mean `prompt`\? There is nothing to run/,
  );
});

test('other INPUT_… variables, empty ones and our own inputs are left alone', async () => {
  const others = {
    INPUT_JOB: 'x',
    INPUT_RELEASE_TITLE: 'x',
    INPUT_VERSION: 'x',
    INPUT_TAG: 'x',
    INPUTS: 'x',
    INPUT_: 'x',
  };
  const own = { INPUT_PROMPT: 'x', INPUT_GITHUB_TOKEN: 'some-token', INPUT_TIMEOUT_MINUTES: '5' };
  await read({}, { ...others, ...own, INPUT_MODEL: '', 'INPUT_FAIL-ON': ' ' });
});

test('a title and a matrix context may have several lines', async () => {
  const { task, leg } = await read({ title: 'Fix it\n\nNow ', matrix_context: '{\n  "os": "linux"\n}' });
  expect([task.title, leg.matrix]).toEqual(['Fix it\n\nNow', '{\n  "os": "linux"\n}']);
});

test('empty inputs are undefined or the default', async () => {
  const blank = { wait: '', timeout_minutes: ' ', title: '', lease: '', fail_on: '', require_result: '', log: ' ' };
  expect(await read(blank)).toMatchObject({
    follow: { wait: true, timeoutMs: 3_600_000, queueTimeoutMs: undefined, lease: true, rerun: 'attach' },
    task: { title: undefined },
    place: { apiKey: undefined, allowHttp: false },
    report: { requireResult: 'auto', log: 'normal', comment: 'off', summary: true, annotations: true },
    trust: { allowBots: [], requirePermission: 'write', eventContext: 'auto', onMissingCredentials: 'fail' },
  });
});

test.each([
  ['True', true],
  ['FALSE', false],
  ['false', false],
])('wait: %s is %s', async (word, expected) => {
  expect((await read({ wait: word })).follow.wait).toBe(expected);
});

test.each([
  [{ wait: 'no' }, '`wait` must be true or false, not "no"'],
  [{ timeout_minutes: '0' }, 'at most 7200, such as 90 or 0.5, not "0"'],
  [{ timeout_minutes: '-1' }, '`timeout_minutes`'],
  [{ timeout_minutes: '1h' }, 'such as 90 or 0.5'],
  [{ timeout_minutes: '1e9' }, '`timeout_minutes`'],
  [{ queue_timeout_minutes: 'soon' }, '`queue_timeout_minutes` must be a number of minutes above 0'],
  [{ skill_spec: 'review' }, 'owner/repo:skill-name or owner/repo:path/to/SKILL.md'],
  [{ prompt: ' \n ' }, 'nothing to run'],
  [{ prompt: '${{ inputs.task }}' }, 'was not evaluated'],
  [{ name: '${{ github.actor }}' }, '`name` begins with ${{'],
  [{ prompt_file: 'p.md' }, 'are both set. Remove one'],
  [{ prompt: '', prompt_file: 'missing.md' }, '"missing.md" cannot be read: the file does not exist'],
  [{ fail_on: 'failed faild' }, '`fail_on`: "faild" is not one of succeeded, failed'],
  [{ fail_on: 'faild' }, 'Did you mean "failed"?'],
  [{ harness_version: 'latest' }, '`harness_version` must be an exact version such as 2.1.332, not "latest"'],
  [{ harness_version: '2.1' }, '`harness_version` must be an exact version'],
  [{ fail_when: 'verdict = bad' }, '`fail_when`: "verdict = bad" is not a condition. Write a path, == or !=, and'],
  [{ fail_when: 'verdict == bad' }, '`fail_when`: only a run with `output_schema` has a structured result. Set'],
  [{ fail_when: 'verdict == bad', wait: 'false' }, '`fail_when`: the step does not wait for the result. Remove'],
  [{ review: 'yes' }, '`review`: "yes" is not one of off, on'],
  [
    { review: 'on', wait: 'false' },
    '`review`: the step does not wait for the result. Remove `wait: false`, or `review`',
  ],
  [{ review: 'on', fail_when: 'verdict == reject' }, '`fail_when`: `output_schema` does not allow "reject" for'],
  [
    { fail_when: 'verdict == bad', cancel: 'true', run_id: 'r', prompt: '' },
    '`fail_when`: the step cancels the run. Remove one of `cancel` and `fail_when`',
  ],
  [
    { fail_when: 'verdct == bad', output_schema: 'properties: { verdict: { type: string } }' },
    '`fail_when`: `output_schema` has no "verdct". Did you mean "verdict"?',
  ],
  [{ rerun: 'always' }, '`rerun`: "always" is not one of attach, new'],
  [{ on_blocked: 'ask' }, '`on_blocked`'],
  [{ on_timeout: 'stop' }, '`on_timeout`'],
  [{ log: 'verbose' }, '`log`: "verbose" is not one of normal, full, quiet'],
  [{ comment: 'true' }, '`comment`: "true" is not one of off, on, on_failure. Did you mean "on"?'],
  [{ require_permission: 'admin' }, '`require_permission`'],
  [{ event_context: 'on' }, '`event_context`: "on" is not one of auto, off'],
  [{ on_missing_credentials: 'ignore' }, '`on_missing_credentials`'],
  [{ require_result: 'yes' }, '`require_result`'],
  [{ allow_bots: 'renovate[bot] *' }, '`allow_bots`: "*" is a pattern'],
  [{ pass_env: 'TOKEN=abc' }, '`pass_env`: "TOKEN" is not a variable name'],
  [{ pass_env: 'sk-ant-abc=def' }, '`pass_env`: the value (not shown) is not a variable name'],
  [{ metadata: 'team' }, '`metadata`: the line "team" is not a pair'],
  [{ metadata: 'a=1\na=2' }, '`metadata`: "a" is set twice'],
  [{ mcp_servers: '[1]' }, '`mcp_servers`: the value must be an object'],
  [{ mcp_servers: 'a: [\nb' }, '`mcp_servers`: the value is neither JSON nor YAML'],
  [{ output_schema: 'schema.json' }, '`output_schema`: "schema.json" cannot be read'],
  [{ run_id: 'r' }, '`run_id` names an existing run, but `prompt` is for a new one'],
  [{ prompt: '', run_id: 'r', model_id: 'm' }, '`model_id` is for a new one'],
  [{ cancel: 'true' }, '`cancel` is true, but `run_id` is empty'],
])('%j is refused by name, value and remedy', async (inputs, message) => {
  const refusal = await read(inputs).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(InputError);
  expect((refusal as Error).message).toContain(message);
});

test('all faults are reported at once, in the order of reading', async () => {
  const wrong = { prompt: '', prompt_file: 'none.md', wait: 'no', timeout_minutes: '1h', log: 'loud', comment: 'yes' };
  const refusal = await read(wrong).catch((error: Error) => error.message);
  expect(String(refusal).match(/(?<=^|[.?] )`\w+`/g)).toEqual([
    '`prompt_file`',
    '`wait`',
    '`timeout_minutes`',
    '`log`',
    '`comment`',
  ]);
  const others = { prompt: '', wait: 'no', cancel: 'true', command: 'my-agent "open', pass_env: 'NOT_THERE' };
  const all = String(await read(others).catch((error: Error) => error.message));
  for (const words of ['nothing to run', '`wait`', '`cancel` is true', 'NOT_THERE', 'is never closed'])
    expect(all).toContain(words);
  // With a server, the last two mean nothing.
  const served = await read({ ...others, base_url: 'https://agents.example.com' }).catch(String);
  expect(served).not.toMatch(/NOT_THERE|not closed/);
  // An unreadable input is not reported as missing too.
  expect(refusal).not.toContain('nothing to run');
});

test('a value that is invalid YAML is not shown, because it may hold a key', async () => {
  const refusal = await read({ mcp_servers: 'a:\n  token: "hush-hush\n' }).catch((error: Error) => error.message);
  expect(refusal).toMatch(/neither JSON nor YAML \(at line \d+, column \d+\)/);
  expect(refusal).not.toContain('hush');
});

test('only a prompt that is the path of a workspace file is refused as one', async () => {
  const [workspace, elsewhere] = [createTempFolder(), createTempFolder()];
  mkdirSync(join(workspace, 'prompts'));
  for (const file of ['prompts/review.md', 'a file']) writeFileSync(join(workspace, file), 'x');
  writeFileSync(join(elsewhere, 'other.md'), 'x');
  const at = (prompt: string) => read({ prompt }, { GITHUB_WORKSPACE: workspace });
  for (const path of ['prompts/review.md\n', join(workspace, 'prompts/review.md')])
    await expect(at(path)).rejects.toThrow(
      `\`prompt\` is the path of a file, ${JSON.stringify(path.trim())}. Did you mean \`prompt_file\`?`,
    );
  for (const text of ['prompts', 'a file', join(elsewhere, 'other.md'), 'x'.repeat(5000), 'a\0b'])
    expect((await at(text)).task.prompt).toBe(text);
});

test('a prompt file is read below the workspace at any size, and must be UTF-8', async () => {
  const workspace = createTempFolder();
  writeFileSync(join(workspace, 'p.md'), `  ${'x'.repeat(500_000)}\n`);
  writeFileSync(join(workspace, 'latin.md'), Buffer.from([0x66, 0xfc, 0x72]));
  writeFileSync(join(workspace, 'blank.md'), '\n\n');
  const at = (file: string) => read({ prompt: '', prompt_file: file }, { GITHUB_WORKSPACE: workspace });
  expect((await at('p.md')).task.prompt).toHaveLength(500_003);
  await expect(at('latin.md')).rejects.toThrow('it is not UTF-8');
  await expect(at('blank.md')).rejects.toThrow('is empty');
  await expect(at('.')).rejects.toThrow('it is a folder. Name a file');
});

test("the agent's folder has to be in the workspace", async () => {
  const workspace = createTempFolder();
  mkdirSync(join(workspace, 'repo'));
  symlinkSync(createTempFolder(), join(workspace, 'out'));
  writeFileSync(join(workspace, 'file'), '');
  const at = async (working_directory: string) =>
    (await read({ working_directory }, { GITHUB_WORKSPACE: workspace })).embedded.workingDirectory;
  expect(await at(' repo ')).toBe(join(workspace, 'repo'));
  expect([await at('.'), await at('')]).toEqual([workspace, undefined]);
  for (const missing of ['other', 'file', '..', 'out', '/'])
    await expect(at(missing)).rejects.toThrow(`\`working_directory\`: the workspace has no folder "${missing}"`);
});

test.skipIf(process.platform === 'win32').each(['prompt_file', 'mcp_servers', 'output_schema'])(
  '%s that is a device, a pipe, or too big is refused at once',
  async name => {
    const workspace = createTempFolder();
    symlinkSync('/dev/zero', join(workspace, 'zero'));
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    writeFileSync(join(workspace, 'big'), `{${' '.repeat(1_000_000)}`);
    const at = (file: string) =>
      read({ ...(name === 'prompt_file' ? { prompt: '' } : {}), [name]: file }, { GITHUB_WORKSPACE: workspace });
    for (const file of ['zero', 'pipe'])
      await expect(at(file)).rejects.toThrow(`\`${name}\`: "${file}" cannot be read: it is a device or a pipe`);
    await expect(at('big')).rejects.toThrow('it is larger than the limit of 1,000,000 bytes');
  },
);

test('an impossible result file is refused, and a possible one is not created yet', async () => {
  const workspace = createTempFolder();
  mkdirSync(join(workspace, 'out'));
  writeFileSync(join(workspace, 'file'), 'x');
  const at = async (file: string) =>
    (await read({ result_file: file }, { GITHUB_WORKSPACE: workspace })).report.resultFile;
  for (const file of ['a/b/result.md', 'out/result.md', 'file']) expect(await at(file)).toBe(file);
  for (const [file, why] of [
    ['.', 'is a folder'],
    ['out', 'is a folder'],
    ['new/', 'is a folder'],
    ['/dev/null', 'is a device'],
    ['file/result.md', 'cannot be created: '],
    ['/dev/null/a/b.md', 'cannot be created: "/dev/null" is not a folder'],
    ['x'.repeat(300), 'cannot be created (ENAMETOOLONG'],
  ] as const)
    await expect(at(file)).rejects.toThrow(
      new RegExp(`\`result_file\`: .*${why.replaceAll(/[.(]/g, '\\$&')}.*. Give the path`),
    );
  expect(readdirSync(workspace)).toEqual(['file', 'out']);
});

test.runIf(process.platform === 'linux')(
  'a result file on a file system that cannot create files is refused',
  async () => {
    await expect(read({ result_file: '/proc/none/a/result.md' })).rejects.toThrow('`result_file`');
  },
);

test('an object comes as JSON, as YAML, or from a file with either', async () => {
  const workspace = createTempFolder();
  writeFileSync(join(workspace, 'servers.yaml'), 'docs:\n  url: https://mcp.example.com\n');
  writeFileSync(join(workspace, 'schema.json'), '{"type":"object"}');
  writeFileSync(join(workspace, 'list.json'), '[]');
  const servers = { docs: { url: 'https://mcp.example.com' } };
  const at = async (value: string) =>
    (await read({ mcp_servers: value }, { GITHUB_WORKSPACE: workspace })).task.mcpServers;
  expect(await at(JSON.stringify(servers))).toEqual(servers);
  expect(await at('docs:\n  url: https://mcp.example.com')).toEqual(servers);
  expect(await at('docs: { url: "https://mcp.example.com" }')).toEqual(servers);
  expect(await at('{ docs: { url: "https://mcp.example.com" } }')).toEqual(servers);
  expect(await at('servers.yaml')).toEqual(servers);
  expect(await at(' schema.json ')).toEqual({ type: 'object' });
  await expect(at('list.json')).rejects.toThrow('"list.json" does not contain an object');
});

test("an agent's .mcp.json is accepted as it is, and a server may be named mcpServers", async () => {
  const docs = { docs: { url: 'https://mcp.example.com' } };
  const workspace = createTempFolder();
  writeFileSync(join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: docs }));
  const at = async (value: string) =>
    (await read({ mcp_servers: value }, { GITHUB_WORKSPACE: workspace })).task.mcpServers;
  expect(await at('.mcp.json')).toEqual(docs);
  expect(await at(JSON.stringify({ mcpServers: docs, inputs: [] }))).toEqual(docs);
  const odd = { mcpServers: { command: 'mcp-servers' } };
  expect(await at(JSON.stringify(odd))).toEqual(odd);
});

test('labels, bots, names and conclusions are lists', async () => {
  const inputs = await read({
    metadata: 'team = platform\n\nurl=https://example.com/?a=b',
    allow_bots: 'dependabot[bot], renovate[bot]',
    pass_env: 'A\nB_2',
    fail_on: 'failed, lost',
  });
  expect(inputs.task.metadata).toEqual({ team: 'platform', url: 'https://example.com/?a=b' });
  expect(inputs.trust.allowBots).toEqual(['dependabot[bot]', 'renovate[bot]']);
  expect(inputs.embedded.passEnv).toEqual(['A', 'B_2']);
  expect([...inputs.report.failOn]).toEqual(['failed', 'lost']);
  expect([...(await read({ fail_on: 'none' })).report.failOn]).toEqual([]);
});

test('a condition on an existing run needs no schema, because the run has its own', async () => {
  const { report } = await read({ prompt: '', run_id: 'id-1', fail_when: 'verdict == bad' });
  expect(report.failWhen).toMatchObject({ path: ['verdict'], values: ['bad'] });
});

test('review asks for the schema of a review, unless there is another or the run is of another step', async () => {
  const schemaOf = async (inputs: Readonly<Record<string, string>>) =>
    (await read({ review: 'on', ...inputs })).task.outputSchema;
  expect(await schemaOf({ prompt: 'x' })).toBe(reviewSchema);
  expect(await schemaOf({ prompt: 'x', output_schema: '{ "type": "object" }' })).toEqual({ type: 'object' });
  expect(await schemaOf({ prompt: '', run_id: 'id-1' })).toBeUndefined();
});

test('a key in place of a model or an agent is masked, because a comment would show it', async () => {
  const host = createFakeHost({
    prompt: 'x',
    model_id: 'sk-ant-api03-0123456789',
    harness: '0123456789abcdef0123456789abcdef',
  });
  await readInputs(host).catch(() => {});
  expect(host.masks).toEqual(['sk-ant-api03-0123456789', '0123456789abcdef0123456789abcdef']);
  const usual = createFakeHost({
    prompt: 'x',
    model_id: 'us.anthropic.claude-sonnet-4-20250514-v1:0',
    harness: 'claude',
  });
  await readInputs(usual).catch(() => {});
  expect(usual.masks).toEqual([]);
});

test('a key is masked before anything can print it, and never appears in an error', async () => {
  const host = createFakeHost({ prompt: 'x', api_key: ' first-line\nsecond-line\n', wait: 'maybe' });
  await expect(readInputs(host)).rejects.toThrow(InputError);
  expect(host.masks).toEqual(['first-line\nsecond-line']);
  const unevaluated = createFakeHost({ prompt: 'x', api_key: '${{ secrets.KEY }}' });
  await expect(readInputs(unevaluated)).rejects.toThrow('`api_key` is an expression that was not evaluated');
});

test.each([
  ['Bearer abcdefghijklmnop', 'a space'],
  ['abcdefgh\nijklmnop', 'a line break'],
  ['abcd\u00e9fghijk', 'a character that is not ASCII'],
])('a key that no header can carry is wrong rather than missing: %j', async (key, what) => {
  for (const name of ['api_key', 'github_token']) {
    const host = createFakeHost({ prompt: 'x', [name]: key });
    const refusal = await readInputs(host).catch((error: Error) => error.message);
    expect(refusal).toContain(`\`${name}\` contains ${what}, so it is not a key`);
    expect(refusal).not.toContain('fgh');
    expect(host.masks).toEqual([key]);
  }
});

test("the job's token is masked like a key, and a secret too short to mask well is warned about", async () => {
  const host = createFakeHost({ prompt: 'x', api_key: 'run-key', github_token: 'token-of-the-job' });
  const { place, report } = await readInputs(host);
  expect([place.apiKey, report.githubToken]).toEqual(['run-key', 'token-of-the-job']);
  expect(host.masks).toEqual(['run-key', 'token-of-the-job']);
  expect(host.warnings).toEqual([expect.stringContaining('`api_key` is shorter than 8 characters')]);
  expect(host.warnings.join()).not.toContain('run-key');
});
