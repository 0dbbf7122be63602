import { isObject } from '../base/json.ts';
import type { CreateRunAnswer, CreateRunBody, FollowupBody, LeaseAnswer } from '../contract/create.ts';
import type { RunEvent } from '../contract/events.ts';
import type { ListParams } from '../contract/list-query.ts';
import type { Run } from '../contract/run.ts';
import { readFeatures, type ServerFeature } from '../contract/tables/headers.ts';
import { type RouteId, routes } from '../contract/tables/routes.ts';
import { isFinal } from '../contract/tables/state.ts';
import { BadRequestError } from './errors/answer-errors.ts';
import { AgentRunsError, ConfigurationError } from './errors/errors.ts';
import { FeatureUnavailableError } from './errors/run-errors.ts';
import { iterateEvents } from './following/event-iteration.ts';
import type { EventsOptions } from './following/event-reader.ts';
import { explainMissing } from './following/features.ts';
import { type FollowOptions, followRun } from './following/follow.ts';
import { type Answer, replaceData } from './http/answer.ts';
import { ApiPromise } from './http/api-promise.ts';
import { type Call, isIdempotent } from './http/request.ts';
import { fillRoute } from './http/request-url.ts';
import { RunList } from './http/runs-page.ts';
import { isIdOf, isLease, isRunOf, isRunPage, parseRun } from './http/shape.ts';
import type { Transport } from './http/transport.ts';
import { checkNames, checkOptions, isPlain, type RequestOptions, requestNames } from './options/options.ts';
import { type CreateOptions, startRun } from './start/start.ts';

export interface WaitOptions extends FollowOptions {
  /**
   * Called with the run now and after every change. Its promise is awaited. Until it settles, following pauses and
   * checks neither time limits nor the signal.
   */
  readonly onRun?: ((run: Run) => void | Promise<void>) | undefined;
}

export interface CancelOptions extends RequestOptions {
  /** Reason for the cancel, shown in the run's message. One line. Older servers ignore it. */
  readonly reason?: string | undefined;
}

