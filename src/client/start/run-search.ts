/** Searches the list for the run that a create of unknown outcome may have started. */
import type { CreateRunBody } from '../../contract/create.ts';
import type { RunPage } from '../../contract/page.ts';
import type { Run } from '../../contract/run.ts';
import { routePath } from '../../contract/tables/routes.ts';
import { skillOf } from '../../contract/tables/skill-spec.ts';
import { RunsPage } from '../http/runs-page.ts';
import { isRunPage } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options/options.ts';

/** `created_at` may have whole seconds, and may come from a different clock than the `Date` header. */
const dateMarginMs = 2_000;
/**
 * A matching run that is older than the create by up to this may be the one if the clocks differ. Then the outcome is
 * unknown.
 */
const doubtMs = 60_000;
const pageLimit = 100;
const pagesMax = 10;

interface Search {
  readonly body: CreateRunBody;
  /** The answer's `Date` header: the server's time now. */
  readonly serverDate: string | null;
  /** How long ago the create began. */
  readonly elapsedMs: number;
  /** The options of the next request. The time left changes. */
  readonly options: () => RequestOptions;
  /** Whether the run belongs, or may belong, to another create. */
  readonly isTaken: (run: Run) => boolean;
}

/**
 * The one matching run that the create may have started. Undefined for none, for several, and if the server does not
 * send its time.
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
  // The request has this filter too, but a server that does not know it returns old runs.
  const isLate = (time: string): boolean => Date.parse(time) >= doubtAfter;
  const found: Run[] = [];
  let page = new RunsPage((await ask()).data as RunPage, ask);
  for (let pages = 1; ; pages += 1) {
    found.push(...page.runs.filter(run => isLate(run.created_at) && fits(run, search.body) && !search.isTaken(run)));
    const last = page.runs.at(-1);
    // Newest first by creation or by last change, so only older runs follow.
    const isOver = last !== undefined && !isLate(last.created_at) && !isLate(last.updated_at);
    if (found.length > 1 || isOver || !page.hasNextPage()) break;
    if (pages === pagesMax) return undefined;
    page = await page.getNextPage();
  }
  const [run] = found;
  return found.length === 1 && run !== undefined && Date.parse(run.created_at) >= beganAfter ? run : undefined;
}

/** Whether the run can come from that body: every field present in both is equal. */
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
  // Not every service returns these. If it does, they tell apart matrix jobs and other runs of the same prompt.
  if (run.trigger_url !== undefined && run.trigger_url !== body.trigger_url) return false;
  const metadata = body.metadata ?? {};
  return (
    run.metadata === undefined ||
    (Object.keys(run.metadata).length === Object.keys(metadata).length &&
      Object.entries(metadata).every(([key, value]) => run.metadata?.[key] === value))
  );
}
