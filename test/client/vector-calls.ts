/** The vectors that need a client: each scripts what a server answers, and returns what the client makes of it. */
import { UnexpectedResponseError } from '../../src/client/errors/answer-errors.ts';
import {
  AgentRuns,
  type ApiError,
  type ClientOptions,
  ConfigurationError,
  type CreateRunBody,
  type FollowOptions,
  type FollowTimeoutError,
} from '../../src/client/index.ts';
import { createClient, runId } from './fixtures.ts';
import {
  createScriptedFetch,
  type NamedAnswer,
  respond,
  type ScriptedAnswer,
  type SharedAnswers,
} from './scripted-fetch.ts';

export interface Start {
  readonly creates: readonly NamedAnswer[];
  readonly lists?: readonly NamedAnswer[];
  readonly body?: Partial<CreateRunBody>;
  readonly options?: ClientOptions;
}

export interface PageDocument {
  readonly runs?: readonly string[];
  readonly page_info?: unknown;
}

export interface Search extends Pick<Start, 'body'> {
  readonly runs: readonly object[];
}

export interface Setup {
  readonly options: ClientOptions;
  readonly environment: Readonly<Record<string, string>>;
}

export type RunAnswer = ScriptedAnswer & { readonly runId?: string };

export interface Following {
  /** The last answer is repeated. Each takes `tookMs` of the client's clock. */
  readonly answers: readonly ((ScriptedAnswer | RunInState) & { readonly tookMs?: number })[];
  readonly options?: FollowOptions;
}

/** A run with some of its members. With an `etag`, the server announces that it can wait. */
interface RunInState {
  readonly run: object;
  readonly etag?: string;
}

export async function readRun({ runId: asked = runId, ...answer }: RunAnswer): Promise<unknown> {
  const { client } = createClient('https://a.example.com', { fetch: async () => respond(answer), maxRetries: 0 });
  try {
    const { state } = await client.runs.retrieve(asked);
    return { state };
  } catch (error) {
    if (!(error instanceof UnexpectedResponseError)) return { error: (error as Error).name };
    const { name, cut, message } = error;
    return { error: name, cut: cut || undefined, message };
  }
}

export async function readPages(pages: readonly PageDocument[]): Promise<unknown> {
  const cursors: (string | null)[] = [];
  const fetch = async (url: string) => {
    const { runs, ...rest } = pages[cursors.length] ?? {};
    cursors.push(new URL(url).searchParams.get('cursor'));
    return Response.json({ ...rest, runs: runs?.map(run_id => ({ run_id, state: 'QUEUED' })) });
  };
  const runs: string[] = [];
  let error: string | undefined;
  try {
    const { client } = createClient('https://a.example.com', { fetch });
    for await (const run of client.runs.list()) runs.push(run.run_id);
  } catch (failure) {
    error = (failure as Error).name;
  }
  return { cursors: cursors.slice(1), runs, error };
}

const variables = ['AGENT_RUN_BASE_URL', 'AGENT_RUN_API_KEY', 'OZ_API_BASE_URL', 'WARP_API_KEY'];

export async function findBaseUrl({ options, environment }: Setup): Promise<unknown> {
  const before = variables.map(name => [name, process.env[name]] as const);
  for (const name of variables) delete process.env[name];
  Object.assign(process.env, environment);
  try {
    let sent: RequestInit = {};
    const fetch = async (_url: string, init: RequestInit) => {
      sent = init;
      return Response.json({});
    };
    const client = new AgentRuns({ ...options, fetch });
    await client.get('/agent');
    const { authorization } = sent.headers as Readonly<Record<string, string>>;
    return { baseUrl: client.baseUrl, apiKey: authorization?.replace('Bearer ', '') };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { option: error.option, message: error.describe(option => `<${option}>`) };
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

interface Settled {
  readonly sent: readonly string[];
  readonly run?: string;
  readonly error?: string;
  readonly status?: number;
}

let starts = 0;

export async function settleCreate(
  { creates, lists = [], body, options }: Start,
  shared: SharedAnswers = { answers: {}, run: {} },
): Promise<Settled> {
  const { fetch, sent } = createScriptedFetch({ creates, lists, shared });
  // The client never returns one run for two creates on one host.
  starts += 1;
  const { client } = createClient(`https://create-${starts}.example.com`, { fetch, ...options });
  try {
    const create = { prompt: 'count the files', title: 'Count', ...body };
    const { run_id } = await client.runs.create(create, { idempotencyKey: 'mine' });
    return { sent, run: run_id };
  } catch (error) {
    const { name, status } = error as ApiError;
    return { sent, error: name, status };
  }
}

/** A create whose answer is lost by a service without idempotency keys. */
export async function searchRun({ runs, ...create }: Search, shared?: SharedAnswers): Promise<unknown> {
  const { run, error } = await settleCreate({ ...create, creates: ['reset'], lists: ['empty', { runs }] }, shared);
  return { run, error };
}

/** The headers of each poll, the states that come out, and how following ends. */
export async function followScript({ answers, options }: Following): Promise<unknown> {
  const polls: object[] = [];
  const states: string[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    const sent = new Headers(init.headers);
    const shown = ['If-None-Match', 'Prefer'].flatMap(name => (sent.has(name) ? [[name, sent.get(name)]] : []));
    const { tookMs = 0, ...answer } = answers[polls.length] ?? answers.at(-1) ?? { status: 418 };
    polls.push(Object.fromEntries(shown));
    await clock.sleep(tookMs);
    return respond('run' in answer ? describeRun(answer) : answer);
  };
  const { client, clock } = createClient('https://a.example.com', { fetch });
  try {
    for await (const { state } of client.runs.follow(runId, options)) states.push(state);
    return { polls, states };
  } catch (error) {
    const { name, limit, state } = error as FollowTimeoutError;
    return { polls, states, error: name, limit, state };
  }
}

function describeRun({ run, etag }: RunInState): ScriptedAnswer {
  const headers = etag === undefined ? {} : { ETag: etag, 'Agent-Run-Features': 'wait' };
  return { status: 200, headers, body: { run_id: runId, ...run } };
}
