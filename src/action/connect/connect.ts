/** Creates the step's client, for a remote server or for the one inside the step. */

import { isSecretName } from '../../base/secret-variables.ts';
import { watchAnswer } from '../../border/answers.ts';
import { AgentRuns, ConfigurationError, type CreateRunAnswer } from '../../client/index.ts';
import { readFeatures } from '../../contract/tables/headers.ts';
import type { ActionHost } from '../host/host.ts';
import { isSecretVariable } from '../host/masks.ts';
import { resolveInWorkspace } from '../inputs/file-inputs.ts';
import type { ActionInputs, PlaceInputs } from '../inputs/inputs.ts';
import { findServer, findUnknownNames } from '../inputs/later-faults.ts';
import { nameInput } from '../inputs/option-names.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { InputError, MissingCredentialError, refuseFaults, whyEmpty } from '../inputs/values.ts';
import { loadLateCode } from '../report/late-code.ts';
import { emptyWorkspaceWarning } from '../report/summary/heading.ts';
import { addressOfRun, readSessionLink } from './addresses.ts';
import { type Network, openNetwork } from './network.ts';
import { findServerOnly } from './server-only.ts';

const apiKeyVariables = ['AGENT_RUN_API_KEY', 'WARP_API_KEY'] as const;
/** A server restart takes about 20 seconds and must not fail the step. */
const maxRetries = 6;

export interface Connection {
  readonly client: AgentRuns;
  /** True if the server runs inside this step and ends with it. */
  readonly isEmbedded: boolean;
  /** Milliseconds since the server's last good response. */
  silentMs(): number;
  /** Features that the server announces. Empty for other services. */
  features(): ReadonlySet<string>;
  /** Link to a run's page that needs no key, if the server gives one. */
  linkOf(answer: { readonly session_link?: unknown }): string | undefined;
  /** Where a person finds a run: the link, otherwise the address. '' if there is neither. */
  addressOf(answer: RunWords): string;
  /** The address without the link's token. */
  pageOf(answer: RunWords): string;
  /** Sends a request to another host, such as to a download URL that the server returned. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

type RunWords = Pick<CreateRunAnswer, 'run_id' | 'session_link'>;
type Fetch = Connection['fetch'];

/** Throws InputError, ConfigurationError without address or key, and why an embedded server cannot start. */
export async function connect(
  host: ActionHost,
  {
    inputs,
    context,
    network,
    signal,
  }: Pick<Connecting, 'network'> & {
    readonly inputs: ActionInputs;
    readonly context: StepContext;
    /** The runner wants the step to stop. */
    readonly signal: AbortSignal;
  },
): Promise<Connection> {
  if (await isEmbedded(host, inputs)) return await connectInside(host, { inputs, context, network, signal });
  try {
    return connectToServer(host, { place: inputs.place, network, logLevel: 'info' });
  } catch (error) {
    // A key for the wrong address is a mistake in the workflow, not a secret that the event withholds.
    const isForeign = error instanceof ConfigurationError && error.option === 'apiKey' && readApiKeys(host).length > 0;
    throw isForeign ? new InputError(error.describe(nameInput)) : error;
  }
}

interface Connecting {
  readonly place: PlaceInputs;
  readonly network: Network;
  readonly logLevel: 'info' | 'warn';
}

/** The network for all requests of the step. Masks the environment's secrets for it. Throws InputError. */
export async function openStepNetwork(host: ActionHost, { baseUrl, caFile }: PlaceInputs): Promise<Network> {
  const network = await openNetwork({
    variables: host.variables(),
    caFile: caFile === undefined ? undefined : resolveInWorkspace(host, caFile),
    baseUrl: findServer(host, baseUrl)?.address,
  });
  for (const secret of [...network.secrets, ...readApiKeys(host)]) host.mask(secret);
  return network;
}

function readApiKeys(host: ActionHost): readonly string[] {
  return apiKeyVariables.map(name => host.readVariable(name)?.trim() ?? '').filter(key => key !== '');
}

/** Throws ConfigurationError if the address or key is missing. */
export function connectToServer(host: ActionHost, { place, network, logLevel }: Connecting): Connection {
  const { baseUrl, apiKey, allowHttp } = place;
  const { client, ...rest } = makeClient(host, network.fetch, { baseUrl, apiKey, allowHttp, logLevel });
  const way = network.describe(client.baseUrl);
  if (way !== undefined) host.print(`connecting to the server ${way}`);
  return {
    client,
    ...rest,
    isEmbedded: false,
    linkOf: readSessionLink,
    addressOf: answer => readSessionLink(answer) ?? addressOfRun(client, answer),
    pageOf: answer => addressOfRun(client, answer),
    fetch: network.fetch,
    close: async () => {},
  };
}

async function connectInside(
  host: ActionHost,
  { inputs, context, signal }: Parameters<typeof connect>[1],
): Promise<Connection> {
  const { embedded, task, trust, report } = inputs;
  const variables = host.variables();
  refuseFaults([...findServerOnly(inputs, context.repository), ...findUnknownNames(host, embedded)]);
  const empty = embedded.passEnv.filter(name => variables[name]?.trim() === '');
  // A flag may be empty. It is not a credential.
  const missing = empty.filter(isSecretName);
  if (missing.length > 0 && trust.onMissingCredentials === 'skip')
    throw new MissingCredentialError(`\`pass_env\`: ${missing.join(', ')} is empty`);
  const [{ openEmbedded }] = await Promise.all([import('../embedded/embedded.ts'), loadLateCode(report)]);
  for (const name of empty) host.warn(`\`pass_env\`: ${name} is empty, so the agent does not get it: ${whyEmpty}`);
  const passedEnv = Object.fromEntries(embedded.passEnv.map(name => [name, variables[name] ?? '']));
  for (const [name, value] of Object.entries(passedEnv)) if (isSecretVariable(name, value)) host.mask(value);
  // Only the step writes to the files of its own outputs and state.
  host.keepFiles(embedded.passEnv.filter(name => name !== 'GITHUB_OUTPUT' && name !== 'GITHUB_STATE'));
  const server = await openEmbedded({
    workspace: context.workspace ?? process.cwd(),
    workingFolder: embedded.workingDirectory,
    tempDir: context.tempDir,
    repository: context.repository,
    command: embedded.command,
    allowScript: embedded.allowScript,
    harness: task.harness,
    harnessVersion: embedded.harnessVersion,
    modelId: task.modelId,
    passedEnv,
    baseEnv: variables,
    mask: value => host.mask(value),
    warn: host.warn,
    print: host.print,
    signal,
  });
  if (server.isWorkspaceEmpty) host[server.asksModel ? 'warn' : 'print'](emptyWorkspaceWarning);
  const { client, ...rest } = makeClient(host, server.fetch, {
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    logLevel: 'warn',
  });
  return {
    client,
    ...rest,
    isEmbedded: true,
    // It has no page and no port.
    linkOf: () => undefined,
    addressOf: () => context.jobUrl ?? '',
    pageOf: () => context.jobUrl ?? '',
    fetch: server.fetch,
    close: server.close,
  };
}

function makeClient(
  host: ActionHost,
  fetch: Fetch,
  options: ConstructorParameters<typeof AgentRuns>[0],
): Pick<Connection, 'client' | 'silentMs' | 'features'> {
  let heardAt = performance.now();
  let features: ReadonlySet<string> = new Set();
  const client = new AgentRuns({
    ...options,
    logger: { error: host.print, warn: host.print, info: host.print, debug: host.print },
    maxRetries,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (!response.ok && response.status !== 304) return response;
      const hear = () => {
        heardAt = performance.now();
      };
      hear();
      features = readFeatures(response.headers);
      // A stream lasts many minutes, and each chunk shows that the server is alive.
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      return isStream ? watchAnswer(response, { onChunk: hear }) : response;
    },
  });
  return { client, silentMs: () => performance.now() - heardAt, features: () => features };
}

