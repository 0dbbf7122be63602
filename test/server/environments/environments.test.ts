import { expect, test } from 'vitest';
import { chooseRevision, findForeign, isRef, refuseCheckout } from '../../../src/server/environments/checkout.ts';
import {
  type Environment,
  findEnvironment,
  makeEnvironmentUid,
  type Repository,
} from '../../../src/server/environments/environment.ts';
import { AddressError, isPrivate, readAddress } from '../../../src/server/environments/repository-address.ts';

const shop: Repository = {
  name: 'octo-org/shop',
  url: 'https://github.com/octo-org/shop.git',
  ref: 'next',
  path: 'shop',
};
const tools: Repository = { ...shop, name: 'octo-org/tools', ref: undefined, path: 'tools' };

function environment(name: string, ...repositories: readonly Repository[]): Environment {
  const uid = makeEnvironmentUid(name);
  const plain = { description: undefined, setup: [], env: {}, publish: 'none', publishBase: undefined } as const;
  return { ...plain, uid, name, repositories, updatedAt: 0 };
}

test("an environment's id has 22 characters and depends only on its name", () => {
  expect(makeEnvironmentUid('shop')).toBe('jiLxHnqFo3f9f45tpNnVFF');
  expect(makeEnvironmentUid('shop2')).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(makeEnvironmentUid('shop2')).not.toBe(makeEnvironmentUid('shop'));
});

test('an environment is found by id before name', () => {
  const [a, b] = [environment('a'), environment(makeEnvironmentUid('a'))];
  expect(findEnvironment([b, a], a.uid)).toBe(a);
  expect(findEnvironment([b, a], 'a')).toBe(a);
  expect(findEnvironment([b, a], 'c')).toBeUndefined();
});

test.each([
  ['octo-org/shop', 'https://github.com/octo-org/shop.git', 'github.com', 'octo-org/shop'],
  ['octo-org/shop.git', 'https://github.com/octo-org/shop.git', 'github.com', 'octo-org/shop'],
  ['https://git.example.com:8443/a/b/tools.git', undefined, 'git.example.com:8443', 'b/tools'],
  ['https://git.example.com/tools', undefined, 'git.example.com', 'tools'],
  ['file:///srv/git/octo-org/shop.git', undefined, '', 'octo-org/shop'],
])('%s is read as host and name', (text, url, host, name) => {
  expect(readAddress(text)).toEqual({ url: url ?? text, host, name });
});

test.each([
  ['git@github.com:octo-org/shop.git', 'must not be an SSH URL'],
  ['ssh://git@github.com/octo-org/shop.git', 'must not be an SSH URL'],
  ['git://example.com/octo-org/shop.git', 'must be owner/repo or a URL'],
  ['ext::sh -c evil', 'must be owner/repo or a URL'],
  ['/srv/git/shop', 'must be owner/repo or a URL'],
  ['--upload-pack=evil/x', 'must be owner/repo or a URL'],
  ['octo-org/..', 'must be owner/repo or a URL'],
  ['https://octo:secret@github.com/octo-org/shop', 'must not contain a credential'],
  ['https://github.com/octo-org/shop?token=secret', 'must not contain "?" or "#"'],
  ['https://github.com/', 'must end with the name of a repository'],
  ['file://elsewhere/srv/shop.git', 'must not name another machine'],
])('%s is rejected', (text, why) => {
  const refuse = () => readAddress(text);
  expect(refuse).toThrow(AddressError);
  expect(refuse).toThrow(why);
  expect(refuse).not.toThrow('secret');
});

test('many slashes in an address take no time', () => {
  const began = performance.now();
  expect(readAddress(`https://github.com${'/'.repeat(60_000)}a/b.git//`).name).toBe('a/b');
  expect(performance.now() - began).toBeLessThan(1000);
});

test('a token goes over https, and over plain http on this machine only', () => {
  expect(isPrivate('https://git.example.com/a/b')).toBe(true);
  expect(isPrivate('http://127.0.0.1:80/a/b')).toBe(true);
  expect(isPrivate('http://git.example.com/a/b')).toBe(false);
  expect(isPrivate('file:///a/b')).toBe(false);
});

test.each(['main', 'feature/one', 'refs/pull/7/merge', 'v1.0', 'ä'])('%s is a ref', ref => {
  expect(isRef(ref)).toBe(true);
});

test.each([
  '',
  '-x',
  '--upload-pack=evil',
  '+main',
  '/main',
  'main/',
  'a..b',
  'a:b',
  'a b',
  'a*',
  '^main',
  '@',
  'a@{1}',
  'x.lock',
  'a\nb',
  'a//b',
])('%j is not a ref', ref => {
  expect(isRef(ref)).toBe(false);
});

test('a run checks out its revision of its repository, ignoring case', () => {
  const both = environment('both', shop, tools);
  const asked = { repository: 'Octo-Org/Tools', ref: 'refs/pull/7/merge', sha: 'a'.repeat(40) };
  expect(chooseRevision(both, tools, asked)).toEqual({ ref: asked.ref, sha: asked.sha });
  expect(chooseRevision(both, shop, asked)).toEqual({ ref: 'next', sha: undefined });
  expect(chooseRevision(both, tools, undefined)).toEqual({ ref: undefined, sha: undefined });
});

test("a commit replaces the environment's ref, which may be a commit itself", () => {
  const one = environment('one', shop);
  const sha = 'b'.repeat(40);
  expect(chooseRevision(one, shop, { sha })).toEqual({ ref: undefined, sha });
  expect(chooseRevision(one, { ...shop, ref: sha }, undefined)).toEqual({ ref: undefined, sha });
});

test('an impossible checkout is rejected with its member and the alternatives', () => {
  const both = environment('both', shop, tools);
  expect(refuseCheckout(both, { repository: 'octo-org/other' })).toBeUndefined();
  expect(findForeign(both, { repository: 'octo-org/other' })).toBe('octo-org/other');
  expect(findForeign(both, { repository: 'OCTO-ORG/shop' })).toBeUndefined();
  expect(refuseCheckout(both, { sha: 'a'.repeat(40) })).toMatch(/^sha: needs `repository`/);
  expect(refuseCheckout(environment('none'), { ref: 'main' })).toMatch(
    /^ref: needs `repository`.* has no repositories$/,
  );
  expect(refuseCheckout(environment('one', shop), { ref: 'a:b' })).toBe(
    'ref: must be a valid git branch or tag name, not "a:b"',
  );
  expect(refuseCheckout(environment('one', shop), { ref: 'main' })).toBeUndefined();
  expect(refuseCheckout(both, { repository: 'OCTO-ORG/shop', ref: 'main' })).toBeUndefined();
});
