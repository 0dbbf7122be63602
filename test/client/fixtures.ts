import { AgentRuns, type ClientOptions, type Run } from '../../src/client/index.ts';
import { createSkippingClock } from './skipping-clock.ts';

export const apiKey = 'key-3f9a-secret';
export const runId = '01890000-0000-7000-8000-000000000001';

/** A client whose waits take no time. */
export function createClient(baseUrl: string, options: ClientOptions = {}) {
  const clock = createSkippingClock();
  const lines: string[] = [];
  const note = (level: string) => (line: string) => {
    lines.push(`${level} ${line}`);
  };
  const logger = { error: note('error'), warn: note('warn'), info: note('info'), debug: note('debug') };
  const client = new AgentRuns({ baseUrl, apiKey, clock, logger, logLevel: 'debug', ...options });
  return { client, clock, lines };
}

export function createRun(state: string, more: Partial<Run> = {}): Run {
  return {
    run_id: runId,
    task_id: runId,
    title: 'A title',
    prompt: 'count the files',
    state,
    created_at: '2030-01-01T00:00:00.000Z',
    updated_at: '2030-01-01T00:00:00.000Z',
    started_at: null,
    finished_at: null,
    attempt: 1,
    source: 'API',
    execution_location: 'LOCAL',
    creator: { type: 'service_account', uid: 'env' },
    agent_config: {},
    last_seq: 1,
    is_run_type_cancellable: true,
    artifacts: [],
    ...more,
  };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function failureOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
