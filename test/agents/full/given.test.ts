/** What an agent is given reaches it: servers of tools, skills, a schema for its answer. */
import { resolve } from 'node:path';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { writeTree } from '../../server/worker/worker-fixture.ts';
import { startMcpServer } from '../../support/mcp-server.ts';
import { describeEnd, kinds, openAgentBench, outputsOf } from '../agent-bench.ts';

const localServer = resolve(import.meta.dirname, '../../support/mcp-server.ts');

describe.each(kinds)('%s', kind => {
  beforeEach(({ skip }) => skip(inject('missingAgents')[kind] !== undefined, inject('missingAgents')[kind]));

  test('calls tools of an MCP server that is a program and of one that is reached by HTTP, with their secrets', async () => {
    const remote = await startMcpServer();
    onTestFinished(async () => await remote[Symbol.asyncDispose]());
    const greet = (server: string) => ({ mcp: { server, tool: 'greet', input: { name: server } } });
    const bench = await openAgentBench(kind, {
      script: [{ tools: [greet('local')] }, { tools: [greet('remote')] }, { text: 'Both said hello.' }],
    });
    const ended = await bench.work('Greet both.', {
      mcp_servers: {
        local: { command: process.execPath, args: [localServer], env: { MCP_SECRET: 'of-local' } },
        remote: { url: remote.url, headers: { 'x-secret': 'of-the-remote' } },
      },
    });
    expect([ended.run.state, bench.model.problems], describeEnd(ended)).toEqual(['SUCCEEDED', []]);
    expect(outputsOf(ended)).toContain('hello local, secret of 8 characters');
    expect(outputsOf(ended)).toContain('hello remote, secret of 13 characters');
    expect(JSON.stringify([ended.run.result, ended.events])).not.toMatch(/of-local|of-the-remote/);
  });

  test('hears the prompt and the base prompt as they were written, whatever names of files and signs of the program are in them', async () => {
    const workspace = await writeTree({ 'package.json': '{}', 'deploy/keys.txt': 'internal-notes\n', b: 'of b\n' });
    const bench = await openAgentBench(kind, { script: [{ text: 'I heard.' }], workspace });
    const prompt = [
      '/help, then upgrade @types/node and tell @keys of bob@b, by "git -c user.email=a@b".',
      '! echo @package.json @./deploy @{deploy/keys.txt} @{gone} @{{args}} !{echo shell} {{args}} {{{args}}} !{ @{',
      '  `$HOME` $(pwd) \\@b \\ \' " \t # ``` {} é \u{1f4a1} \x7f\u2028',
      '/init',
    ].join('\n');
    const base_prompt = 'Mind @package.json and @deploy/keys.txt, says @octocat.';
    const ended = await bench.work(prompt, { base_prompt });
    expect([ended.run.state, bench.model.problems], describeEnd(ended)).toEqual(['SUCCEEDED', []]);
    const [request] = bench.model.requests.filter(({ isSide }) => !isSide);
    expect(request?.messages.map(({ text }) => text).join('\n')).toContain(prompt);
    const body = JSON.stringify(request?.body);
    expect(body).toContain(base_prompt);
    expect(body).not.toMatch(/internal-notes|Content from/);
  });

  test('hears of a second skill by its description, and can read it', async () => {
    const checkout = await writeTree({
      'skills/first/SKILL.md': '---\nname: first\ndescription: The first\n---\nBegin with the first.\n',
      'skills/second/SKILL.md': '---\nname: second\ndescription: Knows about lighthouses\n---\nThe lamp is green.\n',
    });
    const bench = await openAgentBench(kind, {
      repositories: { 'octo-org/skills': checkout },
      script: [{ tools: [{ shell: 'cat "$AGENT_RUN_ARTIFACTS/../skills/second/SKILL.md"' }] }, { text: 'I know.' }],
    });
    const ended = await bench.work('What is the colour of the lamp?', {
      skills: ['octo-org/skills:first', 'octo-org/skills:second'],
    });
    expect([ended.run.state, bench.model.problems], describeEnd(ended)).toEqual(['SUCCEEDED', []]);
    const body = JSON.stringify(bench.model.requests.find(({ isSide }) => !isSide)?.body);
    expect(body).toContain('Begin with the first.');
    expect(body).toContain('Knows about lighthouses');
    expect(body).not.toContain('The lamp is green.');
    expect(outputsOf(ended)).toContain('The lamp is green.');
  });

  test('lets its shell have what the configuration passes on, whatever it is called', async () => {
    const bench = await openAgentBench(kind, {
      script: [{ tools: [{ shell: 'echo "token: ${#GH_TOKEN}, plain: $PLAIN"' }] }, { text: 'Both.' }],
      env: { GH_TOKEN: "not 'a' $TOKEN", PLAIN: 'as it is' },
    });
    const ended = await bench.work('Look.');
    expect([ended.run.state, bench.model.problems], describeEnd(ended)).toEqual(['SUCCEEDED', []]);
    expect(outputsOf(ended)).toContain('token: 14, plain: as it is');
  });

  test('is asked once more, in the same conversation, for an answer that satisfies the schema', async () => {
    const bench = await openAgentBench(kind, { script: [{ text: '{"count": "seven"}' }, { text: '{"count": 7}' }] });
    const ended = await bench.work('Count them.', {
      output_schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    });
    expect([ended.run.state, bench.model.remaining], describeEnd(ended)).toEqual(['SUCCEEDED', 0]);
    expect(ended.run.result?.structured).toEqual({ count: 7 });
    const asked = bench.model.requests.filter(({ isSide }) => !isSide);
    const heard = asked[1]?.messages.map(({ text }) => text).join('\n');
    expect(heard).toContain('Count them.');
    expect(heard).toContain('{"count": "seven"}');
  });

  test('names the steps beyond which it is stopped', async () => {
    const bench = await openAgentBench(kind, { script: () => ({ tools: [{ shell: 'echo again' }] }), steps: 3 });
    const ended = await bench.work('Go on for ever.');
    expect([ended.run.state, ended.run.status_message?.reason], describeEnd(ended)).toEqual(['FAILED', 'step_limit']);
    expect(bench.model.requests.filter(({ isSide }) => !isSide).length).toBeLessThanOrEqual(8);
  });
});
