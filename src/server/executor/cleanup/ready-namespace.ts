import type { Clock } from '../../../base/clock.ts';
import type { Spawner } from '../spawning/spawner.ts';
import { markerVariable, printMarker } from './marker.ts';
import { type NamespaceTools, openRunNamespace, type RunNamespace } from './run-namespace.ts';

interface ReadyParts {
  readonly tools: NamespaceTools;
  readonly serverId: string;
  readonly clock: Clock;
  readonly spawner: Spawner;
}

/**
 * Keeps one namespace ready for the next program, because making one takes as long as starting a program. Nothing in
 * it depends on a run: program, folder, environment and limits come with the program, and later mounts of the machine
 * reach it.
 */
export class ReadyNamespace {
  readonly #parts: ReadyParts;
  #ready: Promise<RunNamespace | undefined> | undefined;
  #closed = false;

  constructor(parts: ReadyParts) {
    this.#parts = parts;
  }

  /** The namespace that is ready, or a new one. Throws Error with the tool's message if the system refuses. */
  async take(): Promise<RunNamespace> {
    const taken = this.#ready;
    this.#ready = undefined;
    const namespace = await taken;
    if (namespace?.look() === 'alive') return namespace;
    // Somebody may have killed it.
    await namespace?.end();
    return await this.#open();
  }

  /** Makes the next one, unless there is one. */
  prepare(): void {
    // The next run makes its own and reports the error.
    if (!this.#closed) this.#ready ??= this.#open().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#ready)?.end();
  }

  #open(): Promise<RunNamespace> {
    const { tools, serverId, clock, spawner } = this.#parts;
    return openRunNamespace(tools, { [markerVariable]: printMarker({ serverId }) }, { clock, spawner });
  }
}
