/** Secrets, colors and control characters go before a report's text is cut, escaped or parsed. */
import { type Redact, redactValue } from '../../border/secrets.ts';
import { terminalText } from '../../border/terminal-text.ts';

/** Redacts every text in a JSON value, including names. */
export function redactAll<Value>(value: Value, redact: Redact): Value {
  // A secret with CR line ends matches only the original text. A colored one matches only after the colors are
  // removed.
  return redactValue(value, text => redact(terminalText(redact(text))));
}
