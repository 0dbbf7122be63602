/**
 * How long a test waits for what has to come, in milliseconds: far beyond what a busy machine takes for it, and below the time of a test, so that
 * the test says what did not come.
 */
export const waitMs = 30_000;

/** Looks again and again until `isTrue`. Throws after `waitMs`. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + waitMs;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) throw new Error(`waited ${waitMs} ms in vain until ${isTrue}`);
    await new Promise(wake => setTimeout(wake, 20));
  }
}
