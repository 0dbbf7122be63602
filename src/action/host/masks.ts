import { isSecretName } from '../../base/secret-variables.ts';
import { createRedactor, formsOf, type Redact, type Redactor, usefulLength } from '../../border/secrets.ts';

/** The step's secrets. The runner masks them in the log and the summary, but not in comments. */
export interface Masks {
  /** Returns the values that the runner has to mask for a new secret. */
  add(secret: string): readonly string[];
  /** For text that the runner does not mask. */
  readonly redact: Redact;
}

export function createMasks(): Masks {
  const secrets = new Set<string>();
  let redactor: Redactor | undefined;
  return {
    add(secret) {
      if (secrets.has(secret)) return [];
      secrets.add(secret);
      redactor = undefined;
      // The runner would mask each line of a form by itself, including the braces of a JSON key.
      return formsOf(secret).filter(form => !/[\r\n]/.test(form));
    },
    redact(text) {
      redactor ??= createRedactor(secrets);
      return redactor.redact(text);
    },
  };
}

/** Values of this length count as secrets, whatever the variable's name. */
const secretLength = 16;

/** Returns true if an agent's variable looks like a secret rather than a flag or a model name. */
export function isSecretVariable(name: string, value: string): boolean {
  if (isSecretName(name)) return value.length >= usefulLength;
  // The runner's own values are part of every link to the job.
  return value.length >= secretLength && !/model/i.test(name) && !/^(?:GITHUB|RUNNER)_/.test(name);
}
