import { expect, test } from 'vitest';
import { withDeadline } from '../../../src/client/http/deadline.ts';
import { failureOf } from '../fixtures.ts';

const never = () => new Promise<never>(() => {});
const onTimeout = () => new Error('late');

/** Unhandled rejections during `work` and shortly after it. */
async function uncaughtDuring(work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const uncaught: unknown[] = [];
  const note = (reason: unknown) => uncaught.push(reason);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  try {
    await work();
    await new Promise(resolve => setTimeout(resolve, 40));
  } finally {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
  }
  return uncaught;
}

test.each([Number.POSITIVE_INFINITY, 2 ** 31, 1e15])('a limit of %d ms does not end at once', async ms => {
  const work = () => new Promise(resolve => setTimeout(resolve, 30, 'done'));
  expect(await withDeadline({ ms, signal: undefined, onTimeout }, work)).toBe('done');
});

test('an invalid signal leaves no timer and no unhandled rejection', async () => {
  let timeouts = 0;
  const bounds = {
    ms: 5,
    signal: new AbortController() as never,
    onTimeout: () => {
      timeouts += 1;
      return onTimeout();
    },
  };
  const uncaught = await uncaughtDuring(async () => {
    expect(await failureOf(withDeadline(bounds, never))).toBeInstanceOf(TypeError);
  });
  expect([timeouts, uncaught]).toEqual([0, []]);
});

test('an error from onTimeout is thrown by the call, and the work is aborted', async () => {
  const reason = new Error('onTimeout failed');
  const fail = () => {
    throw reason;
  };
  let told: AbortSignal | undefined;
  const uncaught = await uncaughtDuring(async () => {
    const work = (signal: AbortSignal) => {
      told = signal;
      return never();
    };
    expect(await failureOf(withDeadline({ ms: 5, signal: undefined, onTimeout: fail }, work))).toBe(reason);
  });
  expect(uncaught).toEqual([]);
  expect(told?.reason).toBe(reason);
});

test('work that throws at once after an abort gives one rejection', async () => {
  const controller = new AbortController();
  const reason = new Error('broken');
  const uncaught = await uncaughtDuring(async () => {
    const work = (): never => {
      controller.abort();
      throw reason;
    };
    expect(await failureOf(withDeadline({ ms: 5, signal: controller.signal, onTimeout }, work))).toBe(reason);
  });
  expect(uncaught).toEqual([]);
});
