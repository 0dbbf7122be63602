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
} from './errors/errors.ts';
export { FeatureUnavailableError, FollowTimeoutError, RunLostError, StartUnknownError } from './errors/run-errors.ts';
export { type EventLine, EventLines } from './following/event-lines.ts';
export type { EventsOptions } from './following/events.ts';
export type { FollowOptions } from './following/follow.ts';
export type { PatienceOptions } from './following/patience.ts';
export type { Query, QueryValue } from './http/address.ts';
export { ApiPromise, type WithResponse } from './http/api-promise.ts';
export { RunList, RunsPage } from './http/page.ts';
export type { Logger, LogLevel } from './options/logger.ts';
export {
  type CallOptions,
  type ClientOptions,
  defaults,
  type Fetch,
  type HeaderValues,
  type RequestOptions,
} from './options/options.ts';
export type { Runs, WaitOptions } from './runs.ts';
export type { CreateOptions } from './start/start.ts';
