/**
 * The servers of the Python tests: one process for any number of them. Each line of stdin is a command, and each
 * command is answered with one line on stdout. The process ends when stdin closes. The commands:
 *
 * - `{"open": PLAN}`: starts a server with these faults and an agent that asks. Answer: `server`, `baseUrl`, `apiKey`
 * - `{"plan": SEED}`: a random fault plan, the same for the same seed. Answer: `faults`
 * - `{"report": N}`: ends the faults of a server and waits for the end of every run. Answer: `faultsMet`, `runs`
 * - `{"stop": N}`: stops a server
 *
 * A command that fails is answered with `error`.
 */
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { AgentRuns, type Run } from '../../src/client/index.ts';
import { createTestServer, type FaultPlan, startModelServer, type TestServer } from '../../src/testing/index.ts';
import { eventPlan, waitPlan } from '../../test/client/faults/random-plans.ts';

type Command =
  | { readonly open: FaultPlan }
  | { readonly plan: number }
  | { readonly report: number }
  | { readonly stop: number };

/** Asks a question, and then repeats the answer. */
const model = await startModelServer(({ messages, toolResults }) =>
  toolResults.length === 0
    ? { tools: [{ shell: 'echo "Red or blue?" > "$AGENT_RUN_QUESTION"' }] }
    : { text: messages.findLast(({ role }) => role === 'user')?.text ?? '' },
);
const builtin = {
  kind: 'builtin',
  endpoint: { api: 'anthropic', root: model.url, apiKey: undefined },
  model: 'any-model',
  models: undefined,
  program: undefined,
  steps: 10,
  stallMs: 60_000,
  env: {},
} as const;
const harnesses = { default: 'script', script: true, commands: {}, agents: { builtin } } as const;
const servers = new Map<number, TestServer>();
let opened = 0;

function getServer(number: number): TestServer {
  const server = servers.get(number);
  if (server === undefined) throw new Error(`there is no server ${number}`);
  return server;
}

async function open(faults: FaultPlan): Promise<unknown> {
  const server = await createTestServer({ faults, harnesses });
  opened += 1;
  servers.set(opened, server);
  return { server: opened, baseUrl: server.baseUrl, apiKey: server.apiKey };
}

async function report(server: TestServer): Promise<unknown> {
  const { baseUrl, apiKey, fetch } = server;
  // Before this report's own requests.
  const faultsMet = [...server.faultsMet];
  server.setFaults([]);
  const client = new AgentRuns({ baseUrl, apiKey, fetch, logLevel: 'off' });
  const runs: Run[] = [];
  for await (const run of client.runs.list()) runs.push(await client.runs.wait(run.run_id));
  return { faultsMet, runs };
}

async function stop(number: number): Promise<unknown> {
  const server = getServer(number);
  servers.delete(number);
  await server.stop();
  return {};
}

async function carryOut(command: Command): Promise<unknown> {
  if ('open' in command) return await open(command.open);
  if ('plan' in command)
    return { faults: fc.sample(fc.oneof(waitPlan, eventPlan), { seed: command.plan, numRuns: 1 })[0] };
  if ('report' in command) return await report(getServer(command.report));
  return await stop(command.stop);
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await carryOut(JSON.parse(line)).catch((error: unknown) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await Promise.all([...servers.values()].map(server => server.stop()));
await model.close();
