/**
 * `npm run bench` measures ratios of two things in the same run, so that the machine's speed cancels out.
 * `npm run bench NAME` runs one bench. `-- --json FILE` also writes the results to a file.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

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

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  // Each bench explains its own options.
  options: {
    before: { type: 'string' },
    json: { type: 'string' },
    megabytes: { type: 'string' },
    peer: { type: 'string', multiple: true },
    'peer-env': { type: 'string', multiple: true },
    shape: { type: 'string' },
    runs: { type: 'string' },
  },
});
export type BenchOptions = typeof options;

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

/** Runs a bench in a process of its own. */
async function measureApart(name: string): Promise<Measurement> {
  const child = fork(import.meta.filename, process.argv.slice(2), { serialization: 'advanced' });
  child.send(name);
  const [measurement] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  if (measurement === undefined) throw new Error(`the bench "${name}" failed`);
  return measurement as Measurement;
}

async function measureAll(): Promise<void> {
  const measured: (Measurement & { readonly name: string })[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
    if (benches[name] === undefined) {
      console.error(`there is no bench "${name}"; known: ${Object.keys(benches).join(', ')}`);
      process.exit(2);
    }
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
  if (options.json === undefined) return;
  const machine = { cpu: cpus()[0]?.model, cpus: cpus().length, node: process.version };
  writeFileSync(
    options.json,
    `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, measured }, null, 2)}\n`,
  );
}

if (process.send === undefined) await measureAll();
else {
  const [name] = (await once(process, 'message')) as [string];
  const bench = await benches[name]?.();
  process.send(await bench?.(options), () => process.disconnect());
}
