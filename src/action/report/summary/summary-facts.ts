/** Model, duration and usage of the run, in one line of summary and comment. */
import type { Run } from '../../../client/index.ts';
import { skillOf } from '../../../contract/tables/skill-spec.ts';
import { keepHead } from '../../text/budget.ts';
import { quoteInline } from '../../text/markdown.ts';
import type { Changes } from '../changed-files.ts';

type Fact = readonly [name: string, value: string];

export interface Facts {
  /** As last seen. */
  readonly run?: Run | undefined;
  /** Working time, if the run's own times do not tell it. */
  readonly durationSeconds?: number | undefined;
  readonly usage?: Readonly<Record<string, unknown>> | undefined;
  /** Files of its patch, as far as they could be read. */
  readonly changes?: Changes | undefined;
}

const usageMax = 20;
const valueBytes = 400;
/** A shorter time in the queue is left out. */
const shortSeconds = 1;

/** `**Model** large · **Time** 2 min 4 s · **Tokens** 31,507`. '' if nothing is known. */
export function printFacts(facts: Facts): string {
  return listFacts(facts)
    .map(([name, value]) => `**${name}** ${value}`)
    .join(' · ');
}

/** Values are quoted. Names are ours or quoted. */
function listFacts({ run, durationSeconds, usage }: Facts): readonly Fact[] {
  const config = run?.agent_config;
  const agent = config?.harness?.name ?? config?.harness?.type;
  const queued = secondsBetween(run?.created_at, run?.started_at ?? run?.finished_at) ?? 0;
  const worked = secondsBetween(run?.started_at, run?.finished_at) ?? durationSeconds;
  const { main, others } = listUsage(run?.request_usage ?? usage ?? {});
  return [
    // A program of the step may ask any model, or none.
    ...fact('Model', agent === 'command' ? undefined : (config?.model_id ?? config?.harness?.model_id)),
    ...fact('Time', worked === undefined ? undefined : printSeconds(worked)),
    ...fact('Queued', queued < shortSeconds ? undefined : printSeconds(queued)),
    ...main,
    ...fact('Agent', agent),
    ...fact('Skill', skillOf({ config }) ?? run?.agent_skill?.name),
    ...fact('Environment', run?.environment_name ?? config?.environment_id),
    ...others,
  ];
}

/** Tokens and cost, then the other counters of a service that are not 0. */
function listUsage(usage: Readonly<Record<string, unknown>>): Readonly<Record<'main' | 'others', readonly Fact[]>> {
  const { total_tokens, input_tokens, output_tokens, cost_usd, inference_cost_usd, ...more } = usage;
  const [read, written] = [printNumber(input_tokens), printNumber(output_tokens)];
  const parts = read !== undefined && written !== undefined ? `${read} in, ${written} out` : undefined;
  const total = printNumber(total_tokens);
  const cost = cost_usd ?? inference_cost_usd;
  const others = Object.entries(more)
    .slice(0, usageMax)
    .flatMap(([name, value]) => fact(quoteInline(cut(capitalize(name.replaceAll('_', ' ')))), printNumber(value)));
  return {
    main: [
      ...fact('Tokens', total !== undefined && parts !== undefined ? `${total} (${parts})` : (total ?? parts)),
      ...(typeof cost === 'number' && cost > 0 ? [['Cost', `\\$${printNumber(cost)}`] as const] : []),
    ],
    others,
  };
}

function fact(name: string, value: string | undefined): readonly Fact[] {
  if (value === undefined || value.trim() === '') return [];
  return [[name, quoteInline(cut(value))]];
}

function printNumber(value: unknown): string | undefined {
  if (typeof value === 'number')
    return value === 0 ? undefined : value.toLocaleString('en-US', { maximumFractionDigits: 4 });
  return typeof value === 'string' ? value : undefined;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function cut(text: string): string {
  return keepHead(text, { surface: 'summary', room: valueBytes });
}

/** Both are server times. Undefined if one is missing. */
function secondsBetween(from: string | null | undefined, to: string | null | undefined): number | undefined {
  if (from == null || to == null) return undefined;
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
