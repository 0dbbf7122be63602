export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON with sorted keys, so that equal bodies give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

/**
 * Whether arrays and objects nest deeper than `levels`. Recursion over a value without end, as in JSON.stringify,
 * overflows the stack.
 */
export function isNestedBeyond(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; ; depth += 1) {
    level = level.filter(member => typeof member === 'object' && member !== null);
    if (level.length === 0) return false;
    if (depth === levels) return true;
    level = level.flatMap(member => Object.values(member as object));
  }
}
