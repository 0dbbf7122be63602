/** What goes wrong with an agent, by kinds that are the same for every program, and what a run then ends with. */
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
  /** Of the endpoint's last answer, where it was one. */
  readonly httpStatus?: number | undefined;
  /** What the program or the endpoint said; '' where it said nothing. No secrets. */
  readonly message: string;
}

interface FaultRow {
  readonly code: ErrorCode;
  /** The beginning of the sentence; `{endpoint}`, `{model}` and `{agent}` are filled in. */
  readonly opening: string;
  /** What to do, as a sentence without its period; `{key}` and `{address}` are filled in with where they were read. */
  readonly remedy: string;
}

export const faultTable: Readonly<Record<FaultKind, FaultRow>> = {
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
/** No later request would be taken, either. */
const unpaid = /credit balance/i;
/** Of a complaint, in characters: whoever wrote it is not made to hold the server. */
const complaintMax = 10_000;

/** Kinds by what a complaint says. */
export type Wordings = readonly (readonly [RegExp, FaultKind])[];

/** By the first wording that fits any of the texts; undefined where none does. Only the beginning of each is looked at. */
export function faultOfWords(wordings: Wordings, ...said: readonly string[]): FaultKind | undefined {
  const beginnings = said.map(beginningOf);
  return wordings.find(([wording]) => beginnings.some(beginning => wording.test(beginning)))?.[1];
}

/** As much of a complaint as is looked at for what it means. */
export function beginningOf(said: string): string {
  return said.slice(0, complaintMax);
}

/** What happened, and what to do about it ('' where nothing is known), each without a period. `endpoint` is an address without anything secret. */
export function explainFault(
  { fault, httpStatus, message }: AgentFault,
  names: {
    readonly agent: string;
    readonly model: string;
    readonly endpoint: string;
    /** Where the key was read; undefined where none was sent, or nobody knows. */
    readonly key?: string | undefined;
    /** Where another address than the provider's is set. */
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
  // As gateways name models, and the providers themselves do not.
  const bare = fault === 'model_not_found' ? /\/([^/]+)$/.exec(names.model)?.[1] : undefined;
  const isUnpaid = fault === 'rate_limit' && unpaid.test(line);
  const advice = isUnpaid ? 'Add credit at the provider, then start the run again' : fill(remedy);
  const hint = bare === undefined ? '' : `. If it is the provider's own endpoint, write the model as ${bare}`;
  return { code, text: `${fill(opening)}${status}${said === '' ? '' : `: ${said}`}`, remedy: `${advice}${hint}` };
}

/** What the status of an answer means where the program says no more. */
export function faultOfStatus(status: number): FaultKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'model_not_found';
  if (status === 429) return 'rate_limit';
  if (status === 413) return 'context_length';
  return status >= 500 || status === 408 ? 'provider' : 'bad_request';
}
