/** Calls of tools and what came of them, as a log shows them. */

/** Calls whose result is still to come. */
const callsMax = 200;

/** Which tool a result is of: events name the tool in the call alone. */
export class ToolNames {
  readonly #names = new Map<string, string>();

  noteCall(id: string, name: string): void {
    this.#names.set(id, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > callsMax && oldest !== undefined) this.#names.delete(oldest);
  }

  /** Once for each call. */
  takeName(id: string): string {
    const name = this.#names.get(id) ?? 'unknown';
    this.#names.delete(id);
    return name;
  }
}

/** Of a tool's input and output a log shows so many UTF-16 units, unless all of it was asked for. */
export const toolUnits = 4000;

/** A text as it is, anything else as JSON; '' for nothing. */
export function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : (JSON.stringify(value, null, 2) ?? '');
}

export function titleOfTool(name: string): string {
  return `tool: ${name}`;
}
