/** The step in README's picture: the action as it is built, with its real agent and tools. A script plays the model. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeRunner, type ModelScript, startModelServer } from '../src/testing/index.ts';
import { root } from './doc-tables.ts';

const cart = (round: string) => `export function totalOf(prices) {
  return ${round};
}
`;
const tests = `import { test } from 'node:test';
import { equal } from 'node:assert';
import { totalOf } from './cart.js';

test('a total has two decimals', () => equal(totalOf([0.1, 0.2]), 0.3));
test('the warehouse answers', () => new Promise(resolve => setTimeout(resolve, 3_600_000)));
`;

/** The agent fixes a file and runs the tests, one of which never ends. */
const script: ModelScript = [
  {
    text: 'The prices are added as binary fractions, so the total has too many decimals.',
    tools: [
      {
        write: {
          path: 'cart.js',
          content: cart('Math.round(prices.reduce((sum, price) => sum + price, 0) * 100) / 100'),
        },
      },
    ],
    usage: { input: 6_204, output: 164 },
  },
  { text: 'Now I check the fix.', tools: [{ shell: 'npm test' }], usage: { input: 7_122, output: 57 } },
];

/** Markdown of the step's summary. Throws Error if the step is green. */
export async function runRedStep(): Promise<string> {
  const workspace = mkdtempSync(join(tmpdir(), 'agent-run-picture-'));
  const model = await startModelServer(script);
  const runner = await createFakeRunner({
    actionDir: root,
    workspace,
    secrets: ['key-of-the-picture'],
    env: { ANTHROPIC_API_KEY: 'key-of-the-picture', ANTHROPIC_BASE_URL: model.url },
  });
  try {
    createRepository(workspace);
    const step = runner.startStep({
      inputs: {
        title: 'Fix the failing test',
        model_id: 'claude-haiku-4-5',
        prompt: 'Run `npm test` and fix what fails.',
        timeout_minutes: '0.2',
      },
    });
    const { outcome, summary } = await step.done;
    if (outcome !== 'failure') throw new Error(`the step in the picture ended as ${outcome}`);
    return summary;
  } finally {
    await runner.close();
    await model.close();
    rmSync(workspace, { recursive: true, force: true });
  }
}

function createRepository(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "scripts": { "test": "node --test" } }\n');
  writeFileSync(join(folder, 'cart.js'), cart('prices.reduce((sum, price) => sum + price, 0)'));
  writeFileSync(join(folder, 'cart.test.js'), tests);
  const identity = ['-c', 'user.name=shop', '-c', 'user.email=shop@example.com'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...identity, 'commit', '--quiet', '--message', 'A shop'],
  ])
    execFileSync('git', args, { cwd: folder });
}
