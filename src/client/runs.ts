import type { CreateRunAnswer, CreateRunBody, LeaseAnswer } from '../contract/create.ts';
import type { RunEvent } from '../contract/events.ts';
import type { ServerFeature } from '../contract/headers.ts';
import type { ListParams } from '../contract/list-query.ts';
import { type RouteId, routes } from '../contract/routes.ts';
import type { Run } from '../contract/run.ts';
import { isFinal } from '../contract/state.ts';
import { AgentRunsError, BadRequestError } from './errors/errors.ts';
import { type EventsOptions, readEvents } from './following/events.ts';
import { explainMissing } from './following/features.ts';
import { type FollowOptions, followRun } from './following/follow.ts';
import { fillRoute } from './http/address.ts';
import { type Answer, replaceData } from './http/answer.ts';
import { ApiPromise } from './http/api-promise.ts';
import { RunList } from './http/page.ts';
import { isLease, isRun, isRunPage, isString } from './http/shape.ts';
import { type Call, isIdempotent, type Transport } from './http/transport.ts';
import type { RequestOptions } from './options/options.ts';
import { type CreateOptions, startRun } from './start/start.ts';

export interface WaitOptions extends FollowOptions {
  /** Told of the present run and of every changed one, the finished one included. */
  readonly onRun?: ((run: Run) => void | Promise<void>) | undefined;
}

/**
 * The runs of the service. Every call throws ApiError for an error answer, ConnectionError where no whole answer came, UnexpectedResponseError for an
 * answer that is none of this service, AbortedError when its signal aborts, and ConfigurationError, before anything is sent, for an
 * argument that cannot work.
 */
export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Starts a run, once: see start.ts for how a lost answer is settled. Throws StartUnknownError, with the idempotency key, where a run may
   * have been started and cannot be found.
   */
  create(body: CreateRunBody, options: CreateOptions = {}): ApiPromise<CreateRunAnswer> {
    return new ApiPromise(startRun(this.#transport, body, options), answer => answer.data as CreateRunAnswer);
  }

  /** The run as it is now. */
  retrieve(runId: string, options: RequestOptions = {}): ApiPromise<Run> {
    const answer = this.#send('readRun', { runId }, { isExpected: isRun }, options);
    return new ApiPromise(answer, ({ data }) => data as Run);
  }

  /** Awaited, the first page; iterated, every run. Later pages repeat the filters. */
  list(params: ListParams = {}, options: RequestOptions = {}): RunList {
    const ask = (cursor?: string): Promise<Answer> => {
      const query = cursor === undefined ? params : { ...params, cursor };
      return this.#send('listRuns', {}, { isExpected: isRunPage, query }, options);
    };
    return new RunList(ask(), ask);
  }

  /** Asks for the end of a run that is not over; its id. Throws BadRequestError for a run that is over. */
  cancel(runId: string, options: RequestOptions = {}): ApiPromise<string> {
    return new ApiPromise(this.#cancel(runId, options), ({ data }) => data as string);
  }

  /** Prolongs the run's lease to `leaseSeconds` from now. Throws FeatureUnavailableError on a server without leases. */
  renewLease(runId: string, leaseSeconds: number, options: RequestOptions = {}): ApiPromise<LeaseAnswer> {
    const body = { lease_seconds: leaseSeconds };
    const answer = this.#send('renewLease', { runId }, { isExpected: isLease, body }, options);
    return new ApiPromise(explained(answer, 'lease'), ({ data }) => data as LeaseAnswer);
  }

  /** The whole text of the result. Throws FeatureUnavailableError on a server that has it on the run only. */
  result(runId: string, options: RequestOptions = {}): ApiPromise<string> {
    const answer = this.#send('readResult', { runId }, { as: 'text' }, options);
    return new ApiPromise(explained(answer, 'result'), ({ data }) => data as string);
  }

  /** See readEvents. */
  events(runId: string, options: EventsOptions = {}): AsyncGenerator<RunEvent, void, undefined> {
    return readEvents(this.#transport, runId, options);
  }

  /** See followRun. */
  follow(runId: string, options: FollowOptions = {}): AsyncGenerator<Run, void, undefined> {
    return followRun(this.#transport, runId, options);
  }

  /** The run when it is over, whatever its final state. Throws what `follow` throws. */
  async wait(runId: string, options: WaitOptions = {}): Promise<Run> {
    for await (const run of this.follow(runId, options)) {
      await options.onRun?.(run);
      if (isFinal(run.state)) return run;
    }
    throw new AgentRunsError(`run ${runId}: following ended before the run did`);
  }

  async #cancel(runId: string, options: RequestOptions): Promise<Answer> {
    let isRepeated = false;
    const onRetry = (failure: unknown): void => {
      isRepeated = true;
      this.#transport.noteRetry(options, failure);
    };
    try {
      // Cancelling twice does what cancelling once does.
      return await this.#send('cancelRun', { runId }, { isExpected: isString, isIdempotent: true, onRetry }, options);
    } catch (error) {
      if (!isRepeated || !(error instanceof BadRequestError)) throw error;
      // "Already over": perhaps by the attempt whose answer was lost.
      const answer = await this.#send('readRun', { runId }, { isExpected: isRun }, options);
      if ((answer.data as Run).state !== 'CANCELLED') throw error;
      return replaceData(answer, runId);
    }
  }

  async #send(id: RouteId, parts: RouteParts, call: Partial<Call>, options: RequestOptions): Promise<Answer> {
    const { method } = routes[id];
    const path = fillRoute(id, parts);
    return await this.#transport.send({
      ...options,
      method,
      path,
      as: 'json',
      isIdempotent: isIdempotent(method),
      ...call,
    });
  }
}

type RouteParts = Readonly<Record<string, string>>;

async function explained(answer: Promise<Answer>, feature: ServerFeature): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw explainMissing(error, feature);
  }
}
