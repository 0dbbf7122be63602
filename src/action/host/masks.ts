import { isSecretName } from '../../base/secret-variables.ts';
import { createRedactor, formsOf, type Redact, type Redactor, usefulLength } from '../../border/secrets.ts';

/** The secrets of a step. The runner masks them in the log and the summary, but not in comments. */
export interface Masks {
  /** Returns what the runner is to mask for a new secret. */
  add(secret: string): readonly string[];
  /** For a text that the runner does not mask. */
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

/** How long a variable's value is that is taken for a secret whatever its name says. */
const secretLength = 16;

/** Whether a variable that an agent is given looks like a secret, and not like a flag or a model's name. */
export function isSecretVariable(name: string, value: string): boolean {
  if (isSecretName(name)) return value.length >= usefulLength;
  // What the runner says to every step is in each link to the job.
  return value.length >= secretLength && !/model/i.test(name) && !/^(?:GITHUB|RUNNER)_/.test(name);
}
