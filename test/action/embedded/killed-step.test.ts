import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findMarked, pathOnly } from '../../server/executor/processes.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const stepFile = fileURLToPath(new URL('./killed-step.ts', import.meta.url));

test.runIf(process.platform === 'linux')(
  'a killed step leaves no process of its agent, whatever its session',
  async () => {
    const [workspace, tempDir] = [createTempFolder(), createTempFolder()];
    const seconds = `4000.${process.pid}`;
    // One child in the agent's session, one in its own session, and one without an environment as well.
    const script = `trap '' TERM HUP; sleep ${seconds} & setsid sleep ${seconds} & env -i setsid /usr/bin/sleep ${seconds} & touch up; wait`;
    const step = spawn(process.execPath, [stepFile, workspace, tempDir, JSON.stringify(['bash', '-c', script])], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: pathOnly,
    });
    onTestFinished(() => void step.kill('SIGKILL'));
    const sleeps = () => findMarked(`sleep\0${seconds}\0`, 'cmdline');
    // The command lines of the agent and the step contain the script.
    const all = () => findMarked(seconds, 'cmdline');
    await waitUntil(() => readdirSync(workspace).includes('up') && sleeps().length === 3);
    step.kill('SIGKILL');
    await expect.poll(all).toEqual([]);
  },
);
