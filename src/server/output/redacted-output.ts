import { TextDecoder } from 'node:util';
import type { Redactor } from '../../border/secrets.ts';
import { openSlicedStream } from '../../border/sliced-redaction.ts';

/** The text of one stream of a program. Chunks may end inside a character or a secret. */
interface RedactedOutput {
  push(chunk: Uint8Array): Promise<string>;
  /** Text held back so far. The stream may continue. */
  end(): Promise<string>;
}

export function redactOutput(redactor: Redactor): RedactedOutput {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const stream = openSlicedStream(redactor);
  return {
    push: chunk => stream.push(decoder.decode(chunk, { stream: true })),
    end: async () => (await stream.push(decoder.decode())) + stream.end(),
  };
}
