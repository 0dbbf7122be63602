/** The committed action with real agent programs: in the step itself, and on a server. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../src/testing/index.ts';
import { commitAll, writeTree } from '../server/worker/worker-fixture.ts';
import { openActionRunner, textOf } from '../support/action-step.ts';
import { modelKey, openAgentBench } from './agent-bench.ts';
import { listProcesses } from './run-processes.ts';

const script = [
  { text: 'I write it down.', tools: [{ write: { path: 'note.txt', content: 'hello from the tool\n' } }] },
  { text: 'It is written down.' },
];

const variables = {
  claude: { key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
  codex: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
} as const;

describe.each(['claude', 'codex'] as const)('%s', kind => {
  const reason = () => inject('missingAgents')[kind];

  test('in a step without a server: log, summary, outputs and patch', async ({ skip }) => {
    skip(reason() !== undefined, reason());
    const model = await startModelServer(script, { apiKey: modelKey });
    onTestFinished(() => model.close());
    const runner = await openActionRunner({ secrets: [modelKey] });
    writeFileSync(join(runner.workspace, 'README.md'), '# Notes\n');
    commitAll(runner.workspace);
    const { key, address } = variables[kind];
    const main = await runner.startStep({
      inputs: { prompt: 'Write the note 4711.', harness: kind, model_id: 'm-1' },
      env: { [key]: modelKey, [address]: model.url, AGENT_RUN_AGENTS: inject('agentsFolder') },
    }).done;
    expect([main.outputs.conclusion, main.outputs.result], textOf(main)).toEqual(['succeeded', 'It is written down.']);
    expect(textOf(main)).toContain('│ I write it down.');
    expect(readFileSync(join(runner.workspace, 'note.txt'), 'utf8')).toBe('hello from the tool\n');
    expect(readFileSync(main.outputs.patch_file ?? '', 'utf8')).toContain('+++ b/note.txt');
    expect(main.summary).toContain('It is written down.');
    expect(JSON.parse(main.outputs.usage ?? '')).toMatchObject({ input_tokens: expect.any(Number) });
    expect(JSON.stringify([main.log, main.summary, main.outputs])).not.toContain(modelKey);
    expect(model.problems).toEqual([]);
    expect(listProcesses({ runId: main.outputs.run_id ?? '' })).toEqual([]);
  });

  test('on a server: the same, and the patch is fetched', async ({ skip }) => {
    skip(reason() !== undefined, reason());
    const checkout = await writeTree({
      'skills/note/SKILL.md': '---\nname: note\ndescription: Takes notes\n---\nWrite notes in lower case.\n',
    });
    commitAll(checkout);
    const bench = await openAgentBench(kind, { script, repositories: { 'octo-org/notes': checkout } });
    const runner = await openActionRunner({ secrets: [bench.key] });
    const main = await runner.startStep({
      inputs: {
        base_url: bench.url,
        api_key: bench.key,
        prompt: 'Write the note 4711.',
        skill_spec: 'octo-org/notes:note',
      },
    }).done;
    expect([main.outputs.conclusion, main.outputs.result], textOf(main)).toEqual(['succeeded', 'It is written down.']);
    expect(readFileSync(main.outputs.patch_file ?? '', 'utf8')).toContain('+hello from the tool');
    expect(main.summary).toMatch(/files? changed, \+\d/);
    expect(JSON.stringify([main.log, main.summary, main.outputs])).not.toContain(modelKey);
    expect(bench.model.problems).toEqual([]);
  });
});
