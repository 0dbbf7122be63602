import { type CallText, describeCall, describeSpan } from './tool-text.ts';

const callsMax = 200;

export interface OpenCall extends CallText {
  readonly id: string;
  readonly name: string;
  /** By the caller's clock. */
  readonly sinceMs: number;
}

/** An agent's unfinished tool calls. Only the event of the call itself names the tool. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  begin(id: string, name: string, { input, atMs }: { readonly input: unknown; readonly atMs: number }): OpenCall {
    const call = { id, name, sinceMs: atMs, ...describeCall(name, input) };
    this.#calls.set(id, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > callsMax && oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }

  /** The call, once; undefined afterwards. */
  end(id: string): OpenCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  /**
   * `, 28 of them in \`npm test\``: names the oldest open call, for the end of a clause about a time; '' if there is
   * none.
   */
  describeOldest(nowMs: number, allMs: number): string {
    const [oldest] = this.#calls.values();
    if (oldest === undefined) return '';
    const tookMs = Math.min(allMs, nowMs - oldest.sinceMs);
    if (!Number.isFinite(tookMs)) return '';
    const [count, unit] = describeSpan(tookMs).split(' ');
    const isSame = describeSpan(allMs).endsWith(` ${unit}`);
    return `, ${isSame ? `${count} of them` : `${count} ${unit} of it`} in \`${oldest.label}\``;
  }
}
