/**
 * What a report says is foreign in every word, so secrets, colours and control characters are taken out of all of it at once, before any of it is
 * cut, escaped or parsed.
 */
import { type Redact, redactValue } from '../../border/secrets.ts';
import { terminalText } from '../../border/terminal-text.ts';

/** A value as JSON has them, with every text in it cleaned and redacted, names included. */
export function redactAll<Value>(value: Value, redact: Redact): Value {
  // A secret with line ends of CR is known only as it came; one that is coloured is whole only when it was cleaned.
  return redactValue(value, text => redact(terminalText(redact(text))));
}
