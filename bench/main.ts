/**
 * `npm run bench` measures ratios of two things in the same run, so that the machine's speed cancels out.
 * `npm run bench NAME` runs one bench, and `npm run bench -- --help` lists the benches and options.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../src/base/cause.ts';
import { readResults, writeResults } from './results-file.ts';

export interface Ratio {
  readonly name: string;
  readonly value: number;
  /** What it should be on any machine; undefined if it is only reported. */
  readonly goal: string | undefined;
}

export interface Measurement {
  readonly what: string;
  readonly rows: readonly (readonly [string, string])[];
  readonly ratios: readonly Ratio[];
}

type Bench = (options: BenchOptions) => Promise<Measurement>;

/** Loaded by name, because a process spawns more slowly the more memory it has. */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  'group-commit': async () => (await import('./server/group-commit.ts')).measureGroupCommit,
  lists: async () => (await import('./server/lists.ts')).measureLists,
  'long-poll': async () => (await import('./server/long-poll.ts')).measureLongPoll,
  creates: async () => (await import('./server/creates.ts')).measureCreates,
  waiters: async () => (await import('./server/waiters.ts')).measureWaiters,
  output: async () => (await import('./server/output.ts')).measureOutput,
  start: async () => (await import('./server/start.ts')).measureStart,
  spawn: async () => (await import('./runs/spawn.ts')).measureSpawn,
  'short-runs': async () => (await import('./runs/short-runs.ts')).measureShortRuns,
  client: async () => (await import('./client/client.ts')).measureClient,
  'client-size': async () => (await import('./client/client-size.ts')).measureClientSize,
  'python-client': async () => (await import('./client/python-client.ts')).measurePythonClient,
  action: async () => (await import('./action/action.ts')).measureAction,
  'action-end': async () => (await import('./action/action-end.ts')).measureActionEnd,
};

const usage = `Usage: npm run bench [NAME ...] -- [OPTION ...]

Benches: ${Object.keys(benches).join(', ')}

Options:
  --runs N               lists: runs of the large server, rounded up to thousands; by default 100000
  --megabytes N          output: how many MB the program prints; by default 200
  --shape NAME           output: what it prints: lines, tiny, endless, blank, unicode, both or events
  --before PATH          spawn, short-runs: an earlier checkout; start: an earlier agent-run.js; action: an earlier dist
  --peer FILE            action: main file of another action; repeatable
  --peer-env NAME=VALUE  action: sets a variable for these; repeatable
  --json FILE            Write the results to FILE. With a NAME, keep its results of other benches
  --help                 Print this`;

/** Does work at the start. If it throws, prints the first sentence of the error and the usage, and exits. */
function start<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    console.error(`${messageOf(error).split(/\.\s/)[0]}\n\n${usage}`);
    process.exit(2);
  }
}

const { values: options, positionals } = start(() =>
  parseArgs({
    allowPositionals: true,
    options: {
      before: { type: 'string' },
      help: { type: 'boolean' },
      json: { type: 'string' },
      megabytes: { type: 'string' },
      peer: { type: 'string', multiple: true },
      'peer-env': { type: 'string', multiple: true },
      shape: { type: 'string' },
      runs: { type: 'string' },
    },
  }),
);
export type BenchOptions = typeof options;

function checkArguments(): void {
  const unknown = positionals.find(name => !Object.hasOwn(benches, name));
  for (const name of ['runs', 'megabytes', 'shape', 'peer'] as const) {
    const taken = process.env[`npm_config_${name}`];
    const value = taken === 'true' ? (unknown ?? 'VALUE') : taken;
    if (taken !== undefined) throw new Error(`npm does not pass on --${name}: write \`-- --${name} ${value}\``);
  }
  if (unknown !== undefined) throw new Error(`There is no bench "${unknown}"; options follow a \`--\``);
  for (const name of ['runs', 'megabytes'] as const)
    if (!/^[1-9]\d*$/.test(options[name] ?? '1'))
      throw new Error(`--${name} must be a whole number above 0, not "${options[name]}"`);
}

let running: ChildProcess | undefined;

/** Makes a temporary folder for all benches. When this process exits, ends the bench and removes the folder. */
function cleanUpAtExit(): void {
  const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
  process.env.TMPDIR = folder;
  process.once('exit', () => {
    try {
      if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
    } catch {
      // All of its processes have ended.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/** Runs a bench in a process group of its own. */
async function measureApart(name: string): Promise<Measurement> {
  running = fork(import.meta.filename, process.argv.slice(2), { serialization: 'advanced', detached: true });
  running.send(name);
  const [measurement] = await Promise.race([once(running, 'message'), once(running, 'exit').then(() => [])]);
  if (measurement === undefined) throw new Error(`the bench "${name}" failed`);
  return measurement as Measurement;
}

async function measureAll({ json }: BenchOptions): Promise<void> {
  start(checkArguments);
  const names = positionals.length > 0 ? positionals : Object.keys(benches);
  const earlier = json === undefined ? [] : start(() => readResults(json));
  const measured = earlier.filter(({ name }) => positionals.length > 0 && !names.includes(name));
  cleanUpAtExit();
  for (const name of names) {
    const measurement = await measureApart(name);
    measured.push({ name, ...measurement });
    const { what, rows, ratios } = measurement;
    console.log(`\n${name}: ${what}`);
    for (const [label, value] of rows) console.log(`  ${label.padEnd(44)} ${value}`);
    for (const { name: label, value, goal } of ratios)
      console.log(
        `  ${label.padEnd(44)} ${value.toFixed(2)} (${goal === undefined ? 'for the record' : `goal: ${goal}`})`,
      );
  }
  const order = Object.keys(benches);
  measured.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  if (json !== undefined) writeResults(json, measured);
}

if (options.help) console.log(usage);
else if (process.send === undefined) await measureAll(options);
else {
  const [name] = (await once(process, 'message')) as [string];
  const bench = await benches[name]?.();
  process.send(await bench?.(options), () => process.disconnect());
}
