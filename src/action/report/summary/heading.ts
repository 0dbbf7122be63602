import { isObject } from '../../../base/json.ts';
import { keepHead } from '../../text/budget.ts';

const labelUnits = 100;

/** The matrix leg as GitHub shows it, otherwise `name`. Undefined if there is neither. */
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

/** Adds the label even if the title contains its words, because all legs may share that title. */
export function printTitle(title: string | undefined, label: string | undefined): string {
  const shown = title === undefined || title.trim() === '' ? 'agent run' : withoutEnd(title);
  return label === undefined || label === shown.trim() ? shown : `${shown} (${label})`;
}

/** The conclusion follows the title. */
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

/** Shown right below the summary's heading, because readers stop at its check mark. */
export const emptyWorkspaceWarning =
  'The workspace is empty, so the agent sees no code. Add actions/checkout as an earlier step';
