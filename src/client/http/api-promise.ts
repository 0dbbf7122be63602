import { type Answer, toResponse } from './answer.ts';

/** A parsed body with its response. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: Response;
  /** Id to quote to the server's administrator. */
  readonly requestId: string | undefined;
}

/** A promise of the parsed body that also gives access to the response. The body has arrived in full either way. */
export class ApiPromise<T> extends Promise<T> {
  readonly #answer: Promise<Answer>;

  /** Makes `then` return a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(answer: Promise<Answer>, read: (answer: Answer) => T) {
    super(resolve => resolve(answer.then(read)));
    this.#answer = answer;
  }

  async withResponse(): Promise<WithResponse<T>> {
    const [data, answer] = await Promise.all([this, this.#answer]);
    return { data, response: toResponse(answer), requestId: answer.requestId };
  }

  /** The response with its body unread. Throws the same errors as the promise itself. */
  async asResponse(): Promise<Response> {
    // Prevents an unhandled rejection: the caller does not use this promise.
    this.catch(() => {});
    return toResponse(await this.#answer);
  }
}
