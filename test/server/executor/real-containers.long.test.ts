import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { callEngine } from '../../../src/server/executor/containers/container-engine.ts';
import { createContainerExecutor } from '../../../src/server/executor/containers/container-executor.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { makeToolsImage } from '../../support/tools-image.ts';
import { findRealEngine, runContained } from './engines.ts';
import { testPrograms } from './executor-suite.ts';

const found = await findRealEngine();
const image = `localhost/agent-run-test:${process.pid}`;

describe.skipIf(typeof found === 'string')('in a container of a real engine', () => {
  const engine = typeof found === 'string' ? { file: '', env: {} } : found;
  const settings = { network: 'none' };
  let removeImage = () => {};
  beforeAll(() => {
    removeImage = makeToolsImage(engine, image);
  });
  afterAll(async () => {
    const { stdout } = await callEngine(engine, [
      'ps',
      '--all',
      '--filter',
      `ancestor=${image}`,
      '--format',
      '{{.Names}}',
    ]);
    removeImage();
    expect(stdout, 'containers left by the test').toBe('');
  });

  testPrograms({
    name: 'real-container',
    create: serverId => createContainerExecutor({ serverId, engine, settings, clock: systemClock, link: undefined }),
    image,
    imageVariables: ['OF_THE_IMAGE', 'HOSTNAME', 'HOME', 'TERM', 'container'],
  });

  test('a program sees only its folders, and cannot write to the readable ones', async () => {
    const [own, other] = [createTempFolder(), createTempFolder()];
    writeFileSync(join(own, 'a, "b"'), 'readable\n');
    mkdirSync(join(other, 'hidden'));
    const { stdout, stderr } = await runContained(
      `cat "${own}"/*; ls "${other}" >/dev/null || echo hidden; echo x >"${own}/new" || echo protected; id -u`,
      { engine, image, settings, place: { readable: [own] } },
    );
    expect(stdout).toBe(`readable\nhidden\nprotected\n${process.getuid?.()}\n`);
    expect(stderr).toMatch(/No such file[\s\S]*Read-only file system/);
    expect(readdirSync(own)).toEqual(['a, "b"']);
  });

  test('processes that a program leaves end with it', async () => {
    const script = '(setsid env -i /usr/bin/sleep 60 >/dev/null 2>&1 &); sleep 60 & sleep 0.1; exit 4';
    const { end } = await runContained(script, { engine, image, settings });
    expect(end).toMatchObject({ exitCode: 4, survivors: 0 });
  });

  test('a program over its memory limit is killed, and the end says so', async () => {
    const { end } = await runContained('tail /dev/zero; exit 3', {
      ...{ engine, image, settings: { ...settings, memoryMb: 32 } },
    });
    expect(end).toMatchObject({ exitCode: 3 });
    // podman reports it only for the first process.
    if (!/podman/.test((await callEngine(engine, ['--version'])).stdout))
      expect(end).toMatchObject({
        notes: [expect.stringMatching(/^the container ran out of memory \(`docker\.memory_mb` is 32\)/)],
      });
  });

  test('the number of processes is limited', async () => {
    const { stderr } = await runContained('for i in $(seq 30); do sleep 1 & done; wait', {
      ...{ engine, image, settings: { ...settings, processes: 10 } },
      timeLimitMs: 1500,
    });
    expect(stderr).toContain('Resource temporarily unavailable');
  });

  test('a program that the image lacks is named with the image', async () => {
    const folder = createTempFolder();
    const start = async (program: string) =>
      (
        await runContained('', {
          ...{ engine, image, settings },
          command: { argv: [program], cwd: folder, env: {}, stdin: '' },
          place: { writable: [folder] },
        })
      ).end;
    const of = `cannot start "no-such-agent": it was not found on the PATH of the image ${image}`;
    expect(await start('no-such-agent')).toEqual({ kind: 'not_started', message: of });
    expect(await start('/usr')).toEqual({
      kind: 'not_started',
      message: `cannot start "/usr": in the image ${image} it is not executable`,
    });
  });

  test('a missing image fails to pull and to run', async () => {
    const executor = createContainerExecutor({
      ...{ serverId: 'missing-image', engine, settings },
      ...{ clock: systemClock, link: undefined },
    });
    const missing = 'registry.invalid/none:1';
    const preparing = executor.prepareImage(missing, { signal: new AbortController().signal, onPull: async () => {} });
    await expect(preparing).rejects.toThrow(/^could not pull the image registry\.invalid\/none:1: ./);
    await expect(runContained('true', { engine, image: missing, executor })).rejects.toThrow(
      /^could not create a container from the image registry\.invalid\/none:1: ./,
    );
  });
});
