import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/contract/events.ts';
import type { ServedRun } from '../../src/contract/run.ts';
import { renderEvents, renderRunPage } from '../../src/web/index.ts';

const at = '2030-01-01T12:00:00.000Z';
const hostile = `</pre></title><script>alert(1)</script><img src=x onerror=alert(2)>"'><a href='javascript:x'>&lt;\x1b]0;x\x07\u202E`;

test.each([hostile, '"', "'", '<!--', ']]>', '&', '`${x}`', '\x1b[31m<b>'])(
  'a run full of %j has the markup of a harmless run',
  async text => {
    expect(skeleton(await printPage(text))).toEqual(skeleton(await printPage('harmless')));
  },
);

test('no text becomes markup', async () => {
  const harmless = skeleton(await printPage('x'));
  const unit = fc.oneof(fc.constantFrom(...'<>&"\'`=/ \x1b\u202E\r'), fc.string({ unit: 'binary', minLength: 1 }));
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, minLength: 1, maxLength: 40 }), async text => {
      expect(skeleton(await printPage(text))).toEqual(harmless);
    }),
  );
});

test('the page contains no direction or control characters of its run', async () => {
  const page = await printPage(hostile);
  for (const character of '\x1b\x07\u202E') expect(page).not.toContain(character);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'JAVASCRIPT://example.com/%0aalert(1)',
  'https://',
  'file:///etc',
])('a trigger of %j is text, not a link', async trigger_url => {
  const page = await printPage('x', { trigger_url, artifacts: [] });
  expect(page).toContain(`<bdi>${trigger_url}</bdi>`);
  expect(page).not.toContain(`href="${trigger_url}`);
});

test('a web trigger is a link that cannot leave its attribute', async () => {
  const page = await printPage('x', { trigger_url: 'https://example.com/"onmouseover="alert(1)' });
  expect(page).toContain(
    '<a href="https://example.com/%22onmouseover=%22alert(1)" rel="noreferrer noopener nofollow">',
  );
});

