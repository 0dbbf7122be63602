import type { CreateRunAnswer } from '../contract/create.ts';
import { routePath } from '../contract/tables/routes.ts';
import { Agent } from './agent.ts';
import { ConfigurationError } from './errors/errors.ts';
import type { Answer, Expectation } from './http/answer.ts';
import { ApiPromise } from './http/api-promise.ts';
import { isIdempotent } from './http/request.ts';
import { isRun } from './http/shape.ts';
import { Transport } from './http/transport.ts';
import type { GivenOptions } from './options/credentials.ts';
import { type ClientOptions, checkOptions, clientNames, type RequestOptions, requestNames } from './options/options.ts';
import { resolveOptions } from './options/settings.ts';
import { Runs } from './runs.ts';
import { markTaken } from './start/start.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RawRequestOptions extends RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** How to read the response: JSON, text (not HTML) or bytes. @default 'json' */
  readonly as?: 'json' | 'text' | 'bytes' | undefined;
  /** Lets the client retry a POST or PATCH whose outcome is unknown. Sent as `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
}

/** The client of an agent run service. Its key is never printed, logged or part of an error. */
export class AgentRuns {
  /** Address of the service, with its prefix and without a slash at the end. */
  readonly baseUrl: string;
  /** A sentence for the log if the prefix was added; undefined if the given address had it. */
  readonly baseUrlNote: string | undefined;
  readonly runs: Runs;
  readonly agent: Agent;
  readonly #options: GivenOptions;
  readonly #transport: Transport;

  /** Throws ConfigurationError, which names the option or variable that is missing or wrong. */
  constructor(options: ClientOptions = {}) {
    const settings = resolveOptions(options);
    this.baseUrl = settings.baseUrl;
    this.baseUrlNote = settings.baseUrlNote;
    this.#options = { ...options, baseUrl: settings.baseUrl, apiKey: settings.keys };
    this.#transport = new Transport(settings);
    this.runs = new Runs(this.#transport);
    this.agent = new Agent(this.#transport);
    if (settings.baseUrlNote !== undefined) settings.logger.debug(settings.baseUrlNote);
  }

  /** A copy with other options; a different `baseUrl` needs its own `apiKey`. Throws ConfigurationError. */
  withOptions(options: ClientOptions = {}): AgentRuns {
    checkOptions('the options of a client', options, clientNames);
    const given = Object.fromEntries(
      Object.entries(options).filter(([, value]) => value !== undefined),
    ) as ClientOptions;
    // Without another key, the copy shares the key source, which the public options do not include.
    const copy = new AgentRuns({ ...this.#options, ...given } as ClientOptions);
    if (copy.baseUrl !== this.baseUrl && given.apiKey === undefined)
      throw new ConfigurationError('a copy with another baseUrl also needs an apiKey for that service');
    return copy;
  }

  /**
   * Sends any request, with the same retries, time limits and errors. A response without a body gives undefined. A
   * POST or PATCH is retried only if it was certainly not carried out, or with an `idempotencyKey`.
   */
  request<T = unknown>(method: Method, path: string, options: RawRequestOptions = {}): ApiPromise<T> {
    return new ApiPromise(this.#request(method, path, options), ({ data, unread }) => {
      if (unread !== undefined) throw unread;
      return data as T;
    });
  }

  /** `request` with GET. */
  get<T = unknown>(path: string, options?: RawRequestOptions): ApiPromise<T> {
    return this.request('GET', path, options);
  }

  /** `request` with POST. */
  post<T = unknown>(path: string, options?: RawRequestOptions): ApiPromise<T> {
    return this.request('POST', path, options);
  }

  /** `request` with PUT. */
  put<T = unknown>(path: string, options?: RawRequestOptions): ApiPromise<T> {
    return this.request('PUT', path, options);
  }

  /** `request` with PATCH. */
  patch<T = unknown>(path: string, options?: RawRequestOptions): ApiPromise<T> {
    return this.request('PATCH', path, options);
  }

  /** `request` with DELETE. */
  delete<T = unknown>(path: string, options?: RawRequestOptions): ApiPromise<T> {
    return this.request('DELETE', path, options);
  }

  async #request(method: Method, path: string, options: RawRequestOptions): Promise<Answer> {
    checkOptions('the options of a request', options, ['body', 'as', 'idempotencyKey', ...requestNames]);
    const as = ways[options.as ?? 'json'];
    if (as === undefined) throw new ConfigurationError(`as must be one of ${Object.keys(ways).join(', ')}`);
    const call = { ...options, method, path, as, isIdempotent: isIdempotent(method) };
    const answer = await this.#transport.send(call);
    if (method === 'POST' && path.split('?', 1)[0] === routePath('createRun') && isRun(answer.data))
      markTaken(this.#transport, answer.data as CreateRunAnswer);
    return answer;
  }
}

const ways: Readonly<Record<string, Expectation['as']>> = {
  json: 'any-json',
  text: 'any-text',
  bytes: 'bytes',
};
