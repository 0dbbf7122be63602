import { expect, test } from 'vitest';
import { isUsualVariableName } from '../../src/base/variable-name.ts';

test.each(['A', 'GITHUB_TOKEN', 'GH_APP_2_TOKEN', 'https_proxy', 'no_proxy', 'X__Y', 'GOOGLE_APPLICATION_CREDENTIALS'])(
  '%s looks like the name of a variable',
  text => expect(isUsualVariableName(text)).toBe(true),
);

test.each([
  'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'github_pat_11ABCDEFG0abcdefghij',
  'gsk_AbCdEf0123456789AbCdEf',
  'sk-ant-api03-abc',
  'AKIAIOSFODNN7EXAMPLE',
  'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  '',
])('%s may be a secret', text => expect(isUsualVariableName(text)).toBe(false));
