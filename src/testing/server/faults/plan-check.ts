import { isObject } from '../../../base/json.ts';
import { didYouMean } from '../../../base/wording/nearest.ts';
import { routes } from '../../../contract/tables/routes.ts';
import { show } from '../shown-value.ts';
import { type FieldType, faultKinds, faultOrder, streamKinds } from './fault-kinds.ts';
import type { FaultKind, FaultPlan } from './fault-plan.ts';

/** An invalid plan. The message names the member, its value and the accepted values. */
export class FaultPlanError extends TypeError {
  override readonly name = 'FaultPlanError';
}

const aimFields: Readonly<Record<string, FieldType | 'boolean' | 'times'>> = {
  method: 'text',
  route: Object.keys(routes),
  path: 'text',
  stream: 'boolean',
  nth: 'count',
  times: 'times',
};

/** Throws FaultPlanError. A plan often comes from a generator or a file, which no compiler checks. */
export function checkFaultPlan(plan: unknown): asserts plan is FaultPlan {
  if (!Array.isArray(plan)) throw new FaultPlanError(`faults must be a list of faults, not ${show(plan)}`);
  for (const [index, fault] of plan.entries()) checkFault(fault, `faults[${index}]`);
}

function checkFault(fault: unknown, place: string): void {
  if (!isObject(fault)) throw new FaultPlanError(`${place} must be an object with a kind, not ${show(fault)}`);
  const kind = faultOrder.find(known => known === fault.kind);
  if (kind === undefined) {
    const word = typeof fault.kind === 'string' ? fault.kind : '';
    throw new FaultPlanError(
      `${place}.kind is ${show(fault.kind)}; it must be one of ${faultOrder.join(', ')}${didYouMean(word, faultOrder)}`,
    );
  }
  const fields = fieldsOf(kind);
  for (const [name, value] of Object.entries(fault)) {
    if (name === 'kind' || value === undefined) continue;
    const type = fields.get(name);
    if (type === undefined)
      throw new FaultPlanError(
        `${place}.${name} is not a member of ${kind}. Members: ${[...fields.keys()].join(', ') || 'its kind'}${didYouMean(name, fields.keys())}`,
      );
    const wants = refuse(type, value);
    if (wants === undefined) continue;
    const guess = typeof type === 'object' && typeof value === 'string' ? didYouMean(value, type) : '';
    throw new FaultPlanError(`${place}.${name} must be ${wants}, not ${show(value)}${guess}`);
  }
  checkTogether(kind, fault, place);
}

/** Rules about several members. */
function checkTogether(kind: FaultKind, fault: Readonly<Record<string, unknown>>, place: string): void {
  const missing = Object.keys(faultKinds[kind].fields)
    .filter(name => name.endsWith('!'))
    .map(name => name.slice(0, -1))
    .find(name => fault[name] === undefined);
  if (missing !== undefined) throw new FaultPlanError(`${place}.${missing} is missing; ${kind} needs it`);
  if (kind === 'answer' && fault.body !== undefined && [204, 205, 304].includes(Number(fault.status)))
    throw new FaultPlanError(`${place}.body: a response with status ${fault.status} has no body; remove it`);
  if (kind === 'lagging-copy' && (fault.looks === undefined) === (fault.ms === undefined))
    throw new FaultPlanError(`${place}: lagging-copy takes either looks or ms, not both`);
}

function fieldsOf(kind: FaultKind): ReadonlyMap<string, FieldType | 'boolean' | 'times'> {
  const { fields, scope } = faultKinds[kind];
  const aim = Object.entries(aimFields).filter(([name]) => {
    if (scope === 'always' || (name === 'stream' && streamKinds.has(kind))) return false;
    return scope === 'requests' || name !== 'times';
  });
  return new Map([
    ...Object.entries<FieldType>(fields).map(([name, type]) => [name.replace('!', ''), type] as const),
    ...aim,
  ]);
}

/** The accepted values, if the member has another one. */
function refuse(type: FieldType | 'boolean' | 'times', value: unknown): string | undefined {
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  const isWhole = isNumber && Number.isInteger(value) && value >= 0;
  switch (type) {
    case 'any':
      return undefined;
    case 'count':
      return isWhole && value >= 1 ? undefined : 'a whole number from 1';
    case 'whole':
      return isWhole ? undefined : 'a whole number from 0';
    case 'times':
      return value === 'all' || (isWhole && value >= 1) ? undefined : 'a whole number from 1, or "all"';
    case 'duration':
      return isNumber && value >= 0 ? undefined : 'milliseconds from 0';
    case 'offset':
      return isNumber ? undefined : 'milliseconds';
    case 'status':
      return isWhole && value >= 200 && value <= 599 ? undefined : 'a status from 200 to 599';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'text':
      return typeof value === 'string' && value !== '' ? undefined : 'a text';
    case 'headers':
      return isHeaders(value) ? undefined : 'an object of headers that can be sent';
    default:
      return type.some(word => word === value) ? undefined : `one of ${type.join(', ')}`;
  }
}

function isHeaders(value: unknown): boolean {
  if (!isObject(value) || !Object.values(value).every(text => typeof text === 'string')) return false;
  try {
    new Headers(value as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
