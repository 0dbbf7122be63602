import { describe, expect, test } from 'vitest';
import { findOutcome, readVectors, vectorNames } from './vector-outcomes.ts';

describe.each(vectorNames)('%s', name => {
  const file = readVectors(name);
  test.each(file.cases)('$name', async each => {
    // After a change that is meant, `npx node scripts/vectors.ts` writes the new outcomes.
    expect(await findOutcome(name, file, each)).toEqual(each.expected);
  });

  test('every case has a name of its own', () => {
    expect(new Set(file.cases.map(each => each.name)).size).toBe(file.cases.length);
  });
});
