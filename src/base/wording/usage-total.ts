/** A server may send any number of names. */
const namesMax = 50;

/** The total usage of a run. Each event has running totals, and may omit some of them. */
export class UsageTotal {
  readonly #values = new Map<string, unknown>();

  add(data: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(data)) {
      if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'boolean') continue;
      if (name.length > 100 || String(value).length > 200) continue;
      if (this.#values.has(name) || this.#values.size < namesMax) this.#values.set(name, value);
    }
  }

  read(): Readonly<Record<string, unknown>> | undefined {
    return this.#values.size === 0 ? undefined : Object.fromEntries(this.#values);
  }
}

/** The members of a usage for people. A cost with two names is listed once. */
export function listUsage(
  usage: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(usage).filter(([name]) => name !== 'inference_cost_usd' || usage.cost_usd === undefined);
}

/** `input tokens 1,200 · output tokens 310`. Members with several values are omitted. */
export function printUsage(usage: Readonly<Record<string, unknown>>): string {
  return listUsage(usage)
    .filter(([, value]) => typeof value === 'number' || typeof value === 'string')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${printAmount(value)}`)
    .join(' · ');
}

function printAmount(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en-GB', { maximumFractionDigits: 4 }) : String(value);
}