export interface FollowupOptions extends RequestOptions {
  /** Lets the client retry if the response is lost. Sent as `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The runs of the service. Every call throws ApiError for an error response, ConnectionError if no complete response
 * arrived, UnexpectedResponseError for a response that does not come from this service, AbortedError when its signal
 * aborts, and ConfigurationError, before anything is sent, for an invalid argument.
 */
export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Starts a run exactly once, even if responses get lost. Throws StartUnknownError, with the idempotency key, if a
   * run may have been started but cannot be found.
   */
  create(body: CreateRunBody, options: CreateOptions = {}): ApiPromise<CreateRunAnswer> {
    return new ApiPromise(startRun(this.#transport, body, options), answer => answer.data as CreateRunAnswer);
  }

  /** The run as it is now. */
  retrieve(runId: string, options: RequestOptions = {}): ApiPromise<Run> {
    const answer = this.#send('readRun', { runId }, { isExpected: isRunOf(runId) }, options);
    return new ApiPromise(answer, ({ data }) => parseRun(data));
  }

  /** One page when awaited, every run when iterated. Later pages repeat the filters. */
  list(params: ListParams = {}, options: RequestOptions = {}): RunList {
    const filters = copyOf(params);
    const own = copyOf(options);
    const ask = async (cursor?: string): Promise<Answer> => {
      checkNames('the parameters of a list', filters, listNames, '; pass one of a newer server in the option `query`');
      const empty = Object.entries(filters).find(
        ([, value]) => Array.isArray(value) && value.every(one => one === undefined),
      );
      if (empty !== undefined)
        throw new ConfigurationError(
          `the parameters of a list: ${empty[0]} is an empty list, which matches no run; use undefined to leave it out`,
        );
      const query = cursor === undefined ? filters : { ...filters, cursor };
      return await this.#send('listRuns', {}, { isExpected: isRunPage, query }, own);
    };
    return new RunList(ask(), ask);
  }

  /** Asks the server to cancel the run; returns its id. Throws BadRequestError if the run has ended. */
  cancel(runId: string, options: CancelOptions = {}): ApiPromise<string> {
    return new ApiPromise(this.#cancel(runId, options), ({ data }) => data as string);
  }

  /**
   * Sends a message to a BLOCKED run, which then continues. Retried after a lost response only with an
   * `idempotencyKey`. Throws BadRequestError if the run has ended.
   */
  followup(runId: string, body: FollowupBody, options: FollowupOptions = {}): ApiPromise<Record<string, unknown>> {
    const answer = this.#send('sendFollowup', { runId }, { isExpected: isObject, body }, options, ['idempotencyKey']);
    return new ApiPromise(answer, ({ data }) => data as Record<string, unknown>);
  }

  /** Extends the run's lease to `leaseSeconds` from now. Throws FeatureUnavailableError on a server without leases. */
  renewLease(runId: string, leaseSeconds: number, options: RequestOptions = {}): ApiPromise<LeaseAnswer> {
    const body = { lease_seconds: leaseSeconds };
    const answer = this.#send('renewLease', { runId }, { isExpected: isLease, body }, options);
    return new ApiPromise(explained(answer, 'lease'), ({ data }) => data as LeaseAnswer);
  }

  /**
   * Removes the run's lease, so that it continues even if nobody follows it. Throws BadRequestError if the run has
   * ended or is being canceled, and FeatureUnavailableError on a server without leases.
   */
  releaseLease(runId: string, options: RequestOptions = {}): ApiPromise<void> {
    const answer = this.#send('releaseLease', { runId }, { isExpected: isObject }, options);
    return new ApiPromise(explained(answer, 'lease'), () => undefined);
  }

  /**
   * The full text of the result, as far as the server keeps it; the run's `left_out_bytes` says how much it dropped.
   * If the server offers results only on the run, the run is read instead. Throws NotFoundError with the code
   * `no_result` if the run has no result, and FeatureUnavailableError if the server offers no full results and the
   * run has only part of one, or none.
   */
  result(runId: string, options: RequestOptions = {}): ApiPromise<string> {
    return new ApiPromise(this.#result(runId, options), ({ data }) => data as string);
  }

  /**
   * Every event after `after`, once and in order, until the run ends. Broken connections are reopened. Throws what
   * `follow` throws except FollowTimeoutError; use the signal to stop.
   */
  events(runId: string, options: EventsOptions = {}): AsyncGenerator<RunEvent, void, undefined> {
    return iterateEvents(this.#transport, runId, copyOf(options));
  }

  /**
   * The run now and after every change, up to its final state. A change of times alone does not count. `onEvent`
   * receives the events meanwhile. Throws FollowTimeoutError, RunLostError, ConnectionError if no good response came
   * for `toleranceMs`, and any error that a retry cannot fix.
   */
  follow(runId: string, options: FollowOptions = {}): AsyncGenerator<Run, void, undefined> {
    return followRun(this.#transport, runId, copyOf(options));
  }

  /** Waits for the run to end and returns it in its final state, whichever that is. Throws what `follow` throws. */
  async wait(runId: string, options: WaitOptions = {}): Promise<Run> {
    // Null is rejected when following begins.
    const onRun = options?.onRun;
    for await (const run of this.follow(runId, options)) {
      await onRun?.(run);
      if (isFinal(run.state)) return run;
    }
    throw new AgentRunsError(`run ${runId}: following ended before the run did`);
  }

  async #result(runId: string, given: RequestOptions): Promise<Answer> {
    const options = copyOf(given);
    try {
      return await explained(this.#send('readResult', { runId }, { as: 'text' }, options), 'result');
    } catch (error) {
      if (!(error instanceof FeatureUnavailableError)) throw error;
      const answer = await this.#send('readRun', { runId }, { isExpected: isRunOf(runId) }, options);
      const { result } = parseRun(answer.data);
      if (result?.truncated === false) return replaceData(answer, result.text);
      // The 404 came from a proxy, because the server announces the feature.
      if (readFeatures(answer.headers).has('result')) throw error.cause;
      throw new FeatureUnavailableError(
        'result',
        error,
        `, and the run itself has ${result !== undefined ? 'only the first part of it' : 'no result'}`,
      );
    }
  }

  async #cancel(runId: string, given: CancelOptions): Promise<Answer> {
    checkOptions('the options of a cancel', given, ['reason', ...requestNames]);
    const { reason, ...options } = given;
    let isRepeated = false;
    const onRetry = (failure: unknown): void => {
      isRepeated = true;
      this.#transport.noteRetry(options, failure);
    };
    try {
      // A second cancel has no further effect.
      const body = reason === undefined ? undefined : { reason };
      const call = { isExpected: isIdOf(runId), isIdempotent: true, onRetry, body };
      return await this.#send('cancelRun', { runId }, call, options);
    } catch (error) {
      if (!isRepeated || !(error instanceof BadRequestError)) throw error;
      // The run has ended, perhaps because of an attempt whose response was lost.
      const answer = await this.#send('readRun', { runId }, { isExpected: isRunOf(runId) }, options);
      if (parseRun(answer.data).state !== 'CANCELLED') throw error;
      return replaceData(answer, runId);
    }
  }

  async #send(
    id: RouteId,
    parts: RouteParts,
    call: Partial<Call>,
    options: RequestOptions,
    more: readonly string[] = [],
  ): Promise<Answer> {
    checkOptions('the options of a call', options, [...more, ...requestNames]);
    const { method } = routes[id];
    const path = fillRoute(id, parts);
    return await this.#transport.send({
      ...options,
      method,
      path,
      as: 'json',
      isIdempotent: isIdempotent(method),
      ...call,
      query: { ...options.query, ...call.query },
    });
  }
}

const listNames = [
  'state',
  'name',
  'config_name',
  'model_id',
  'creator',
  'executor',
  'source',
  'execution_location',
  'skill_spec',
  'skill',
  'environment_id',
  'q',
  'metadata',
  'created_after',
  'created_before',
  'updated_after',
  'artifact_type',
  'schedule_id',
  'ancestor_run_id',
  'automation_id',
  'factory_uid',
  'limit',
  'cursor',
  'sort_by',
  'sort_order',
] as const satisfies readonly (keyof ListParams)[];

type RouteParts = Readonly<Record<string, string>>;

/**
 * For calls that send several requests: the caller may change the object meanwhile. Other values are left for the
 * checks.
 */
function copyOf<T>(options: T): T {
  return isPlain(options) ? { ...options } : options;
}

async function explained(answer: Promise<Answer>, feature: ServerFeature): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw explainMissing(error, feature);
  }
}
