/** The typed client. This list is its whole surface. */
export type { AgentConfig } from '../contract/config.ts';
export type { CreateRunAnswer, CreateRunBody, LeaseAnswer } from '../contract/create.ts';
export type { ErrorCode } from '../contract/error-codes.ts';
export type { EventType, RunEvent } from '../contract/events.ts';
export type { ServerFeature } from '../contract/headers.ts';
export type { ListParams } from '../contract/list-query.ts';
export type { OpenWord, Run, RunResult, StatusMessage } from '../contract/run.ts';
export type { RunSource } from '../contract/source.ts';
export { finalStates, isFinal, type RunState, runStates } from '../contract/state.ts';
export type { Query, QueryValue } from './address.ts';
export { ApiPromise, type WithResponse } from './api-promise.ts';
export { AgentRuns, type Method, type RawRequestOptions } from './client.ts';
export {
  AbortedError,
  AgentRunsError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  type ConnectionFault,
  ConnectionTimeoutError,
  InternalServerError,
  type NamedOption,
  type NameOption,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnexpectedResponseError,
  UnprocessableEntityError,
} from './errors.ts';
export { type EventLine, EventLines } from './event-lines.ts';
export type { EventsOptions } from './events.ts';
export type { FollowOptions } from './follow.ts';
export type { Logger, LogLevel } from './logger.ts';
export {
  type CallOptions,
  type ClientOptions,
  defaults,
  type Fetch,
  type HeaderValues,
  type RequestOptions,
} from './options.ts';
export { RunList, RunsPage } from './page.ts';
export type { PatienceOptions } from './patience.ts';
export { FeatureUnavailableError, FollowTimeoutError, RunLostError, StartUnknownError } from './run-errors.ts';
export type { Runs, WaitOptions } from './runs.ts';
export type { CreateOptions } from './start.ts';
