/** `npm run bench`: each measurement is a ratio of two things within one run, so that the machine's speed falls out. `npm run bench NAME` runs one. */
import { measureGroupCommit } from './group-commit.ts';
import { measureLongPoll } from './long-poll.ts';

export interface Measurement {
  readonly what: string;
  /** What the ratio should be on any machine. */
  readonly goal: string;
  readonly rows: readonly (readonly [string, string])[];
  readonly ratio: number;
}

const benches: Readonly<Record<string, () => Promise<Measurement>>> = {
  'group-commit': measureGroupCommit,
  'long-poll': measureLongPoll,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined) {
    console.error(`there is no bench "${name}"; known: ${Object.keys(benches).join(', ')}`);
    process.exit(2);
  }
  const { what, goal, rows, ratio } = await bench();
  console.log(`\n${name}: ${what}`);
  for (const [label, value] of rows) console.log(`  ${label.padEnd(44)} ${value}`);
  console.log(`  ${'ratio'.padEnd(44)} ${ratio.toFixed(1)} (goal: ${goal})`);
}
