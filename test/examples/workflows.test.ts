import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isAgentStep, isApplyStep, type Job, readWorkflow, root, type Workflow } from './workflow-files.ts';

// That each is a workflow by GitHub's parser and by actionlint, has no expression in a script and uses inputs and
// outputs that there are, is seen to in test/rules/github-files.test.ts, for the pages as well.

const folders = ['examples/workflows', '.github/workflows'];
const paths = folders.flatMap(folder => readdirSync(join(root, folder)).map(file => `${folder}/${file}`)).sort();
const workflows = paths.map(path => [path, readWorkflow(path)] as const);

/** What each job may do with its token, in full: a permission more is a change of this table. */
const permissions = {
  '.github/workflows/ci.yml': {
    check: { contents: 'read' },
    systems: { contents: 'read' },
    'own-action': { contents: 'read' },
    'node-versions': { contents: 'read' },
  },
  '.github/workflows/fix-issue.yml': {
    agent: { contents: 'read' },
    apply: { contents: 'write', 'pull-requests': 'write' },
  },
  '.github/workflows/mention.yml': { answer: { contents: 'read', issues: 'write', 'pull-requests': 'write' } },
  '.github/workflows/release.yml': {
    build: { contents: 'read' },
    attest: { attestations: 'write', 'id-token': 'write' },
    release: { contents: 'write' },
    pypi: { 'id-token': 'write' },
  },
  '.github/workflows/review-pull-request.yml': {
    agent: { contents: 'read' },
    apply: { contents: 'read', 'pull-requests': 'write' },
  },
  '.github/workflows/run-agent.yml': { agent: { contents: 'read' } },
  'examples/workflows/agent-in-step.yml': { agent: { contents: 'read' } },
  'examples/workflows/approval.yml': { plan: { contents: 'read' }, 'carry-out': { contents: 'read' }, 'no-plan': {} },
  'examples/workflows/claude-code.yml': { agent: { contents: 'read' } },
  'examples/workflows/fix-failing-checks.yml': {
    fix: { actions: 'read', contents: 'read' },
    apply: { contents: 'write', 'pull-requests': 'write' },
  },
  'examples/workflows/fix-issue.yml': { fix: { contents: 'write', 'pull-requests': 'write' } },
  'examples/workflows/matrix.yml': { package: { contents: 'read' }, together: {} },
  'examples/workflows/mention.yml': { answer: { contents: 'read', issues: 'write', 'pull-requests': 'write' } },
  'examples/workflows/review-pull-request.yml': { review: { contents: 'read', 'pull-requests': 'write' } },
  'examples/workflows/run-prompt.yml': { agent: {} },
  'examples/workflows/run-skill.yml': { report: {} },
  'examples/workflows/scheduled.yml': { report: { contents: 'read' } },
  'examples/workflows/start-and-wait.yml': { start: {}, meanwhile: {}, wait: {}, stop: {} },
  'examples/workflows/triage-issues.yml': { triage: {}, label: { issues: 'write' } },
  'examples/workflows/use-result.yml': { ask: {}, report: {} },
};

/** What a rule has against the jobs, as `file: job: fault`. */
function faultsOfJobs(
  judge: (job: Workflow['jobs'][string], workflow: Workflow) => readonly string[],
): readonly string[] {
  return workflows.flatMap(([path, workflow]) =>
    Object.entries(workflow.jobs).flatMap(([name, job]) =>
      judge(job, workflow).map(fault => `${path}: ${name}: ${fault}`),
    ),
  );
}

const eventsOf = ({ on }: Workflow): readonly string[] => (typeof on === 'string' ? [on] : Object.keys(on));

test('every job has the permissions of the table and no others', () => {
  const given = workflows.map(([path, { jobs }]) => [
    path,
    Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions ?? {}])),
  ]);
  expect(Object.fromEntries(given)).toEqual(permissions);
});

test('an action is pinned by its full hash with the version behind it, but for this one where it stands for a copy', () => {
  const used = paths.flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^ *(?:- )?uses: +(.+)$/gm)].map(match => match[1] ?? ''),
  );
  const loose = used.filter(use => use !== './' && !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use));
  const ours = /^YOUR-ORG\/agent-run(\/apply|\/\.github\/workflows\/[\w-]+\.yml)?@FULL_HASH$/;
  expect(loose.filter(use => !ours.test(use))).toEqual([]);
  // One version of each, so that an old one is not forgotten in a corner.
  const pinned = new Set(used.filter(use => use.includes('# v')));
  expect(new Set([...pinned].map(use => use.split('@')[0])).size).toBe(pinned.size);
});

