import { didYouMean } from '../../base/wording/nearest.ts';
import { type AgentRuns, type ListParams, type Run, runStates } from '../../client/index.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import { connectBriefly } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import type { Shell } from '../terminal/command-shell.ts';
import { paintState, printRunTable } from '../terminal/run-table.ts';
import { readServerTime } from '../terminal/server-time.ts';

export async function list(args: Arguments, shell: Shell): Promise<ExitCode> {
  const limit = args.number('limit', isCount, 'a whole number of at least 1') ?? sizes.listLimitDefault;
  const states = args
    .all('state')
    .flatMap(text => text.split(','))
    .map(readState);
  const params: ListParams = {
    ...(states.length === 0 ? {} : { state: states }),
    name: args.text('name'),
    created_after: args.text('created-after'),
    created_before: args.text('created-before'),
    // The creation time never changes, so no run moves to another page meanwhile.
    sort_by: 'created_at',
  };
  const { runs, hasMore, now } = await readRuns(await connectBriefly(args, shell), params, limit);
  if (args.has('json')) shell.printJson(runs);
  else if (runs.length === 0) shell.note('No runs found');
  else shell.print(printRunTable(runs, { now, columns: shell.columns }).join('\n'), clean => paintState(clean, shell));
  if (hasMore) shell.note(`There are more runs. This list ends after ${limit}; raise --limit to see more.`);
  return 0;
}

/** The requested number of runs, over as many pages as needed. `now` is the server's time, for their age. */
async function readRuns(
  client: AgentRuns,
  params: ListParams,
  limit: number,
): Promise<{ runs: readonly Run[]; hasMore: boolean; now: number }> {
  const first = await client.runs.list({ ...params, limit: Math.min(limit, sizes.listLimit) }).withResponse();
  const now = readServerTime(first);
  let page = first.data;
  const runs = [...page.runs];
  while (runs.length < limit && page.hasNextPage()) {
    page = await page.getNextPage();
    runs.push(...page.runs);
  }
  return { runs: runs.slice(0, limit), hasMore: runs.length > limit || page.hasNextPage(), now };
}

function readState(text: string): string {
  const state = text.trim().toUpperCase();
  if (!runStates.some(known => known === state))
    throw new UsageError(
      `--state must be one of ${runStates.join(', ')}, not ${JSON.stringify(text)}${didYouMean(text, runStates)}`,
    );
  return state;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
