/** What the limits of changes must not let through. */
import { expect, test } from 'vitest';
import type { ChangeInputs } from '../../src/apply/apply-inputs.ts';
import { findProtected } from '../../src/apply/changes/protected-paths.ts';
import { findSecretPlaces } from '../../src/apply/secret-scan.ts';

const limits = { allowPaths: [] as string[], maxFiles: 100, maxBytes: 1000 } as unknown as ChangeInputs;
const plain = { mode: '100644', formerMode: '100644', bytes: 1, sha: '0' };

test.each(['CLAUDE.md', 'shop/.claude/settings.json', '.mcp.json', '.circleci/config.yml', 'app/pdm.lock', '.npmrc'])(
  '%s is protected',
  path => {
    expect(findProtected([{ path, ...plain }], limits).join()).toContain('(protected)');
  },
);

test.each([
  ['a key of Gemini', `AIza${'x'.repeat(35)}`],
  ['a token of Claude Code', `sk-ant-oat01-${'x'.repeat(30)}`],
])('%s is found, also as the name of a member', async (_name, key) => {
  expect(await findSecretPlaces({ findings: [{ text: `see ${key}` }] })).toEqual(['findings/0/text (API key)']);
  expect(await findSecretPlaces({ [key]: 1 })).toHaveLength(1);
});