test('a job ends by itself', () => {
  expect(
    faultsOfJobs(job =>
      job.uses === undefined && job['timeout-minutes'] === undefined ? ['has no timeout-minutes'] : [],
    ),
  ).toEqual([]);
});

test('a job with an agent gives the checkout no token, and no job has both an agent and the right to push', () => {
  const faults = faultsOfJobs(job => {
    if (!job.steps.some(isAgentStep)) return [];
    const checkouts = job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    return [
      ...(checkouts.every(step => step.with?.['persist-credentials'] === false)
        ? []
        : ['the checkout keeps its token']),
      ...(job.permissions?.contents === 'write' ? ['can push'] : []),
    ];
  });
  expect(faults).toEqual([]);
});

test('no job both applies an answer and runs an agent, a script or a checkout', () => {
  const faults = faultsOfJobs(({ steps }) => {
    const others = steps.filter(step => !isApplyStep(step) && !step.uses?.startsWith('actions/download-artifact@'));
    return steps.some(isApplyStep) ? others.map(({ uses, name = uses }) => `has ${name}`) : [];
  });
  expect(faults).toEqual([]);
});

test('a stranger’s comment takes no place in the queue from a comment of somebody else', () => {
  const faults = faultsOfJobs((job, workflow) => {
    if (job.uses !== undefined) return [];
    if (!eventsOf(workflow).includes('issue_comment') && !job.concurrency?.group.includes('comment.')) return [];
    return job.concurrency?.group.endsWith('-${{ github.event.comment.user.login }}') === true
      ? []
      : ['the group is not each person’s own'];
  });
  expect(faults).toEqual([]);
});

test('what strangers can start takes its place in a group of its own kind of event and actor, and only when the job has passed its condition', () => {
  const strangers = ['issue_comment', 'issues', 'pull_request', 'workflow_run', 'workflow_call'];
  const faults = faultsOfJobs((job, workflow) => {
    const isOpen = eventsOf(workflow).some(event => strangers.includes(event));
    // What a caller hands a prompt to is started as the caller says; this repository's own run needs no key.
    const isTold = job.steps.some(step => step.with?.prompt === '${{ inputs.prompt }}' || step.uses === './');
    if (!isOpen || isTold || !job.steps.some(isAgentStep)) return [];
    const { group = '' } = job.concurrency ?? {};
    return ['event', '.type }}'].filter(part => !group.includes(part)).map(part => `the group lacks ${part}`);
  });
  expect(faults).toEqual([]);
  expect(workflows.filter(([path, workflow]) => 'concurrency' in workflow && !path.endsWith('/ci.yml'))).toEqual([]);
});

test('no workflow runs on pull_request_target, and none takes the head of a pull request by its comment or of a fork', () => {
  expect(workflows.filter(([, workflow]) => eventsOf(workflow).includes('pull_request_target'))).toEqual([]);
  const heads = faultsOfJobs((job, workflow) =>
    job.steps.flatMap(step => {
      const ref = String(step.with?.ref ?? '');
      // The event of a comment does not have it.
      const isOwnHead =
        ref === '${{ github.event.pull_request.head.sha }}' &&
        job.if?.includes('github.event.pull_request.head.repo.full_name == github.repository') === true;
      const isRefused = ref !== '' && !isOwnHead && !eventsOf(workflow).includes('workflow_run');
      return step.uses?.startsWith('actions/checkout@') && isRefused ? [`checks out ${ref}`] : [];
    }),
  );
  expect(heads).toEqual([]);
});

test.each([
  ['a plan', 'false', true],
  ['the end of a plan', 'true', false],
  // GitHub withholds an output that holds a secret.
  ['', 'false', false],
])('approval carries out %j, cut: %s: %s', (plan, is_cut, isWanted) => {
  const { jobs } = readWorkflow('examples/workflows/approval.yml');
  // Of these expressions GitHub makes what JavaScript does. Where the plan is not carried out, a job says so.
  const decide = (job: string) =>
    runInNewContext(jobs[job]?.if ?? '', { needs: { plan: { outputs: { plan, is_cut } } } });
  expect([decide('carry-out'), decide('no-plan')]).toEqual([isWanted, !isWanted]);
});

