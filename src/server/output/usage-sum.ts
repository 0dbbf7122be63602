type Usage = Readonly<Record<string, unknown>>;

/** What a run has used by all of its turns: each turn says how it stands itself. */
export class UsageSum {
  #before: Usage;
  #now: Usage;

  /** `before` is what earlier parts of the run used. */
  constructor(before: Usage = {}) {
    this.#before = before;
    this.#now = before;
  }

  get sum(): Usage {
    return this.#now;
  }

  /** The sum, after a turn has said how it stands. */
  note(usage: Usage): Usage {
    const names = new Set([...Object.keys(this.#before), ...Object.keys(usage)]);
    this.#now = Object.fromEntries([...names].map(name => [name, add(this.#before[name], usage[name])]));
    return this.#now;
  }

  beginTurn(): void {
    this.#before = this.#now;
  }
}

/** What is no number is taken from where it was said last. */
function add(before: unknown, now: unknown): unknown {
  return typeof before === 'number' && typeof now === 'number' ? before + now : (now ?? before);
}
