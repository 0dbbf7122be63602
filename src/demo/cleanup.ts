/** Resources to close before the process ends. */
export class Cleanup {
  readonly #closers: (() => Promise<void>)[] = [];
  #done: Promise<void> | undefined;

  /**
   * Opens a resource and registers it for closing, even if the end comes while it is being opened. Throws once
   * closing has begun.
   */
  async open<T extends { close(): Promise<void> }>(start: () => Promise<T>): Promise<T> {
    if (this.#done !== undefined) throw new Error('the demo is ending');
    const opening = start();
    this.#closers.push(async () => {
      const opened = await opening.catch(() => undefined);
      await opened?.close();
    });
    return await opening;
  }

  /** Closes everything in reverse order. The first error is thrown at the end. */
  close(): Promise<void> {
    this.#done ??= this.#closeAll();
    return this.#done;
  }

  async #closeAll(): Promise<void> {
    const faults: unknown[] = [];
    for (const close of this.#closers.toReversed()) await close().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  }
}