test.each([
  ['/agent explain', true],
  ['/agent\nexplain', true],
  ['/agent\r\nexplain', true],
  ['/agents explain', false],
  ['see /agent explain', false],
])('mention answers %j: %s', (body, isWanted) => {
  // A backslash in a text is one there, and no escape.
  const condition = readWorkflow('.github/workflows/mention.yml').jobs.answer?.if?.replaceAll('\\', '\\\\') ?? '';
  const startsWith = (text: string, start: string) => text.startsWith(start);
  const github = { event: { comment: { body, user: { type: 'User' } } } };
  expect(runInNewContext(condition, { github, startsWith, fromJSON: JSON.parse })).toBe(isWanted);
});

test.each(['review-pull-request', 'fix-issue'])(
  'two calls of %s by their names neither end each other nor share what they make',
  file => {
    const { agent, apply } = readWorkflow(`.github/workflows/${file}.yml`).jobs;
    const { key } = apply?.steps.find(isApplyStep)?.with ?? {};
    const artifacts = [agent, apply].flatMap(
      job => job?.steps.filter(({ uses }) => uses?.includes('-artifact@')) ?? [],
    );
    for (const { with: given } of artifacts) expect(given?.name).toContain('${{ inputs.name }}');
    for (const text of [agent?.concurrency?.group, apply?.concurrency?.group, key]) {
      expect(text).toContain('${{ inputs.name }}');
      expect(text).toContain('${{ github.workflow }}');
    }
    expect(agent?.steps.find(isAgentStep)?.with?.name).toBe('${{ inputs.name }}');
  },
);

/** Calls of our reusable workflows, in files, pages and the comments of the workflows themselves. */
const calls: readonly { readonly place: string; readonly job: Job }[] = [
  ...workflows.map(([path, workflow]) => ({ path, workflow })),
  ...paths.map(path => ({ path: `${path} (comment)`, workflow: readCall(path) })),
  { path: 'docs/apply.md', workflow: readWorkflow('docs/apply.md', '## Open a pull request') },
].flatMap(({ path, workflow }) =>
  Object.entries(workflow?.jobs ?? {}).flatMap(([name, job]) =>
    job.uses?.startsWith('YOUR-ORG/') ? [{ place: `${path}: ${name}`, job }] : [],
  ),
);

/** What a reusable workflow's comment shows as its call. */
function readCall(path: string): Workflow | undefined {
  const [, shown] = /Call it like this:\n([\s\S]*?)\n# \S/.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  return shown === undefined ? undefined : parse(shown.replace(/^# {0,3}/gm, ''));
}

test('a call of a reusable workflow gives what that takes and needs, and every permission of its jobs', () => {
  expect(calls.map(({ place }) => place)).toEqual([
    'examples/workflows/fix-issue.yml: fix',
    'examples/workflows/mention.yml: answer',
    'examples/workflows/review-pull-request.yml: review',
    '.github/workflows/fix-issue.yml (comment): fix',
    '.github/workflows/mention.yml (comment): answer',
    '.github/workflows/review-pull-request.yml (comment): review',
    '.github/workflows/run-agent.yml (comment): agent',
    'docs/apply.md: fix',
  ]);
  for (const { place, job } of calls) {
    const called = readWorkflow(/agent-run\/(.*)@/.exec(job.uses ?? '')?.[1] ?? '');
    const taken = (called.on as { workflow_call: Record<'inputs' | 'secrets', object> }).workflow_call;
    expect([place, Object.keys(taken.inputs)]).toEqual([place, expect.arrayContaining(Object.keys(job.with ?? {}))]);
    expect([place, Object.keys(taken.secrets)]).toEqual([
      place,
      expect.arrayContaining(Object.keys(job.secrets ?? {})),
    ]);
    const needed = Object.assign({}, ...Object.values(called.jobs).map(({ permissions }) => permissions));
    expect([place, job.permissions]).toEqual([place, needed]);
  }
});
