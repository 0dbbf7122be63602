/**
 * `npx node scripts/vectors.ts`: writes what the client makes of the inputs in test/vectors into the same files.
 * test/client/vectors.test.ts fails when one is stale.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { findOutcome, readVectors, vectorNames, vectorPath } from '../test/client/vector-outcomes.ts';

/** Characters that JSON allows in a string, but an editor does not show. */
const invisible = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

function escapeOne(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

for (const name of vectorNames) {
  const file = readVectors(name);
  const cases = [];
  for (const each of file.cases) cases.push({ ...each, expected: await findOutcome(name, file, each) });
  writeFileSync(vectorPath(name), JSON.stringify({ ...file, cases }).replace(invisible, escapeOne));
}

// Biome keeps an object that fits on a line.
execFileSync('npx', ['biome', 'format', '--write', ...vectorNames.map(vectorPath)], { stdio: 'inherit' });
