/** What only some events say: where a comment stands in the code, what was released, with which inputs a workflow was started. */
import type { JsonObject } from '../../base/json.ts';
import { idOf, objectOf, textOf } from './payload.ts';

/** GitHub takes no more of a workflow started by hand. */
const inputsMax = 25;

/** Where a comment stands in the code. */
export interface CodePlace {
  readonly path: string;
  /** Undefined where the comment is on the file, or on lines that are gone. */
  readonly line: number | undefined;
  /** Where it is on several lines, the first of them. */
  readonly startLine: number | undefined;
  /** The line at the time of the comment. */
  readonly originalLine: number | undefined;
  /** `LEFT` for what was removed, `RIGHT` for what is there. */
  readonly side: string | undefined;
  /** The diff down to the line of the comment, by whoever made the commits. */
  readonly diffHunk: string | undefined;
}

export interface Release {
  readonly tag: string | undefined;
  readonly name: string | undefined;
  readonly link: string | undefined;
}

export interface EventDetails {
  /** The label that was set or taken away. */
  readonly label: string | undefined;
  readonly release: Release | undefined;
  /** The line of cron. */
  readonly schedule: string | undefined;
  /** Of a push: the commit that was there before, and what came since. */
  readonly push: { readonly before: string | undefined; readonly link: string | undefined } | undefined;
  /** Of a workflow that somebody with write access started by hand or by the API: what they gave, but for what is empty or no single value. */
  readonly inputs: readonly (readonly [name: string, value: string | number | boolean])[];
}

export function readDetails(payload: JsonObject, eventName: string): EventDetails {
  const release = objectOf(payload.release);
  const given = { workflow_dispatch: payload.inputs, repository_dispatch: payload.client_payload };
  return {
    label: textOf(objectOf(payload.label)?.name),
    release: release && {
      tag: textOf(release.tag_name),
      name: textOf(release.name),
      link: textOf(release.html_url),
    },
    schedule: textOf(payload.schedule),
    push: eventName === 'push' ? { before: textOf(payload.before), link: textOf(payload.compare) } : undefined,
    inputs: readInputs(objectOf(given[eventName as keyof typeof given])),
  };
}

function readInputs(inputs: JsonObject | undefined): EventDetails['inputs'] {
  const isValue = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
  return Object.entries(inputs ?? {})
    .flatMap(([name, value]) => {
      const kept = isValue(value) ? (value as number | boolean) : textOf(value);
      return kept === undefined ? [] : [[name, kept] as const];
    })
    .slice(0, inputsMax);
}

/** Undefined for a comment that stands in no file. */
export function readPlace(comment: JsonObject): CodePlace | undefined {
  const path = textOf(comment.path);
  if (path === undefined) return undefined;
  return {
    path,
    line: idOf(comment.line),
    startLine: idOf(comment.start_line),
    originalLine: idOf(comment.original_line),
    side: textOf(comment.side),
    diffHunk: textOf(comment.diff_hunk),
  };
}
