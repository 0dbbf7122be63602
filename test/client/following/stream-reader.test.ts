import { expect, test } from 'vitest';
import { readStream, streamTimes } from '../../../src/client/following/stream-reader.ts';
import { AbortedError, type RunEvent } from '../../../src/client/index.ts';
import { failureOf } from '../fixtures.ts';

const times = { firstByteMs: 60, silenceMs: 120, closingMs: 40 };

const printEvent = (seq: number, type = 'log', data: object = {}) =>
  `id: ${seq}\ndata: ${JSON.stringify({ seq, at: '2030-01-01T00:00:00.000Z', type, data })}\n\n`;
const ending = printEvent(9, 'state', { state: 'FAILED' });

/**
 * A stream that sends the pieces in turn; a number is a pause in ms. `isCancelled` says whether its reader canceled
 * it.
 */
function speak(pieces: readonly (string | number)[], close: 'close' | 'break' | 'hold' = 'close') {
  const left = [...pieces];
  const seen = { isCancelled: false };
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      let piece = left.shift();
      while (typeof piece === 'number') {
        const ms = piece;
        await new Promise(resolve => setTimeout(resolve, ms));
        piece = left.shift();
      }
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
      else if (close === 'break') controller.error(new Error('terminated'));
      else if (close === 'close') controller.close();
      else await new Promise(() => {});
    },
    cancel() {
      seen.isCancelled = true;
    },
  };
  // Sends nothing before it is read.
  return { stream: new ReadableStream(source, { highWaterMark: 0 }), seen };
}

async function readAll(stream: ReadableStream<Uint8Array>, signal?: AbortSignal) {
  const reading = readStream(stream, { signal, times });
  const events: RunEvent[] = [];
  for (;;) {
    const step = await reading.next();
    if (step.done) return { seqs: events.map(({ seq }) => seq), end: step.value };
    events.push(step.value);
  }
}

test.each([
  ['the last event and the close', speak([printEvent(1), ending]), [1, 9], 'over'],
  ['the last event and no close', speak([printEvent(1), ending], 'hold'), [1, 9], 'over'],
  ['the last event and comments', speak([ending, ...Array(20).fill([10, ': hb\n\n']).flat()], 'hold'), [9], 'over'],
  ['the last event, then another', speak([ending, printEvent(10)]), [9, 10], 'ended'],
  ['an event without data', speak(['data: {"seq": 1, "type": "state"}\n\n']), [], 'useless'],
  ['an event with an invalid number', speak(['data: {"seq": 1e300, "type": "log", "data": {}}\n\n']), [], 'useless'],
  ['the last event and a break', speak([ending], 'break'), [9], 'over'],
  ['events and a close', speak([printEvent(1)]), [1], 'ended'],
  ['events and a break', speak([printEvent(1), printEvent(2)], 'break'), [1, 2], 'ended'],
  ['events and silence', speak([printEvent(1)], 'hold'), [1], 'ended'],
  ['a close at once', speak([]), [], 'ended'],
  ['a break at once', speak([], 'break'), [], 'ended'],
  ['no first word', speak([], 'hold'), [], 'useless'],
  ['a late first word', speak([100, printEvent(1)]), [], 'useless'],
  ['a comment at first, later events', speak([': hello\n\n', 80, printEvent(1)]), [1], 'ended'],
  ['an event that is no JSON', speak([printEvent(1), 'data: <html>\n\n', printEvent(2)]), [1], 'useless'],
  ['JSON that is no event', speak(['data: {"ok": true}\n\n']), [], 'useless'],
  [
    'a state that is not final, and silence',
    speak([printEvent(1, 'state', { state: 'BLOCKED' })], 'hold'),
    [1],
    'ended',
  ],
] as const)('%s', async (_name, { stream }, seqs, end) => {
  expect(await readAll(stream)).toEqual({ seqs, end });
});

test('a stream that stays open after the last event ends before the silence limit', async () => {
  const reading = readStream(speak([ending], 'hold').stream, { times: { ...times, silenceMs: 60_000 } });
  const began = performance.now();
  await reading.next();
  expect(await reading.next()).toEqual({ done: true, value: 'over' });
  expect(performance.now() - began).toBeLessThan(15_000);
});

test('a character split between chunks is restored', async () => {
  const bytes = new TextEncoder().encode(printEvent(1, 'log', { stream: 'stdout', text: '🙂' }));
  const middle = bytes.indexOf(0xf0) + 2;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.slice(0, middle));
      controller.enqueue(bytes.slice(middle));
      controller.close();
    },
  });
  const { value } = await readStream(stream).next();
  expect((value as RunEvent).data).toMatchObject({ text: '🙂' });
});

test('stopping early and an abort close the connection', async () => {
  const first = speak([printEvent(1), printEvent(2)], 'hold');
  for await (const _event of readStream(first.stream)) break;
  expect(first.seen.isCancelled).toBe(true);

  const second = speak([printEvent(1)], 'hold');
  const signal = AbortSignal.timeout(30);
  expect(await failureOf(readAll(second.stream, signal))).toBeInstanceOf(AbortedError);
  expect(second.seen.isCancelled).toBe(true);
});

test("this project's server, with a comment every 15 s, never counts as silent", () => {
  expect(streamTimes.silenceMs).toBeGreaterThanOrEqual(2 * 15_000);
});
