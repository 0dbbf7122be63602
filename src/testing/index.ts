/**
 * Helpers for tests of software that builds on this project.
 *
 * - The real server with planned faults: `createTestServer`, `withFaults`.
 * - The scripted model, which plays the answers of a model in the APIs that agents call: `startModelServer`.
 * - The fake GitHub runner, which runs an action's own files like a GitHub runner and reports the result:
 *   `createFakeRunner`.
 */
export { ActionMetadataError } from './action/action-metadata.ts';
export type { StepInputs } from './action/step-inputs.ts';
export type { Annotation, AnnotationLevel, LogLine } from './log/log-line.ts';
export { createLogRenderer, type RenderOptions, renderLog } from './log/log-renderer.ts';
export type { ModelServerOptions } from './model/model-options.ts';
export type {
  ModelApi,
  ModelCall,
  ModelMessage,
  ModelQuestion,
  ModelRequest,
  OfferedTool,
  ToolResult,
} from './model/model-request.ts';
export { type ModelServer, startModelServer } from './model/model-server.ts';
export type { ModelScript, ModelTurn, ModelUsage, ScriptedCall, TurnSource } from './model/script/turn.ts';
export { createFakeRunner, type FakeRunnerOptions } from './runner/fake-runner.ts';
export type { CancelTimes } from './runner/job-cancellation.ts';
export type { GitHubContext } from './runner/job-environment.ts';
export type { FakeRunner, PostOptions, StepOptions } from './runner/job-runner.ts';
export type { RunningStep } from './runner/job-step.ts';
export type { StepResult } from './runner/step-result.ts';
export type {
  AimedFault,
  DeletedRun,
  Fault,
  FaultAim,
  FaultKind,
  FaultMoment,
  FaultPlan,
  LastingFault,
} from './server/faults/fault-plan.ts';
export type { MetFault } from './server/faults/faulty-fetch.ts';
export { FaultPlanError } from './server/faults/plan-check.ts';
export { type FetchLike, withFaults } from './server/faults/with-faults.ts';
export {
  type ArrivedRequest,
  createTestServer,
  type TestServer,
  type TestServerOptions,
} from './server/test-server.ts';
