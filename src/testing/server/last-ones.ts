/** More than a test looks at, and a limit for servers that live as long as a whole suite. */
const lastOnesKept = 10_000;

/** Appends to a list and drops the oldest entries. */
export function addLast<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > lastOnesKept) list.shift();
}
