/** An agent can print what it was given, and what it prints is shown. */
import { createRedactor, type Redactor } from '../../border/secrets.ts';

/** What no run was given, but an agent can find on this machine. */
const ofServers = new Set<string>();

/** Redacts a secret of a server in every run that begins from now on; returns what ends that. */
export function redactAlways(secret: string): () => void {
  ofServers.add(secret);
  return () => void ofServers.delete(secret);
}

export function createRunRedactor(secrets: Iterable<string>): Redactor {
  return createRedactor([...secrets, ...ofServers]);
}
