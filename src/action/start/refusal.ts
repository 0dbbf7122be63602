import { messageOf } from '../../base/cause.ts';
import { readRetryAfterMs } from '../../border/answers.ts';
import {
  AgentRunsError,
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  NotFoundError,
  PermissionDeniedError,
  StartUnknownError,
  UnexpectedResponseError,
} from '../../client/index.ts';
import type { Network } from '../connect/network.ts';
import { isProxyResponse } from '../connect/proxy-responses.ts';
import type { ActionHost } from '../host/host.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import { findServer, type ServerAddress } from '../inputs/later-faults.ts';
import { nameInput, nameMembers } from '../inputs/option-names.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { InputError, MissingCredentialError } from '../inputs/values.ts';
import type { Outcome } from '../verdict/verdict.ts';

interface Refusing {
  readonly host: ActionHost;
  readonly error: unknown;
  readonly context: StepContext;
  /** Undefined if they could not be read. */
  readonly inputs: ActionInputs | undefined;
  readonly network: Network | undefined;
  /** True if a run may have been started in spite of the error. */
  readonly isOpen: boolean;
}

export async function explainRefusal({ host, error, context, inputs, network, isOpen }: Refusing): Promise<Outcome> {
  const refuse = (phase: 'inputs' | 'start', why: string): Outcome => ({ kind: 'not_started', phase, why });
  const message = messageOf(error);
  const isSkipped = inputs?.trust.onMissingCredentials === 'skip';
  const lacks = (why: string): Outcome =>
    isSkipped
      ? { kind: 'skipped', phase: 'inputs', why: `No run was started: ${why}` }
      : refuse('inputs', `No run was started: ${why}`);
  if (error instanceof MissingCredentialError) {
    const why = error.lack === undefined ? undefined : await explainByEvent(context, isSkipped);
    return lacks(why === undefined ? message : `${error.lack}: ${why}`);
  }
  if (error instanceof InputError) return refuse('inputs', `No run was started: ${message}`);
  const server = findServer(host, inputs?.place.baseUrl);
  if (error instanceof ConfigurationError) {
    if (error.option !== 'apiKey')
      return refuse(
        'inputs',
        `No run was started: ${error.option === 'allowHttp' ? explainPlainHttp(server) : error.describe(nameInput)}`,
      );
    return lacks(`\`api_key\` is empty: ${(await explainByEvent(context, isSkipped)) ?? noSecret}`);
  }
  const option = server?.option ?? '`base_url`';
  const hint = await explainNetwork(error, { inputs, network, server });
  if (isOpen && !isForeignResponse(error)) {
    const why = message.replace(/^it is unclear whether the run was started: /, '');
    const isTold = error instanceof StartUnknownError || server === undefined;
    const look = isTold ? undefined : 'Check the list of runs before you start it again';
    const said = [why, look, hint].filter(part => part !== undefined).join('. ');
    return refuse('start', `It is unclear whether a run was started: ${said}`);
  }
  if (error instanceof ConnectionError)
    return refuse(
      'start',
      `No run was started, because the server cannot be reached: ${message}. ${hint ?? `Check ${option}`}`,
    );
  if (isForeignResponse(error)) {
    // Proxies refuse keys with these statuses too.
    const key = error.status === 401 || error.status === 403 ? ', `api_key`' : '';
    return refuse(
      'start',
      `Probably no run was started: a proxy or firewall seems to have answered in place of the server: ${message}. Check ${option}${key}, and the proxy or firewall`,
    );
  }
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
    return refuse(
      'start',
      `No run was started, because the server does not accept the key. Check \`api_key\` (${numbersOf(error)})`,
    );
  // Longer than the client was willing to wait.
  const askedMs = error instanceof ApiError ? readRetryAfterMs(name => error.headers.get(name), Date.now()) : undefined;
  const patience = askedMs !== undefined && askedMs > 60_000 ? ', which is longer than the step waits' : '';
  return refuse('start', `No run was started: ${nameMembers(message)}${patience}${hintAtAddress(error, server)}`);
}

/** Details for the server's operator: `401 authentication_required, request id 0192f000-…`. */
export function numbersOf({ status, code, requestId }: ApiError): string {
  const said = code === undefined ? `${status}` : `${status} ${code}`;
  return requestId === undefined ? said : `${said}, request id ${requestId}`;
}

/** Shows only the origin, because an address may contain a password. */
function explainPlainHttp({ option = '`base_url`', address = '' }: Partial<ServerAddress> = {}): string {
  const origin = URL.parse(address)?.origin ?? 'http://…';
  return `${option} "${origin}" would send the key unencrypted. Use "${origin.replace('http:', 'https:')}", or set \`allow_http: true\` if you trust the network`;
}

/**
 * Returns true if a failed create may have started a run. A proxy may have changed the response, and an unexpected
 * error does not tell what the server did.
 */
export function mayHaveStarted(error: unknown): boolean {
  if (error instanceof StartUnknownError || isForeignResponse(error)) return true;
  if (error instanceof ConnectionError) return !error.neverLeft;
  return !(error instanceof AgentRunsError || error instanceof InputError);
}

function isForeignResponse(error: unknown): error is ApiError {
  return error instanceof ApiError && isProxyResponse(error) && ![404, 405, 501].includes(error.status);
}

/**
 * A wrong address is answered by a web page, by another service without one of our codes, or by the server itself for
 * an unknown path. Returns '' if none of these applies.
 */
export function hintAtAddress(error: unknown, server: ServerAddress | undefined): string {
  const isStrange = error instanceof UnexpectedResponseError && !error.cut;
  const isNowhere = error instanceof ApiError && (error.status === 404 || error.status === 405);
  if (!isStrange && !isNowhere) return '';
  const { option = '`base_url`', address = '' } = server ?? {};
  const path = URL.parse(address)?.pathname.replace(/(?:\/api\/v1)?\/*$/, '') ?? '';
  if (path !== '')
    return `. Check ${option}: its path is ${path}, but a server usually has none. Do not use the URL of a page`;
  return error instanceof NotFoundError && error.code !== undefined ? '' : `. Check ${option}`;
}

const noSecret =
  "the secret is not set, or its name is misspelled (GitHub replaces a missing secret with nothing). See Settings > Secrets and variables > Actions. A reusable workflow gets secrets only if its caller passes them, for example with `secrets: inherit`. A job gets an environment's secrets only if it names that environment";

async function explainByEvent(context: StepContext, isSkipped: boolean): Promise<string | undefined> {
  const [{ readEvent }, { explainByEvent: explain }] = await Promise.all([
    import('../github/event.ts'),
    import('../github/missing-credentials.ts'),
  ]);
  return explain({ event: readEvent(context), actor: context.actor, isSkipped });
}

async function explainNetwork(
  error: unknown,
  { inputs, network, server }: Pick<Refusing, 'inputs' | 'network'> & { readonly server: ServerAddress | undefined },
): Promise<string | undefined> {
  const fault = error instanceof StartUnknownError ? error.cause : error;
  if (!(fault instanceof ConnectionError)) return undefined;
  const { explainNetworkFault } = await import('../connect/network-faults.ts');
  const caFile = inputs?.place.caFile;
  const proxy = network?.proxyOf(server?.address ?? `https://${fault.host}`);
  return explainNetworkFault(error, { hasCaFile: caFile !== undefined, proxy, option: server?.option });
}
