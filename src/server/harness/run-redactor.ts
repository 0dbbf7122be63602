/** An agent can print its variables, and its output is shown. */
import { createRedactor, type Redactor } from '../../border/secrets.ts';

/** Secrets of the server that an agent can find on this machine. */
const ofServers = new Set<string>();

/** Redacts a secret of the server in every run that begins from now on. The returned function ends that. */
export function redactAlways(secret: string): () => void {
  ofServers.add(secret);
  return () => void ofServers.delete(secret);
}

export function createRunRedactor(secrets: Iterable<string>): Redactor {
  return createRedactor([...secrets, ...ofServers]);
}
