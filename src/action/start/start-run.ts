import type { AgentRuns } from '../../client/index.ts';
import type { CreateRunAnswer, CreateRunBody } from '../../contract/create.ts';
import { routePath } from '../../contract/routes.ts';
import { sizes } from '../../contract/sizes.ts';
import type { ActionHost } from '../host/host.ts';
import { type ActionInputs, InputError } from '../inputs/inputs.ts';

/** Starts the step's run. Only a step that follows takes a lease: nobody would renew it for one that does not. */
export function startRun(
  client: AgentRuns,
  { host, inputs, signal }: { readonly host: ActionHost; readonly inputs: ActionInputs; readonly signal: AbortSignal },
) {
  return client.runs.create(bodyOf(host, inputs), { source: 'GITHUB_ACTION', signal });
}

function bodyOf(host: ActionHost, inputs: ActionInputs): CreateRunBody {
  const config = defined({
    name: inputs.name,
    model_id: inputs.modelId,
    environment_id: inputs.environmentId,
    skill_spec: inputs.skillSpec,
  });
  return {
    ...defined({ prompt: inputs.prompt, title: inputs.title, trigger_url: readJobUrl(host) }),
    config,
    ...(inputs.wait ? { lease_seconds: readLeaseSeconds(host) } : {}),
  };
}

/** AGENT_RUN_LEASE_SECONDS changes the lease; the server's own lower bound holds. */
function readLeaseSeconds(host: ActionHost): number {
  const text = host.readVariable('AGENT_RUN_LEASE_SECONDS')?.trim() ?? '';
  if (text === '') return sizes.followerLeaseSeconds;
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= sizes.leaseSecondsMax))
    throw new InputError(
      `AGENT_RUN_LEASE_SECONDS: ${JSON.stringify(text)} is no lease; it takes seconds, at most ${sizes.leaseSecondsMax}`,
    );
  return seconds;
}

/** The page of the workflow run that this step belongs to. */
function readJobUrl(host: ActionHost): string | undefined {
  const [server, repository, runId] = ['GITHUB_SERVER_URL', 'GITHUB_REPOSITORY', 'GITHUB_RUN_ID'].map(name =>
    host.readVariable(name),
  );
  return server && repository && runId ? `${server}/${repository}/actions/runs/${runId}` : undefined;
}

/** The link to a run's page, or undefined: whatever a server says there, only an http address is one. */
export function readSessionLink(answer: { readonly session_link?: unknown }): string | undefined {
  const link = answer.session_link;
  return typeof link === 'string' && /^https?:\/\/[!-~]+$/.test(link) ? link : undefined;
}

/** Address of a run: its page where the server has one at `/runs/{id}`, else its address in the interface. */
export function addressOfRun(client: AgentRuns, answer: CreateRunAnswer): string {
  const page = readSessionLink(answer)?.split('?')[0];
  return page?.endsWith(`/runs/${answer.run_id}`)
    ? page
    : `${client.baseUrl}${routePath('readRun', { runId: answer.run_id })}`;
}

/** Address of a run's whole result; it takes the key. */
export function addressOfResult(client: AgentRuns, runId: string): string {
  return `${client.baseUrl}${routePath('readResult', { runId })}`;
}

function defined<T extends Readonly<Record<string, unknown>>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
