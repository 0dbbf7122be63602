import type { JsonObject } from '../../../../src/base/json.ts';
import type { EventDraft } from '../../../../src/contract/events.ts';
import type { AgentAdapter, AgentSpec } from '../../../../src/server/harness/agents/adapter.ts';
import type { FaultKind } from '../../../../src/server/harness/agents/agent-fault.ts';
import type { AgentSettings } from '../../../../src/server/harness/agents/agent-harness.ts';

/** As in the configuration. */
export const settings: AgentSettings = {
  endpoint: { api: 'anthropic', root: 'https://models.example.com', apiKey: 'the-key-of-the-model' },
  model: 'large',
  models: undefined,
  program: undefined,
  steps: 20,
  stallMs: 60_000,
  env: {},
};

/**
 * An agent whose program is a shell that runs the prompt. A line of JSON that it prints is an event: `{"say"}` is a
 * message, `{"call"}` and `{"back"}` are a tool's, `{"step"}` an answer of the model, `{"session"}` its id,
 * `{"done"}` the end with an answer and `{"fail"}` one without.
 */
export function createFakeAgent(launched: AgentSpec[] = []): AgentAdapter {
  return {
    title: 'Fake Agent',
    apis: ['anthropic'],
    program: 'sh',
    versionArgs: ['--version'],
    launch(spec) {
      launched.push(spec);
      return {
        args: ['-s'],
        env: { MODEL: spec.model, INSTRUCTIONS: spec.instructions, RESUMED: spec.resume ?? '' },
        stdin: spec.prompt,
        files: [{ path: 'fake/settings.json', text: JSON.stringify({ mcp: spec.mcpServers }) }],
        skillsFolder: 'fake/skills',
      };
    },
    createReader() {
      let steps = 0;
      let running = 0;
      let sessionId: string | undefined;
      let end: JsonObject | undefined;
      return {
        read(event): readonly EventDraft[] {
          if (typeof event.session === 'string') sessionId = event.session;
          if (event.step !== undefined) steps += 1;
          if (event.done !== undefined || event.fail !== undefined) end = event;
          if (typeof event.say === 'string') return [{ type: 'message', data: { role: 'assistant', text: event.say } }];
          if (event.usage !== undefined) return [{ type: 'usage', data: { tokens: event.usage } }];
          if (event.call !== undefined) {
            running += 1;
            return [{ type: 'tool_call', data: { id: 'a', name: 'shell', input: event.call } }];
          }
          if (event.back !== undefined) {
            running -= 1;
            return [{ type: 'tool_result', data: { id: 'a', output: event.back, is_error: false } }];
          }
          return [];
        },
        claim() {
          if (typeof end?.done === 'string') return { kind: 'succeeded', text: end.done };
          if (typeof end?.fail === 'string')
            return { kind: 'failed', fault: end.fail as FaultKind, message: 'it said so' };
          return { kind: 'none' };
        },
        get steps() {
          return steps;
        },
        get isToolRunning() {
          return running > 0;
        },
        get sessionId() {
          return sessionId;
        },
      };
    },
  };
}
