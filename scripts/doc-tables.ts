/**
 * The tables of the docs, each made from the one place that decides: action.yml, the contract, the configuration's
 * schema.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { isObject, type JsonObject } from '../src/base/json.ts';
import { commands, exitCodes, printUsage } from '../src/cli/command-table.ts';
import { listQuerySchema } from '../src/contract/list-query.ts';
import { errorCodes } from '../src/contract/tables/error-codes.ts';
import { isFinal, runStates, stateMeanings } from '../src/contract/tables/state.ts';
import { configFileSchema } from '../src/server/config/config-schema.ts';
import { defaultPort } from '../src/server/config/server-config.ts';
import { agentAdapters } from '../src/server/harness/agents/agent-table.ts';
import { agentPrograms, isAgentProgramName } from '../src/server/harness/agents/programs.ts';
import { faultKinds } from '../src/testing/server/faults/fault-kinds.ts';
import { printClientErrors, printClientOptions } from './client-tables.ts';
import { code, firstSentence, printTable } from './markdown-table.ts';
import { printPerformance } from './performance-table.ts';

export const root = resolve(import.meta.dirname, '..');

/** By the name in `<!-- table:NAME -->`. */
export const tables: Readonly<Record<string, () => string>> = {
  inputs: () => printInputs('action.yml'),
  'inputs-short': printUsedInputs,
  outputs: () => printOutputs('action.yml'),
  'outputs-short': printUsedOutputs,
  'apply-inputs': () => printInputs('apply/action.yml'),
  'apply-outputs': () => printOutputs('apply/action.yml'),
  states: printStates,
  'list-query': printListQuery,
  configuration: printConfiguration,
  errors: printErrors,
  commands: printCommands,
  'exit-codes': printExitCodes,
  'client-options': printClientOptions,
  'client-errors': printClientErrors,
  faults: printFaults,
  agents: printAgents,
  performance: printPerformance,
};

interface Declared {
  readonly description: string;
  readonly default?: unknown;
}

function readAction(file = 'action.yml'): Readonly<Record<'inputs' | 'outputs', Readonly<Record<string, Declared>>>> {
  return parse(readFileSync(join(root, file), 'utf8'));
}

/** What most workflows use, for the README. */
const usedInputs = [
  ...['prompt', 'prompt_file', 'skill_spec', 'title', 'model_id', 'harness', 'command', 'pass_env', 'mcp_servers'],
  ...['output_schema', 'timeout_minutes', 'comment', 'environment_id', 'base_url', 'api_key'],
];
const usedOutputs = ['conclusion', 'failure_reason', 'result', 'result_json', 'result_file', 'patch_file', 'run_url'];

function printInputs(file: string): string {
  return Object.entries(readAction(file).inputs)
    .map(([name, { description, default: usual }]) => {
      const shown = usual === undefined ? '' : ` (${code(String(usual))})`;
      return `- ${code(name)}${shown}: ${description.trim()}`;
    })
    .join('\n');
}

function printUsedInputs(): string {
  return printTable(['Input', ''], usedInputs.map(describeIn(readAction().inputs)));
}

function printUsedOutputs(): string {
  return printTable(['Output', ''], usedOutputs.map(describeIn(readAction().outputs)));
}

function describeIn(declared: Readonly<Record<string, Declared>>): (name: string) => readonly string[] {
  return name => [code(name), firstSentence(declared[name]?.description.trim() ?? '')];
}

function printOutputs(file: string): string {
  return Object.entries(readAction(file).outputs)
    .map(([name, { description }]) => `- ${code(name)}: ${description.trim()}`)
    .join('\n');
}

function printStates(): string {
  return runStates
    .map(state => `- ${code(state)}${isFinal(state) ? ', final' : ''}: ${stateMeanings[state]}`)
    .join('\n');
}

/** Parameters with the same description share a line. */
function printListQuery(): string {
  const schema: unknown = z.toJSONSchema(listQuerySchema, { io: 'input' });
  const parameters = listKeys(schema, '').filter(({ key }) => Object.hasOwn(listQuerySchema.shape, key));
  const groups = Map.groupBy(parameters, printMeaning);
  return [...groups].map(([meaning, keys]) => `- ${keys.map(({ key }) => code(key)).join(', ')}${meaning}`).join('\n');
}

