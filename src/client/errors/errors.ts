/**
 * The errors of calls without an answer. answer-errors.ts has those of answers, run-errors.ts those about a run. The
 * class and the fields are enough to handle an error, without its message. No message and no field contains an API
 * key.
 */
import { plainLine } from '../../border/terminal-text.ts';

/** Base class of all errors of the client. */
export class AgentRunsError extends Error {
  override readonly name: string = 'AgentRunsError';

  /**
   * Removes terminal control characters and line breaks, which a server could use to hide text or forge log lines.
   */
  constructor(message: string, options?: ErrorOptions) {
    super(plainLine(message), options);
  }

  /** What JSON loggers show, because they omit an error's message. The body is omitted: it may repeat a prompt. */
  toJSON(): object {
    return { ...this, headers: undefined, body: undefined, message: this.message };
  }
}

/** Options that a program built on the client may offer under its own names, as inputs or flags. */
export type NamedOption = 'baseUrl' | 'apiKey' | 'allowHttp';
/** Returns the name of an option for use in a sentence. */
export type NameOption = (option: NamedOption) => string;

/** An option, a variable or an argument is missing or wrong; nothing was sent. */
export class ConfigurationError extends AgentRunsError {
  override readonly name = 'ConfigurationError';
  /**
   * The option that is wrong or would fix the error; undefined if the error is elsewhere, for example in a variable.
   */
  readonly option: NamedOption | undefined;
  readonly #sentence: string | ((nameOption: NameOption) => string);

  constructor(
    sentence: string | ((nameOption: NameOption) => string),
    facts: { readonly option?: NamedOption | undefined; readonly cause?: unknown } = {},
  ) {
    super(
      sayWith(sentence, option => `the option ${option}`),
      { cause: facts.cause },
    );
    this.option = facts.option;
    this.#sentence = sentence;
  }

  /** The message, with the caller's own names for the options. */
  describe(nameOption: NameOption): string {
    return sayWith(this.#sentence, nameOption);
  }
}

function sayWith(sentence: string | ((nameOption: NameOption) => string), nameOption: NameOption): string {
  return typeof sentence === 'string' ? sentence : sentence(nameOption);
}

/** The `apiKey` function failed; nothing was sent. */
export class ApiKeyError extends AgentRunsError {
  override readonly name = 'ApiKeyError';
  /** True if the function threw, so that it may succeed next time; false if it returned an invalid key. */
  readonly retryable: boolean;

  constructor(message: string, facts: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.retryable = facts.retryable;
  }
}

/** Why no complete response arrived. */
export type ConnectionFault =
  | 'refused'
  | 'unresolved'
  | 'unreachable'
  | 'certificate'
  | 'tls'
  | 'closed'
  | 'timeout'
  /** `fetch` refuses the port, or did not return a Response. */
  | 'fetch'
  | 'other';

interface ConnectionFacts {
  readonly host: string;
  readonly fault: ConnectionFault;
  /** The request certainly never reached a server, so nothing was done. */
  readonly neverLeft: boolean;
  /** The message without foreign text. @default the message */
  readonly headline?: string;
  readonly cause?: unknown;
}

/** No complete response arrived. */
export class ConnectionError extends AgentRunsError {
  override readonly name: string = 'ConnectionError';
  readonly host: string;
  readonly fault: ConnectionFault;
  readonly neverLeft: boolean;
  /** The message without foreign text, which could contain the address and its query. */
  readonly headline: string;

  constructor(message: string, facts: ConnectionFacts) {
    super(message, { cause: facts.cause });
    this.headline = facts.headline ?? message;
    this.host = facts.host;
    this.fault = facts.fault;
    this.neverLeft = facts.neverLeft;
  }
}

/** No complete response arrived within `timeoutMs` or `totalTimeoutMs`. */
export class ConnectionTimeoutError extends ConnectionError {
  override readonly name = 'ConnectionTimeoutError';
}

/** The signal aborted the call; `cause` is its reason. */
export class AbortedError extends AgentRunsError {
  override readonly name = 'AbortedError';
  /**
   * Set if a create was sent and may have started a run. Repeat the create with this key and the same body on a
   * server that supports keys.
   */
  readonly idempotencyKey: string | undefined;

  constructor(reason?: unknown, idempotencyKey?: string) {
    const more =
      idempotencyKey === undefined ? '' : `, and the run may have been started (Idempotency-Key ${idempotencyKey})`;
    super(`the call was aborted by its signal${more}`, { cause: reason });
    this.idempotencyKey = idempotencyKey;
  }
}
