/** Requests `/healthz` again and again on its own connection. Answers each message with the times since the last one. */
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let tookMs: number[] = [];
parentPort?.on('message', () => {
  parentPort?.postMessage(tookMs);
  tookMs = [];
});
for (;;) {
  const askedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    get(String(workerData), { agent }, response => response.resume().on('end', resolve)).on('error', reject);
  });
  tookMs.push(performance.now() - askedAt);
  await setTimeout(2);
}
