/** All inputs, read and checked once, in the form in which they are used. */
import { messageOf } from '../../base/cause.ts';
import type { JsonObject } from '../../base/json.ts';
import { reviewSchema } from '../../contract/tables/review-schema.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { parseSkillSpec, type SkillSpec } from '../../contract/tables/skill-spec.ts';
import type { ActionHost } from '../host/host.ts';
import type { Condition } from '../verdict/fail-when.ts';
import type { Conclusion } from '../verdict/verdict.ts';
import { type EmbeddedInputs, readEmbedded } from './embedded-inputs.ts';
import { checkResultUses, readFailOn, readFailWhen } from './fail-inputs.ts';
import { readMcpServers, readOutputSchema, readPrompt, readResultFile } from './file-inputs.ts';
import { findLaterFaults } from './later-faults.ts';
import { findStrayInputs } from './stray-inputs.ts';
import {
  InputError,
  isGiven,
  quote,
  type Readers,
  readAll,
  readBoolean,
  readChoice,
  readMinutes,
  readPairs,
  readSecret,
  readText,
  readTrimmed,
  readWord,
  readWords,
  refuseFaults,
} from './values.ts';

export interface TaskInputs {
  /** Exactly as written, never trimmed. */
  readonly prompt: string | undefined;
  readonly skill: SkillSpec | undefined;
  readonly modelId: string | undefined;
  readonly environmentId: string | undefined;
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly basePrompt: string | undefined;
  readonly mcpServers: JsonObject | undefined;
  readonly harness: string | undefined;
  readonly outputSchema: JsonObject | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
}

export interface PlaceInputs {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly caFile: string | undefined;
  readonly allowHttp: boolean;
}

export interface FollowInputs {
  readonly wait: boolean;
  readonly runId: string | undefined;
  readonly cancel: boolean;
  readonly timeoutMs: number;
  readonly queueTimeoutMs: number | undefined;
  readonly stallTimeoutMs: number | undefined;
  readonly onTimeout: 'cancel' | 'leave';
  readonly onBlocked: 'fail' | 'wait' | 'neutral';
  readonly rerun: 'attach' | 'new';
  readonly lease: boolean;
}

export interface ReportInputs {
  readonly failOn: ReadonlySet<Conclusion>;
  readonly failWhen: Condition | undefined;
  readonly requireResult: 'auto' | 'true' | 'false';
  readonly log: 'normal' | 'full' | 'quiet';
  readonly summary: boolean;
  readonly comment: 'off' | 'on' | 'on_failure';
  readonly review: 'off' | 'on';
  readonly commentKey: string | undefined;
  readonly githubToken: string | undefined;
  readonly resultFile: string | undefined;
  readonly annotations: boolean;
}

export interface TrustInputs {
  readonly allowBots: readonly string[];
  readonly requirePermission: 'write' | 'none';
  readonly eventContext: 'auto' | 'off';
  readonly onMissingCredentials: 'fail' | 'skip';
}

export interface ActionInputs {
  readonly task: TaskInputs;
  readonly place: PlaceInputs;
  readonly embedded: EmbeddedInputs;
  readonly follow: FollowInputs;
  readonly report: ReportInputs;
  readonly trust: TrustInputs;
  /** The matrix leg as JSON, and its number. Distinguishes the legs of a job. */
  readonly leg: { readonly matrix: string; readonly jobIndex: string };
}

const defaultTimeoutMs = 60 * 60_000;
/** The step itself uses one pair. */
const metadataPairs = sizes.metadataPairs - 1;

/** Reads and checks all inputs. Throws InputError with every fault. */
export async function readInputs(host: ActionHost): Promise<ActionInputs> {
  const readers: Readers<ActionInputs> = {
    // First, so that keys are masked before anything is printed.
    place: () => readPlace(host),
    // A misspelled input explains why another seems to be missing.
    leg: () => {
      refuseFaults(findStrayInputs(host));
      return { matrix: readTrimmed(host, 'matrix_context') ?? 'null', jobIndex: readWord(host, 'job_index') ?? '0' };
    },
    task: () => readTask(host),
    embedded: () => readEmbedded(host),
    follow: () => readFollow(host),
    report: () => readReport(host),
    trust: () =>
      readAll<TrustInputs>({
        allowBots: () => readBots(host),
        requirePermission: () => readChoice(host, 'require_permission', ['write', 'none']),
        eventContext: () => readChoice(host, 'event_context', ['auto', 'off']),
        onMissingCredentials: () => readChoice(host, 'on_missing_credentials', ['fail', 'skip']),
      }),
  };
  const read = await readAll<ActionInputs>(readers, values => findLaterFaults(host, values));
  const { task, report, follow } = read;
  const isReview = report.review === 'on' && follow.runId === undefined;
  const outputSchema = task.outputSchema ?? (isReview ? reviewSchema : undefined);
  const inputs = { ...read, task: { ...task, outputSchema } };
  checkResultUses(inputs);
  return Object.freeze(inputs);
}

/** Reads the server's address and key, which is all that the post step needs. Masks the key. Throws InputError. */
export function readPlace(host: ActionHost): PlaceInputs {
  return {
    apiKey: readSecret(host, 'api_key'),
    baseUrl: readWord(host, 'base_url'),
    caFile: readWord(host, 'ca_file'),
    allowHttp: readBoolean(host, 'allow_http', false),
  };
}

