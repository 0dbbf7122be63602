/** Faults of agents, with kinds that all programs share, and the ending of the run for each kind. */
import { ellipsis } from '../../../base/text.ts';
import type { ErrorCode } from '../../../contract/tables/error-codes.ts';

export const faultKinds = [
  'auth',
  'rate_limit',
  'model_not_found',
  'bad_request',
  'context_length',
  'provider',
  'network',
  'refusal',
  'output_limit',
  'step_limit',
  'no_result',
  'mcp_server',
  'harness',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface AgentFault {
  readonly fault: FaultKind;
  /** HTTP status of the endpoint's last answer, if there was one. */
  readonly httpStatus?: number | undefined;
  /** Message of the program or the endpoint, without secrets. '' if there was none. */
  readonly message: string;
}

interface FaultRow {
  readonly code: ErrorCode;
  /** Start of the sentence. `{endpoint}`, `{model}` and `{agent}` are filled in. */
  readonly opening: string;
  /**
   * What to do, as a sentence without its period. `{key}` and `{address}` become the place where each was configured.
   */
  readonly remedy: string;
}

const faultTable: Readonly<Record<FaultKind, FaultRow>> = {
  auth: {
    code: 'authentication_required',
    opening: 'the model endpoint {endpoint} refused the key',
    remedy: 'Check the key in {key}',
  },
  rate_limit: {
    code: 'rate_limited',
    opening: 'the model endpoint {endpoint} reports too many requests or a used-up quota',
    remedy: 'Start the run again later, or raise the limit or add credit at the provider',
  },
  model_not_found: {
    code: 'resource_not_found',
    opening: 'the model endpoint {endpoint} does not know the model {model}',
    remedy:
      'Check its name and that the key has access to it. Choose another one with `model_id`, or check the address of the endpoint',
  },
  bad_request: {
    code: 'agent_failed',
    opening: 'the model endpoint {endpoint} rejected the request of {agent}',
    remedy: 'Check that the endpoint speaks `endpoint.api` and that the model can use tools',
  },
  context_length: {
    code: 'agent_failed',
    opening: 'the conversation grew longer than the context of the model {model}',
    remedy: 'Give the agent a smaller task, or a model with a longer context',
  },
  provider: {
    code: 'resource_unavailable',
    opening: 'the model endpoint {endpoint} failed',
    remedy: 'Start the run again later',
  },
  network: {
    code: 'resource_unavailable',
    opening: 'the model endpoint {endpoint} could not be reached, or the connection broke',
    remedy: 'Check the network, and {address} if it is set',
  },
  refusal: {
    code: 'agent_failed',
    opening: 'the model {model} refused to answer',
    remedy: 'Change the prompt',
  },
  output_limit: {
    code: 'agent_failed',
    opening: 'an answer of the model {model} reached its length limit and was cut off',
    remedy: 'Ask for a shorter answer, or for a file',
  },
  step_limit: {
    code: 'step_limit',
    opening: '{agent} reached its step limit and was stopped',
    remedy: 'Give it a smaller task. On a server, `steps` of the harness sets the limit',
  },
  no_result: {
    code: 'no_result',
    opening: '{agent} ended without an answer',
    remedy: 'Ask for an answer in the prompt, such as "Say what you changed"',
  },
  mcp_server: {
    code: 'environment_setup_failed',
    opening: 'an MCP server cannot be used',
    remedy: 'Fix it, or set `"required": false` in its entry',
  },
  harness: {
    code: 'agent_failed',
    opening: '{agent} failed',
    remedy: '',
  },
};

const messageMax = 600;
/** Later requests would fail too. */
const unpaid = /credit balance/i;
/** Limit on a complaint, in characters, so that a long one cannot block the server. */
const complaintMax = 10_000;

/** Wordings of complaints and their kinds. */
export type Wordings = readonly (readonly [RegExp, FaultKind])[];

/** The kind of the first wording that matches any of the texts. Only the beginning of each text is searched. */
export function faultOfWords(wordings: Wordings, ...said: readonly string[]): FaultKind | undefined {
  const beginnings = said.map(beginningOf);
  return wordings.find(([wording]) => beginnings.some(beginning => wording.test(beginning)))?.[1];
}

/** The part of a complaint that is searched. */
export function beginningOf(said: string): string {
  return said.slice(0, complaintMax);
}

/**
 * What happened, and what to do about it ('' if unknown), each without a period. `endpoint` is an address without
 * secrets.
 */
export function explainFault(
  { fault, httpStatus, message }: AgentFault,
  names: {
    readonly agent: string;
    readonly model: string;
    readonly endpoint: string;
    /** Where the key is configured. Undefined if none was sent, or that is unknown. */
    readonly key?: string | undefined;
    /** Where an address other than the provider's is configured. */
    readonly address?: string | undefined;
  },
): { readonly code: ErrorCode; readonly text: string; readonly remedy: string } {
  const { code, opening, remedy } = faultTable[fault];
  const known = {
    ...names,
    key: names.key ?? '`endpoint.key` of the harness',
    address: names.address ?? '`endpoint.url` of the harness',
  };
  const fill = (text: string) =>
    text.replace(/\{(agent|model|endpoint|key|address)\}/g, (_all, name: keyof typeof known) => known[name]);
  const status = httpStatus === undefined ? '' : ` (status ${httpStatus})`;
  const line = ellipsis(beginningOf(message).replace(/\s+/g, ' ').trim(), messageMax + 1);
  const said = remedy === '' ? line : line.replace(/\.$/, '');
  // Gateways name models like this, and the providers themselves do not.
  const bare = fault === 'model_not_found' ? /\/([^/]+)$/.exec(names.model)?.[1] : undefined;
  const isUnpaid = fault === 'rate_limit' && unpaid.test(line);
  const advice = isUnpaid ? 'Add credit at the provider, then start the run again' : fill(remedy);
  const hint = bare === undefined ? '' : `. If it is the provider's own endpoint, write the model as ${bare}`;
  return { code, text: `${fill(opening)}${status}${said === '' ? '' : `: ${said}`}`, remedy: `${advice}${hint}` };
}

/** Meaning of an answer's status if the program says no more. */
export function faultOfStatus(status: number): FaultKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model_not_found';
  if (status === 429) return 'rate_limit';
  if (status === 413) return 'context_length';
  return status >= 500 || status === 408 ? 'provider' : 'bad_request';
}
