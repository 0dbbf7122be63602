/** More than a test looks at, and a bound for servers that live as long as a whole suite. */
const lastOnesKept = 10_000;

/** Adds to a list of which the oldest fall out. */
export function addLast<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > lastOnesKept) list.shift();
}
