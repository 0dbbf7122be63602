/** Configured variables that look like secrets are redacted. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFakeAgent, settings } from '../harness/agents/fake-agent.ts';
import { environmentOf, inShop } from './environment-fixture.ts';
import { block, type Ended, openBench } from './worker-fixture.ts';

const token = 'npm_0123456789abcdefghijklmnop';
const key = 'gateway-key-0123456789abcdef';
const env = { NPM_TOKEN: token, STAGE: 'production' };

const textOf = ({ run, result, events }: Ended) => JSON.stringify([run, result, events]);

test('setup commands and blocks show *** for secret variables and keep plain words', async () => {
  const setup = ['echo token $NPM_TOKEN for $STAGE; printf %s "${NPM_TOKEN:0:9}"; sleep 0.2; echo "${NPM_TOKEN:9}"'];
  const bench = await openBench({ environments: [environmentOf(undefined, { env, setup })] });
  const ended = await bench.work(
    block('printf é$NPM_TOKEN >&2; echo first $NPM_TOKEN') + block('echo second $NPM_TOKEN'),
    inShop,
  );
  expect(ended.log.stdout).toBe('token *** for production\n***\nfirst ***\nsecond ***\n');
  expect(ended.log.stderr).toBe('é***');
  expect(ended.result).toBe('first ***\nsecond ***\n');
  expect(textOf(ended)).not.toContain(token);
});

test('the message of a failed setup command contains no secret variable', async () => {
  const setup = ['echo "no access with $NPM_TOKEN" >&2; exit 3'];
  const bench = await openBench({ environments: [environmentOf(undefined, { env, setup })] });
  const ended = await bench.work(block('true'), inShop);
  expect(ended.run.statusMessage?.message).toContain('It printed: no access with ***');
  expect(textOf(ended)).not.toContain(token);
});

test('result file, message and artifact names of a command contain no secret variable', async () => {
  const own = (script: string) => ({ own: { argv: ['bash', '-c', script] as const, env: { GATEWAY_KEY: key } } });
  const work = async (script: string, limits = {}) => {
    const bench = await openBench({
      environments: [environmentOf(undefined, { env })],
      harnesses: { default: 'own', script: false, commands: own(script) },
      limits,
    });
    return { bench, ended: await bench.work('Do it.', inShop) };
  };
  const { bench, ended } = await work(
    'echo "$GATEWAY_KEY in it" >"$AGENT_RUN_ARTIFACTS/$NPM_TOKEN.txt"; echo "my key is $GATEWAY_KEY" >"$AGENT_RUN_RESULT"',
  );
  expect(ended.result).toBe('my key is ***\n');
  expect(ended.run.artifacts[0]?.data).toMatchObject({ filename: '***.txt', filepath: '***.txt' });
  expect(textOf(ended)).not.toMatch(new RegExp(`${token}|${key}`));
  // The file itself is unchanged.
  const file = join(bench.dataDir, 'artifacts', ended.run.runId, String(ended.run.artifacts[0]?.data.artifact_uid));
  expect(await readFile(file, 'utf8')).toBe(`${key} in it\n`);
  const failed = (await work('echo "refused: $GATEWAY_KEY" >&2; exit 1')).ended;
  expect(failed.run.statusMessage?.message).toContain('It printed: refused: ***');
  const slow = (await work('echo "half: $GATEWAY_KEY" >"$AGENT_RUN_RESULT"; sleep 30', { run_minutes: 0.02 })).ended;
  expect([slow.run.statusMessage?.error_code, slow.result]).toEqual(['time_limit', 'half: ***\n']);
});

test('an agent shows no secret variable of its harness and environment', async () => {
  const agent = { kind: 'fake', ...settings, env: { GATEWAY_KEY: key } };
  const bench = await openBench({
    environments: [environmentOf(undefined, { env })],
    harnesses: { default: 'fake', agents: { fake: agent } },
    adapters: { fake: createFakeAgent([]) },
  });
  const say = (member: string, text: string) => `printf '{"${member}":"%s"}\\n' "${text}"`;
  const ended = await bench.work(
    [
      say('say', '$NPM_TOKEN on $STAGE'),
      say('call', '$GATEWAY_KEY'),
      say('back', '$NPM_TOKEN'),
      'echo $NPM_TOKEN >&2',
      say('done', 'it is $GATEWAY_KEY'),
    ].join('\n'),
    inShop,
  );
  expect(ended.result).toBe('it is ***');
  expect(ended.events.find(({ type }) => type === 'message')?.data).toMatchObject({ text: '*** on production' });
  expect(textOf(ended)).not.toMatch(new RegExp(`${token}|${key}`));
});
