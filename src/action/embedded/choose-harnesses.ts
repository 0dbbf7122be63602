/** Chooses the harnesses of a step without a server: only those that the step names. */
import { resolve } from 'node:path';
import { didYouMean } from '../../base/wording/nearest.ts';
import { InputError, quote } from '../inputs/values.ts';
import { type Command, parseCommand } from './parse-command.ts';
import {
  createMissingKeyError,
  findModelAddress,
  findModelKeys,
  hasModelKey,
  prepareAgent,
  type StepAgent,
  stepAgentKinds,
} from './step-agents.ts';

export interface HarnessRequest {
  readonly workspace: string;
  /** Folder of the workspace that the agent works in. @default the workspace */
  readonly workingFolder?: string | undefined;
  /** The input as written. */
  readonly command: string | undefined;
  readonly allowScript: boolean;
  readonly harness: string | undefined;
  /** Version of its program. */
  readonly harnessVersion?: string | undefined;
  readonly modelId: string | undefined;
  /** Variables that this agent gets in addition to those that every agent gets. */
  readonly passedEnv: Readonly<Record<string, string>>;
  /** The step's variables. An agent gets its model's key from them. */
  readonly baseEnv: Readonly<Record<string, string | undefined>>;
}

interface Harnesses {
  readonly default: string;
  readonly script: boolean;
  readonly scriptEnv: Readonly<Record<string, string>>;
  readonly scriptAdvice: string;
  readonly commands: Readonly<
    Record<string, { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> }>
  >;
  readonly agents: Readonly<Record<string, StepAgent>>;
}

/** Inputs that offer a harness, in the order in which one becomes the default. */
const offers = { command: '`command`', script: '`allow_script: true`' } as const;

/** Throws InputError if none is available, or not the requested one. */
export async function chooseHarnesses(request: HarnessRequest): Promise<Harnesses> {
  const { command, allowScript, harness } = request;
  const names = [...(command === undefined ? [] : ['command']), ...(allowScript ? ['script'] : [])];
  // `oz` has always meant the default.
  const asked = harness === 'oz' ? undefined : harness;
  const twice = asked === undefined ? explainAmbiguity(request) : undefined;
  if (twice !== undefined) throw new InputError(twice);
  const usual = asked ?? names[0] ?? (hasModelKey(request.baseEnv) ? 'builtin' : undefined);
  if (usual === undefined)
    // A step that names a model wants an agent, and lacks only its key.
    throw request.modelId === undefined
      ? new InputError(nothingToRun)
      : createMissingKeyError(
          {
            who: `\`model_id\` ${quote(request.modelId)}`,
            keys: findModelKeys(request.modelId),
            more: hintAtOwnModel(request.baseEnv),
          },
          request.baseEnv,
        );
  const kind = stepAgentKinds.find(known => known === usual);
  if (kind === undefined && !names.includes(usual)) throw new InputError(refuseHarness(usual));
  if (request.harnessVersion !== undefined && (kind === undefined || kind === 'builtin'))
    throw new InputError(
      '`harness_version` is the version of an agent program. Set `harness` to claude, codex, gemini or opencode, or remove it',
    );
  const passedEnv = readEnv(request);
  return {
    default: usual,
    script: allowScript,
    scriptEnv: passedEnv,
    scriptAdvice: 'set `model_id` or `command` instead of `allow_script`',
    commands:
      command === undefined ? {} : { command: { argv: place(await parseCommand(command), request), env: passedEnv } },
    agents:
      kind === undefined
        ? {}
        : { [kind]: prepareAgent(kind, { env: request.baseEnv, modelId: request.modelId, passedEnv }) },
  };
}

const nothingToRun =
  'no agent is set. Set `model_id` and its key under `env:` (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY), or `command` (a program that gets the task), or `allow_script: true` (run the shell blocks of the task), or `base_url` (a server). If your own model needs no key, set `model_id` and `harness: builtin`. If you set one of them from a variable, check its spelling in Settings > Secrets and variables > Actions > Variables';

/** Otherwise a step could pass by its script blocks and look as if the named agent had worked. */
function explainAmbiguity({ command, allowScript, modelId }: HarnessRequest): string | undefined {
  if (!allowScript || (command === undefined && modelId === undefined)) return undefined;
  const [name, means] =
    command === undefined
      ? ['model_id', 'selects the model of an agent']
      : ['command', 'selects a program for the task'];
  return `\`${name}\` ${means}, but \`allow_script: true\` runs the task's shell blocks instead; remove one of the two`;
}

/** Without a key, an address alone does not request an agent: it may be set for the job's other steps. */
function hintAtOwnModel(env: HarnessRequest['baseEnv']): string {
  const address = findModelAddress(env);
  return address === undefined
    ? ''
    : `. If the model at ${address} needs no key, set \`harness: builtin\` (or another agent)`;
}

function refuseHarness(name: string): string {
  const known = [...stepAgentKinds, ...Object.entries(offers).map(([harness, input]) => `${harness} (with ${input})`)];
  const offer = name === 'command' || name === 'script' ? offers[name] : undefined;
  // Program names are longer: claude-code.
  const meant = stepAgentKinds.find(agent => name.startsWith(agent)) ?? name;
  const guess = didYouMean(meant, [...stepAgentKinds, ...Object.keys(offers)]);
  return offer === undefined
    ? `\`harness\`: ${quote(name)} is not an agent that a step can run${guess === '' ? '.' : guess} Use one of ${known.join(', ')}, or set \`base_url\` to a server that has it`
    : `\`harness\`: ${name} needs ${offer}`;
}

/** A bare name is looked up on PATH. A name with a slash is a file relative to the agent's folder. */
function place(
  [program, ...args]: Command,
  { workspace, workingFolder = workspace }: HarnessRequest,
): readonly [string, ...string[]] {
  return [program.includes('/') ? resolve(workingFolder, program) : program, ...args];
}

function readEnv({ passedEnv }: HarnessRequest): Readonly<Record<string, string>> {
  const taken = Object.keys(passedEnv).filter(name => name.startsWith('AGENT_RUN_'));
  if (taken.length === 0) return passedEnv;
  throw new InputError(
    `\`pass_env\`: ${taken.join(', ')} cannot be passed to the agent, because names with AGENT_RUN_ are reserved; use another name under \`env:\``,
  );
}
