import { TextDecoder } from 'node:util';
import type { SecretHider } from '../../base/secret-hider.ts';

/** One stream of a program, whose chunks may end within a character or within a secret. */
export interface HiddenOutput {
  push(chunk: Uint8Array): Uint8Array;
  /** What was held back; the stream may go on. */
  end(): Uint8Array;
}

/** Without anything to hide it is passed on as it comes. */
export function hideOutput(secrets: SecretHider | undefined): HiddenOutput {
  if (secrets === undefined) return { push: chunk => chunk, end: () => Buffer.alloc(0) };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const stream = secrets.openStream();
  return {
    push: chunk => Buffer.from(stream.push(decoder.decode(chunk, { stream: true }))),
    end: () => Buffer.from(stream.push(decoder.decode()) + stream.end()),
  };
}
