/**
 * Helpers for tests of a JavaScript action.
 *
 * The fake GitHub runner runs an action's own files as a GitHub runner does and says what came of it: `createFakeRunner`.
 */
export { ActionMetadataError } from './action/action-metadata.ts';
export type { StepInputs } from './action/step-inputs.ts';
export type { Annotation, AnnotationLevel, LogLine } from './log/log-line.ts';
export { createLogRenderer, type RenderOptions, renderLog } from './log/log-renderer.ts';
export type { CancelTimes } from './runner/cancellation.ts';
export type { GitHubContext } from './runner/environment.ts';
export { createFakeRunner, type FakeRunnerOptions } from './runner/fake-runner.ts';
export type { FakeRunner, PostOptions, StepOptions } from './runner/job-runner.ts';
export type { RunningStep } from './runner/step.ts';
export type { StepResult } from './runner/step-result.ts';
