import { TextDecoder } from 'node:util';
import { noSecrets, type Redactor } from '../../border/secrets.ts';

/** One stream of a program. Chunks may end inside a character or a secret. */
interface RedactedOutput {
  push(chunk: Uint8Array): Uint8Array;
  /** Text held back so far. The stream may continue. */
  end(): Uint8Array;
}

/** Without secrets, bytes are passed on unchanged. */
export function redactOutput(redactor: Redactor): RedactedOutput {
  if (redactor === noSecrets) return { push: chunk => chunk, end: () => Buffer.alloc(0) };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const stream = redactor.openStream();
  return {
    push: chunk => Buffer.from(stream.push(decoder.decode(chunk, { stream: true }))),
    end: () => Buffer.from(stream.end(decoder.decode())),
  };
}
