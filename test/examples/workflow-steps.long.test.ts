import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { readServerConfig } from '../../src/server/index.ts';
import {
  type ModelRequest,
  type ModelScript,
  type ModelServer,
  type ModelTurn,
  startModelServer,
} from '../../src/testing/index.ts';
import { openFakeGitHub } from '../support/fake-github.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTestServer } from '../support/test-server.ts';
import { defaultsOf, readWorkflow, root } from './workflow-files.ts';
import { git, runWorkflow, type WorkflowResult } from './workflow-runner.ts';

/** The agent of the server: what it answers depends on the task. */
const agent = `
case "$(cat)" in
  *'Classify the issue'*) echo '{"labels": ["bug"]}' > "$AGENT_RUN_RESULT" ;;
  *) printf 'done%s' "\${MODEL_API_KEY:+ with a key}" ;;
esac
`;
const argv = ['sh', '-c', agent] as const;

/** Has marks that belong to letters, characters that only look like spaces, and lines that Markdown hides. */
const plan = `Plan: [move](http://h "all") it\u200b\u3164\u2800\u00a0e\u0301 हि\r\n\n\n \n\n${'y'.repeat(70)}\n[//]: # (and the till)`;
const showProductionKey = 'printf %s "${PRODUCTION_API_KEY:+the key of production}"';

/** The model of an agent in a step: what it answers depends on the task, and a tool that it called answers for it. */
function playTask({ messages, toolResults }: ModelRequest): ModelTurn {
  const task = messages.find(({ role }) => role === 'user')?.text ?? '';
  if (toolResults.length > 0) return { text: `done, ${toolResults.at(-1)?.text}` };
  if (task.includes('/agent explain')) return { text: 'asked' };
  if (task.includes('packages/api')) return { text: 'api\nEND' };
  if (/Carry out[\s\S]*Plan:/.test(task)) return { tools: [{ shell: showProductionKey }] };
  if (/Plan the following[\s\S]*warehouse/.test(task)) return { text: plan };
  return { text: 'done' };
}

const events = {
  dispatch: 'workflow_dispatch',
  schedule: 'schedule',
  'pull-request': 'pull_request',
  'issue-comment': 'issue_comment',
  issues: 'issues',
} as const;

