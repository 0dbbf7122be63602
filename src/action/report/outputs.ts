/** The step's outputs. action.yml declares the same names. */
import { isFinal, type Run } from '../../client/index.ts';
import type { ActionHost } from '../host/host.ts';
import { budgets, keepHead, measureText } from '../text/budget.ts';
import { type Conclusion, type Phase, readCode } from '../verdict/verdict.ts';

export interface Outputs {
  readonly run_id: string;
  readonly run_url: string;
  readonly state: string;
  readonly conclusion: Conclusion;
  readonly failure_reason: string;
  readonly failure_phase: Phase | '';
  readonly title: string;
  readonly name: string;
  readonly session_id: string;
  readonly session_link: string;
  readonly result: string;
  readonly result_json: string;
  readonly result_file: string;
  readonly result_truncated: 'true' | 'false';
  readonly result_empty: 'true' | 'false';
  readonly status_message: string;
  readonly error_code: string;
  readonly artifacts: string;
  readonly artifacts_folder: string;
  readonly pull_request_url: string;
  readonly patch_file: string;
  readonly usage: string;
  readonly created_at: string;
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_seconds: string;
  readonly attached: 'true' | 'false';
}

/** Outputs before a run is known. */
export const emptyOutputs: Outputs = {
  run_id: '',
  run_url: '',
  state: '',
  conclusion: 'start_failed',
  failure_reason: 'The step ended before it reported a result',
  failure_phase: 'step',
  title: '',
  name: '',
  session_id: '',
  session_link: '',
  result: '',
  result_json: 'null',
  result_file: '',
  result_truncated: 'false',
  result_empty: 'true',
  status_message: '',
  error_code: '',
  artifacts: '[]',
  artifacts_folder: '',
  pull_request_url: '',
  patch_file: '',
  usage: '{}',
  created_at: '',
  started_at: '',
  finished_at: '',
  duration_seconds: '',
  attached: 'false',
};

/** Outputs of a step that is killed before it reports its run. */
export const unendedOutputs = {
  conclusion: 'lost',
  failure_reason: 'The step ended before it reported the result of the run',
  failure_phase: 'step',
} as const satisfies Partial<Outputs>;

export function setOutputs(host: ActionHost, outputs: Partial<Outputs>): void {
  for (const [name, value] of Object.entries(outputs)) host.setOutput(name, value);
}

/** Cuts the values, because another service may send more than a job's outputs can hold. */
export function outputsOfRun(
  run: Run,
  { usage, link }: { readonly usage: Readonly<Record<string, unknown>> | undefined; readonly link: string | undefined },
): Partial<Outputs> {
  const durationSeconds = workedSeconds(run);
  return {
    state: say(run.state),
    title: say(run.title),
    name: say(run.agent_config?.name),
    session_id: say(run.session_id),
    status_message: say(run.status_message?.message),
    error_code: say(readCode(run)),
    ...outputOfArtifacts(run),
    pull_request_url: findPullRequest(run) ?? '',
    usage: jsonWithin(usage ?? {}, '{}'),
    created_at: say(run.created_at),
    started_at: say(run.started_at),
    finished_at: say(run.finished_at),
    duration_seconds: durationSeconds === undefined ? '' : String(durationSeconds),
    ...(link === undefined ? {} : { session_link: link }),
  };
}

export function outputOfArtifacts({ artifacts }: Run): Pick<Outputs, 'artifacts'> {
  return { artifacts: jsonWithin(artifacts ?? [], '[]') };
}

function say(text: string | null | undefined): string {
  return keepHead(text ?? '', { surface: 'words' });
}

/**
 * Returns the agent's working time in seconds, by the server's clock, to a tenth. Undefined while it may be working.
 */
export function workedSeconds(run: Run): number | undefined {
  if (run.started_at == null || !isFinal(run.state)) return undefined;
  const [, measured] = /^PT([\d.]+)S$/.exec(run.run_time ?? '') ?? [];
  // The server measures it with a monotonic clock. Other services send other forms, or nothing.
  const ms =
    measured === undefined
      ? Date.parse(run.finished_at ?? run.updated_at) - Date.parse(run.started_at)
      : Number(measured) * 1000;
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms / 100) / 10) : undefined;
}

/** URL of the last pull request that the run opened. */
function findPullRequest({ artifacts }: Run): string | undefined {
  const urls = (artifacts ?? []).map(({ artifact_type: type, data }) => (type === 'PULL_REQUEST' ? data.url : ''));
  return urls.findLast(url => /^https?:\/\/[!-~]+$/.test(url));
}

function jsonWithin(value: unknown, otherwise: string): string {
  const text = JSON.stringify(value);
  return measureText(text, 'list') <= budgets.list.max ? text : otherwise;
}
