import { describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { noSecrets } from '../../../src/border/secrets.ts';
import { EventLines } from '../../../src/client/index.ts';
import type { EventDraft } from '../../../src/contract/events.ts';
import { sizes, utf8Bytes } from '../../../src/contract/tables/sizes.ts';
import { EventWriter } from '../../../src/server/output/event-writer.ts';
import { redactOutput } from '../../../src/server/output/redacted-output.ts';
import { createHandClock } from '../../support/hand-clock.ts';

interface Written {
  readonly stream: string;
  readonly text: string;
}

/** A writer whose sleeps last until the test ends them, unless given otherwise. */
function createWriter({
  logBytes = sizes.logBytes,
  append = async () => {},
  clock,
}: {
  logBytes?: number;
  append?: (events: readonly EventDraft[]) => Promise<void>;
  clock?: Clock;
} = {}) {
  const batches: (readonly Written[])[] = [];
  const failures: unknown[] = [];
  const writer = new EventWriter({
    append: async events => {
      batches.push(events.map(event => (event.type === 'log' ? event.data : { stream: event.type, text: '' })));
      await append(events);
    },
    clock: clock ?? { ...systemClock, sleep: (_ms, signal) => sleepUntilAborted(signal) },
    logBytes,
    onFailure: error => failures.push(error),
  });
  onTestFinished(() => writer.finish().catch(() => {}));
  return { writer, batches, failures, events: () => batches.flat() };
}

function sleepUntilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

describe('events', () => {
  test('pieces of one stream become one event, and the order between streams stays', async () => {
    const { writer, batches } = createWriter();
    for (const [stream, text] of [
      ['stdout', 'a'],
      ['stdout', 'b'],
      ['stderr', 'c'],
      ['stdout', 'd'],
    ] as const)
      await writer.write(stream, text);
    expect(batches).toEqual([]);
    await writer.finish();
    expect(batches).toEqual([
      [
        { stream: 'stdout', text: 'ab' },
        { stream: 'stderr', text: 'c' },
        { stream: 'stdout', text: 'd' },
      ],
    ]);
  });

  test('output is written after a tenth of a second, even if no more follows', async () => {
    const clock = createHandClock();
    const { writer, events } = createWriter({ clock });
    await writer.write('stdout', 'prompt> ');
    clock.advance(99);
    await systemClock.sleep(20);
    expect(events()).toEqual([]);
    clock.advance(1);
    await expect.poll(events).toEqual([{ stream: 'stdout', text: 'prompt> ' }]);
  });

  test('an event has at most 16 KiB and ends with a line if possible', async () => {
    const { writer, events } = createWriter();
    const text = Array.from({ length: 60_000 }, (_, index) => `line ${index}\n`).join('');
    await writer.write('stdout', text);
    expect(events().length).toBeGreaterThanOrEqual(30);
    await writer.finish();
    expect(
      events()
        .map(event => event.text)
        .join(''),
    ).toBe(text);
    for (const event of events()) {
      expect(utf8Bytes(event.text)).toBeLessThanOrEqual(sizes.logEventBytes);
      expect(event.text.endsWith('\n')).toBe(true);
    }
  });

  test('a line longer than an event is cut between characters', async () => {
    const { writer, events } = createWriter();
    const text = '€'.repeat(20_000);
    await writer.write('stdout', text);
    await writer.finish();
    expect(
      events()
        .map(event => event.text)
        .join(''),
    ).toBe(text);
    expect(events().length).toBe(4);
  });

  test('a rest of exactly one event is written in time even if nothing follows', async () => {
    const { writer, events } = createWriter({ clock: systemClock });
    await writer.write('stdout', 'x'.repeat(sizes.logEventBytes));
    await expect.poll(() => events().map(event => event.text.length)).toEqual([sizes.logEventBytes]);
  });

  test('no batch is too large for a database', async () => {
    const { writer, batches } = createWriter();
    for (let index = 0; index < 4000; index += 1) await writer.write(index % 2 === 0 ? 'stdout' : 'stderr', '.');
    expect(Math.max(...batches.map(batch => batch.length))).toBeLessThan(500);
  });
});

describe('text', () => {
  test('characters split between chunks are joined, per stream', async () => {
    const streams = { stdout: redactOutput(noSecrets), stderr: redactOutput(noSecrets) };
    const [out, err] = [Buffer.from('ü€'), Buffer.from('💥')];
    const texts = [
      await streams.stdout.push(out.subarray(0, 3)),
      await streams.stderr.push(err.subarray(0, 2)),
      await streams.stdout.push(out.subarray(3)),
      await streams.stderr.push(err.subarray(2)),
    ];
    expect(texts).toEqual(['ü', '', '€', '💥']);
  });

  test('invalid UTF-8 and NUL become U+FFFD', async () => {
    const { writer, events } = createWriter();
    const stream = redactOutput(noSecrets);
    await writer.write('stdout', await stream.push(Uint8Array.of(0x61, 0xff, 0x00, 0x62, 0xc3)));
    await writer.write('stdout', await stream.end());
    await writer.finish();
    expect(events()).toEqual([{ stream: 'stdout', text: 'a\uFFFD\uFFFDb\uFFFD' }]);
  });
});

describe('limits', () => {
  test('output over the limit is not written, but counted to the byte and reported once at the end', async () => {
    const { writer, events } = createWriter({ logBytes: 2000 });
    await writer.write('stdout', 'a'.repeat(1500));
    await writer.write('stderr', '€'.repeat(500));
    await writer.write('stdout', 'never');
    await writer.finish();
    await writer.finish();
    const kept = events()
      .filter(event => event.stream !== 'system')
      .reduce((sum, event) => sum + utf8Bytes(event.text), 0);
    expect(kept).toBeLessThanOrEqual(2000);
    expect(kept).toBeGreaterThan(1500);
    expect(events().filter(event => event.stream === 'system')).toEqual([
      {
        stream: 'system',
        text: `the log ends here: ${3005 - kept} more bytes of output were not kept (limit: 2000 bytes)\n`,
      },
    ]);
  });

  test('a single byte over the limit is reported in the singular', async () => {
    const { writer, events } = createWriter({ logBytes: 100 });
    await writer.write('stdout', 'a'.repeat(101));
    await writer.finish();
    expect(events().at(-1)?.text).toBe('the log ends here: 1 more byte of output was not kept (limit: 100 bytes)\n');
  });

  test('nothing is kept after the first output that does not fit', async () => {
    const { writer, events } = createWriter({ logBytes: 1000 });
    await writer.write('stdout', 'a'.repeat(500));
    await writer.write('stdout', '€'.repeat(167));
    await writer.write('stdout', '.');
    await writer.finish();
    expect(events().map(({ text }) => text.at(-1))).toEqual(['€', '\n']);
  });

  test('nothing is kept after the first event that does not fit', async () => {
    const { writer, events } = createWriter({ logBytes: 300 });
    const say = (text: string) => ({ type: 'message', data: { role: 'assistant', text } }) as const;
    await writer.writeEvents([say('a'.repeat(500)), say('b')]);
    await writer.finish();
    expect(events().map(({ stream }) => stream)).toEqual(['system']);
  });

  test('a flood of tiny events reaches the limit too', async () => {
    const { writer, events } = createWriter({ logBytes: 10_000 });
    for (let index = 0; index < 2000; index += 1) await writer.write(index % 2 === 0 ? 'stdout' : 'stderr', '.');
    await writer.finish();
    expect(events().length).toBeLessThan(200);
  });

  test('a flood of usage events is cut, and the last one is written at the end', async () => {
    const told: EventDraft[] = [];
    const { writer } = createWriter({ logBytes: 2000, append: async events => void told.push(...events) });
    for (let count = 1; count <= 500; count += 1)
      await writer.writeEvents([{ type: 'usage', data: { tokens: count } }]);
    expect(told.length).toBeLessThan(30);
    await writer.finish();
    await writer.finish();
    expect(told.filter(({ type }) => type === 'usage').at(-1)?.data).toEqual({ tokens: 500 });
    expect(told.at(-1)).toMatchObject({ type: 'log', data: { text: expect.stringContaining('the log ends here') } });
    expect(told.length).toBeLessThan(32);
  });

  test('no part of an event exceeds its limit, and every event has all its members', async () => {
    const told: EventDraft[] = [];
    const { writer } = createWriter({ append: async events => void told.push(...events) });
    const long = 'x\0'.repeat(50_000);
    await writer.writeEvents([
      { type: 'message', data: { role: long, text: 'a' } },
      { type: 'tool_call', data: { id: long, name: long, input: undefined } },
      { type: 'tool_result', data: { id: long, output: undefined, is_error: false } },
      { type: 'log', data: { stream: 'stdout', text: long } },
      { type: 'usage', data: { long } },
    ]);
    for (const { data } of told) {
      expect(utf8Bytes(JSON.stringify(data))).toBeLessThan(sizes.logEventBytes + 100);
      expect(JSON.stringify(data)).not.toContain('\\u0000');
    }
    expect(told[1]?.data).toMatchObject({ input: null });
    expect(told[2]?.data).toMatchObject({ output: null });
  });

  test('the ends of the output are kept even if events are cut', async () => {
    const { writer } = createWriter({ logBytes: 1024 });
    for (let index = 0; index < 40; index += 1) await writer.write('stdout', `${'x'.repeat(9999)}\n`);
    await writer.write('stderr', 'oops\n');
    expect(writer.stdout.text).toBe(`${'x'.repeat(9999)}\n`.repeat(40));
    expect(utf8Bytes(writer.outputTail)).toBe(64 * 1024);
    expect(writer.outputTail.endsWith('x\noops\n')).toBe(true);
  });

  test('standard output longer than a result is cut at its start, and the cut is counted', async () => {
    const { writer } = createWriter({ logBytes: 1024 });
    const lines = 500_000;
    for (let line = 0; line < lines; line += 1000) await writer.write('stdout', 'line of ü\n'.repeat(1000));
    const { text, leftOutBytes } = writer.stdout;
    expect(leftOutBytes + utf8Bytes(text)).toBe(lines * 11);
    expect(sizes.resultBytes - utf8Bytes(text)).toBeOneOf([0, 1]);
    expect(text.endsWith('line of ü\n')).toBe(true);
  });

  test.each([
    ['blanks', ' '],
    ['characters without width', '\u200b'],
  ])('%s after the answer do not hide it, in any number', async (_what, nothing) => {
    const { writer } = createWriter({ logBytes: 1024 });
    const blank = nothing.repeat(Math.ceil(12_000_000 / utf8Bytes(nothing)));
    await writer.write('stdout', 'The answer is 42.\n');
    for (let at = 0; at < blank.length; at += 65_536) await writer.write('stdout', blank.slice(at, at + 65_536));
    const { text, leftOutBytes } = writer.stdout;
    expect([text.slice(0, 18), leftOutBytes]).toEqual(['The answer is 42.\n', 0]);
    // The last output counts, and the size of the cut part is known.
    await writer.write('stdout', 'No, 43.');
    expect(writer.stdout.text.endsWith('No, 43.')).toBe(true);
    expect(writer.stdout.leftOutBytes + utf8Bytes(writer.stdout.text)).toBe(18 + utf8Bytes(blank) + 7);
  });

  test('spaces alone are not a result, in any number', async () => {
    const { writer } = createWriter({ logBytes: 1024 });
    for (let count = 0; count < 100; count += 1) await writer.write('stdout', ' '.repeat(65_536));
    expect(writer.stdout.text).toBe('');
  });
});

describe('the store', () => {
  test('writers wait for a slow store', async () => {
    const gate = Promise.withResolvers<void>();
    const { writer, batches } = createWriter({ append: () => gate.promise });
    let done = 0;
    const writes = [1, 2, 3].map(() => writer.write('stdout', 'x'.repeat(300_000)).then(() => (done += 1)));
    await systemClock.sleep(30);
    expect([done, batches.length]).toEqual([0, 1]);
    gate.resolve();
    await Promise.all(writes);
    expect(done).toBe(3);
  });

  test('events of an agent are written at once, and those that come meanwhile together', async () => {
    const gate = Promise.withResolvers<void>();
    const { writer, batches } = createWriter({ append: () => gate.promise });
    const say = (text: string) => writer.writeEvents([{ type: 'message', data: { role: 'assistant', text } }]);
    for (const text of ['a', 'b', 'c', 'd']) await say(text);
    await expect.poll(() => batches.map(batch => batch.length)).toEqual([1]);
    gate.resolve();
    await expect.poll(() => batches.map(batch => batch.length)).toEqual([1, 3]);
  });

  test('one line with very many events is written in parts', async () => {
    const { writer, batches } = createWriter();
    await writer.writeEvents(
      Array.from({ length: 20_000 }, (_, index) => ({ type: 'log', data: { stream: 'stdout', text: `${index}` } })),
    );
    expect(batches.flat().map(({ text }) => text)).toEqual(Array.from({ length: 20_000 }, (_, index) => `${index}`));
    expect(Math.max(...batches.map(batch => batch.length))).toBeLessThan(500);
  });

  test('a failed write that is not awaited is reported, and nothing is written after it', async () => {
    const { writer, batches, failures } = createWriter({
      clock: systemClock,
      append: () => Promise.reject(new Error('full')),
    });
    await writer.write('stdout', 'a');
    await expect.poll(() => failures).toEqual([new Error('full')]);
    await expect(writer.writeSystem('b')).rejects.toThrow('full');
    await expect(writer.finish()).rejects.toThrow('full');
    expect(batches.length).toBe(1);
  });

  test('a line of the service comes after earlier output', async () => {
    const { writer, events } = createWriter();
    await writer.write('stdout', 'first');
    await writer.writeSystem('second');
    expect(events().map(event => event.text)).toEqual(['first', 'second\n']);
  });

  test('a line of the service is one event with a line end, even if it is very long', async () => {
    const { writer, events } = createWriter();
    await writer.writeSystem('one');
    await writer.writeSystem('€'.repeat(10_000));
    const [one, long] = events();
    expect(one?.text).toBe('one\n');
    expect(long?.text).toMatch(/^€+\n$/);
    expect(utf8Bytes(long?.text ?? '')).toBeLessThanOrEqual(sizes.logEventBytes);
    const lines = new EventLines().read({ seq: 1, at: '', type: 'log', data: { stream: 'system', text: 'one\n' } });
    expect(lines).toEqual([{ text: 'one', isQuoted: true }]);
  });
});
