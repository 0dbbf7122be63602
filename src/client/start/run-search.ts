/** Looks in the list for the run that a create of unknown outcome may have started. */
import type { CreateRunBody } from '../../contract/create.ts';
import type { RunPage } from '../../contract/page.ts';
import type { Run } from '../../contract/run.ts';
import { routePath } from '../../contract/tables/routes.ts';
import { skillOf } from '../../contract/tables/skill-spec.ts';
import { RunsPage } from '../http/runs-page.ts';
import { isRunPage } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options/options.ts';

/** `created_at` may count whole seconds, and what dates runs need not be the machine that writes `Date`. */
const dateMarginMs = 2_000;
/** A run that fits and is older than that, but not by more than this, may be the one after all if the clocks differ: then nobody knows. */
const doubtMs = 60_000;
const pageLimit = 100;
const pagesMax = 10;

interface Search {
  readonly body: CreateRunBody;
  /** The answer's `Date`: the server's clock, now. */
  readonly serverDate: string | null;
  /** How long ago the create began. */
  readonly elapsedMs: number;
  /** The options of the next request: what is left of the time changes. */
  readonly options: () => RequestOptions;
  /** Whether it is, or may be, the run of another create. */
  readonly isTaken: (run: Run) => boolean;
}

/**
 * The one run that fits and was not there before the create. Undefined for none, for several (which of them?), and where the server does
 * not say what time it has.
 */
export async function findStartedRun(transport: Transport, search: Search): Promise<Run | undefined> {
  const serverNow = Date.parse(search.serverDate ?? '');
  if (Number.isNaN(serverNow)) return undefined;
  const beganAfter = serverNow - search.elapsedMs - dateMarginMs;
  const doubtAfter = beganAfter - doubtMs;
  const filter = {
    name: search.body.config?.name,
    created_after: new Date(doubtAfter).toISOString(),
    sort_by: 'created_at',
    sort_order: 'desc',
    limit: pageLimit,
  };
  const ask = (cursor?: string) =>
    transport.send({
      ...search.options(),
      method: 'GET',
      path: routePath('listRuns'),
      query: { ...filter, cursor },
      as: 'json',
      isExpected: isRunPage,
      isIdempotent: true,
    });
  // Asked for already; but a server that does not know the filter answers with old runs too.
  const isLate = (time: string): boolean => Date.parse(time) >= doubtAfter;
  const found: Run[] = [];
  let page = new RunsPage((await ask()).data as RunPage, ask);
  for (let pages = 1; ; pages += 1) {
    found.push(...page.runs.filter(run => isLate(run.created_at) && fits(run, search.body) && !search.isTaken(run)));
    const last = page.runs.at(-1);
    // Newest first, by when they were made or last changed: only older ones follow.
    const isOver = last !== undefined && !isLate(last.created_at) && !isLate(last.updated_at);
    if (found.length > 1 || isOver || !page.hasNextPage()) break;
    if (pages === pagesMax) return undefined;
    page = await page.getNextPage();
  }
  const [run] = found;
  return found.length === 1 && run !== undefined && Date.parse(run.created_at) >= beganAfter ? run : undefined;
}

/** Whether the run can come from that body: everything that both tell is the same. */
export function fits(run: Run, body: CreateRunBody): boolean {
  const { config } = body;
  const same: readonly (readonly [unknown, unknown])[] = [
    [body.prompt, run.prompt],
    [skillOf(body), skillOf({ config: run.agent_config })],
    [body.title, run.title],
    [config?.name, run.agent_config?.name],
    [config?.model_id, run.agent_config?.model_id],
  ];
  if (!same.every(([asked, kept]) => asked === undefined || kept === undefined || asked === kept)) return false;
  // Not every service shows these, but where it does they tell the jobs of a matrix apart, and a run of the same prompt from elsewhere.
  if (run.trigger_url !== undefined && run.trigger_url !== body.trigger_url) return false;
  const metadata = body.metadata ?? {};
  return (
    run.metadata === undefined ||
    (Object.keys(run.metadata).length === Object.keys(metadata).length &&
      Object.entries(metadata).every(([key, value]) => run.metadata?.[key] === value))
  );
}
