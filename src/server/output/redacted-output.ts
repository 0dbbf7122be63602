import { TextDecoder } from 'node:util';
import { noSecrets, type Redactor } from '../../border/secrets.ts';

/** One stream of a program, whose chunks may end within a character or within a secret. */
interface RedactedOutput {
  push(chunk: Uint8Array): Uint8Array;
  /** What was held back; the stream may go on. */
  end(): Uint8Array;
}

/** Without secrets the bytes are passed on as they come. */
export function redactOutput(redactor: Redactor): RedactedOutput {
  if (redactor === noSecrets) return { push: chunk => chunk, end: () => Buffer.alloc(0) };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const stream = redactor.openStream();
  return {
    push: chunk => Buffer.from(stream.push(decoder.decode(chunk, { stream: true }))),
    end: () => Buffer.from(stream.end(decoder.decode())),
  };
}