/** True without a server address. Throws InputError if the inputs ask for both, or need an address. */
async function isEmbedded(host: ActionHost, { task, place, embedded, follow }: ActionInputs): Promise<boolean> {
  const server = findServer(host, place.baseUrl)?.option;
  // `pass_env` alone is not a request: a workflow may always set it.
  const asked = embedded.command !== undefined ? 'command' : embedded.allowScript ? 'allow_script' : undefined;
  if (server !== undefined && asked !== undefined)
    throw new InputError(
      `\`${asked}\` runs the agent in this step, but ${server} names a server; set only one of the two`,
    );
  if (server !== undefined && embedded.workingDirectory !== undefined)
    throw new InputError(
      `\`working_directory\` is a folder of this job, but ${server} names a server, which cannot see it; set only one of the two`,
    );
  if (server !== undefined && embedded.harnessVersion !== undefined)
    throw new InputError(
      `\`harness_version\` is for an agent in this step, but ${server} names a server, which has its own version; set only one of the two`,
    );
  if (server !== undefined) return false;
  if (follow.runId !== undefined)
    throw new InputError(`\`run_id\` names a run on a server, but \`base_url\` is empty. Set ${addressRemedy}`);
  if (place.apiKey === undefined) return true;
  const { findModelKeys, spellKeys } = await import('../embedded/step-agents.ts');
  const keys = `${spellKeys(findModelKeys(task.modelId))} under \`env:\` of the step`;
  const remedy =
    task.modelId !== undefined
      ? `If this is the key of the model's provider, remove \`api_key\` and set ${keys}`
      : asked === undefined
        ? `To run without a server, remove \`api_key\`. Set \`model_id\`, and ${keys}; or set \`command\``
        : `To run without a server, remove \`api_key\`; \`${asked}\` is enough`;
  throw new InputError(
    `\`api_key\` is the key of an agent-run server. ${remedy}. To use a server, set ${addressRemedy}`,
  );
}

const addressRemedy =
  "`base_url` or AGENT_RUN_BASE_URL. If the URL comes from a variable, check the variable's name in Settings > Secrets and variables > Actions > Variables";
