/** Details of single events: the place of a comment in the code, the release, the inputs of a manual start. */
import type { JsonObject } from '../../base/json.ts';
import { idOf, objectOf, textOf } from './payload.ts';

/** GitHub's maximum for a manual start. */
const inputsMax = 25;

export interface CodePlace {
  readonly path: string;
  /** Undefined for a comment on the whole file, or on lines that no longer exist. */
  readonly line: number | undefined;
  /** First line of a comment on several lines. */
  readonly startLine: number | undefined;
  /** Line at the time of the comment. */
  readonly originalLine: number | undefined;
  /** `LEFT` for removed code, `RIGHT` for present code. */
  readonly side: string | undefined;
  /** The diff down to the commented line, written by the authors of the commits. */
  readonly diffHunk: string | undefined;
}

export interface Release {
  readonly tag: string | undefined;
  readonly name: string | undefined;
  readonly link: string | undefined;
}

export interface EventDetails {
  readonly label: string | undefined;
  readonly release: Release | undefined;
  /** The cron expression. */
  readonly schedule: string | undefined;
  /** For a push: the previous commit, and a link to the new ones. */
  readonly push: { readonly before: string | undefined; readonly link: string | undefined } | undefined;
  /** Inputs of a manual or API start, by someone with write access. Empty and composite values are left out. */
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

/** Undefined for a comment outside the code. */
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
