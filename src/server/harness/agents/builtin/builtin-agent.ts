/**
 * The built-in agent as a separate program. A crash or an endless loop does not affect the server, and it is stopped
 * like any other agent. Its run arrives as JSON on standard input, see builtin.ts. Its output is described in
 * builtin-lines.ts.
 */
import { text } from 'node:stream/consumers';
import { messageOf } from '../../../../base/cause.ts';
import { systemClock } from '../../../../base/clock.ts';
import { waitForSlowAddresses } from '../../../../base/network/slow-addresses.ts';
import { version } from '../../../../base/process/version.ts';
import type { AgentSpec } from '../adapter.ts';
import type { BuiltinEnd, BuiltinLine } from './builtin-lines.ts';
import { runLoop } from './loop.ts';
import { probeServers } from './mcp/mcp-probe.ts';
import { useProxies } from './model/model-proxy.ts';
import { createPrinter } from './redacted-json.ts';
import { createToolEnvironment } from './tool-environment.ts';

/** Time to close MCP servers after a signal. */
const lastMs = 400;
const codes = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 } as const;

waitForSlowAddresses();
if (process.argv[2] === '--version') console.log(version);
else if (process.argv[2] === '--probe') await probe();
else await main();

async function main(): Promise<void> {
  // Otherwise it prints features that models do not support to standard error.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const stopping = new AbortController();
  const stop = (code: number): void => {
    process.exitCode = code;
    stopping.abort(new Error('the agent was stopped'));
    setTimeout(() => process.exit(code), lastMs);
  };
  for (const [signal, code] of Object.entries(codes)) process.once(signal, () => stop(code));
  // The reader of the output is gone.
  process.stdout.on('error', () => stop(1));
  const spec = parseSpec(await text(process.stdin));
  if (spec === undefined) {
    console.error('the built-in agent reads its run as JSON from standard input; it is started by the server');
    process.exit(2);
  }
  const print = createPrinter(spec);
  const emit = (line: BuiltinLine): void => {
    process.stdout.write(`${print(line)}\n`);
  };
  const leave = (end: BuiltinEnd): void => {
    const code = stopping.signal.aborted ? process.exitCode : end.kind === 'succeeded' ? 0 : 1;
    process.stdout.write(`${print({ end })}\n`, () => process.exit(code));
  };
  const crash = (error: unknown): void => leave({ kind: 'failed', fault: 'harness', message: messageOf(error) });
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  const env = createToolEnvironment(process.env, spec.endpoint.apiKey);
  try {
    await useProxies(process.env);
    leave(await runLoop({ spec, env, clock: systemClock, signal: stopping.signal, emit }));
  } catch (error) {
    crash(error);
  }
}

/** Prints a line for each MCP server that says whether it can be used, and ends. */
async function probe(): Promise<void> {
  const stopping = new AbortController();
  for (const [signal, code] of Object.entries(codes)) process.once(signal, () => process.exit(code));
  const { servers, workspace } = JSON.parse(await text(process.stdin)) as Pick<AgentSpec, 'workspace'> & {
    readonly servers: AgentSpec['mcpServers'];
  };
  const env = createToolEnvironment(process.env, undefined);
  const lines = (await probeServers(servers, { env, workspace, signal: stopping.signal })).map(found =>
    JSON.stringify(found),
  );
  process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(0));
}

/** A message of JSON.parse quotes the text, and this one contains a key. */
function parseSpec(order: string): AgentSpec | undefined {
  try {
    return JSON.parse(order) as AgentSpec;
  } catch {
    return undefined;
  }
}
