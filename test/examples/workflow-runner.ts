/**
 * Runs the jobs of a workflow file as far as a machine without GitHub can: the steps of the action by the fake
 * runner, scripts by bash in a real checkout of a real repository, artifacts as files. `gh` is a program that notes
 * how it is called. Left out are conditions, and the post part of the action, which has its own tests.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { parsePairs } from '../../src/testing/commands/command-file-format.ts';
import type { FakeRunner, GitHubContext, StepResult } from '../../src/testing/index.ts';
import { openActionRunner } from '../support/action-step.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import {
  fillIn,
  fillInAll,
  isAgentStep,
  isApplyStep,
  type Job,
  root,
  type Step,
  type Workflow,
} from './workflow-files.ts';

export interface Circumstances {
  /** The repository that is checked out and pushed to; a bare one. */
  readonly origin: string;
  readonly event: JsonObject;
  readonly github: GitHubContext;
  /** `vars`, `secrets` and `inputs` of the run. */
  readonly contexts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Of the workflow and its jobs, as its steps see them. */
  readonly env?: Readonly<Record<string, string>>;
  /** What `gh` answers: branches of a shell's `case` over its arguments. */
  readonly gh?: string;
  /** A folder with one for each artifact that was there before. */
  readonly artifacts?: string;
}

export interface WorkflowResult {
  /** Of every step of both actions, in the order of the file. */
  readonly agents: readonly StepResult[];
  /** By job. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What scripts printed and wrote into the summary. */
  readonly printed: string;
  /** How `gh` was called. */
  readonly ghCalls: readonly string[];
}

type Contexts = Readonly<Record<string, unknown>>;

/**
 * Throws where a script fails, an expression stands for nothing, or an artifact is not there; a red step of the
 * action is in the result.
 */
export async function runWorkflow({ jobs }: Workflow, circumstances: Circumstances): Promise<WorkflowResult> {
  const agents: StepResult[] = [];
  const printed: string[] = [];
  const needs: Record<string, { outputs: Readonly<Record<string, string>> }> = {};
  const { artifacts = createTempFolder() } = circumstances;
  const programs = writePrograms(circumstances);
  for (const [name, job] of Object.entries(jobs)) {
    let outputs: Readonly<Record<string, string>> = {};
    for (const [index, matrix] of legsOf(job).entries()) {
      const runner = await openRunner(circumstances, { name, job, matrix, index });
      const contexts = {
        ...circumstances.contexts,
        github: { ...circumstances.github, event: circumstances.event },
        runner: { temp: runner.temp },
        matrix,
        needs,
      };
      const done = await runSteps(job, { runner, contexts, circumstances, artifacts, programs });
      agents.push(...done.agents);
      printed.push(done.printed);
      // As on GitHub: what a leg leaves empty stays as another leg has set it.
      outputs = { ...outputs, ...Object.fromEntries(Object.entries(done.outputs).filter(([, value]) => value !== '')) };
    }
    needs[name] = { outputs };
  }
  const outputs = Object.fromEntries(Object.entries(needs).map(([name, job]) => [name, job.outputs]));
  const calls = join(programs, 'gh-calls');
  const ghCalls = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  return { agents, outputs, printed: printed.join(''), ghCalls };
}

/** A folder for the front of PATH. */
function writePrograms({ gh = '' }: Circumstances): string {
  const folder = createTempFolder();
  const lines = ['#!/bin/sh', `echo "$*" >> '${folder}/gh-calls'`, 'case "$*" in', gh, 'esac', ''];
  writeFileSync(join(folder, 'gh'), lines.join('\n'), { mode: 0o755 });
  // Nothing is installed.
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  return folder;
}

/** Of a matrix with one dimension, which is all that ours have. */
function legsOf({ strategy }: Job): readonly Readonly<Record<string, string>>[] {
  const [dimension] = Object.entries(strategy?.matrix ?? {});
  if (dimension === undefined) return [{}];
  return dimension[1].map(value => ({ [dimension[0]]: value }));
}

async function openRunner(
  { event, github }: Circumstances,
  { name, job, matrix, index }: { name: string; job: Job; matrix: JsonObject; index: number },
): Promise<FakeRunner> {
  const context = { ...github, job: name };
  const hasLegs = Object.keys(matrix).length > 0;
  const leg = hasLegs ? { matrix, strategy: { 'fail-fast': false, 'job-index': index } } : {};
  const actionDir = job.steps.some(isApplyStep) ? resolve(root, 'apply') : root;
  return await openActionRunner({ actionDir, event, context, ...leg });
}

interface Running {
  readonly runner: FakeRunner;
  readonly contexts: Contexts;
  readonly circumstances: Circumstances;
  /** A folder with one for each artifact. */
  readonly artifacts: string;
  readonly programs: string;
}

