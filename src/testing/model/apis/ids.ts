import { randomBytes } from 'node:crypto';

/** As `msg_5f0c…`, with 24 characters behind the prefix. */
export function createId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
