/** The rows of the summary's table: what the run was, how long it took and what it used. */
import { listUsage } from '../../base/usage-total.ts';
import { keepHead } from '../text/budget.ts';
import { quoteInline } from '../text/markdown.ts';
import type { Report } from './summary.ts';

type Row = readonly [name: string, value: string];

const usageRowsMax = 20;
const valueBytes = 400;

/** Names are ours or quoted, values are quoted. */
export function listFacts({ run, durationSeconds, usage }: Report): readonly Row[] {
  const config = run?.agent_config;
  const queued = secondsBetween(run?.created_at, run?.started_at ?? run?.finished_at);
  const worked = secondsBetween(run?.started_at, run?.finished_at) ?? durationSeconds;
  return [
    ...row('State', run?.state),
    ...row('Queued', queued === undefined ? undefined : printSeconds(queued)),
    ...row('Worked', worked === undefined ? undefined : printSeconds(worked)),
    ...row('Name', config?.name),
    ...row('Model', config?.model_id ?? config?.harness?.model_id),
    ...row('Skill', config?.skill_spec ?? config?.skills?.join(', ') ?? run?.agent_skill?.name),
    ...row('Environment', run?.environment_name ?? config?.environment_id),
    ...row('Harness', config?.harness?.name ?? config?.harness?.type),
    ...usageRows(run?.request_usage ?? usage ?? {}),
  ];
}

function usageRows(usage: Readonly<Record<string, unknown>>): readonly Row[] {
  return listUsage(usage)
    .slice(0, usageRowsMax)
    .flatMap(([name, value]) => row(quoteInline(cut(name.replaceAll('_', ' '))), printNumber(value)));
}

function row(name: string, value: unknown): readonly Row[] {
  if (typeof value !== 'string' || value.trim() === '') return [];
  return [[name, quoteInline(cut(value))]];
}

function printNumber(value: unknown): string | undefined {
  if (typeof value === 'number') return value.toLocaleString('en-GB', { maximumFractionDigits: 4 });
  return typeof value === 'string' ? value : undefined;
}

function cut(text: string): string {
  return keepHead(text, { surface: 'summary', room: valueBytes });
}

/** Both times are the server's; undefined where it did not say one of them. */
function secondsBetween(from: string | null | undefined, to: string | null | undefined): number | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) ? Math.max(0, ms / 1000) : undefined;
}

/** `4.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function printSeconds(seconds: number): string {
  const tenths = Math.round(seconds * 10) / 10;
  if (tenths < 60) return `${tenths} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}