/** Defaults that are filled in after the file is read. */
const lateDefaults: Readonly<Record<string, string>> = {
  public_url: 'where it listens',
  host: code('127.0.0.1'),
  port: code(String(defaultPort)),
  data: `${code('.agent-run')} where the server starts`,
  behind_proxy: code('false'),
  'harnesses.NAME.agent': 'NAME',
  'harnesses.NAME.endpoint.url': "the provider's",
  'harnesses.NAME.models': 'any',
  'harnesses.NAME.program': 'the installed one, otherwise the one on PATH',
  'harnesses.NAME.steps': '200',
  'harnesses.NAME.stall_minutes': '10',
  'environments.NAME.publish_base': 'the branch checked out',
  'docker.command': '`docker`, otherwise `podman`',
  'git.hosts.NAME.api_url': "GitHub's, or `https://HOST/api/v3`",
};

function printConfiguration(): string {
  const schema: unknown = z.toJSONSchema(configFileSchema, { io: 'input', unrepresentable: 'any' });
  const groups = Map.groupBy(listKeys(schema, ''), ({ key }) => key.slice(0, Math.max(0, key.lastIndexOf('.'))));
  return [...groups]
    .map(([prefix, keys]) => [...(prefix === '' ? [] : [`${code(prefix)}:`]), keys.map(printKey).join('\n')])
    .map(parts => parts.join('\n\n'))
    .join('\n\n');
}

function printKey(key: Key): string {
  return `- ${code(key.key.slice(key.key.lastIndexOf('.') + 1))}${printMeaning(key)}`;
}

/** The default and the description. Throws if the schema describes nothing. */
function printMeaning({ key, schema: { default: usual, description } }: Key): string {
  if (description === undefined) throw new Error(`${key} needs a description: .describe(…)`);
  const isEmpty = Array.isArray(usual) && usual.length === 0;
  const shown = usual === undefined || isEmpty ? lateDefaults[key] : code(String(usual));
  return `${shown === undefined ? '' : ` (${shown})`}: ${description}`;
}

interface Key {
  readonly key: string;
  readonly schema: JsonObject;
}

/** Every key of a schema, those of objects behind a dot; a name that the user chooses is `NAME`. */
function listKeys(schema: unknown, prefix: string): readonly Key[] {
  if (!isObject(schema)) return [];
  const named = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const free = isObject(schema.additionalProperties) ? [['NAME', schema.additionalProperties] as const] : [];
  return [...named, ...free].flatMap(([name, member]) => {
    if (!isObject(member)) return [];
    const key = `${prefix}${name}`;
    const below = listKeys(member, `${key}.`);
    return below.length > 0 && member.description === undefined ? below : [{ key, schema: member }, ...below];
  });
}

function printErrors(): string {
  return errorCodes
    .map(({ code: word, status, endsRunAs, retryable, remedy }) => {
      const facts = [status, endsRunAs, retryable ? 'retry' : undefined].filter(fact => fact !== undefined);
      return `- ${code(word)} (${facts.join(', ')}): ${remedy}`;
    })
    .join('\n');
}

function printFaults(): string {
  return Object.entries(faultKinds)
    .map(([kind, { meaning, fields, scope }]) => {
      const members = Object.keys(fields).map(name =>
        name.endsWith('!') ? code(name.slice(0, -1)) : `(${code(name)})`,
      );
      return `- ${[`**${code(kind)}**`, ...members].join(' ')}: ${meaning}${scope === 'always' ? ' (always)' : ''}`;
    })
    .join('\n');
}

function printAgents(): string {
  const rows = Object.entries(agentAdapters).map(([name, { apis }]) => {
    const program = isAgentProgramName(name) ? agentPrograms[name] : undefined;
    const [what, disk] =
      program === undefined
        ? ['built in', '']
        : [code(`${program.package}@${program.version}`), `${program.megabytes} MB, ${program.licence}`];
    return [code(name), what, apis.map(code).join(', '), disk];
  });
  return printTable(['Agent', 'Tested version', 'APIs', 'Size, license'], rows);
}

/** `help` has nothing to add to the page. */
const shownCommands = commands.filter(({ name }) => name !== 'help');

function printCommands(): string {
  const rows = shownCommands.map(command => [
    code(printUsage(command).replace(/^agent-run (.*?)(?: \[flags\])?$/, '$1')),
    command.summary,
  ]);
  return printTable(['Command', ''], rows);
}

function printExitCodes(): string {
  return exitCodes.map(({ code: number, meaning }) => `- ${code(String(number))}: ${meaning}`).join('\n');
}
