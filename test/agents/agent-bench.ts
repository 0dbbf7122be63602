/** A real agent program in a real server, which asks a scripted model. */
import { inject, onTestFinished } from 'vitest';
import type { AgentRuns } from '../../src/client/index.ts';
import type { AgentConfig } from '../../src/contract/config.ts';
import type { RunEvent } from '../../src/contract/events.ts';
import type { Run } from '../../src/contract/run.ts';
import { apiPrefix } from '../../src/contract/tables/routes.ts';
import type { ModelEndpoint } from '../../src/server/harness/agents/adapter.ts';
import { agentAdapters } from '../../src/server/harness/agents/agent-table.ts';
import { type ModelScript, type ModelServer, type ModelTurn, startModelServer } from '../../src/testing/index.ts';
import { openTestServer } from '../support/test-server.ts';

export const kinds = Object.keys(agentAdapters);
export const modelKey = 'key-of-the-scripted-model';

/** The one answer to everything. */
export const always =
  (turn: ModelTurn): ModelScript =>
  () =>
    turn;

interface BenchOptions {
  readonly script: ModelScript;
  /** What the harness is given. @default the model's */
  readonly apiKey?: string;
  /** More of its endpoint. */
  readonly endpoint?: Partial<ModelEndpoint>;
  /** How the harness reaches the model at this address: that of its endpoint, and variables. @default as it is */
  readonly reach?: (url: string) => Promise<{ readonly root: string; readonly env: Readonly<Record<string, string>> }>;
  readonly steps?: number;
  readonly stallMs?: number;
  /** Passed on by the configuration. */
  readonly env?: Readonly<Record<string, string>>;
  readonly containment?: 'auto' | 'process_group';
  /** Checkouts by `owner/repo`. */
  readonly repositories?: Readonly<Record<string, string>>;
  /** The folder that every run works in. */
  readonly workspace?: string;
  /** @default 0 */
  readonly keepConversationMinutes?: number;
}

export interface AgentBench {
  readonly client: AgentRuns;
  readonly model: ModelServer;
  /** Of the server. */
  readonly url: string;
  readonly key: string;
  start(prompt: string, config?: AgentConfig): Promise<string>;
  /** Waits for the end of a run. */
  finish(runId: string): Promise<EndedRun>;
  /** Both. */
  work(prompt: string, config?: AgentConfig): Promise<EndedRun>;
  /** The text of a file among its artifacts. */
  readFile(run: Run, name: string): Promise<string>;
}

export interface EndedRun {
  readonly run: Run;
  readonly events: readonly RunEvent[];
}

/** Closed after the test. */
export async function openAgentBench(
  kind: string,
  {
    script,
    apiKey = modelKey,
    endpoint = {},
    reach = async url => ({ root: url, env: {} }),
    steps = 50,
    stallMs = 120_000,
    env = {},
    containment = 'auto',
    repositories = {},
    workspace,
    keepConversationMinutes = 0,
  }: BenchOptions,
): Promise<AgentBench> {
  const model = await startModelServer(script, { apiKey: modelKey });
  onTestFinished(() => model.close());
  const api = agentAdapters[kind]?.apis[0];
  if (api === undefined) throw new RangeError(`there is no agent ${kind}`);
  const way = await reach(model.url);
  const agent = {
    kind,
    endpoint: { api, root: way.root, apiKey, ...endpoint },
    model: 'm-1',
    models: undefined,
    program: undefined,
    agentsFolder: inject('agentsFolder'),
    steps,
    stallMs,
    env: { ...env, ...way.env },
  };
  const { client, url, key } = await openTestServer({
    harnesses: { default: kind, script: false, commands: {}, agents: { [kind]: agent } },
    skillRepositories: repositories,
    containment,
    ...(workspace === undefined ? {} : { workspace }),
    limits: {
      grace_seconds: 2,
      run_minutes: 4,
      keep_workspace_minutes: 0,
      keep_conversation_minutes: keepConversationMinutes,
    },
  });
  const start = async (prompt: string, config: AgentConfig = {}) =>
    (await client.runs.create({ prompt, config })).run_id;
  const finish = async (runId: string): Promise<EndedRun> => {
    const events: RunEvent[] = [];
    for await (const event of client.runs.events(runId)) events.push(event);
    return { run: await client.runs.retrieve(runId), events };
  };
  return {
    client,
    model,
    url,
    key,
    start,
    finish,
    work: async (prompt, config) => await finish(await start(prompt, config)),
    async readFile({ artifacts = [] }, name) {
      const [uid] = artifacts.flatMap(({ data }) =>
        'filename' in data && data.filename === name && 'artifact_uid' in data ? [String(data.artifact_uid)] : [],
      );
      if (uid === undefined) throw new Error(`the run has no artifact ${name}`);
      const address = `${url}${apiPrefix}/agent/artifacts/${uid}/download`;
      return await (await fetch(address, { headers: { authorization: `Bearer ${key}` } })).text();
    },
  };
}

/** What the run's tools gave back, one after another. */
export function outputsOf({ events }: EndedRun): string {
  return events.flatMap(event => (event.type === 'tool_result' ? [JSON.stringify(event.data.output)] : [])).join('\n');
}

/** What fails to say why: for the message of a test that fails. */
export function describeEnd({ run, events }: EndedRun): string {
  const log = events.flatMap(event => (event.type === 'log' ? [String(event.data.text)] : [])).join('');
  return `${run.state}: ${run.status_message?.message ?? 'no message'}\n${log.slice(-2000)}`;
}
