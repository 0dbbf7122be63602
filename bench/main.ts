/**
 * `npm run bench`: what is measured are ratios of two things within one run, so that the machine's speed falls out.
 * `npm run bench NAME` runs one. `-- --json FILE` also writes what was measured to a file.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureAction } from './action/action.ts';
import { measureActionEnd } from './action/action-end.ts';
import { measureClient } from './client/client.ts';
import { measureClientSize } from './client/client-size.ts';
import { measurePythonClient } from './client/python-client.ts';
import { measureShortRuns } from './runs/short-runs.ts';
import { measureSpawn } from './runs/spawn.ts';
import { measureCreates } from './server/creates.ts';
import { measureGroupCommit } from './server/group-commit.ts';
import { measureLists } from './server/lists.ts';
import { measureLongPoll } from './server/long-poll.ts';
import { measureOutput } from './server/output.ts';
import { measureStart } from './server/start.ts';
import { measureWaiters } from './server/waiters.ts';

export interface Ratio {
  readonly name: string;
  readonly value: number;
  /** What it should be on any machine; undefined where it is told for the record. */
  readonly goal: string | undefined;
}

export interface Measurement {
  readonly what: string;
  readonly rows: readonly (readonly [string, string])[];
  readonly ratios: readonly Ratio[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  // Those but `json` are explained by the benches that use them.
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

const benches: Readonly<Record<string, (options: BenchOptions) => Promise<Measurement>>> = {
  'group-commit': measureGroupCommit,
  lists: measureLists,
  'long-poll': measureLongPoll,
  creates: measureCreates,
  waiters: measureWaiters,
  output: measureOutput,
  start: measureStart,
  spawn: measureSpawn,
  'short-runs': measureShortRuns,
  client: measureClient,
  'client-size': measureClientSize,
  'python-client': measurePythonClient,
  action: measureAction,
  'action-end': measureActionEnd,
};

const measured: (Measurement & { readonly name: string })[] = [];
const names = positionals.length > 0 ? positionals : Object.keys(benches);
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined) {
    console.error(`there is no bench "${name}"; known: ${Object.keys(benches).join(', ')}`);
    process.exit(2);
  }
  const measurement = await bench(options);
  measured.push({ name, ...measurement });
  const { what, rows, ratios } = measurement;
  console.log(`\n${name}: ${what}`);
  for (const [label, value] of rows) console.log(`  ${label.padEnd(44)} ${value}`);
  for (const { name: label, value, goal } of ratios)
    console.log(
      `  ${label.padEnd(44)} ${value.toFixed(2)} (${goal === undefined ? 'for the record' : `goal: ${goal}`})`,
    );
}
if (options.json !== undefined) {
  const machine = { cpu: cpus()[0]?.model, cpus: cpus().length, node: process.version };
  writeFileSync(
    options.json,
    `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, measured }, null, 2)}\n`,
  );
}
