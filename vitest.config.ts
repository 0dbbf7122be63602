import { configDefaults, defineConfig } from 'vitest/config';
import { waitMs } from './test/support/wait-until.ts';

/** They start many programs one after another and take minutes together: `npm run test:long`. CI runs them as well. */
const longFiles = [
  'test/action/connect/through-pages.test.ts',
  'test/action/follow/follow-step.test.ts',
  'test/action/options.test.ts',
  'test/base/text-time.test.ts',
  'test/cli/program.test.ts',
  'test/cli/runs.test.ts',
  'test/cli/serve.test.ts',
  'test/client/faults/wait.test.ts',
  'test/client/server.test.ts',
  'test/demo/main.test.ts',
  'test/docs/agent-examples.test.ts',
  'test/docs/examples.test.ts',
  'test/docs/picture.test.ts',
  'test/e2e/action-truth.test.ts',
  'test/e2e/action.test.ts',
  'test/e2e/cancel-stages.test.ts',
  'test/e2e/containment.test.ts',
  'test/e2e/embedded-agent.test.ts',
  'test/e2e/embedded-step.test.ts',
  'test/e2e/followups.test.ts',
  'test/e2e/mcp-conformance.test.ts',
  'test/e2e/readiness.test.ts',
  'test/e2e/restart.test.ts',
  'test/e2e/short-of-files.test.ts',
  'test/examples/workflow-steps.test.ts',
  'test/published/tour.test.ts',
  'test/server/executor/container-executor.test.ts',
  'test/server/executor/container-runs.test.ts',
  'test/server/executor/namespace-executor.test.ts',
  'test/server/executor/process-executor.test.ts',
  'test/server/executor/real-containers.test.ts',
  'test/server/executor/watchdog.test.ts',
  'test/server/harness/agents/builtin/program.test.ts',
  'test/server/worker/agent.test.ts',
  'test/server/worker/artifacts.test.ts',
  'test/server/worker/container.test.ts',
  'test/server/worker/conversation.test.ts',
  'test/server/worker/environment.test.ts',
  'test/server/worker/hostile-files.test.ts',
  'test/server/worker/output-schema.test.ts',
  'test/server/worker/publish.test.ts',
  'test/server/worker/refused-paths.test.ts',
  'test/server/worker/work-beside.test.ts',
  'test/server/worker/worker.test.ts',
  'test/server/worker/workspace-changes.test.ts',
];

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
