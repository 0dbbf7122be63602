import { type Environment, makeEnvironmentUid, type Repository } from '../../../src/server/environments/environment.ts';
import type { Origin } from '../../support/git-host.ts';

/** A repository of an environment. */
export function repositoryAt(url: string, more: Partial<Repository> = {}): Repository {
  const name = url
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2)
    .join('/');
  return { name, url, ref: undefined, path: '.', ...more };
}

/** The environment `shop`. Its workspace is the repository of an origin, unless given otherwise. */
export function environmentOf(origin: Origin | undefined, more: Partial<Environment> = {}): Environment {
  return {
    uid: makeEnvironmentUid('shop'),
    name: 'shop',
    description: undefined,
    repositories: origin === undefined ? [] : [repositoryAt(origin.url)],
    setup: [],
    env: {},
    publish: 'none',
    publishBase: undefined,
    updatedAt: 0,
    ...more,
  };
}

/** The description of a run's workspace. */
export const inShop = { environment_id: makeEnvironmentUid('shop') };
