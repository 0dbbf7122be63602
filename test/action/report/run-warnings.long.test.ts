/** Warnings of a server in a run's log reach a person. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunWarnings } from '../../../src/action/follow/run-warnings.ts';
import { printSummary } from '../../../src/action/report/summary/summary.ts';
import { runAction } from '../../../src/action/run-action.ts';
import type { RunEvent } from '../../../src/client/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createFakeHost } from '../fake-host.ts';
import { findHarm } from '../text/rendered-markdown.ts';

function warn(warnings: RunWarnings, text: string, more: object = { level: 'warning' }): void {
  warnings.note({ seq: 1, at: '', type: 'log', data: { stream: 'system', text, ...more } } as unknown as RunEvent);
}

/** A step without a server, in a repository with one file, with a script as its agent. */
async function openStep(script: string) {
  const root = createTempFolder();
  const [workspace, temp] = [join(root, 'workspace'), join(root, 'temp')];
  for (const folder of [workspace, temp]) mkdirSync(folder);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace });
  writeFileSync(join(workspace, 'a.txt'), 'one\n');
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=o', '-c', 'user.email=o@example.com', 'commit', '--quiet', '-m', 'first');
  const host = createFakeHost(
    { prompt: 'x', command: JSON.stringify(['sh', '-c', script]), log: 'quiet', summary: 'true' },
    { PATH: process.env.PATH ?? '', RUNNER_TEMP: temp, GITHUB_WORKSPACE: workspace },
  );
  await runAction(host);
  return { ...host, summary: host.summary.join('') };
}

describe.runIf(process.platform !== 'win32')('a passing step warns, in the summary too,', () => {
  test.each([
    ['its repository is gone', 'echo two >> a.txt; rm -rf .git; echo ok'],
    [
      'git cannot read what changed',
      'echo two >> a.txt; echo "* filter=p" > .gitattributes; git config filter.p.required true; git config filter.p.clean false; echo ok',
    ],
  ])('if there is no patch because %s', async (_, script) => {
    const step = await openStep(script);
    expect([step.outputs.conclusion, step.outputs.patch_file]).toEqual(['succeeded', '']);
    expect(step.warnings).toEqual([expect.stringContaining('could not be made into changes.patch')]);
    expect(step.summary).toContain('could not be made into changes');
  });

  test('if the agent left more files than are kept', async () => {
    const step = await openStep('cd "$AGENT_RUN_ARTIFACTS"; for i in $(seq 1 103); do echo > f$i; done; echo ok');
    expect(step.warnings).toEqual([
      'not kept as artifacts: 3 files beyond the limit of 100 for one run ("f97", "f98", "f99")',
    ]);
    expect(step.summary).toContain('3 files beyond the limit of 100');
  });
});

test("only the server's own warning lines count, once each and up to a limit", () => {
  const warnings = new RunWarnings();
  warn(warnings, 'warning: one\n');
  warn(warnings, 'warning: one\n');
  warn(warnings, 'a plain line\n', {});
  warn(warnings, 'said by the agent\n', { stream: 'stdout', level: 'warning' });
  expect(warnings.list()).toEqual(['one']);
  for (let number = 0; number < 1000; number += 1) warn(warnings, `${number} ${'x'.repeat(9000)}`);
  expect(warnings.list()).toHaveLength(9);
  expect(warnings.list().at(-1)).toMatch(/^\d+ more warnings/);
  expect(warnings.list().join('').length).toBeLessThan(40_000);
});

test('a warning cannot inject Markdown into the summary', () => {
  const text = 'a\n# b <img src=x> @octocat [x](https://example.com) ![y](https://example.com/y.png)';
  const summary = printSummary({ conclusion: 'succeeded', warnings: [text] }, shown => shown);
  expect(summary).toContain('octocat');
  expect(findHarm(summary)).toEqual([]);
});
