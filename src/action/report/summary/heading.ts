/** What stands at the top of summary and comment. */

import { isObject } from '../../../base/json.ts';
import { keepHead } from '../../text/budget.ts';

const labelUnits = 100;

/** What tells this step from others like it: the leg of its matrix as GitHub shows it, else its `name`; undefined where there is neither. */
export function labelOfStep({
  matrix,
  name,
}: {
  /** JSON, from the runner. */
  readonly matrix: string;
  readonly name: string | undefined;
}): string | undefined {
  const label = listValues(parse(matrix)).join(', ') || (name ?? '');
  return label.trim() === '' ? undefined : keepHead(label, { surface: 'comment', room: labelUnits });
}

/** The title with the label. It is never left out as said already: the words of one leg may stand in a title that all of them have. */
export function printTitle(title: string | undefined, label: string | undefined): string {
  const shown = title === undefined || title.trim() === '' ? 'agent run' : withoutEnd(title);
  return label === undefined || label === shown.trim() ? shown : `${shown} (${label})`;
}

/** Its conclusion stands behind it. */
function withoutEnd(title: string): string {
  const end = /[\s.:;,]{1,100}$/.exec(title)?.[0] ?? '';
  return title.slice(0, title.length - end.length) || title;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function listValues(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listValues);
  if (isObject(value)) return Object.values(value).flatMap(listValues);
  return value === null || value === undefined ? [] : [String(value)];
}

/** Stands right below the heading in a summary, for readers stop at its check mark. */
export const emptyWorkspaceWarning =
  'The workspace is empty, so the agent sees no code. Add actions/checkout as an earlier step';
