import { randomBytes } from 'node:crypto';

/** Such as `msg_5f0c…`, with 24 characters after the prefix. */
export function createId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
