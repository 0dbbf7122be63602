/** One run for each kind of harness, and for each end that is cheap to reach. */
import { fenced } from '../support/test-server.ts';

interface Journey {
  readonly body: Readonly<Record<string, unknown>> & {
    readonly config?: Readonly<Record<string, unknown>> & { readonly harness?: { readonly type: string } };
  };
  readonly state: string;
  /** Of an end that is not a success. */
  readonly code?: string;
  /** As an answer has it. */
  readonly harness: { readonly type: 'oz' | 'claude' | 'codex' | 'gemini'; readonly name: string };
}

const by = (type: string) => ({ harness: { type } });
const script = { type: 'oz', name: 'script' } as const;
const builtin = { type: 'oz', name: 'builtin' } as const;
const claude = { type: 'claude', name: 'claude' } as const;
const succeeded = { state: 'SUCCEEDED' } as const;
const failed = (code: string) => ({ state: 'FAILED', code });
const error = (code: string) => ({ state: 'ERROR', code });
const schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] };

export const journeys: Readonly<Record<string, Journey>> = {
  script: {
    body: {
      prompt: fenced('echo page > "$AGENT_RUN_ARTIFACTS/page.html"; echo hello'),
      title: 'A greeting',
      metadata: { team: 'shop' },
      trigger_url: 'https://example.com/job/1',
      config: { name: 'nightly', base_prompt: 'Be kind.' },
    },
    harness: script,
    ...succeeded,
  },
  command: { body: { prompt: 'hello', config: by('echo') }, harness: { type: 'oz', name: 'echo' }, ...succeeded },
  builtin: { body: { prompt: 'Do it.', config: by('builtin') }, harness: builtin, ...succeeded },
  claude: { body: { prompt: 'Do it.', config: by('claude') }, harness: claude, ...succeeded },
  codex: {
    body: { prompt: 'Do it.', config: by('codex') },
    harness: { type: 'codex', name: 'codex' },
    ...succeeded,
  },
  gemini: {
    body: { prompt: 'Do it.', config: by('gemini') },
    harness: { type: 'gemini', name: 'gemini' },
    ...succeeded,
  },
  opencode: {
    body: { prompt: 'Do it.', config: by('opencode') },
    harness: { type: 'oz', name: 'opencode' },
    ...succeeded,
  },
  default: { body: { prompt: fenced('true; echo x'), config: by('oz') }, harness: script, ...succeeded },
  skill: { body: { skill: 'octo-org/tools:greet' }, harness: script, ...succeeded },
  environment: {
    body: { prompt: fenced('echo more >>a.txt; echo done'), config: { environment_id: 'shop' } },
    harness: script,
    ...succeeded,
  },
  'a pushed branch': {
    body: { prompt: fenced('echo more >>a.txt; echo done'), config: { environment_id: 'notes' } },
    harness: script,
    ...succeeded,
  },
  'a tool server': {
    body: {
      prompt: 'Do it.',
      config: {
        ...by('claude'),
        mcp_servers: {
          memory: { command: 'true', args: ['x'], env: { TOKEN: 'secret-of-the-tool-server' }, required: false },
        },
      },
    },
    harness: claude,
    ...succeeded,
  },
  'a failing script': { body: { prompt: fenced('exit 3') }, harness: script, ...failed('agent_failed') },
  'a program that prints nothing': {
    body: { prompt: 'x', config: by('silent') },
    harness: { type: 'oz', name: 'silent' },
    ...failed('no_result'),
  },
  'a program that is not there': {
    body: { prompt: 'x', config: by('missing') },
    harness: { type: 'codex', name: 'missing' },
    ...failed('environment_setup_failed'),
  },
  'a setup that fails': {
    body: { prompt: fenced('true'), config: { environment_id: 'broken' } },
    harness: script,
    ...failed('environment_setup_failed'),
  },
  'a skill that is not there': {
    body: { skill: 'octo-org/closed:gone', config: { environment_id: 'closed' } },
    harness: script,
    ...failed('resource_not_found'),
  },
  'a refused push': {
    body: { prompt: fenced('echo more >>a.txt; echo done'), config: { environment_id: 'closed' } },
    harness: script,
    ...failed('publish_failed'),
  },
  'an answer of another shape': {
    body: { prompt: 'Do it.', config: { ...by('builtin'), output_schema: schema } },
    harness: builtin,
    ...failed('result_invalid'),
  },
  'an agent that never stops': {
    body: { prompt: 'Never stop.', config: by('short') },
    harness: { type: 'oz', name: 'short' },
    ...failed('step_limit'),
  },
  'a silent agent': {
    body: { prompt: 'play:silence', config: by('reviewer') },
    harness: { type: 'claude', name: 'reviewer' },
    ...failed('stalled'),
  },
  'a refused key': {
    body: { prompt: 'play:401', config: by('claude') },
    harness: claude,
    ...error('authentication_required'),
  },
  'an unknown model': {
    body: { prompt: 'play:404', config: by('claude') },
    harness: claude,
    ...failed('resource_not_found'),
  },
  'too many requests': {
    body: { prompt: 'play:429', config: by('claude') },
    harness: claude,
    ...error('rate_limited'),
  },
  'a broken endpoint': {
    body: { prompt: 'play:500', config: by('claude') },
    harness: claude,
    ...error('resource_unavailable'),
  },
};
