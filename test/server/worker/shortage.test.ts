/** A machine short of open files or processes: a run is put back before its agent has begun, and never afterwards. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Executor, ExecutorRequest } from '../../../src/server/executor/executor.ts';
import { installFakeDocker } from '../../support/fake-docker.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createFakeAgent, settings } from '../harness/agents/fake-agent.ts';
import { environmentOf, inShop } from './environment-fixture.ts';
import { type Bench, type Ended, openBench } from './worker-fixture.ts';

type Options = NonNullable<Parameters<typeof openBench>[0]>;
type Execute = Executor['execute'];

const shortage = (code: string) => Object.assign(new Error(`spawn sh ${code}`), { code });

/** A worker whose agent records each of its starts in a file. `around` wraps the executor for the agent only. */
async function openShort(around: (real: Execute) => Execute, options: Options = {}) {
  const notes = join(createTempFolder(), 'starts');
  const isAgent = ({ command }: ExecutorRequest) => command.stdin.includes(notes);
  const bench = await openBench({
    harnesses: { default: 'fake', agents: { fake: { kind: 'fake', ...settings } } },
    adapters: { fake: createFakeAgent() },
    executor: real => {
      const forAgent = around(real.execute);
      return { ...real, execute: request => (isAgent(request) ? forAgent : real.execute)(request) };
    },
    ...options,
  });
  return {
    bench,
    prompt: `echo started >>${notes}; echo '{"done":"x"}'`,
    countStarts: async () => (await readFile(notes, 'utf8').catch(() => '')).split('started').length - 1,
  };
}

/** The first start fails with this code, later ones do not. */
function failOnce(code: string): (real: Execute) => Execute {
  let starts = 0;
  return real => async request => {
    starts += 1;
    if (starts === 1) throw shortage(code);
    return await real(request);
  };
}

async function workAgain(bench: Bench): Promise<Ended> {
  const claimed = await bench.store.claimRun();
  if (claimed === undefined) throw new Error('nothing to claim');
  await bench.worker.run(claimed);
  return await bench.look(claimed.runId);
}

const putBack = (code: string) => ({
  state: 'QUEUED',
  statusMessage: { message: expect.stringContaining(`(${code}) and could not start the agent. It will try again`) },
});

describe.each(['a process', 'a container'])('an agent in %s', place => {
  const placeOf = (): Options => {
    if (place === 'a process') return {};
    const { file, env } = installFakeDocker();
    return { containers: { engine: { file, env } }, image: 'tools:1' };
  };

  test('that has run is not run again after a shortage at its end: the run ends ERROR', async () => {
    const afterwards = (real: Execute): Execute => {
      return async request => {
        await real(request);
        throw shortage('EMFILE');
      };
    };
    const { bench, prompt, countStarts } = await openShort(afterwards, placeOf());
    const { run } = await bench.work(prompt);
    expect(run).toMatchObject({ state: 'ERROR', statusMessage: { error_code: 'internal_error' } });
    expect(await bench.store.claimRun()).toBeUndefined();
    expect(await countStarts()).toBe(1);
  });

  test.each(['EMFILE', 'EAGAIN'])(
    'that %s kept from starting is started once when the run is tried again',
    async code => {
      const { bench, prompt, countStarts } = await openShort(failOnce(code), placeOf());
      const { run } = await bench.work(prompt);
      expect(run).toMatchObject(putBack(code));
      expect(await countStarts()).toBe(0);
      expect((await workAgain(bench)).run).toMatchObject({ runId: run.runId, state: 'SUCCEEDED' });
      expect(await countStarts()).toBe(1);
    },
  );
});

test('a check of MCP servers is not the agent: a shortage after it puts the run back', async () => {
  const { bench, prompt } = await openShort(failOnce('EMFILE'));
  const live = { command: process.execPath, args: [resolve(import.meta.dirname, '../../support/mcp-server.ts')] };
  const { run } = await bench.work(prompt, { mcp_servers: { live } });
  expect(run).toMatchObject(putBack('EMFILE'));
});

test('setup commands are not the agent: they are executed again in a new folder', async () => {
  const environments = [environmentOf(undefined, { setup: ['test ! -e made && touch made && echo set up'] })];
  const { bench, prompt } = await openShort(failOnce('EMFILE'), { environments });
  const { run } = await bench.work(prompt, inShop);
  expect(run).toMatchObject(putBack('EMFILE'));
  expect((await workAgain(bench)).run).toMatchObject({ runId: run.runId, state: 'SUCCEEDED' });
});
