/** An error of `fetch` may contain the request, and so the key. It is printed with the client's error as its cause. */
import { isObject } from '../../base/json.ts';
import type { Redact } from '../../border/secrets.ts';

const placesMax = 1000;
/** How many causes deep. */
const levelsMax = 5;

/**
 * Whether no name and no value in a thrown thing is redacted. False if that is not known: for large things, and for objects of classes other than errors
 * (requests, maps), which may hold anything.
 */
export function isFree(thrown: unknown, redact: Redact): boolean {
  const places = new Set<unknown>([thrown]);
  try {
    // The loop also visits values that it adds itself.
    for (const place of places) {
      if (places.size > placesMax) return false;
      if (typeof place === 'object' && place !== null) {
        if (!isOpen(place)) return false;
        // Some errors have these on their class.
        for (const name of ['name', 'message', ...Reflect.ownKeys(place)])
          places.add(name).add(Reflect.get(place, name));
      } else if (typeof place === 'function' || redact(String(place)) !== String(place)) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** `instanceof` does not recognize errors from another realm, such as Jest's or a frame's. */
function isOpen(place: object): boolean {
  if (Array.isArray(place) || place instanceof Error || Object.prototype.toString.call(place) === '[object Error]')
    return true;
  const prototype: unknown = Object.getPrototypeOf(place);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** An error with nothing but the message, stack, name and code of what was thrown, and of its causes. */
export function createBareError(thrown: unknown, redact: Redact, level = 1): Error {
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
    typeof message === 'string' ? redact(message) : `a thrown ${typeof thrown} without a message`,
    isObject(cause) && level < levelsMax ? { cause: createBareError(cause, redact, level + 1) } : {},
  );
  for (const name of ['name', 'code', 'stack'] as const) {
    const value = read(name);
    if (typeof value === 'string')
      Object.defineProperty(bare, name, { value: redact(value), configurable: true, writable: true });
  }
  return bare;
}
