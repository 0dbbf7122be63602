import { messageOf } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import {
  AgentRunsError,
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InternalServerError,
  type NamedOption,
  PermissionDeniedError,
  RateLimitError,
  StartUnknownError,
  UnexpectedResponseError,
} from '../../client/index.ts';
import { UsageError } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { explainUnknownRun } from '../run-id.ts';

/** The message and exit code of a failed command. */
interface Failure {
  readonly code: ExitCode;
  readonly sentence: string;
}

/** Decides by the error's class, never by its text. */
export function explainFailure(error: unknown): Failure {
  const message = messageOf(error);
  if (error instanceof UsageError) return { code: 2, sentence: message };
  if (error instanceof ConfigurationError) return { code: 2, sentence: error.describe(option => flagOf[option]) };
  if (error instanceof UnexpectedResponseError || isOfAnotherService(error))
    return { code: 3, sentence: `No agent-run server answers at this address: ${message}` };
  if (error instanceof ApiError && error.isProxyResponse && error.status < 500)
    return { code: 3, sentence: `Something in front of the server, such as a proxy, answered instead: ${message}` };
  if (error instanceof AuthenticationError)
    return { code: 3, sentence: 'The server does not accept the API key. Check --api-key or AGENT_RUN_API_KEY.' };
  if (error instanceof PermissionDeniedError)
    return { code: 3, sentence: `The API key does not allow this: ${error.detail ?? message}` };
  if (error instanceof ConnectionError) return { code: 3, sentence: explainConnection(error) };
  if (error instanceof InternalServerError || error instanceof RateLimitError)
    return { code: 3, sentence: `The server cannot do this now: ${message}` };
  if (error instanceof ApiError) return explainRefusal(error);
  return { code: 1, sentence: message };
}

function explainRefusal({ status, path, detail, message }: ApiError): Failure {
  const [, id] = (status === 404 && /^\/agent\/runs\/([^/]+)/.exec(path)) || [];
  if (id !== undefined) return { code: 1, sentence: explainUnknownRun(decodeURIComponent(id)) };
  return { code: 3, sentence: `The server refused the request: ${nameFlags(detail ?? message)}` };
}

/** Request members by flag name. */
const memberFlags: ReadonlyMap<string, string> = new Map([
  ['config.harness', '--harness'],
  ['config.harness.type', '--harness'],
  ['config.harness.name', '--harness'],
  ['config.model_id', '--model'],
  ['config.environment_id', '--environment'],
  ['config.skill_spec', '--skill'],
  ['config.skills', '--skill'],
  ['config.mcp_servers', '--mcp-servers'],
  ['config.output_schema', '--output-schema'],
  ['conversation_id', '--conversation'],
  ['created_after', '--created-after'],
  ['created_before', '--created-before'],
]);

/** Each issue in a refusal begins with its member: `config.model_id: …; created_after: …`. */
function nameFlags(detail: string): string {
  const place = /(?<=^|; )(config\.(harness\.(type|name)|[a-z_]+)|[a-z_]+)(?=[.:])/g;
  return detail.replace(place, member => memberFlags.get(member) ?? member);
}

function explainConnection(error: ConnectionError): string {
  if (error.fault === 'refused')
    return `No server answers at ${error.host} (connection refused). Start one with \`npx agent-run serve\`, or set AGENT_RUN_BASE_URL.`;
  // The system's error code adds nothing to the message.
  return `Cannot reach the server: ${error.message.replace(/ \([A-Z][A-Z_]+(?:: [^)]*)?\)$/, '')}`;
}

/** The failure of a create. No run was started unless the client is unsure. */
export function explainStartFailure(error: unknown): Failure {
  const failure = explainFailure(error);
  if (!isOfCall(error) || error instanceof StartUnknownError) return failure;
  return { ...failure, sentence: `No run was started. ${failure.sentence}` };
}

function isOfCall(error: unknown): boolean {
  // A failing server may have started the run, whatever it says about retries.
  if (error instanceof InternalServerError) return error.code === 'resource_unavailable' || isOfAnotherService(error);
  return error instanceof AgentRunsError;
}

/** Statuses of a server without the address or method. Without a problem document they come from another service. */
const strangers: ReadonlySet<number> = new Set([404, 405, 501]);

function isOfAnotherService(error: unknown): boolean {
  return error instanceof ApiError && strangers.has(error.status) && !isObject(error.body);
}

/** The client's options by flag name. */
const flagOf: Readonly<Record<NamedOption, string>> = {
  baseUrl: '--base-url',
  apiKey: '--api-key',
  allowHttp: '--allow-http',
};
