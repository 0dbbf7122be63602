import type { Handler } from 'hono';
import { type EnvironmentsAnswer, environmentQuerySchema } from '../../contract/environments.ts';
import { isFinal, runStates } from '../../contract/tables/state.ts';
import type { Environment } from '../environments/environment.ts';
import type { RunFilter, RunStore, StoredRun } from '../store/store.ts';
import type { Handlers, HttpEnv } from './app.ts';
import { parseQuery } from './request-body.ts';
import { readPage } from './runs/list-runs.ts';
import { printTime } from './runs/run-view.ts';

type Shown = EnvironmentsAnswer['environments'][number];

/** GET /agent/environments */
export function handleListEnvironments({ environments, store, stopping }: Handlers): Handler<HttpEnv> {
  return async c => {
    const { sort_by } = parseQuery(environmentQuerySchema, { sort_by: c.req.query('sort_by') || undefined });
    const sorted = environments.toSorted(
      (a, b) => (sort_by === 'name' ? 0 : b.updatedAt - a.updatedAt) || compare(a.name, b.name),
    );
    const shown: Shown[] = [];
    const signal = AbortSignal.any([stopping, c.req.raw.signal]);
    for (const environment of sorted)
      shown.push(await viewEnvironment(environment, filter => findLast(store, filter, signal)));
    return c.json<EnvironmentsAnswer>({ environments: shown });
  };
}

async function viewEnvironment(
  { uid, name, description, repositories, setup, image, updatedAt }: Environment,
  findLast: (filter: LastFilter) => Promise<StoredRun | undefined>,
): Promise<Shown> {
  const last = await findLast({ environment_id: uid });
  const ended = await findLast({ environment_id: uid, state: runStates.filter(isFinal) });
  return {
    uid,
    config: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(image === undefined ? {} : { docker_image: image }),
      github_repos: repositories.flatMap(repository => {
        const [owner = '', repo] = repository.name.split('/');
        return repo === undefined ? [] : [{ owner, repo }];
      }),
      setup_commands: [...setup],
    },
    last_updated: printTime(updatedAt),
    setup_failed: ended?.statusMessage?.error_code === 'environment_setup_failed',
    ...(last === undefined ? {} : { last_task_created: viewTask(last) }),
    last_task_run_timestamp: last === undefined ? null : printTime(last.startedAt ?? last.createdAt),
  };
}

type LastFilter = Pick<RunFilter, 'environment_id' | 'state'>;

async function findLast(store: RunStore, filter: LastFilter, signal: AbortSignal): Promise<StoredRun | undefined> {
  const page = await readPage(store, { ...filter, limit: 1, sort_by: 'created_at', sort_order: 'desc' }, signal);
  return page.runs[0];
}

function viewTask(run: StoredRun): NonNullable<Shown['last_task_created']> {
  return {
    id: run.runId,
    title: run.title,
    state: run.state,
    created_at: printTime(run.createdAt),
    updated_at: printTime(run.updatedAt),
    started_at: run.startedAt === undefined ? null : printTime(run.startedAt),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
