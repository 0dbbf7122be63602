/** `npm run bench`: what is measured are ratios of two things within one run, so that the machine's speed falls out. `npm run bench NAME` runs one. */
import { measureAction } from './action.ts';
import { measureActionEnd } from './action-end.ts';
import { measureClient } from './client.ts';
import { measureGroupCommit } from './group-commit.ts';
import { measureLongPoll } from './long-poll.ts';

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

const benches: Readonly<Record<string, () => Promise<Measurement>>> = {
  'group-commit': measureGroupCommit,
  'long-poll': measureLongPoll,
  client: measureClient,
  action: measureAction,
  'action-end': measureActionEnd,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined) {
    console.error(`there is no bench "${name}"; known: ${Object.keys(benches).join(', ')}`);
    process.exit(2);
  }
  const { what, rows, ratios } = await bench();
  console.log(`\n${name}: ${what}`);
  for (const [label, value] of rows) console.log(`  ${label.padEnd(44)} ${value}`);
  for (const { name: label, value, goal } of ratios)
    console.log(
      `  ${label.padEnd(44)} ${value.toFixed(2)} (${goal === undefined ? 'for the record' : `goal: ${goal}`})`,
    );
}
