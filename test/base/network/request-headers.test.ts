import { expect, test } from 'vitest';
import { parseHeaders } from '../../../src/base/network/request-headers.ts';

test('each line is a header, and spaces around names and values do not count', () => {
  expect(parseHeaders('X-Team: shop\r\n\n  X-Url :https://example.com/?a=b, c \n', /\n/)).toEqual({
    'X-Team': 'shop',
    'X-Url': 'https://example.com/?a=b, c',
  });
});

test.each([
  ['X-Team: a\nsk-secret', 'header 2 (not shown) has no colon'],
  [': a', 'header 1 (not shown) has no colon'],
  ['X Team: sk-secret', 'header 1: the name (not shown) is not the name of a header'],
  ['authorization: Bearer sk-secret', 'header 1: authorization carries the key. Set the key instead'],
  ['X-Api-Key: sk-secret', 'header 1: X-Api-Key carries the key'],
  ['X-Team: sk-secret\u00e9', 'header 1: the value of X-Team (not shown) has characters that no header can carry'],
])('%j is refused without its value', (text, fault) => {
  expect(() => parseHeaders(text, /\n/)).toThrow(fault);
  expect(() => parseHeaders(text, /\n/)).not.toThrow('sk-secret');
});
