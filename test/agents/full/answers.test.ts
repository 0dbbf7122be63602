/** What an agent says last is the result of its run, whatever it or its program did before. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { makeCertificate } from '../../action/connect/certificates.ts';
import { hiddenHost, openProxy } from '../../action/connect/partners.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { openTlsFront } from '../../support/tls-front.ts';
import { describeEnd, kinds, openAgentBench, outputsOf } from '../agent-bench.ts';

const missing = inject('missingAgents');

describe.each(kinds)('%s', kind => {
  beforeEach(({ skip }) => skip(missing[kind] !== undefined, missing[kind]));

  test('an answer that is longer than a pipe holds is whole', async () => {
    const text = Array.from({ length: 16_000 }, (_, line) => createHash('sha256').update(`${line}`).digest('hex')).join(
      '\n',
    );
    const bench = await openAgentBench(kind, { script: [{ text }] });
    const ended = await bench.work('Say much.');
    expect(ended.run.state, describeEnd(ended)).toBe('SUCCEEDED');
    const said = await bench.client.runs.result(ended.run.run_id);
    expect([said.length, said === text]).toEqual([text.length, true]);
    expect(ended.run.request_usage).toMatchObject({ output_tokens: expect.any(Number) });
  });

  test('has the options of Node for its tools that the configuration passes on, and no others', async () => {
    const script = [{ tools: [{ shell: 'echo "[${NODE_OPTIONS-none}]"' }] }, { text: 'Seen.' }];
    for (const env of [{}, { NODE_OPTIONS: '--max-old-space-size=2000' }]) {
      const bench = await openAgentBench(kind, { script, env });
      const ended = await bench.work('Look.');
      expect(ended.run.state, describeEnd(ended)).toBe('SUCCEEDED');
      expect(outputsOf(ended)).toContain(`[${env.NODE_OPTIONS ?? 'none'}]`);
    }
  });

  test('a call that is made again and again is no failure below the limit of steps', async () => {
    const same = { tools: [{ shell: 'cat state.txt || true' }] };
    const bench = await openAgentBench(kind, { script: [...Array.from({ length: 8 }, () => same), { text: 'Done.' }] });
    const ended = await bench.work('Wait until it is done.');
    expect([ended.run.state, ended.run.result?.text], describeEnd(ended)).toEqual(['SUCCEEDED', 'Done.']);
    expect(bench.model.remaining).toBe(0);
  });
});

describe.each(['builtin', 'gemini', 'opencode'])('%s', kind => {
  beforeEach(({ skip }) => skip(missing[kind] !== undefined, missing[kind]));

  test('asks a model behind a proxy whose authority NODE_EXTRA_CA_CERTS names', async () => {
    const authority = makeCertificate({ name: 'agent-run test authority' });
    const identity = makeCertificate({ name: hiddenHost, authority });
    const file = join(createTempFolder(), 'authority.pem');
    writeFileSync(file, authority.cert);
    let asked: readonly string[] = [];
    const bench = await openAgentBench(kind, {
      script: () => ({ text: 'Through.' }),
      reach: async url => {
        const proxy = await openProxy({ port: await openTlsFront(identity, url) });
        asked = proxy.seen;
        const env = { HTTPS_PROXY: `http://${proxy.host}`, NODE_EXTRA_CA_CERTS: file };
        return { root: `https://${hiddenHost}`, env };
      },
    });
    const ended = await bench.work('Say it.');
    expect([ended.run.state, ended.run.result?.text], describeEnd(ended)).toEqual(['SUCCEEDED', 'Through.']);
    expect(new Set(asked)).toEqual(new Set([`CONNECT ${hiddenHost}:443`]));
  });
});

describe('opencode', () => {
  beforeEach(({ skip }) => skip(missing.opencode !== undefined, missing.opencode));

  test('that makes its conversation shorter and then answers has succeeded, and its own notices are not its words', async () => {
    const bench = await openAgentBench('opencode', {
      script: [
        { text: 'I look.', tools: [{ shell: 'echo seen' }] },
        { status: 400, code: 'context_length_exceeded', error: "This model's maximum context length is 8192 tokens." },
        { text: 'The summary of what was done.' },
        { text: 'It is done.' },
      ],
    });
    const ended = await bench.work('Do it.');
    expect([ended.run.state, ended.run.result?.text], describeEnd(ended)).toEqual(['SUCCEEDED', 'It is done.']);
    const said = ended.events.flatMap(({ type, data }) => (type === 'message' ? [data.text] : []));
    expect(said).toEqual(['I look.', 'It is done.']);
  });
});
