/**
 * The small project that the demo's agents work on: a git repository with a bug, a check that finds it, and a skill.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Its name on the demo's server, and its skill. */
export const shopRepository = 'octo-org/shop';
export const shopSkill = `${shopRepository}:work-on-the-shop`;

const files: Readonly<Record<string, string>> = {
  'shipping.mjs': `/** What an order pays for shipping. */
export function shippingOf(total) {
  return total > 100 ? 0 : 5;
}
`,
  'check.mjs': `import { shippingOf } from './shipping.mjs';

for (const [total, right] of [[99, 5], [100, 0], [101, 0]]) {
  const paid = shippingOf(total);
  console.log(paid === right ? 'ok     ' : 'not ok ', \`an order for \${total} pays \${paid}, should be \${right}\`);
  if (paid !== right) process.exitCode = 1;
}
`,
  '.agents/skills/work-on-the-shop/SKILL.md': `---
name: work-on-the-shop
description: How to change the shop.
---

Read tickets with the tool \`read_ticket\` of the MCP server \`tickets\`. \`node check.mjs\` checks the shop: see it fail before your fix
and pass after it. Change as little as you can, and do not change \`check.mjs\`. Answer with what you changed, and why.
`,
};

const author = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'demo',
  GIT_AUTHOR_EMAIL: 'demo@example.com',
  GIT_COMMITTER_NAME: 'demo',
  GIT_COMMITTER_EMAIL: 'demo@example.com',
};

/** Makes it in a new folder. Throws Error without git. */
export async function createShop(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message=The shop'],
  ])
    await run(folder, 'git', args);
}

/** Whether the shop with the changes of a run passes its own check. The shop itself stays as it is. */
export async function passesWith(folder: string, patch: string): Promise<boolean> {
  const file = `${folder}.patch`;
  await writeFile(file, patch);
  try {
    await run(folder, 'git', ['apply', '--exclude=check.mjs', file]);
    await run(folder, process.execPath, ['check.mjs']);
    return true;
  } catch {
    return false;
  } finally {
    await run(folder, 'git', ['reset', '--quiet', '--hard']);
    await run(folder, 'git', ['clean', '-fdq']);
  }
}

async function run(cwd: string, program: string, args: readonly string[]): Promise<void> {
  const env = { PATH: process.env.PATH, ...author };
  await promisify(execFile)(program, args, { cwd, env, timeout: 10_000 });
}
