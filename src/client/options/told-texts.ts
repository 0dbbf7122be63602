/** What whoever prints an error may print of it. */
import { isObject } from '../../base/json.ts';

const placesMax = 1000;
const charactersMax = 1_000_000;
const ownPrinter = Symbol.for('nodejs.util.inspect.custom');

/**
 * All names and values in a thrown thing, however deep. Undefined where nobody can tell: for what is too large, and for things of classes other
 * than errors and headers (requests, maps, functions), which show of themselves what they like.
 */
export function readToldTexts(thrown: unknown): string | undefined {
  const places = new Set<unknown>([thrown]);
  let told = '';
  try {
    // What is added on the way comes in its turn.
    for (const place of places) {
      if (places.size > placesMax || told.length > charactersMax) return undefined;
      if ((typeof place !== 'object' || place === null) && typeof place !== 'function') {
        told += `${String(place)}\n`;
        continue;
      }
      if (place instanceof Headers) for (const pair of place) places.add(pair);
      else if (!isOpen(place)) return undefined;
      const names = Reflect.ownKeys(place);
      // Of some errors these stand on the class.
      for (const name of ['name', 'message', ...names]) places.add(name).add(Reflect.get(place, name));
    }
  } catch {
    return undefined;
  }
  return told;
}

/** Whether its own members are all that it shows. */
function isOpen(place: object): boolean {
  if (Array.isArray(place)) return true;
  if (place instanceof Error || nameClass(place) === '[object Error]') return !(ownPrinter in place);
  const prototype: unknown = Object.getPrototypeOf(place);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Errors of another realm (Jest's, a frame's) are no instances of this one's. */
function nameClass(place: object): string {
  return Object.prototype.toString.call(place);
}

/** How many causes deep. */
const levelsMax = 5;

/** An error with nothing but the message, stack, name and code of what was thrown, and of its causes. */
export function createBareError(thrown: unknown, clean: (text: string) => string, level = 1): Error {
  const read = (name: string): unknown => {
    try {
      return isObject(thrown) ? thrown[name] : undefined;
    } catch {
      return undefined;
    }
  };
  const cause = read('cause');
  const message = read('message') ?? thrown;
  const bare = new Error(
    typeof message === 'string' ? clean(message) : `a thrown ${typeof thrown} without a message`,
    isObject(cause) && level < levelsMax ? { cause: createBareError(cause, clean, level + 1) } : {},
  );
  for (const name of ['name', 'code', 'stack'] as const) {
    const value = read(name);
    if (typeof value === 'string')
      Object.defineProperty(bare, name, { value: clean(value), configurable: true, writable: true });
  }
  return bare;
}
