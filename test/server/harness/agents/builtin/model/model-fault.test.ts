import { APICallError } from 'ai';
import { describe, expect, test } from 'vitest';
import { readModelFault } from '../../../../../../src/server/harness/agents/builtin/model/model-fault.ts';
import { retryDelayMs, retryPolicy } from '../../../../../../src/server/harness/agents/builtin/model/retry-policy.ts';

const nowMs = Date.UTC(2030, 0, 1);
const answered = (statusCode: number, message: string, responseHeaders: Record<string, string> = {}) =>
  readModelFault(
    new APICallError({
      statusCode,
      message,
      responseHeaders,
      url: 'https://models.example.com',
      requestBodyValues: {},
    }),
    nowMs,
  );

test.each([
  [400, "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens."],
  [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
  [400, 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
  [400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
  [400, 'the request exceeds the available context size, try increasing it'],
  [413, 'Request too large'],
])('%i %s is a conversation that is too long', (status, message) => {
  expect(answered(status, message)).toMatchObject({ fault: 'context_length', httpStatus: status, isRetryable: false });
});

test('an unreachable endpoint is reported with the error of each address', () => {
  const cause = new AggregateError([
    new Error('connect ETIMEDOUT ::1:1'),
    new Error('connect ECONNREFUSED 127.0.0.1:1'),
  ]);
  const url = 'https://models.example.com';
  // In the SDK's shape.
  const error = new APICallError({ message: 'Cannot connect to API: ', cause, url, requestBodyValues: {} });
  expect(readModelFault(error, nowMs)).toMatchObject({
    fault: 'network',
    message: 'Cannot connect to API: connect ETIMEDOUT ::1:1; connect ECONNREFUSED 127.0.0.1:1',
  });
});

test.each([
  [400, 'API key not valid. Please pass a valid API key.', 'auth'],
  [400, "The model 'gpt-x' does not exist or you do not have access to it.", 'model_not_found'],
  [400, 'Unsupported parameter: tools', 'bad_request'],
  [400, 'Your credit balance is too low to access the Anthropic API.', 'rate_limit'],
  [422, 'field required: model', 'bad_request'],
  [429, 'Request too large for the limit of tokens per minute', 'rate_limit'],
  [503, 'upstream connect error', 'provider'],
])('%i %s', (status, message, fault) => {
  expect(answered(status, message)).toMatchObject({ fault });
});

describe('retry delays', () => {
  test.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    ['a date', { 'retry-after': new Date(nowMs + 5000).toUTCString() }, 5000],
    [
      'a date by its own clock',
      { 'retry-after': 'Wed, 02 Jan 2030 00:00:07 GMT', date: 'Wed, 02 Jan 2030 00:00:00 GMT' },
      7000,
    ],
    ['a date that is over', { 'retry-after': new Date(nowMs - 5000).toUTCString() }, 0],
    ['more than a minute', { 'retry-after': '61' }, undefined],
    ['a riddle', { 'retry-after': 'soon' }, 2000],
    ['nothing', {}, 2000],
  ])('the endpoint says %s', (_name, headers, delayMs) => {
    expect(retryDelayMs(answered(429, 'slow down', headers as Record<string, string>), 0, retryPolicy, () => 1)).toBe(
      delayMs,
    );
  });

  test('there are three retries, with doubled, randomized delays', () => {
    const fault = answered(500, 'oops');
    expect([0, 1, 2].map(retries => retryDelayMs(fault, retries, retryPolicy, () => 1))).toEqual([2000, 4000, 8000]);
    expect(retryPolicy.retriesMax).toBe(3);
    expect(retryDelayMs(fault, 0, retryPolicy, () => 0)).toBe(1000);
    expect(retryDelayMs(answered(401, 'no'), 0, retryPolicy)).toBeUndefined();
  });
});