async function runSteps(job: Job, running: Running) {
  const agents: StepResult[] = [];
  const printed: string[] = [];
  const steps: Record<string, { outputs: Readonly<Record<string, string>> }> = {};
  const contexts = { ...running.contexts, steps };
  for (const step of job.steps) {
    let outputs: Readonly<Record<string, string>> = {};
    if (isAgentStep(step) || isApplyStep(step)) {
      const result = await startAgent(step, { ...running, contexts });
      agents.push(result);
      outputs = result.outputs;
    } else if (step.run === undefined) outputs = useAction(step, { ...running, contexts });
    else {
      const said = runScript(step, { ...running, contexts });
      printed.push(said.printed);
      outputs = said.outputs;
    }
    if (step.id !== undefined) steps[step.id] = { outputs };
  }
  return { agents, printed: printed.join(''), outputs: fillOutputs(job, contexts) };
}

async function startAgent(step: Step, { runner, contexts, circumstances }: Running): Promise<StepResult> {
  const env = { ...circumstances.env, ...fillInAll(step.env, contexts) };
  return await runner.startStep({ inputs: fillInAll(step.with, contexts), env }).done;
}

/** The three of GitHub's own actions that ours use. Throws for another. */
function useAction(
  step: Step,
  { runner, contexts, circumstances, artifacts }: Running,
): Readonly<Record<string, string>> {
  const given = fillInAll(step.with, contexts);
  const folder = join(artifacts, given.name ?? '');
  const action = step.uses?.split('@')[0];
  if (action === 'actions/checkout') {
    git(runner.workspace, 'clone', '--quiet', circumstances.origin, '.');
    if (given.ref !== undefined) git(runner.workspace, 'checkout', '--quiet', '--detach', given.ref);
  } else if (action === 'actions/upload-artifact') {
    const paths = (given.path ?? '').split('\n').filter(line => line.trim() !== '');
    // Conditions are left out: this one would be skipped.
    if (paths.length === 0) return { 'artifact-id': '' };
    mkdirSync(folder);
    for (const path of paths) cpSync(path, join(folder, basename(path)), { recursive: true });
    return { 'artifact-id': given.name ?? '' };
  } else if (action === 'actions/download-artifact')
    cpSync(folder, given.path ?? runner.workspace, { recursive: true });
  else throw new Error(`${step.uses} is not known here`);
  return {};
}

function runScript(step: Step, { runner, contexts, circumstances, programs }: Running) {
  const { event, env, github } = circumstances;
  const files = {
    GITHUB_OUTPUT: join(runner.temp, 'output'),
    GITHUB_STEP_SUMMARY: join(runner.temp, 'summary.md'),
    GITHUB_EVENT_PATH: join(runner.temp, 'event.json'),
  };
  writeFileSync(files.GITHUB_OUTPUT, '');
  writeFileSync(files.GITHUB_STEP_SUMMARY, '');
  writeFileSync(files.GITHUB_EVENT_PATH, JSON.stringify(event));
  const printed = execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''], {
    cwd: runner.workspace,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      HOME: runner.temp,
      RUNNER_TEMP: runner.temp,
      GITHUB_REPOSITORY: github.repository,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_EVENT_NAME: github.event_name,
      GITHUB_SHA: github.sha,
      GITHUB_REF: github.ref,
      ...files,
      ...env,
      ...fillInAll(step.env, contexts),
    },
  });
  const outputs = Object.fromEntries(parsePairs(readFileSync(files.GITHUB_OUTPUT, 'utf8'), { crlf: false }));
  return { printed: printed + readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), outputs };
}

/** What a step has not set is empty, as on GitHub; what no step has is a fault of the file. */
function fillOutputs({ outputs = {}, steps }: Job, contexts: Contexts): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, text]) => {
      const [, id, output] = /^\$\{\{ steps\.(\w+)\.outputs\.([\w-]+) \}\}$/.exec(text) ?? [];
      const step = steps.find(candidate => candidate.id === id);
      if (step === undefined) throw new Error(`the output ${name} is of no step: ${text}`);
      const isSetAtWill = step.run?.includes('$GITHUB_OUTPUT') === true;
      const have = (contexts.steps as Record<string, { outputs: Record<string, string> }>)[id ?? '']?.outputs ?? {};
      return [name, isSetAtWill ? (have[output ?? ''] ?? '') : fillIn(text, contexts)];
    }),
  );
}

/** Commits as somebody who does not exist, whatever the machine is set to. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Octo',
      GIT_AUTHOR_EMAIL: 'octo@example.com',
      GIT_COMMITTER_NAME: 'Octo',
      GIT_COMMITTER_EMAIL: 'octo@example.com',
    },
  }).trim();
}
