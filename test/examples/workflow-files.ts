/** A workflow file as its steps are read in tests, and its expressions as far as our own files have them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '../../src/base/json.ts';

export const root = resolve(import.meta.dirname, '../..');

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly if?: string;
  /** A reusable workflow, instead of steps. */
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly string[]>> };
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress'?: boolean };
  readonly 'timeout-minutes'?: number;
}

export interface Workflow {
  readonly on: string | Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** A file of its own, or the first block of YAML on a page, which begins with a heading if one is given. */
export function readWorkflow(path: string, heading = ''): Workflow {
  const text = readFileSync(resolve(root, path), 'utf8');
  const part = text.slice(text.indexOf(heading));
  const yaml = path.endsWith('.md') ? (/```yaml\n([\s\S]*?)\n```/.exec(part)?.[1] ?? '') : part;
  const { jobs, ...rest } = parse(yaml) as Workflow;
  const withSteps = Object.entries(jobs).map(([name, job]) => {
    const { concurrency } = job;
    const group = typeof concurrency === 'string' ? { concurrency: { group: concurrency } } : {};
    return [name, { ...job, ...group, steps: job.steps ?? [] }];
  });
  return { ...rest, jobs: Object.fromEntries(withSteps) };
}

/** What a called workflow has if the caller gives nothing. Empty for any other workflow. */
export function defaultsOf({ on }: Workflow): Readonly<Record<'inputs' | 'secrets', Readonly<Record<string, string>>>> {
  const { inputs = {}, secrets = {} } = (typeof on === 'string' ? undefined : (on.workflow_call as Called)) ?? {};
  return {
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, { default: usual }]) => [name, String(usual)])),
    secrets: Object.fromEntries(Object.keys(secrets).map(name => [name, ''])),
  };
}

interface Called {
  readonly inputs?: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly secrets?: object;
}

export function isAgentStep({ uses }: Step): boolean {
  return uses === './' || uses?.startsWith('YOUR-ORG/agent-run@') === true;
}

export function isApplyStep({ uses }: Step): boolean {
  return uses?.startsWith('YOUR-ORG/agent-run/apply@') === true;
}

/**
 * The text with what its expressions stand for: paths of the given contexts, `a || b`, and `path && 'text'`. Throws for
 * anything else, and for a path that leads nowhere, so that no test passes with an empty value in the place of one
 * that was forgotten.
 */
export function fillIn(text: string, contexts: Readonly<Record<string, unknown>>): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_whole, inner: string) => {
    const [, path = '', otherwise = path, then] =
      /^\s*(\S+)(?:\s+\|\|\s+(\S+))?(?:\s+&&\s+'([^']*)')?\s*$/.exec(inner) ?? [];
    const find = (names: string) =>
      names.split('.').reduce<unknown>((holder, name) => (isObject(holder) ? holder[name] : undefined), contexts);
    const value = find(path) === '' ? find(otherwise) : find(path);
    if (typeof value === 'object' || value === undefined) throw new Error(`nothing stands for \${{${inner}}}`);
    return value === '' || then === undefined ? String(value) : then;
  });
}

export function fillInAll<Value>(
  texts: Readonly<Record<string, Value>> | undefined,
  contexts: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries(texts ?? {});
  return Object.fromEntries(entries.map(([name, text]) => [name, fillIn(String(text), contexts)]));
}
