/** What git takes and gives: certificates, and changes of every kind in any number. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCertificate } from '../action/connect/certificates.ts';
import { git } from '../support/git-host.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTlsFront } from '../support/tls-front.ts';
import { openShop, patchOf, propose, till, write } from './shop-fixture.ts';

test('git trusts the private authority of NODE_EXTRA_CA_CERTS, and no other', async () => {
  const shop = await openShop();
  const authority = makeCertificate({ name: 'agent-run test authority' });
  const file = join(createTempFolder(), 'authority.pem');
  writeFileSync(file, authority.cert);
  const port = await openTlsFront(makeCertificate({ name: '127.0.0.1', authority }), shop.fake.serverUrl);
  const job = { context: { server_url: `https://127.0.0.1:${port}` } };
  const step = await propose(shop, patchOf(shop, till), { ...job, env: { NODE_EXTRA_CA_CERTS: file } });
  expect(step.outputs.failure_reason).toBe('');
  const refused = await propose(shop, patchOf(shop, till), job);
  expect(refused.outputs.failure_reason).toMatch(/git fetch failed: .*certificate/);
});

test('300 files that are changed, renamed, removed, made executable and binary arrive as git has them', async () => {
  const shop = await openShop();
  const text = (index: number) => `export const item${index} = ${index};\n`.repeat(3);
  const names = Array.from({ length: 240 }, (_, index) => `lib/${index % 7}/item-${index}.ts`);
  const seen = shop.fake.origin.commit(Object.fromEntries(names.map((name, index) => [name, text(index)])));
  const base = { ...shop, seen };
  const patch = patchOf(base, folder => {
    for (const [index, name] of names.entries()) {
      if (index % 4 === 0) writeFileSync(join(folder, name), `// ${index}\n${text(index)}`);
      if (index % 4 === 1) git(folder, 'mv', name, `${name.slice(0, -3)}.mts`);
      if (index % 4 === 2) rmSync(join(folder, name));
      if (index % 4 === 3) chmodSync(join(folder, name), 0o755);
    }
    const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
    write(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`img/${index}.bin`, bytes])))(folder);
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'as git has it');
    git(folder, 'push', '--quiet', 'origin', 'HEAD:refs/heads/expected');
    git(folder, 'reset', '--quiet', '--soft', seen);
  });
  // The base moved in the meantime.
  shop.fake.origin.commit({ 'lib/0/item-0.ts': 'moved\n' });
  const step = await propose(base, patch, {
    inputs: { changes_max_files: '400', changes_allow_paths: 'lib/**' },
  });
  expect(step.outputs.failure_reason).toBe('');
  const tree = (name: string) => shop.fake.run(['rev-parse', `${name}^{tree}`]);
  expect(tree('agent-run/review-build')).toBe(tree('expected'));
  expect(shop.fake.run(['rev-parse', 'agent-run/review-build^'])).toBe(seen);
});
