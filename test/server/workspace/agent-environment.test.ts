import { expect, test } from 'vitest';
import { createBaseEnvironment } from '../../../src/server/workspace/agent-environment.ts';
import { locateRunFolder } from '../../../src/server/workspace/run-folder.ts';

const folder = locateRunFolder('/data', 'run');

test('only a UTF-8 locale is passed on', () => {
  expect(createBaseEnvironment({ LANG: 'C.UTF-8', LC_ALL: 'POSIX' }, folder)).toMatchObject({ LANG: 'C.UTF-8' });
  expect(createBaseEnvironment({ LANG: 'C.UTF-8', LC_ALL: 'POSIX' }, folder)).not.toHaveProperty('LC_ALL');
});

test('a server without a PATH gives its agents the usual one', () => {
  expect(createBaseEnvironment({}, folder).PATH).toBe('/usr/local/bin:/usr/bin:/bin');
});
