import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { scanRequests } from '../../../src/apply/secret-scan.ts';
import { runApply } from '../apply-step.ts';
import { findingOf, mutationsOf, openReviewed, reviewOf, reviews } from '../review-fixture.ts';
import { openShop, patchOf, propose, till, write } from '../shop-fixture.ts';

const key = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;

test('a private key in a patch stops it', async () => {
  const shop = await openShop();
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const step = await propose(shop, patchOf(shop, write({ 'deploy.pem': privateKey })));
  expect(step.outputs.failure_reason).toContain('the changes seem to contain a secret: changes (');
  expect(mutationsOf(shop.github)).toEqual([]);
});

test('a key as the name of an empty file stops it', async () => {
  const shop = await openShop();
  const step = await propose(shop, patchOf(shop, write({ [key]: '', 'b.txt': 'b\n' })));
  expect(step.outputs.failure_reason).toContain('to contain a secret: paths/');
  expect(mutationsOf(shop.github)).toEqual([]);
});

test.each([
  ['in colors', `\u001B[32m${key.slice(0, 9)}\u001B[0m${key.slice(9)}`],
  ['with a Markdown escape', key.replace('_', '\\_')],
  ['with an entity', `&#103;${key.slice(1)}`],
])('a key %s, which GitHub would get without that, is not posted', async (_how, text) => {
  const { github } = await openReviewed();
  const step = await runApply(github, { answer: reviewOf([findingOf()], { summary: text }), inputs: reviews });
  expect(step.outputs.failure_reason).toContain('the text for GitHub seems to contain a secret: body (GITHUB_TOKEN)');
  expect(mutationsOf(github)).toEqual([]);
});

test('a key that only the title of a pull request shows is not posted', async () => {
  const shop = await openShop();
  const title = `Use \u001B[1m${key.slice(0, 9)}\u001B[0m${key.slice(9)}`;
  const step = await propose(shop, patchOf(shop, till), { answer: { title, body: 'It works.' } });
  expect(step.outputs.failure_reason).toContain('the text for GitHub seems to contain a secret: message (');
  expect(shop.fake.pulls).toEqual([]);
});

test('the name of a member that is a key is not told', async () => {
  const { github } = await openReviewed();
  const step = await runApply(github, { answer: { ...reviewOf([]), [key]: { text: key } }, inputs: reviews });
  expect(step.outputs.failure_reason).toContain('…/text (GITHUB_TOKEN)');
  expect(step.outputs.failure_reason).not.toContain(key);
});

test('a read is not scanned', async () => {
  const routes: string[] = [];
  const request = async (route: string) => void routes.push(route);
  const github = scanRequests({ request, graphql: request, pause: async () => false } as never);
  await github.request('GET /repos/{owner}/{repo}', { owner: key, repo: 'demo' });
  expect(routes).toEqual(['GET /repos/{owner}/{repo}']);
});
