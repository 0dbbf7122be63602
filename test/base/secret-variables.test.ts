import { expect, test } from 'vitest';
import { findSecrets } from '../../src/base/secret-variables.ts';

test.each([
  ['NPM_TOKEN', 'npm_0123456789abcdefghijklmnop'],
  ['GATEWAY_KEY', 'gateway-key-0123456789abcdef'],
  ['DB_PASSWORD', 'correcthorse'],
  ['SECRET_PIN', '0123456789'],
  ['AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE'],
  ['GOOGLE_CREDENTIALS', 'just-a-word'],
  ['npm_config__authToken', 'npm-01234567'],
  ['REGISTRY', 'glpat-0123456789abcdefgh'],
])('%s=%s is a secret', (name, value) => {
  expect(findSecrets({ [name]: value })).toEqual([value]);
});

test.each([
  ['DEBUG', 'true'],
  ['USE_TOKEN', 'true'],
  ['MAX_TOKENS', '100000000'],
  ['AUTH_MODE', 'production'],
  ['KEY_FILE', '/etc/ssl/private/shop.pem'],
  ['GIT_AUTHOR_NAME', 'Octo Cat'],
  ['NODE_ENV', 'production'],
  ['PATH', '/opt/build0123456789abcdef/bin:/usr/bin'],
  ['GIT_COMMIT', '0123456789abcdef0123456789abcdef01234567'],
  ['IMAGE', 'sha256:0123456789abcdef0123456789abcdef'],
  ['MODEL', 'claude-sonnet-4-5-20250929'],
  ['PACKAGES_URL', 'https://packages.example.com/npm/'],
  ['NOTE', 'a longer text that says something of build0123456789abcdef'],
  ['EMPTY', ''],
])('%s=%s is not a secret', (name, value) => {
  expect(findSecrets({ [name]: value })).toEqual([]);
});

test('the password and random parts of an address are secrets, the rest is not', () => {
  expect(findSecrets({ DATABASE_URL: 'postgres://shop:p%40ssword@db.example.com/shop' })).toEqual([
    'p%40ssword',
    'p@ssword',
  ]);
  expect(findSecrets({ HOOK: 'https://hooks.example.com/services/T1/0123456789abcdefXYZ' })).toEqual([
    '0123456789abcdefXYZ',
  ]);
});

test('each line of a secret is a secret, except the lines that all PEM files share', () => {
  const key = '-----BEGIN KEY-----\n  MIIEvQIBADANBg\r\nab\n-----END KEY-----\n';
  expect(findSecrets({ SIGNING_KEY: key })).toEqual([key.trim(), 'MIIEvQIBADANBg']);
});
