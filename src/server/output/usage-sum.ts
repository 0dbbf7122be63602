type Usage = Readonly<Record<string, unknown>>;

/** Usage of a run over all its turns. Each turn reports its own total. */
export class UsageSum {
  #before: Usage;
  #now: Usage;

  /** `before` is the usage of earlier parts of the run. */
  constructor(before: Usage = {}) {
    this.#before = before;
    this.#now = before;
  }

  get sum(): Usage {
    return this.#now;
  }

  /** The sum after a turn has reported its total. */
  note(usage: Usage): Usage {
    const names = new Set([...Object.keys(this.#before), ...Object.keys(usage)]);
    this.#now = Object.fromEntries([...names].map(name => [name, add(this.#before[name], usage[name])]));
    return this.#now;
  }

  beginTurn(): void {
    this.#before = this.#now;
  }
}

/** A missing number is taken from the last report that had one. */
function add(before: unknown, now: unknown): unknown {
  return typeof before === 'number' && typeof now === 'number' ? before + now : (now ?? before);
}
