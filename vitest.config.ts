import { configDefaults, defineConfig } from 'vitest/config';
import { waitMs } from './test/support/wait-until.ts';

/** Start many programs one after another and take minutes together: `npm run test:long`. CI runs them as well. */
const longFiles = ['test/**/*.long.test.ts', 'test/e2e/**/*.test.ts'];

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? longFiles : ['test/**/*.test.ts'],
    // Those of test/agents want programs that are installed for them: `npm run test:agents`.
    exclude: [...configDefaults.exclude, 'test/agents/**', ...(mode === 'long' ? [] : longFiles)],
    // Where nothing fails nobody waits for so long; on a machine that has much else to do, starting a program alone takes seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: waitMs } },
    // Tests start servers and programs of their own and wait for them; three files at a time fill two cores.
    maxWorkers: 3,
    reporters: ['default'],
  },
}));
