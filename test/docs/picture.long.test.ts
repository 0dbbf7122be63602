import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/doc-tables.ts';
import { runRedStep } from '../../scripts/red-step.ts';

test('the picture in the README shows what a step writes today', async () => {
  const drawn = readFileSync(join(root, 'docs/images/red-step.md'), 'utf8');
  expect(withoutTimes(await runRedStep())).toBe(withoutTimes(drawn));
});

/** Each run has times, ids and folders of its own. */
function withoutTimes(markdown: string): string {
  return markdown
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b\d+(\.\d+)? (s|min|of them)\b/g, 'DURATION')
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')
    .replace(/actions\/runs\/\d+/g, 'actions/runs/ID')
    .replace(/\/\S+\/_temp\/\S+?\//g, '/TEMP/');
}
