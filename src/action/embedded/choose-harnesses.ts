/** What can execute a run without a server: what the step names, and nothing else. */
import { resolve } from 'node:path';
import { InputError, quote } from '../inputs/values.ts';
import { type Command, parseCommand } from './parse-command.ts';

export interface HarnessRequest {
  readonly workspace: string;
  /** The input as it was written. */
  readonly command: string | undefined;
  readonly allowScript: boolean;
  readonly harness: string | undefined;
  /** What the command's environment has over that of every agent. */
  readonly passedEnv: Readonly<Record<string, string>>;
}

interface Harnesses {
  readonly default: string;
  readonly script: boolean;
  readonly commands: Readonly<
    Record<string, { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> }>
  >;
}

/** Input that offers a harness, in the order in which one becomes the default. */
const offers = { command: '`command`', script: '`allow_script: true`' } as const;

/** Throws InputError where there is none, or not the one that is asked for. */
export async function chooseHarnesses(request: HarnessRequest): Promise<Harnesses> {
  const { command, allowScript, harness } = request;
  const names = [...(command === undefined ? [] : ['command']), ...(allowScript ? ['script'] : [])];
  // `oz` has always meant the default.
  const asked = harness === 'oz' ? undefined : harness;
  const usual = asked ?? names[0];
  if (usual === undefined)
    throw new InputError(
      'there is nothing to run the task with; give `command` (a program that gets the task), or `allow_script: true` (the shell blocks of the task), or the `base_url` of a server. An expression in one of them is empty where its variable is not set, or misspelt (Settings, Secrets and variables, Actions, Variables)',
    );
  if (!names.includes(usual)) throw new InputError(refuseHarness(usual));
  return {
    default: usual,
    script: allowScript,
    commands:
      command === undefined
        ? {}
        : { command: { argv: place(await parseCommand(command), request), env: readEnv(request) } },
  };
}

function refuseHarness(name: string): string {
  const known = Object.entries(offers).map(([harness, input]) => `${harness} (with ${input})`);
  const offer = name === 'command' || name === 'script' ? offers[name] : undefined;
  return offer === undefined
    ? `\`harness\`: there is no ${quote(name)} without a server; it takes ${known.join(' or ')}; or give the \`base_url\` of a server that has it`
    : `\`harness\`: ${name} needs ${offer}`;
}

/** A bare name is looked up on PATH; one with a slash is a file of the workspace. */
function place([program, ...args]: Command, { workspace }: HarnessRequest): readonly [string, ...string[]] {
  return [program.includes('/') ? resolve(workspace, program) : program, ...args];
}

function readEnv({ passedEnv }: HarnessRequest): Readonly<Record<string, string>> {
  const taken = Object.keys(passedEnv).filter(name => name.startsWith('AGENT_RUN_'));
  if (taken.length === 0) return passedEnv;
  throw new InputError(
    `\`pass_env\`: ${taken.join(', ')} cannot be passed on, for AGENT_RUN_… is the service's own; give it another name under \`env:\``,
  );
}
