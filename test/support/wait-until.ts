/**
 * How long a test waits for an event, in milliseconds: far more than a busy machine needs, and less than the test's
 * timeout, so that the test says what is missing.
 */
export const waitMs = 30_000;

/** Polls until `isTrue`. Throws after `waitMs`. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + waitMs;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) throw new Error(`waited ${waitMs} ms in vain until ${isTrue}`);
    await new Promise(wake => setTimeout(wake, 20));
  }
}