/** Reads a value that comments show. If it is a key, it is masked, because the runner does not mask it there. */
function readPublicWord(host: ActionHost, name: 'harness' | 'model_id'): string | undefined {
  const word = readWord(host, name);
  if (word !== undefined && /^(?:sk-|ar-|gh[a-z]_|github_pat_|AIza)|^\w{32,}$/.test(word)) host.mask(word);
  return word;
}

function readTask(host: ActionHost): Promise<TaskInputs> {
  return readAll<TaskInputs>({
    prompt: () => {
      checkTask(host);
      return readPrompt(host);
    },
    skill: () => readSkill(host),
    modelId: () => readPublicWord(host, 'model_id'),
    environmentId: () => readWord(host, 'environment_id'),
    name: () => readWord(host, 'name'),
    title: () => readTrimmed(host, 'title'),
    basePrompt: () => readText(host, 'base_prompt'),
    mcpServers: () => readMcpServers(host),
    harness: () => readPublicWord(host, 'harness'),
    outputSchema: () => readOutputSchema(host),
    metadata: () => readPairs(host, 'metadata', metadataPairs),
  });
}

function readFollow(host: ActionHost): Promise<FollowInputs> {
  return readAll<FollowInputs>({
    wait: () => readBoolean(host, 'wait', true),
    runId: () => readRunId(host),
    cancel: () => readCancel(host),
    timeoutMs: () => readMinutes(host, 'timeout_minutes') ?? defaultTimeoutMs,
    queueTimeoutMs: () => readMinutes(host, 'queue_timeout_minutes'),
    stallTimeoutMs: () => readMinutes(host, 'stall_timeout_minutes'),
    onTimeout: () => readChoice(host, 'on_timeout', ['cancel', 'leave']),
    onBlocked: () => readChoice(host, 'on_blocked', ['fail', 'wait', 'neutral']),
    rerun: () => readChoice(host, 'rerun', ['attach', 'new']),
    lease: () => readBoolean(host, 'lease', true),
  });
}

function readRunId(host: ActionHost): string | undefined {
  const runId = readWord(host, 'run_id');
  if (runId === undefined) return undefined;
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(runId))
    throw new InputError(
      `\`run_id\`: ${quote(runId)} is not a run id. Use the output \`run_id\` of the step that started the run`,
    );
  const given = taskInputs.find(name => isGiven(host, name));
  if (given === undefined) return runId;
  throw new InputError(
    `\`run_id\` names an existing run, but \`${given}\` is for a new one. Remove one of them${/^true$/i.test(host.readInput('cancel').trim()) ? ' (`cancel` starts no run)' : ''}`,
  );
}

function readCancel(host: ActionHost): boolean {
  const cancel = readBoolean(host, 'cancel', false);
  if (cancel && !isGiven(host, 'run_id'))
    throw new InputError('`cancel` is true, but `run_id` is empty. Set `run_id` to the run to cancel');
  return cancel;
}

function readReport(host: ActionHost): Promise<ReportInputs> {
  return readAll<ReportInputs>({
    failOn: () => readFailOn(host),
    failWhen: () => readFailWhen(host),
    requireResult: () => readChoice(host, 'require_result', ['auto', 'true', 'false']),
    log: () => readChoice(host, 'log', ['normal', 'full', 'quiet']),
    summary: () => readBoolean(host, 'summary', true),
    comment: () => readChoice(host, 'comment', ['off', 'on', 'on_failure']),
    review: () => readChoice(host, 'review', ['off', 'on']),
    commentKey: () => readWord(host, 'comment_key'),
    githubToken: () => readSecret(host, 'github_token'),
    resultFile: () => readResultFile(host),
    annotations: () => readBoolean(host, 'annotations', true),
  });
}

function readBots(host: ActionHost): readonly string[] {
  const bots = readWords(host, 'allow_bots') ?? [];
  const pattern = bots.find(bot => bot.includes('*'));
  if (pattern !== undefined)
    throw new InputError(
      `\`allow_bots\`: ${quote(pattern)} is a pattern. Write each login in full, such as dependabot[bot]`,
    );
  return bots;
}

function readSkill(host: ActionHost): SkillSpec | undefined {
  const text = readWord(host, 'skill_spec');
  try {
    return text === undefined ? undefined : parseSkillSpec(text);
  } catch (error) {
    throw new InputError(`\`skill_spec\`: ${messageOf(error)}`);
  }
}

/** Inputs of a new run, in the order of the checks. */
const taskInputs = [
  ...['prompt', 'prompt_file', 'skill_spec', 'model_id', 'environment_id', 'name', 'title', 'base_prompt'],
  ...['mcp_servers', 'harness', 'output_schema', 'metadata'],
] as const;

/** A step starts a new run or takes up an existing one. */
function checkTask(host: ActionHost): void {
  if (['prompt', 'prompt_file', 'skill_spec', 'run_id'].some(name => isGiven(host, name))) return;
  throw new InputError(
    'there is nothing to run. Set `prompt`, `prompt_file` or `skill_spec` under `with:`, or `run_id` to follow an existing run',
  );
}
