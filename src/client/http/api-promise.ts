import { type Answer, toResponse } from './answer.ts';

/** A parsed body with what it came in. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: Response;
  /** What to tell whoever runs the server. */
  readonly requestId: string | undefined;
}

/** A promise of the parsed body, from which the whole response can be had as well. The body has already arrived in either case. */
export class ApiPromise<T> extends Promise<T> {
  readonly #answer: Promise<Answer>;

  /** What `then` makes is a plain promise. */
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

  /** The response with its body to read, of whatever type where the call does not say of which. Errors are thrown as they are by the promise itself. */
  async asResponse(): Promise<Response> {
    // Nobody asks for the value.
    this.catch(() => {});
    return toResponse(await this.#answer);
  }
}
