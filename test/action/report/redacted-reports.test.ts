import { expect, test } from 'vitest';
import { createMasks } from '../../../src/action/host/masks.ts';
import { type CommentReport, printComment } from '../../../src/action/report/comment.ts';
import { printSummary, type Report } from '../../../src/action/report/summary/summary.ts';
import type { Run } from '../../../src/client/index.ts';

const secret = 'sk-a_secret-Key_0123';
const { add, redact } = createMasks();
add(secret);

/** A run with the secret in everything that others write. */
const run = {
  run_id: `r-${secret}`,
  title: secret,
  state: secret,
  agent_config: { name: secret, model_id: secret, environment_id: secret, harness: { type: secret } },
  artifacts: [{ artifact_type: secret, data: { url: `https://example.com/${secret}`, branch: secret } }],
  request_usage: { [secret]: secret, n: 1 },
} as unknown as Run;
const report: Report = {
  conclusion: 'failed',
  sentence: `it broke: ${secret}`,
  run,
  result: { text: `# ${secret}\n\n- ${secret}`, isPart: true },
  resultFile: `/tmp/${secret}.md`,
  known: { runId: secret, address: `https://example.com/runs/${secret}` },
  lastLines: ['a', secret],
  states: [{ state: secret, at: secret }],
};
const comment: CommentReport = {
  marker: '<!-- agent-run:docs -->',
  title: secret,
  run: { runId: secret, address: `https://example.com/runs/${secret}` },
  jobUrl: `https://example.com/${secret}`,
  state: { kind: 'ended', conclusion: 'failed', sentence: secret, result: { text: `*${secret}*`, isPart: false } },
};
/** Compares without case and underscores, which rendering may change. */
const plain = (text: string) =>
  text
    .replace(/[\\\u200b]/g, '')
    .replaceAll('_', ' ')
    .toLowerCase();

test('no part of a summary shows a known secret', () => {
  const shown = printSummary(report, redact);
  expect(plain(shown)).not.toContain(plain(secret));
  expect(shown).toContain('it broke: \\*\\*\\*');
});

test.each([
  comment,
  { ...comment, state: { kind: 'running' } },
  { ...comment, state: { kind: 'step_cancelled', sentence: secret } },
] as const)('no part of a comment shows a known secret: %j', given => {
  const shown = printComment(given, redact);
  expect(plain(shown)).not.toContain(plain(secret));
  expect(shown).toMatch(/^<!-- agent-run:docs -->\n### .* \\\*\\\*\\\*: /);
});

test.each([
  ['escaped', 'sk-a\\_secret-Key\\_0123'],
  ['in entities', 'sk&#45;a&lowbar;secret-Key_0123'],
  ['escaped in a link', '[sk\\-a_secret-Key_0123](https://example.com)'],
  ['escaped in an address', '[a](https://example.com/?k=sk\\-a_secret-Key_0123)'],
])('a known secret that an agent wrote %s is not shown', (_, written) => {
  const result = { text: `it is ${written}`, isPart: false };
  const shown = [
    printSummary({ conclusion: 'succeeded', result }, redact),
    printComment({ ...comment, state: { kind: 'ended', conclusion: 'succeeded', sentence: '', result } }, redact),
  ];
  for (const text of shown) {
    expect(text).not.toContain('Key');
    expect(text).toContain('it is ');
  }
});

test('a known secret with colors inside is not shown in any part', () => {
  const half = secret.length / 2;
  const colored = `${secret.slice(0, half)}\x1b[31m${secret.slice(half)}`;
  const paint = <Given>(given: Given): Given =>
    JSON.parse(JSON.stringify(given).replaceAll(secret, JSON.stringify(colored).slice(1, -1)));
  for (const shown of [printSummary(paint(report), redact), printComment(paint(comment), redact)])
    expect(plain(shown)).not.toMatch(/sk-a secret|key 0123/);
});

test('a secret at the place of a cut leaves no half of itself', () => {
  const shown = printComment({ ...comment, title: `${'x'.repeat(290)}${secret}` }, redact);
  expect(shown).not.toContain('sk-a');
});
