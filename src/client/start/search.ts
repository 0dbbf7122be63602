/** Looks in the list for the run that a create of unknown outcome may have started. */
import type { CreateRunBody } from '../../contract/create.ts';
import type { RunPage } from '../../contract/page.ts';
import { routePath } from '../../contract/routes.ts';
import type { Run } from '../../contract/run.ts';
import { RunsPage } from '../http/page.ts';
import { isRunPage } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options/options.ts';

/** `Date` counts whole seconds, and what writes it need not be the machine that dates runs. */
const dateMarginMs = 5_000;
const pageLimit = 100;

interface Search {
  readonly body: CreateRunBody;
  /** The answer's `Date`: the server's clock, now. */
  readonly serverDate: string | null;
  /** How long ago the create began. */
  readonly elapsedMs: number;
  readonly options: RequestOptions;
}

/** The one run that fits. Undefined for none, for several (which of them?), and where the server does not say what time it has. */
export async function findStartedRun(transport: Transport, search: Search): Promise<Run | undefined> {
  const serverNow = Date.parse(search.serverDate ?? '');
  if (Number.isNaN(serverNow)) return undefined;
  const createdAfter = serverNow - search.elapsedMs - dateMarginMs;
  const filter = {
    name: search.body.config?.name,
    created_after: new Date(createdAfter).toISOString(),
    limit: pageLimit,
  };
  const ask = (cursor?: string) =>
    transport.send({
      ...search.options,
      method: 'GET',
      path: routePath('listRuns'),
      query: { ...filter, cursor },
      as: 'json',
      isExpected: isRunPage,
      isIdempotent: true,
    });
  const first = new RunsPage((await ask()).data as RunPage, ask);
  const found: Run[] = [];
  for await (const run of first) {
    // Asked for already; but a server that does not know the filter answers with old runs too.
    if (!(Date.parse(run.created_at) >= createdAfter)) continue;
    if (fits(run, search.body)) found.push(run);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** Whether the run can come from that body: everything that both tell is the same. */
function fits(run: Run, body: CreateRunBody): boolean {
  const { config } = body;
  const skill = body.skill ?? config?.skill_spec ?? config?.skills?.[0];
  const same: readonly (readonly [unknown, unknown])[] = [
    [body.prompt, run.prompt],
    [skill, run.agent_config?.skill_spec],
    [body.title, run.title],
    [config?.name, run.agent_config?.name],
    [config?.model_id, run.agent_config?.model_id],
  ];
  if (!same.every(([asked, kept]) => asked === undefined || asked === kept)) return false;
  // Not every service keeps these, but where it does they tell the jobs of a matrix apart.
  if (body.trigger_url !== undefined && run.trigger_url !== undefined && body.trigger_url !== run.trigger_url)
    return false;
  const { metadata } = run;
  return metadata === undefined || Object.entries(body.metadata ?? {}).every(([key, value]) => metadata[key] === value);
}
