/**
 * What the client is made to do in every runtime. It becomes a module without types, and uses nothing but the client
 * and the platform.
 */
import { AbortedError, AgentRuns, type ClientOptions, NotFoundError } from 'agent-run';

export interface Report {
  readonly state: string;
  readonly printed: string;
  readonly listed: number;
  readonly missing: readonly [boolean, string | undefined];
  readonly aborted: boolean;
  readonly cancelled: string;
}

export async function exercise(options: ClientOptions): Promise<Report> {
  const client = new AgentRuns({ logLevel: 'off', ...options });
  const { runs } = client;
  const name = `exercise-${Math.random()}`;

  const { run_id } = await runs.create({ prompt: '```sh\necho one; sleep 0.2; echo two\n```', config: { name } });
  let printed = '';
  for await (const event of runs.events(run_id))
    if (event.type === 'log' && event.data.stream === 'stdout') printed += event.data.text;
  const { state } = await runs.wait(run_id);

  const long = await runs.create({ prompt: '```sh\nsleep 60\n```', config: { name } });
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 300);
  const aborted = await runs.wait(long.run_id, { signal: stopping.signal }).then(
    () => false,
    (error: unknown) => error instanceof AbortedError,
  );
  await runs.cancel(long.run_id);
  const cancelled = await runs.wait(long.run_id);

  let listed = 0;
  for await (const run of runs.list({ name, limit: 1 })) listed += run.agent_config?.name === name ? 1 : 0;
  const missing = await runs.retrieve('0192f000-0000-7000-8000-000000000000').then(
    () => [false, undefined] as const,
    (error: unknown) =>
      [error instanceof NotFoundError, error instanceof NotFoundError ? error.code : undefined] as const,
  );
  return { state, printed, listed, missing, aborted, cancelled: cancelled.state };
}

/** What comes of it wherever the client works. */
export const expectedReport: Report = {
  state: 'SUCCEEDED',
  printed: 'one\ntwo\n',
  listed: 2,
  missing: [true, 'resource_not_found'],
  aborted: true,
  cancelled: 'CANCELLED',
};
