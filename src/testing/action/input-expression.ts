import { isObject, type JsonObject } from '../../base/json.ts';
import { ActionMetadataError } from './action-metadata.ts';

/** Contexts of an expression: `github`, `runner`, `matrix` and `strategy`. */
export type ExpressionContexts = Readonly<Record<string, unknown>>;

/**
 * Fills in the `${{ }}` of an input's default. Supports a path (`github.token`, `strategy.job-index`), `toJSON(path)`
 * and a quoted string. Missing values are empty, as on GitHub. Anything else throws ActionMetadataError.
 */
export function evaluateDefault(text: string, contexts: ExpressionContexts): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_whole, inner: string) => evaluate(inner.trim(), contexts));
}

function evaluate(expression: string, contexts: ExpressionContexts): string {
  const quoted = /^'((?:[^']|'')*)'$/.exec(expression)?.[1];
  if (quoted !== undefined) return quoted.replaceAll("''", "'");
  const converted = /^toJSON\(\s*([\w.-]+)\s*\)$/i.exec(expression)?.[1];
  if (converted !== undefined) return JSON.stringify(lookUp(converted, contexts) ?? null, undefined, 2);
  if (/^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/.test(expression)) return printValue(lookUp(expression, contexts));
  throw new ActionMetadataError(`the fake runner does not evaluate \${{ ${expression} }} in an input's default`);
}

function lookUp(path: string, contexts: ExpressionContexts): unknown {
  const [first = '', ...names] = path.split('.');
  if (!Object.hasOwn(contexts, first))
    throw new ActionMetadataError(`an input's default names ${first}, which is not available in an action`);
  return names.reduce<unknown>((value, name) => memberOf(value, name), contexts[first]);
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

function printValue(value: unknown): string {
  if (Array.isArray(value)) return 'Array';
  return isObject(value) ? 'Object' : String(value ?? '');
}
