/** Lines in an agent's own format with wrong contents, written by its tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../../src/base/json.ts';
import { readEventDraft } from '../../../../src/contract/events.ts';
import type { AgentSpec } from '../../../../src/server/harness/agents/adapter.ts';
import { agentAdapters } from '../../../../src/server/harness/agents/agent-table.ts';
import { settings } from './fake-agent.ts';
import { playLines } from './recording.ts';

const spec: AgentSpec = {
  prompt: '',
  instructions: '',
  model: 'large',
  endpoint: settings.endpoint,
  mcpServers: [{ type: 'http', name: 'tracker', url: 'http://127.0.0.1:9/', headers: {}, required: true }],
  skills: [],
  workspace: '/nowhere',
  stateDir: '/nowhere',
  tempDir: '/nowhere',
  newSessionId: 'n',
  variables: {},
  resume: undefined,
  stepsMax: 20,
};
const recordings = ['success', '401', '429-then-fine', 'mcp-tool', 'failing-tool', 'dead-mcp'];
const odd: readonly unknown[] = [null, 7, [], {}, [[{}]], { toString: 1, valueOf: 1 }];
const exit = { exitCode: 0, signal: undefined, outputTail: '' };

for (const kind of ['claude', 'codex', 'gemini', 'opencode'])
  test.each(recordings)(`${kind}: any changed line of the recording %s still gives events of the contract`, name => {
    const adapter = agentAdapters[kind];
    if (adapter === undefined) throw new Error(`there is no ${kind}`);
    const lines = readRecording(kind, name);
    const paths = new Set(lines.flatMap(line => [...pathsIn(line)]));
    expect(paths.size).toBeGreaterThan(5);
    for (const path of paths)
      for (const value of odd) {
        const reader = adapter.createReader(spec);
        for (const line of lines) {
          const changed = withValue(line, path.split('/'), value) as JsonObject;
          for (const event of readOrNothing(() => reader.read(changed))) {
            const json = JSON.stringify(event);
            expect(readEventDraft(JSON.parse(json)), `${path} = ${JSON.stringify(value)}: ${json}`).toBeDefined();
          }
        }
        expect(['succeeded', 'failed', 'none']).toContain(reader.claim(exit).kind);
      }
  });

test('a line that breaks a reader is output like any other, and so is a deeply nested one', async () => {
  const claude = agentAdapters.claude;
  if (claude === undefined) throw new Error('there is no claude');
  const retry = { type: 'system', subtype: 'api_retry', attempt: { toString: 1, valueOf: 1 } };
  const deep = `{"type":"user","message":{"content":[{"type":"tool_result","content":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}}`;
  const { events } = await playLines(claude, [JSON.stringify(retry), deep]);
  expect(events).toEqual([]);
});

function readRecording(kind: string, name: string): readonly JsonObject[] {
  const text = readFileSync(join(import.meta.dirname, 'fixtures', kind, `${name}.jsonl`), 'utf8');
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line));
}

/** `message/content/0/text`, for every member at every depth. */
function* pathsIn(value: unknown, above: readonly string[] = []): Iterable<string> {
  if (above.length > 0) yield above.join('/');
  if (above.length < 5 && (isObject(value) || Array.isArray(value)))
    for (const [name, member] of Object.entries(value))
      if (!name.includes('/')) yield* pathsIn(member, [...above, name]);
}

function withValue(value: unknown, [name, ...rest]: readonly string[], odd: unknown): unknown {
  if (name === undefined) return odd;
  if (Array.isArray(value))
    return value.map((member, at) => (String(at) === name ? withValue(member, rest, odd) : member));
  return isObject(value) && Object.hasOwn(value, name)
    ? { ...value, [name]: withValue(value[name], rest, odd) }
    : value;
}

function readOrNothing<T>(read: () => readonly T[] | undefined): readonly T[] {
  try {
    return read() ?? [];
  } catch {
    return [];
  }
}
