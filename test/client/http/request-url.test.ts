import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeQuery, fillRoute, joinAddress, type QueryValue } from '../../../src/client/http/request-url.ts';
import { ConfigurationError } from '../../../src/client/index.ts';

const circle: Record<string, unknown> = {};
circle.self = circle;
const base = 'https://a.example.com/agents/api/v1';

test('arrays repeat the key, members become key[member], undefined is omitted and null is empty', () => {
  const query = {
    state: ['FAILED', 'ERROR'],
    metadata: { ticket: 'A 1', gone: undefined },
    limit: 5,
    q: undefined,
    cursor: null,
    deep: { a: { b: [1, true] } },
  };
  expect(encodeQuery(query)).toBe(
    'state=FAILED&state=ERROR&metadata%5Bticket%5D=A%201&limit=5&cursor=&deep%5Ba%5D%5Bb%5D=1&deep%5Ba%5D%5Bb%5D=true',
  );
  expect(encodeQuery({ created_after: new Date(0) })).toBe('created_after=1970-01-01T00%3A00%3A00.000Z');
});

test('a server decodes exactly what was given, whatever the names and values', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), query => {
      const read = new URL(joinAddress(base, '/agent/runs', query)).searchParams;
      for (const [name, values] of Object.entries(query)) expect(read.getAll(name)).toEqual(values);
      expect([...read]).toHaveLength(Object.values(query).flat().length);
    }),
  );
});

test('the encoder never throws or breaks the line', () => {
  const { value } = fc.letrec<{ value: QueryValue }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), query => {
      expect(encodeQuery(query)).toMatch(/^[\w.!~*'()%&=-]*$/);
    }),
  );
});

test('a lone surrogate is sent as the replacement character', () => {
  expect(encodeQuery({ 'a\ud800': ['\udc00b', { 'c\ud800': '\ud83d\ude00' }] })).toBe(
    'a%EF%BF%BD=%EF%BF%BDb&a%EF%BF%BD%5Bc%EF%BF%BD%5D=%F0%9F%98%80',
  );
});

test.each<[object, RegExp]>([
  [{ created_after: new Date('x') }, /^the query cannot be sent: created_after is an invalid date/],
  [{ q: () => 'x' }, /^the query cannot be sent: q is a function$/],
  [{ a: { b: [Symbol('x')] } }, /a\[b\] is a symbol$/],
  [circle, /^the query cannot be sent: /],
])('a query that cannot be sent is refused: %#', (query, message) => {
  expect(() => encodeQuery(query)).toThrow(ConfigurationError);
  expect(() => encodeQuery(query)).toThrow(message);
});

test.each([
  '/agent/../runs',
  '/..',
  '/./x',
  '/agent/%2e%2E/x',
  '/a\\..\\b',
  '/..%2f',
  '/a%2F..%2f../b',
  '/a/..%5Cb',
  '/%5c%2e%2e',
  '/a\t/b',
  '/.. ',
  '/.\n./b',
  '//evil.example.com/x',
  'agent/runs',
  '',
  'https://evil.example.com',
  '/x#y',
])('the path %j is refused', path => {
  expect(() => joinAddress(base, path)).toThrow(ConfigurationError);
});

test('every accepted path stays below the base address', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('.', '..', '%2e', '/', '\\', '?', '@', ':', ' ', 'a'), fc.string())),
      parts => {
        let url: URL;
        try {
          url = new URL(joinAddress(base, `/${parts.join('')}`));
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigurationError);
          return;
        }
        expect(url.href.startsWith(`${base}/`)).toBe(true);
      },
    ),
  );
});

test('a query in the path is kept and extended', () => {
  expect(joinAddress(base, '/agent/runs?limit=1', { q: 'x' })).toBe(`${base}/agent/runs?limit=1&q=x`);
  expect(joinAddress(base, '/x?a=b?c')).toBe(`${base}/x?a=b?c`);
});

test('a path part that would change the address is refused, any other is encoded', () => {
  expect(fillRoute('readRun', { runId: 'a%2e?b #c' })).toBe('/agent/runs/a%252e%3Fb%20%23c');
  for (const runId of ['', '.', '..', '\ud800', 'a/b', 'a/../b', 'a\\b', undefined as never, 5 as never])
    expect(() => fillRoute('readRun', { runId })).toThrow(ConfigurationError);
});
