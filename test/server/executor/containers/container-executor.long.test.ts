import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import { createContainerExecutor } from '../../../../src/server/executor/containers/container-executor.ts';
import { installFakeDocker } from '../../../support/fake-docker.ts';
import { testPrograms } from '../executor-suite.ts';

/** Uses a fake `docker`. real-containers.long.test.ts uses a real engine. */
describe('in a container', () => {
  const home = mkdtempSync(join(tmpdir(), 'agent-run-fake-docker-'));
  const docker = installFakeDocker({ folder: home });
  afterAll(() => {
    expect(docker.containers()).toEqual([]);
    rmSync(home, { recursive: true, force: true });
  });
  testPrograms({
    name: 'container',
    create: serverId =>
      createContainerExecutor({
        serverId,
        engine: { file: docker.file, env: docker.env },
        settings: {},
        clock: systemClock,
        link: undefined,
      }),
    image: 'tools:1',
    imageVariables: ['OF_THE_IMAGE'],
  });
});
