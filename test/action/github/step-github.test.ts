import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStepGitHub } from '../../../src/action/github/step-github.ts';
import { loadLateCode } from '../../../src/action/report/late-code.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createFakeHost } from '../fake-host.ts';

test('an event that is not JSON is named, without its content, if the toolkit fails to load', async () => {
  const path = join(createTempFolder(), 'event.json');
  writeFileSync(path, '::error::words of a stranger');
  vi.stubEnv('GITHUB_EVENT_PATH', path);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const network = { fetch: globalThis.fetch } as never;
  const openGitHub = createStepGitHub(createFakeHost({}), { token: 't', apiUrl: 'http://127.0.0.1:9', network });
  const error = await openGitHub({ limitMs: 1000 }).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('Check that the file at GITHUB_EVENT_PATH is valid JSON');
  expect(String(error)).not.toContain('stranger');
  // A step that does not need GitHub starts in any case.
  await expect(loadLateCode({ review: 'on' })).resolves.toBeUndefined();
});