test('the configuration is a list without credentials or JSON', async () => {
  const page = await printPage('x', {
    repository: 'octo-org/shop',
    ref: 'main',
    environment_name: undefined,
    agent_config: {
      name: 'tidy',
      skill_spec: 'octo-org/shop:tidy',
      skills: ['octo-org/shop:tidy', 'octo-org/shop:lint'],
      harness: { type: 'oz', name: 'script', token: 'SECRET' },
      model_id: 'small',
      mcp_servers: { tracker: { env: { KEY: 'SECRET' }, url: 'https://SECRET@example.com' }, wiki: {} },
      harness_auth_secrets: { deploy: 'SECRET' },
      idle_timeout_minutes: 5,
      worker_host: 'warp',
      computer_use_enabled: false,
    },
    agent_skill: { name: 'tidy', full_path: 'skills/tidy/SKILL.md' },
  });
  const facts = [...page.matchAll(/<dt>([^<]+)<\/dt><dd><bdi><code>([^<]*)<\/code>/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(facts).toEqual([
    ['Source', 'x'],
    ['Skill', 'octo-org/shop:tidy'],
    ['Skill file', 'skills/tidy/SKILL.md'],
    ['More skills', 'octo-org/shop:lint'],
    ['Repository', 'octo-org/shop'],
    ['Ref', 'main'],
    ['Harness', 'script'],
    ['Model', 'small'],
    ['MCP servers', 'tracker, wiki'],
    ['Idle timeout', '5 min'],
  ]);
  for (const text of ['SECRET', 'oz', 'warp', 'JSON']) expect(page).not.toContain(text);
});

test("an own name, a base prompt and a schema are shown, and a skill's file only once", async () => {
  const spec = 'octo-org/shop:skills/tidy/SKILL.md';
  const page = await printPage('x', {
    agent_config: { name: 'nightly', skill_spec: spec, base_prompt: 'Be brief.', output_schema: { type: 'object' } },
    agent_skill: { name: 'tidy', full_path: 'skills/tidy/SKILL.md' },
  });
  expect(page).toContain('<dt>Name</dt><dd><bdi><code>nightly</code>');
  expect(page).toMatch(/<h2>Base prompt<\/h2>\s*<pre>Be brief\.<\/pre>/);
  expect(page).toMatch(/<h2>Output schema<\/h2>\s*<pre>\{/);
  expect(page).not.toContain('Skill file');
});

test('a run that waits for a person says how to answer it', async () => {
  const answer = 'Answer with <code>npx agent-run followup id-1 MESSAGE</code>';
  const page = await printPage('x', { state: 'BLOCKED', status_message: { message: 'Delete it?' } });
  expect(page).toContain(answer);
  expect(page).toContain('the agent is waiting for a person');
  expect(await printPage('x')).not.toContain('agent-run followup');
});

test('a run shows the conversation of an earlier run, and an attempt after the first', async () => {
  const later = await printPage('x', { run_id: 'id-2', attempt: 2 });
  expect(later).toContain('<dt>Conversation</dt><dd><bdi><code>id-1</code></bdi></dd>');
  expect(later).toContain('<dt>Attempt</dt><dd><bdi>2</bdi></dd>');
  expect(await printPage('x', { session_id: 's1' })).not.toMatch(/<dt>(Conversation|Attempt)</);
});

test('a cut result says where to find all of it', async () => {
  const result = { text: 'the beginning', truncated: true };
  expect(await printPage('x', { result })).toContain('GET /api/v1/agent/runs/id-1/result');
  expect(await printPage('x', { result })).toContain('</code> returns all of it.');
  const cut = await printPage('x', { result: { ...result, left_out_bytes: 9 } });
  expect(cut).toContain('returns all that was kept.');
  expect(cut).toContain('[the first 9 bytes of the result were cut]\nthe beginning');
  expect(await printPage('x', { result: { ...result, truncated: false } })).not.toContain('/result');
});

test('an open run loads the script and refreshes without it; a finished one does neither', async () => {
  const open = await printPage('x', { state: 'INPROGRESS' });
  expect(open).toContain('<noscript><meta http-equiv="refresh"');
  expect(open).toContain('<script>');
  const over = await printPage('x', { state: 'SUCCEEDED' });
  expect(over).not.toContain('http-equiv');
  expect(over).not.toContain('<script>');
});

test('an unknown state is shown as it is', async () => {
  expect(await printPage('x', { state: 'PAUSED' })).toContain('<span class="badge idle">PAUSED</span>');
});

test('a skill is shown as given, with its description at full width', async () => {
  const page = await printPage('x', {
    agent_config: { skill_spec: 'octo-org/shop:tidy' },
    agent_skill: { name: 'tidy', description: 'Tidies every test.', full_path: 'skills/tidy/SKILL.md' },
  });
  expect(page).toContain('<dt>Skill</dt><dd><bdi><code>octo-org/shop:tidy</code></bdi></dd>');
  expect(page).toContain('<code>skills/tidy/SKILL.md</code>');
  expect(page).toMatch(/<div class="broad"><dt>[^<]*<\/dt><dd><bdi>Tidies every test\./);
});

test('a long prompt is folded, a short one is not', async () => {
  expect(await printPage('x', { prompt: 'short' })).toContain('<pre>short</pre>');
  expect(await printPage('x', { prompt: 'line\n'.repeat(40) })).toContain(
    '<span class="quiet">… 41 lines</span></summary>',
  );
});

test('output that continues a line is joined to it, only within its own stream', async () => {
  const pieces: readonly (readonly ['stdout' | 'stderr', string])[] = [
    ['stdout', '10%\r'],
    ['stdout', '100%'],
    ['stdout', '\n'],
    ['stdout', 'next'],
    ['stderr', 'warning\n'],
    ['stdout', 'more\n'],
  ];
  const markup = String(
    await renderEvents(
      pieces.map(([stream, text], index) => ({ seq: index + 1, at, type: 'log', data: { stream, text } })),
    ),
  );
  const entries = [...markup.matchAll(/data-seq="(\d+)".*?<span class="kind">(\w+)<\/span><div><pre>(.*?)<\/pre>/g)];
  expect(entries.map(([, seq, stream, text]) => [seq, stream, text])).toEqual([
    ['1', 'stdout', '100%'],
    ['4', 'stdout', 'next'],
    ['5', 'stderr', 'warning'],
    ['6', 'stdout', 'more'],
  ]);
});

async function printPage(text: string, more: Partial<ServedRun> = {}): Promise<string> {
  const run: ServedRun = {
    run_id: 'id-1',
    conversation_id: 'id-1',
    task_id: 'id-1',
    title: text,
    prompt: text,
    state: 'FAILED',
    status_message: { message: text, reason: text, retryable: true },
    created_at: at,
    updated_at: at,
    started_at: at,
    finished_at: at,
    attempt: 1,
    source: text,
    execution_location: 'REMOTE',
    creator: { type: 'service_account', uid: text, display_name: text },
    agent_config: { name: text, model_id: text, base_prompt: text, harness: { type: text }, environment_id: text },
    agent_skill: { name: text, description: text, full_path: text },
    trigger_url: `https://example.com/${text}`,
    metadata: { [text]: text },
    last_seq: 10,
    is_run_type_cancellable: true,
    environment_name: text,
    request_usage: { [text]: text },
    artifacts: [
      {
        artifact_type: 'FILE',
        created_at: at,
        data: { artifact_uid: 'a-1', filename: text, filepath: text, mime_type: text },
      },
      { artifact_type: 'PULL_REQUEST', created_at: at, data: { url: `https://example.com/${text}`, branch: text } },
      { artifact_type: text as 'a b', created_at: at, data: { title: text, url: text, description: text } },
    ],
    result: { text, truncated: true },
    ...more,
  };
  const events: readonly RunEvent[] = [
    { seq: 1, at, type: 'state', data: { state: text, message: text } },
    { seq: 2, at, type: 'message', data: { role: text, text } },
    {
      seq: 3,
      at,
      type: 'tool_call',
      data: { id: text, name: text, input: { [text]: text, more: 'word '.repeat(40) } },
    },
    { seq: 4, at, type: 'tool_result', data: { id: text, output: text, is_error: false } },
    { seq: 5, at, type: 'tool_result', data: { id: text, output: [text], is_error: true } },
    { seq: 6, at, type: 'log', data: { stream: 'stdout', text } },
    { seq: 7, at, type: 'log', data: { stream: 'stderr', text } },
    { seq: 8, at, type: 'log', data: { stream: 'system', text } },
    { seq: 9, at, type: 'usage', data: { [text]: text } },
    { seq: 10, at, type: 'artifact', data: { name: text } },
  ];
  return String(await renderRunPage({ run, version: 1, events, isNewest: true, token: text, nowMs: Date.parse(at) }));
}

/** The tags of a page in order with the names of their attributes, without text. */
function skeleton(page: string): readonly string[] {
  const tags = page.match(/<(?:[^<>"]|"[^"]*")*>|</g) ?? [];
  return tags.map(tag => tag.replace(/="[^"]*"/g, '='));
}

test('a warning of the service has its own style', async () => {
  const text = 'warning: look here\n';
  const event: RunEvent = { seq: 2, at, type: 'log', data: { stream: 'system', level: 'warning', text } };
  expect(String(await renderEvents([event]))).toMatch(
    /<li class="bad".*<span class="kind">warning<\/span><div><pre>look here</,
  );
});

test('a failed command shows its exit code, whatever it printed', async () => {
  const data = { id: 'a', output: '', is_error: true, exit_code: 3 };
  expect(String(await renderEvents([{ seq: 2, at, type: 'tool_result', data }]))).toContain('exit code 3');
});

test('a shell call shows its command, not JSON', async () => {
  const event: RunEvent = {
    seq: 2,
    at,
    type: 'tool_call',
    data: { id: 'a', name: 'shell', input: { command: 'npm test' } },
  };
  expect(String(await renderEvents([event]))).toContain('<b><bdi>shell  npm test</bdi></b></div>');
});
