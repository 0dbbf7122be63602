import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processGroups } from '../../../src/server/executor/cleanup/containment.ts';
import { findSleeps } from '../../support/processes.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { runScript } from './executor-fixture.ts';
import { testExecutor } from './executor-suite.ts';

testExecutor(processGroups);

test.skipIf(process.platform !== 'linux')(
  'in its own workspace, a program leaves no untraceable process, and others are left alone',
  async () => {
    const workspace = createTempFolder();
    mkdirSync(join(workspace, 'packages'));
    const shed = (seconds: string) =>
      `(setsid nohup env -i /usr/bin/sleep ${seconds} < /dev/null > /dev/null 2>&1 &); sleep 0.02`;
    // An earlier orphan, and a program that another process starts meanwhile.
    execFileSync('bash', ['-c', shed('61.1')], { cwd: workspace });
    const running = runScript(`cd packages; ${shed('61.2')}; sleep 0.1`, { containment: processGroups, workspace });
    const other = spawn('/usr/bin/sleep', ['61.3'], { cwd: workspace });
    try {
      expect((await running).end).toMatchObject({ exitCode: 0, leftovers: 1, survivors: 0 });
      expect(['61.1', '61.2', '61.3'].map(seconds => findSleeps(seconds).length)).toEqual([1, 0, 1]);
    } finally {
      other.kill();
      for (const pid of findSleeps('61.1')) process.kill(pid);
    }
  },
);
