import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { waitMs } from '../support/wait-until.ts';

const root = resolve(import.meta.dirname, '../..');

/** Tests with the real agent programs, which are no part of `npm test`; with `--mode full` all of them. */
export default defineConfig(({ mode }) => ({
  root,
  test: {
    include: [mode === 'full' ? 'test/agents/**/*.test.ts' : 'test/agents/*.test.ts'],
    globalSetup: [resolve(import.meta.dirname, 'installed-agents.ts')],
    // The slowest waits out all its retries.
    testTimeout: mode === 'full' ? 240_000 : 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: waitMs } },
    // One program takes two cores.
    fileParallelism: false,
    reporters: ['default'],
  },
}));
