import { once } from 'node:events';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/server/index.ts';

test.each([
  ['whose head does not end', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['whose body does not end', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{'],
  ['that never comes', ''],
])('a request %s is closed after its time limit', async (_name, text) => {
  const server = { fetch: async (request: Request) => new Response(await request.text()), setAddress: () => {} };
  const listening = await listen(server, { host: '127.0.0.1', port: 0, arrivalMs: 300 });
  onTestFinished(() => listening.close(0));
  const socket = net.connect(Number(new URL(listening.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  if (text !== '') socket.write(text);
  await once(socket, 'close');
  expect(socket.bytesWritten).toBe(text.length);
});
