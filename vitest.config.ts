import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // With programs that are installed for them: `npm run test:agents`.
    exclude: [...configDefaults.exclude, 'test/agents/**'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Tests start servers and programs of their own and wait for them; three files at a time fill two cores.
    maxWorkers: 3,
    reporters: ['default'],
  },
});
