import { headOfUtf8 } from '../../base/text.ts';
import type { Run } from '../../contract/run.ts';
import { sizes } from '../../contract/sizes.ts';
import type { ActionHost } from '../host/host.ts';
import { readSessionLink } from '../start/start-run.ts';
import type { Conclusion } from '../verdict/verdict.ts';

const messageBytes = 16 * 1024;

/** The action's outputs; action.yml declares the same. */
export interface Outputs {
  readonly run_id: string;
  readonly run_url: string;
  readonly session_link: string;
  readonly state: string;
  readonly conclusion: Conclusion;
  readonly title: string;
  readonly result: string;
  readonly status_message: string;
  readonly duration_seconds: string;
}

/** Outputs that nobody could set yet: they stand even when the step ends before a run exists. */
export const emptyOutputs: Outputs = {
  run_id: '',
  run_url: '',
  session_link: '',
  state: '',
  conclusion: 'not_started',
  title: '',
  result: '',
  status_message: '',
  duration_seconds: '',
};

export function setOutputs(host: ActionHost, outputs: Partial<Outputs>): void {
  for (const [name, value] of Object.entries(outputs)) host.setOutput(name, value);
}

/** What a run says for the outputs; cut, for another service may say more than a job's outputs hold. */
export function outputsOfRun(run: Run, durationSeconds: number | undefined): Partial<Outputs> {
  const sessionLink = readSessionLink(run);
  return {
    state: run.state,
    title: headOfUtf8(run.title, sizes.titleCodePoints * 4),
    result: headOfUtf8(run.result?.text ?? '', sizes.resultInlineBytes),
    status_message: headOfUtf8(run.status_message?.message ?? '', messageBytes),
    duration_seconds: durationSeconds === undefined ? '' : String(durationSeconds),
    ...(sessionLink === undefined ? {} : { session_link: sessionLink }),
  };
}

/** How long the agent worked, by the server's own clock, to a tenth of a second. */
export function workedSeconds(run: Run): number | undefined {
  if (typeof run.started_at !== 'string') return undefined;
  const ms = Date.parse(run.finished_at ?? run.updated_at) - Date.parse(run.started_at);
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms / 100) / 10) : undefined;
}