interface Run {
  readonly file: string;
  readonly event?: keyof typeof events;
  readonly isEmbedded?: boolean;
  /** Of a reusable workflow, in addition to key and address. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Of these jobs alone. */
  readonly jobs?: readonly string[];
  readonly artifacts?: string;
  /** Where the model of an agent in the step is. @default one that plays the task */
  readonly modelUrl?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'agent-run-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A repository with a commit, as others push to it. */
const { origin, work, sha } = createOrigin();

function createOrigin() {
  const work = join(folder, 'work');
  mkdirSync(join(work, 'skills/repo-report'), { recursive: true });
  writeFileSync(join(work, 'shop.txt'), 'broken\n');
  writeFileSync(
    join(work, 'skills/repo-report/SKILL.md'),
    '---\nname: repo-report\ndescription: A report.\n---\nReport.\n',
  );
  git(work, 'init', '--quiet', '--initial-branch', 'main');
  git(work, 'add', '--all');
  git(work, 'commit', '--quiet', '--message', 'A shop');
  const sha = git(work, 'rev-parse', 'HEAD');
  git(folder, 'clone', '--quiet', '--bare', work, 'origin.git');
  return { origin: join(folder, 'origin.git'), work, sha };
}

/** As the server reads them: `shop`, which clones the repository. */
function readEnvironments() {
  const file = join(folder, 'agent-run.yaml');
  writeFileSync(file, `environments: { shop: { repositories: [{ url: "file://${origin}" }] } }\n`);
  return readServerConfig({ env: {}, flags: { config: file }, cwd: folder }).environments;
}

async function runExample({
  file,
  event: name = 'dispatch',
  isEmbedded = false,
  inputs,
  jobs,
  artifacts,
  modelUrl,
}: Run) {
  const server = isEmbedded
    ? undefined
    : await openTestServer({
        harnesses: { default: 'agent', script: false, commands: { agent: { argv, env: {} } } },
        skillRepositories: { 'octo-org/shop': work },
        environments: readEnvironments(),
      });
  const modelAddress = modelUrl ?? (isEmbedded ? (await openModel(playTask)).url : undefined);
  const github = await openFakeGitHub();
  github.permissions.set('octocat', { permission: 'write', id: 583231 });
  const recorded = readFileSync(join(root, `test/support/events/workflow-${name}.json`), 'utf8');
  const event = JSON.parse(recorded.replaceAll('ffac537e6cbbf934b08745a378932722df287a53', sha)) as JsonObject;
  const workflow = readWorkflow(file);
  const defaults = defaultsOf(workflow);
  const asked = Object.entries(workflow.jobs).filter(([job]) => jobs === undefined || jobs.includes(job));
  const result = await runWorkflow(
    { ...workflow, jobs: Object.fromEntries(asked) },
    {
      origin,
      gh: `'pr diff'*) echo '+1' ;;`,
      ...(artifacts === undefined ? {} : { artifacts }),
      ...(modelAddress === undefined ? {} : { env: { ANTHROPIC_BASE_URL: modelAddress } }),
      event,
      github: {
        event_name: events[name],
        actor: name === 'issues' ? 'a-stranger' : 'octocat',
        repository: 'octo-org/shop',
        workflow: 'example',
        run_attempt: '1',
        sha,
        api_url: github.apiUrl,
        token: 'token-of-the-job',
        ref: name === 'pull-request' ? 'refs/pull/17/merge' : 'refs/heads/main',
      },
      contexts: {
        vars: server === undefined ? {} : { AGENT_RUN_BASE_URL: server.url },
        inputs: { ...defaults.inputs, task: 'Move the warehouse.', base_url: server?.url ?? '', ...inputs },
        secrets: {
          ...defaults.secrets,
          ...(server === undefined ? {} : { AGENT_RUN_API_KEY: server.key }),
          api_key: server?.key ?? '',
          model_api_key: 'key-of-the-model',
          ANTHROPIC_API_KEY: 'key-of-the-model',
          ...(modelAddress === undefined ? {} : { anthropic_api_key: 'key-of-the-model' }),
          PRODUCTION_API_KEY: 'key-of-production',
        },
      },
    },
  );
  return { ...result, github, server };
}

/** What the steps of the action came to, with the annotations of a red one, so that a failing test says why. */
const endsOf = ({ agents }: WorkflowResult) =>
  agents.map(({ outputs, outcome, annotations }) =>
    outcome === 'success' && outputs.failure_reason === ''
      ? outputs.conclusion
      : `${outcome}: ${annotations.map(({ message }) => message).join('; ')}, ${outputs.failure_reason}`,
  );
const resultsOf = ({ agents }: WorkflowResult) => agents.map(({ outputs }) => outputs.result);

const example = (file: string) => `examples/workflows/${file}.yml`;

test('run-prompt starts what the form says, on the server', async () => {
  const run = await runExample({ file: example('run-prompt') });
  expect([endsOf(run), resultsOf(run)]).toEqual([['succeeded'], ['done']]);
  const { run_id = '' } = run.agents[0]?.outputs ?? {};
  expect((await run.server?.client.runs.retrieve(run_id))?.prompt).toContain('Move the warehouse.');
});

test('run-skill runs the skill of the server’s checkout', async () => {
  const run = await runExample({ file: example('run-skill'), event: 'schedule' });
  expect([endsOf(run), run.agents[0]?.outputs.title]).toEqual([['succeeded'], 'Daily report']);
});

test('use-result has the result in a file, and another job reads the conclusion', async () => {
  const run = await runExample({ file: example('use-result') });
  expect(endsOf(run)).toEqual(['succeeded']);
  expect(run.printed).toMatch(/release-notes\.md\nconclusion: succeeded\nrun: http\S+\nreason: \ndone: http/);
});

test('scheduled runs the agent in the step and keeps the report', async () => {
  const run = await runExample({ file: example('scheduled'), event: 'schedule', isEmbedded: true });
  expect([endsOf(run), resultsOf(run)]).toEqual([['succeeded'], ['done']]);
});

test('the review of the README is one comment', async () => {
  const run = await runExample({ file: 'README.md', event: 'pull-request', isEmbedded: true });
  expect([endsOf(run), resultsOf(run)]).toEqual([['succeeded'], ['done']]);
  expect(run.github.comments.map(({ body }) => body.includes('done'))).toEqual([true]);
});

test('mention hands the agent the comment of somebody who may write, and answers it', async () => {
  const run = await runExample({
    ...{ file: '.github/workflows/mention.yml', event: 'issue-comment', isEmbedded: true },
    inputs: { model_id: 'claude-haiku-4-5' },
  });
  expect([endsOf(run), resultsOf(run)]).toEqual([['succeeded'], ['asked']]);
  expect(run.github.comments.map(({ body }) => body.includes('asked'))).toEqual([true]);
});

test('triage-issues labels an issue of a stranger', async () => {
  const run = await runExample({ file: example('triage-issues'), event: 'issues' });
  expect(endsOf(run)).toEqual(['succeeded', 'applied']);
  expect(run.outputs.triage).toEqual({ conclusion: 'succeeded', answer: '{"labels":["bug"]}' });
  expect(run.github.labels).toEqual(['bug']);
});

test('matrix has a run and an output for each leg', async () => {
  const run = await runExample({ file: example('matrix'), isEmbedded: true });
  expect(endsOf(run)).toEqual(['succeeded', 'succeeded']);
  expect(run.agents.map(({ outputs }) => outputs.name)).toEqual(['packages-api', 'packages-web']);
  expect(run.outputs.package).toEqual({ api: 'api\nEND', web: 'done' });
  expect(run.printed).toBe('api:\napi\nEND\nweb:\ndone\n');
});

test('start-and-wait waits in one job for the run of another, and the job that stops it has nothing against a run that is over', async () => {
  const run = await runExample({ file: example('start-and-wait') });
  expect(endsOf(run)).toEqual(['started', 'succeeded', 'succeeded']);
  expect(new Set(run.agents.map(({ outputs }) => outputs.run_id)).size).toBe(1);
  expect(run.printed).toContain('done');
});

test('approval carries out the plan of the first job, with a key that only the second has', async () => {
  const run = await runExample({ file: example('approval'), isEmbedded: true, jobs: ['plan', 'carry-out'] });
  expect(endsOf(run)).toEqual(['succeeded', 'succeeded']);
  // Without what looks blank and is not, with marks that belong to letters, and with one blank line for many.
  const shown = `Plan: [move](http://h "all") it e\u0301 हि\n\n${'y'.repeat(70)}\n[//]: # (and the till)`;
  expect(run.outputs.plan).toEqual({ plan: shown, is_cut: 'false' });
  expect(resultsOf(run)[1]).toBe('done, the key of production');
  // What is approved is what is carried out: Markdown hides the title of a link and a line like the last one.
  const folded = shown.replace(/y{60}/, '$&\n↪ ');
  expect(run.printed).toBe(`## The plan\n\n${folded.replaceAll(/^/gm, '    ')}\n`);
  expect(run.agents[0]?.summary).toBe('');
});

test('approval says why there is nothing to approve', async () => {
  const { jobs } = readWorkflow(example('approval'));
  const needs = {
    plan: {
      steps: [{ id: 'x', run: 'echo "is_cut=true" >> "$GITHUB_OUTPUT"' }],
      outputs: { is_cut: '${{ steps.x.outputs.is_cut }}' },
    },
  };
  const run = runWorkflow(
    { on: 'workflow_dispatch', jobs: { ...needs, 'no-plan': jobs['no-plan'] ?? { steps: [] } } },
    { origin, event: {}, github: {}, contexts: {} },
  );
  await expect(run).rejects.toMatchObject({
    stdout: expect.stringContaining(
      '::error::Nothing was carried out: the plan is incomplete: it is longer than 64 KiB',
    ),
  });
});

test.each([true, false])('run-agent runs what its caller says (in the job itself: %s)', async isEmbedded => {
  const run = await runExample({
    file: '.github/workflows/run-agent.yml',
    isEmbedded,
    inputs: {
      prompt: 'Say something.',
      name: 'called',
      timeout_minutes: '5',
      ...(isEmbedded ? { base_url: '', command: JSON.stringify(argv) } : {}),
    },
  });
  expect(endsOf(run)).toEqual(['succeeded']);
  expect(run.outputs.agent).toMatchObject({ conclusion: 'succeeded', result: isEmbedded ? 'done with a key' : 'done' });
});

async function openModel(script: ModelScript): Promise<ModelServer> {
  const model = await startModelServer(script, { apiKey: 'key-of-the-model' });
  onTestFinished(() => model.close());
  return model;
}

test('agent-in-step asks a model in the step, and keeps what the agent left and changed', async () => {
  const model = await openModel([
    { tools: [{ shell: 'echo mended > shop.txt; echo page > "$AGENT_RUN_ARTIFACTS/report.html"' }] },
    { text: '{"summary":"It is moved.","risk":"low"}' },
  ]);
  const artifacts = createTempFolder();
  const run = await runExample({ file: example('agent-in-step'), isEmbedded: true, modelUrl: model.url, artifacts });
  expect([endsOf(run), model.problems]).toEqual([['succeeded'], []]);
  expect(run.printed).toContain('risk: low');
  const kept = (name: string) => readFileSync(join(artifacts, 'agent-output', name), 'utf8');
  expect([kept('artifacts/report.html'), kept('changes.patch')]).toEqual([
    'page\n',
    expect.stringContaining('+mended'),
  ]);
  expect(model.requests[0]?.messages.at(-1)?.text).toContain('Move the warehouse.');
});

test('run-agent asks the model that its caller names, with the schema that it gives, and keeps the changes', async () => {
  const model = await openModel([{ tools: [{ shell: 'echo mended > shop.txt' }] }, { text: '{"ok":true}' }]);
  const artifacts = createTempFolder();
  const run = await runExample({
    file: '.github/workflows/run-agent.yml',
    isEmbedded: true,
    modelUrl: model.url,
    artifacts,
    inputs: {
      ...{ prompt: 'Say something.', name: 'called', timeout_minutes: '5', model_id: 'm-1', base_url: '' },
      output_schema: '{"type":"object","required":["ok"]}',
    },
  });
  expect([endsOf(run), run.outputs.agent?.result_json]).toEqual([['succeeded'], '{"ok":true}']);
  expect(run.agents[0]?.annotations).toEqual([]);
  expect(model.requests[0]?.model).toBe('m-1');
  const { changes_artifact: kept = '' } = run.outputs.agent ?? {};
  expect(readFileSync(join(artifacts, kept, 'changes.patch'), 'utf8')).toContain('+mended');
});
