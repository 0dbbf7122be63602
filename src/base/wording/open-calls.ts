import { type CallText, describeCall, describeSpan } from './tool-text.ts';

/** Calls whose result is still to come. */
const callsMax = 200;

export interface OpenCall extends CallText {
  readonly id: string;
  readonly name: string;
  /** On the clock of whoever keeps them. */
  readonly sinceMs: number;
}

/** The calls of an agent that are at work: events name the tool in the call alone. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  begin(id: string, name: string, { input, atMs }: { readonly input: unknown; readonly atMs: number }): OpenCall {
    const call = { id, name, sinceMs: atMs, ...describeCall(name, input) };
    this.#calls.set(id, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > callsMax && oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }

  /** Once for each call. */
  end(id: string): OpenCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  /** `, 28 of them in \`npm test\``: the call that has taken the most of a time, for the end of a clause that names it; '' where none is at work. */
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
