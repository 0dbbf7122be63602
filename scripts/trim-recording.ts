import { isObject, type JsonObject } from '../src/base/json.ts';

/** What a program printed and how it ended. */
export interface Recording {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: { readonly exit_code: number | null; readonly signal: string | null };
  /** The folder it worked in. */
  readonly root: string;
  /** Of the scripted model. */
  readonly url: string;
  readonly sessionId: string | undefined;
}

interface Trimming {
  /** Whether a reader looks at such an event. */
  readonly isKept?: (event: JsonObject) => boolean;
  /** Members that none looks at. */
  readonly omitted: readonly string[];
}

const trimmings: Readonly<Record<string, Trimming>> = {
  claude: {
    isKept: ({ type, subtype, event }) => {
      if (type === 'system') return subtype === 'init' || subtype === 'api_retry';
      if (type !== 'stream_event') return true;
      return isObject(event) && (event.type === 'message_start' || event.type === 'message_delta');
    },
    omitted:
      'additional_directories agents analytics_disabled apiKeySource begun_message_ids cache_creation cacheCreationEphemeral1hInputTokens cacheCreationEphemeral5mInputTokens canonicalModel capabilities claude_code_version container context_management contextWindow cwd diagnostics display duration_api_ms duration_ms fallback_credit fast_mode_disabled_reason fast_mode_state first_content_frame_ms inference_geo iterations maxOutputTokens memory_paths messaging_socket_path modelUsage num_turns original_cwd output_style per_turn_effort_active permission_denials permissionMode plugins product_feedback_disabled provider queued_turn_count request_id result_index safety_stops sandbox_enabled served_by_anthropic server_tool_use service_tier signature skills slash_commands source speed stop_details subagent_stats terminal_slash_commands thinking_display thinking_duration_ms time_to_request_ms timestamp tool_result_meta tool_use_meta tool_use_result tools total_cost_usd ttft_ms ttft_stream_ms ultrathink_available ultrathink_typed_raises uuid view_mode webSearchRequests'.split(
        ' ',
      ),
  },
  gemini: { omitted: ['timestamp', 'duration_ms', 'models'] },
  opencode: {
    isKept: ({ type }) => type !== 'agent_run_life',
    omitted: ['timestamp', 'start', 'metadata', 'title', 'responseHeaders', 'responseBody'],
  },
};
const textMax = 400;
const stderrMax = 1000;
const session = '01920000-0000-7000-8000-000000000001';

/** The text of a fixture: nothing of the machine, and of what nobody looks at as little as can be. */
export function trimRecording(kind: string, { stdout, stderr, exit, root, url, sessionId }: Recording): string {
  const { isKept = () => true, omitted = [] } = trimmings[kind] ?? {};
  const members = new Set(omitted);
  const clean = (text: string): string => {
    const general = text
      .replaceAll(root, '/run')
      .replaceAll(url, 'https://models.example.com')
      .replaceAll(new URL(url).host, 'models.example.com');
    return sessionId === undefined ? general : general.replaceAll(sessionId, session);
  };
  const trim = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value).slice(0, textMax);
    if (Array.isArray(value)) return value.map(trim);
    if (!isObject(value)) return value;
    const kept = Object.entries(value).filter(([name]) => !members.has(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, trim(member)]));
  };
  const events = stdout.split('\n').flatMap(line => {
    if (!line.startsWith('{')) return line === '' ? [] : [clean(line)];
    const event: unknown = JSON.parse(line);
    return isObject(event) && isKept(event) ? [JSON.stringify(trim(event))] : [];
  });
  const head = JSON.stringify({ ...exit, stderr: clean(stderr.replaceAll(/^ +at .*\n/gm, '')).slice(-stderrMax) });
  return `${[head, ...events].join('\n')}\n`;
}
