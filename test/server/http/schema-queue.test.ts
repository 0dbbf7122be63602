import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { slowSchema } from '../../support/slow-schema.ts';
import { openTestServer } from '../../support/test-server.ts';

test('disconnected create requests do not delay others', async () => {
  const { url, key } = await openTestServer();
  const post = (output_schema: object, signal?: AbortSignal) =>
    fetch(`${url}/api/v1/agent/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'x', config: { output_schema } }),
      ...(signal === undefined ? {} : { signal }),
    });
  const given = new AbortController();
  const asked = Array.from({ length: 16 }, () => post(slowSchema, given.signal).catch(() => undefined));
  await sleep(700);
  given.abort();
  await Promise.all(asked);
  const began = performance.now();
  expect((await post({ type: 'object' })).status).not.toBe(503);
  expect(performance.now() - began).toBeLessThan(5000);
});
