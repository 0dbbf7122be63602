import { expect, test } from 'vitest';
import { startDemo } from './demo-process.ts';

const slow = ['--prompt', '```sh\necho ready\nsleep 60\n```'] as const;

test.for(['SIGINT', 'SIGTERM'] as const)('%s in the middle of a step leaves no folder behind', async signal => {
  const { child, ended, says } = startDemo(slow);
  await says('│ ready');
  child.kill(signal);
  expect(await ended).toMatchObject({ code: 130, stderr: '', left: [] });
});

test('SIGINT during the start leaves no folder behind either', async () => {
  const { child, ended, says } = startDemo(slow);
  await says('== One step');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stderr: '', left: [] });
});

test('a closed stdout (`| head`) ends the demo without a stack trace or a folder', async () => {
  const { child, ended, says } = startDemo(['--prompt', '```sh\necho ready\nsleep 1\necho more\nsleep 60\n```']);
  await says('│ ready');
  child.stdout.destroy();
  expect(await ended).toMatchObject({ code: 130, stderr: '', left: [] });
});

test.for([
  ['--prompt', ''],
  ['--prompt', ' \n'],
  ['--skill', 'foo'],
])('%s %j is refused before anything is started, with exit code 2', async args => {
  const { code, stdout, stderr, left } = await startDemo(args).ended;
  expect([code, stdout, left]).toEqual([2, '', []]);
  expect(stderr).toMatch(/^(--prompt is empty|"foo" is not a valid skill)[^\n]+\n\nnpm start -- /);
});

test('a step without a summary has no section for one', async () => {
  const { code, stdout } = await startDemo(['--prompt', 'no block in it']).ended;
  expect(code).toBe(1);
  expect(stdout).not.toMatch(/== Job summary ==\s+(==|$)/);
});
