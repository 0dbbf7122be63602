/**
 * What a report says is foreign in every word, so secrets, colours and control characters are taken out of all of it at once, before any of it is
 * cut, escaped or parsed.
 */
import { cleanText } from './markdown.ts';

/** Puts `***` in place of the secrets that are known. */
export type Redact = (text: string) => string;

/** A value as JSON has them, with every text in it cleaned and redacted, names included. */
export function redactAll<Value>(value: Value, redact: Redact): Value {
  // A secret with line ends of CR is known only as it came; one that is coloured is whole only when it was cleaned.
  return redactValue(value, text => redact(cleanText(redact(text)))) as Value;
}

function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(item => redactValue(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redactValue(item, redact)]));
}
