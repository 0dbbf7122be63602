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
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly string[]>> };
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly 'timeout-minutes'?: number;
}

export interface Workflow {
  readonly on: string | Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** A file of its own, or the first block of YAML on a page. */
export function readWorkflow(path: string): Workflow {
  const text = readFileSync(resolve(root, path), 'utf8');
  return parse(path.endsWith('.md') ? (/```yaml\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '') : text) as Workflow;
}

export function isAgentStep({ uses }: Step): boolean {
  return uses === './' || uses?.startsWith('YOUR-ORG/agent-run@') === true;
}

/**
 * The text with what its expressions stand for: paths of the given contexts, and `path && 'text'`. Throws for
 * anything else, and for a path that leads nowhere, so that no test passes with an empty value in the place of one
 * that was forgotten.
 */
export function fillIn(text: string, contexts: Readonly<Record<string, unknown>>): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_whole, inner: string) => {
    const [, path = '', then] = /^\s*(\S+)(?:\s+&&\s+'([^']*)')?\s*$/.exec(inner) ?? [];
    const value = path
      .split('.')
      .reduce<unknown>((holder, name) => (isObject(holder) ? holder[name] : undefined), contexts);
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
