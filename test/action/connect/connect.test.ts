import { expect, test } from 'vitest';
import { openStepNetwork } from '../../../src/action/connect/connect.ts';
import { readPlace } from '../../../src/action/inputs/inputs.ts';
import { createFakeHost } from '../fake-host.ts';

test.each(['AGENT_RUN_API_KEY', 'WARP_API_KEY'])('a key that only %s holds is masked', async name => {
  const host = createFakeHost({}, { [name]: ' key-of-the-server\n' });
  const network = await openStepNetwork(host, readPlace(host));
  await network.close();
  expect(host.masks).toContain('key-of-the-server');
  expect(host.redact('it is key-of-the-server')).toBe('it is ***');
});

test("a proxy's password is masked in every spelling", async () => {
  const host = createFakeHost({}, { https_proxy: 'http://mona:pass%2Fof-the-proxy@127.0.0.1:9' });
  const network = await openStepNetwork(host, readPlace(host));
  await network.close();
  const token = Buffer.from('mona:pass/of-the-proxy').toString('base64');
  expect(host.masks).toEqual(expect.arrayContaining(['pass%2Fof-the-proxy', 'pass/of-the-proxy', token]));
  expect(host.redact(`pass/of-the-proxy ${token}`)).toBe('*** ***');
});
