import { expect, test } from 'vitest';
import { style } from '../../src/web/style.ts';

const pairs = [
  ['text', 'ground'],
  ['text', 'panel'],
  ['quiet', 'ground'],
  ['quiet', 'panel'],
  ['link', 'ground'],
  ['bad', 'ground'],
  ['held', 'ground'],
  ...['good', 'bad', 'busy', 'held', 'idle'].map(tone => [tone, `${tone}-ground`] as const),
] as const;

test.each([
  ['light', 0],
  ['dark', 1],
] as const)('every text of the %s page has a contrast of at least 4.5', (_name, index) => {
  const block = style.match(/:root \{[^}]*\}/g)?.[index] ?? '';
  const colours = new Map([...block.matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name, colour]) => [name, colour]));
  const weak = pairs.filter(([text, ground]) => !(contrast(colours.get(text), colours.get(ground)) >= 4.5));
  expect(weak).toEqual([]);
});

test('the style of a failed log entry does not affect its badge', () => {
  const rules = style.split('\n').filter(line => line.includes('.bad') && line.includes('.log'));
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter(rule => /\.log \.bad/.test(rule))).toEqual([]);
});

test('a linked code has no underline that covers its underscores', () => {
  expect(style).toContain('a:has(> code) { text-decoration: none; }');
});

/** WCAG 2.2, contrast ratio. */
function contrast(a: string | undefined, b: string | undefined): number {
  const [light, dark] = [luminance(a ?? ''), luminance(b ?? '')].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
