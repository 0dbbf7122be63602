import { expect, test } from 'vitest';
import { openStepNetwork } from '../../../src/action/connect/connect.ts';
import { readPlace } from '../../../src/action/inputs/inputs.ts';
import { createFakeHost } from '../fake-host.ts';

test.each(['AGENT_RUN_API_KEY', 'WARP_API_KEY'])('a key that the step has in %s alone is masked', async name => {
  const host = createFakeHost({}, { [name]: ' key-of-the-server\n' });
  const network = await openStepNetwork(host, readPlace(host));
  await network.close();
  expect(host.masks).toContain('key-of-the-server');
  expect(host.redact('it is key-of-the-server')).toBe('it is ***');
});
