/** The complete public API of the client. */
export type { Clock } from '../base/clock.ts';
export type { AgentListParams, AgentsAnswer } from '../contract/agents.ts';
export type { Artifact, ArtifactType, UnknownArtifact } from '../contract/artifacts.ts';
export type { AgentConfig } from '../contract/config.ts';
export type { CancelBody, CreateRunAnswer, CreateRunBody, FollowupBody, LeaseAnswer } from '../contract/create.ts';
export type { EnvironmentListParams, EnvironmentsAnswer } from '../contract/environments.ts';
export type { EventPage, EventType, RunEvent, UnknownEvent } from '../contract/events.ts';
export type { ListParams } from '../contract/list-query.ts';
export type { OpenWord } from '../contract/open-world.ts';
export type { RunPage } from '../contract/page.ts';
export type { Problem } from '../contract/problem.ts';
export type { Run, RunResult, ServedRun, StatusMessage } from '../contract/run.ts';
export type { ErrorCode } from '../contract/tables/error-codes.ts';
export type { ServerFeature } from '../contract/tables/headers.ts';
export type { RunSource } from '../contract/tables/source.ts';
export { finalStates, isFinal, type RunState, runStates } from '../contract/tables/state.ts';
export type { Agent } from './agent.ts';
export { AgentRuns, type Method, type RawRequestOptions } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnexpectedResponseError,
  UnprocessableEntityError,
} from './errors/answer-errors.ts';
export {
  AbortedError,
  AgentRunsError,
  ApiKeyError,
  ConfigurationError,
  ConnectionError,
  type ConnectionFault,
  ConnectionTimeoutError,
  type NamedOption,
  type NameOption,
} from './errors/errors.ts';
export type { ApiIssue } from './errors/problem-fields.ts';
export {
  FeatureUnavailableError,
  type FollowLimit,
  FollowTimeoutError,
  RunLostError,
  StartUnknownError,
} from './errors/run-errors.ts';
export type { EventsOptions } from './following/event-reader.ts';
export type { FollowOptions } from './following/follow.ts';
export type { FollowLimitOptions } from './following/follow-limits.ts';
export { type EventLine, EventLines } from './following/log-lines.ts';
export type { PatienceOptions } from './following/patience.ts';
export { ApiPromise, type WithResponse } from './http/api-promise.ts';
export type { Query, QueryValue } from './http/request-url.ts';
export { RunList, RunsPage } from './http/runs-page.ts';
export type { ApiKeyAnswer, ApiKeyFunction } from './options/key-source.ts';
export type { Logger, LogLevel } from './options/logger.ts';
export {
  type CallOptions,
  type ClientOptions,
  defaults,
  type Fetch,
  type FetchOptions,
  type HeaderValues,
  type RequestOptions,
} from './options/options.ts';
export type { CancelOptions, FollowupOptions, Runs, WaitOptions } from './runs.ts';
export type { CreateOptions } from './start/start.ts';
