import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceNul } from '../../../src/server/output/nul.ts';

test('each NUL and nothing else becomes U+FFFD', () => {
  const unit = fc.constantFrom('\0', '\0', 'a', 'é', '€', '\ud83d', '\ude00');
  fc.assert(
    fc.property(fc.array(unit), units => {
      const text = units.join('');
      expect(replaceNul(text)).toBe(text.replaceAll('\0', '\uFFFD'));
    }),
  );
});
