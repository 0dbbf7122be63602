/** Headers that a user adds to the requests for a model, such as those of a gateway. */

export type RequestHeaders = Readonly<Record<string, string>>;

/** Carry the key, which has a setting of its own. */
const keyHeaders: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** Completes a sentence that begins with the name of the setting. Undefined for a valid header. Never has the value. */
export function findHeaderFault(name: string, value: string): string | undefined {
  // A name may be a secret without its name.
  if (!/^[\w.-]{1,100}$/.test(name)) return 'the name (not shown) is not the name of a header';
  if (keyHeaders.includes(name.toLowerCase())) return `${name} carries the key. Set the key instead`;
  return /^[\t -~]*$/.test(value)
    ? undefined
    : `the value of ${name} (not shown) has characters that no header can carry`;
}

/** Reads `Name: value` pairs. Throws an Error whose message completes a sentence, without any value. */
export function parseHeaders(text: string, separator: RegExp): RequestHeaders {
  const pairs = text.split(separator).map(pair => pair.trim());
  const headers = pairs.flatMap((pair, index): (readonly [string, string])[] => {
    if (pair === '') return [];
    const at = pair.indexOf(':');
    if (at < 1) throw new Error(`header ${index + 1} (not shown) has no colon. Write it as \`Name: value\``);
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    const fault = findHeaderFault(name, value);
    if (fault !== undefined) throw new Error(`header ${index + 1}: ${fault}`);
    return [[name, value]];
  });
  return Object.fromEntries(headers);
}
