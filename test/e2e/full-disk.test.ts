/** A runner whose disk is full when the step tells what came of it: by the limit on what a process may write to one file, which cuts a write as a full disk does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openActionRunner, textOf } from '../support/action-step.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced, openTestServer } from '../support/test-server.ts';

/** A node that writes 8 KiB to a file at most, or 16 where the shell counts in whole KiB. */
function makeLimitedNode(): string {
  const path = join(createTempFolder(), 'node');
  writeFileSync(path, `#!/bin/sh\nulimit -f 16\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  return path;
}

const long = "head -c 40000 /dev/zero | tr '\\0' x";

test.skipIf(process.platform === 'win32').each(['on a server', 'in the step'])(
  'a run %s whose result has no place on the disk leaves the step green, with a warning and the outputs that had place',
  async where => {
    const runner = await openActionRunner({ nodePath: makeLimitedNode() });
    let inputs: Record<string, string> = { prompt: 'x', command: JSON.stringify(['sh', '-c', long]) };
    if (where === 'on a server') {
      const { url, key } = await openTestServer();
      inputs = { prompt: fenced(`${long} > "$AGENT_RUN_RESULT"`), base_url: url, api_key: key };
    }
    const main = await runner.startStep({ inputs }).done;
    const warnings = main.annotations.map(({ level, message }) => `${level}: ${message}`).join('\n');
    expect([main.outcome, main.outputs.conclusion, main.outputs.result], textOf(main)).toEqual([
      'success',
      'succeeded',
      '',
    ]);
    expect(main.outputs).toMatchObject({ state: 'SUCCEEDED', created_at: expect.stringMatching(/^20/) });
    expect(warnings).toMatch(/^warning: the outputs could not be written: GITHUB_OUTPUT: /m);
    expect(warnings).not.toMatch(/the agent wrote to files/);
    expect((await runner.post())[0]?.outcome).toBe('success');
  },
);
