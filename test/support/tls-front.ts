import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Identity } from '../action/connect/certificates.ts';

/** TLS in front of a server without it. Returns its port. */
export async function openTlsFront({ cert, key }: Identity, url: string): Promise<number> {
  const front = createServer({ cert, key }, socket => {
    const behind = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [from, to] of [
      [socket, behind],
      [behind, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(() => void front.close());
  return (front.address() as AddressInfo).port;
}
