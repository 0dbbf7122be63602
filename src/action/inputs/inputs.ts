import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSkillSpec } from '../../contract/skill-spec.ts';
import type { ActionHost } from '../host/host.ts';

/** The step's inputs, read once. What was left empty is undefined. */
export interface ActionInputs {
  /** Exactly as written, never trimmed. */
  readonly prompt: string | undefined;
  readonly skillSpec: string | undefined;
  readonly modelId: string | undefined;
  readonly environmentId: string | undefined;
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly wait: boolean;
  readonly timeoutMs: number;
}

export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Longest wait of a timer, about 24 days; a job is never longer than five. */
const maxTimeoutMinutes = 5 * 24 * 60;

/** Reads and checks all inputs. Throws InputError, which names the input, its value (never the key's) and the remedy. */
export function readInputs(host: ActionHost): ActionInputs {
  const prompt = readPrompt(host);
  const skillSpec = readWord(host, 'skill_spec');
  if (skillSpec !== undefined) checkSkillSpec(skillSpec);
  if (prompt === undefined && skillSpec === undefined)
    throw new InputError(
      'nothing to run: give `prompt`, `prompt_file` or `skill_spec` under `with:` (a prompt of blanks counts as empty)',
    );
  return Object.freeze({
    prompt,
    skillSpec,
    modelId: readWord(host, 'model_id'),
    environmentId: readWord(host, 'environment_id'),
    name: readWord(host, 'name'),
    title: readWord(host, 'title'),
    baseUrl: readWord(host, 'base_url'),
    apiKey: readApiKey(host),
    wait: readBoolean(host, 'wait', true),
    timeoutMs: readMinutes(host, 'timeout_minutes', 60) * 60_000,
  });
}

/** Address and key alone: all that the post step needs. */
export function readConnection(host: ActionHost): Pick<ActionInputs, 'baseUrl' | 'apiKey'> {
  return { baseUrl: readWord(host, 'base_url'), apiKey: readApiKey(host) };
}

function readPrompt(host: ActionHost): string | undefined {
  const prompt = host.readInput('prompt');
  const file = readWord(host, 'prompt_file');
  if (prompt.trim() !== '' && file !== undefined)
    throw new InputError('`prompt` and `prompt_file` are both given; give one of the two');
  refuseExpression('prompt', prompt);
  if (file === undefined) return prompt.trim() === '' ? undefined : prompt;
  const path = resolve(host.readVariable('GITHUB_WORKSPACE') ?? '.', file);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const why = error instanceof TypeError ? 'it is not UTF-8' : error instanceof Error ? error.message : String(error);
    throw new InputError(
      `\`prompt_file\`: ${JSON.stringify(file)} cannot be read: ${why}. Did a step before check the repository out?`,
    );
  }
  if (text.trim() === '') throw new InputError(`\`prompt_file\`: ${JSON.stringify(file)} is empty`);
  return text;
}

/** An identifier: blanks around it are a slip. */
function readWord(host: ActionHost, name: string): string | undefined {
  const value = host.readInput(name).trim();
  refuseExpression(name, value);
  return value === '' ? undefined : value;
}

function readApiKey(host: ActionHost): string | undefined {
  const value = host.readInput('api_key').trim();
  if (value === '') return undefined;
  for (const line of value.split(/\s+/)) host.mask(line);
  if (value.startsWith('${{'))
    throw new InputError('`api_key` is an expression that nobody evaluated; write it under `with:` of the step');
  if (value.length < 8)
    host.warn('`api_key` is shorter than 8 characters; masking it will blot out other text in the log');
  return value;
}

function refuseExpression(name: string, value: string): void {
  if (value.trimStart().startsWith('${{'))
    throw new InputError(
      `\`${name}\` begins with \${{, an expression that nobody evaluated: ${JSON.stringify(value.slice(0, 80))}; expressions work under \`with:\` of a workflow step`,
    );
}

function checkSkillSpec(text: string): void {
  try {
    parseSkillSpec(text);
  } catch (error) {
    throw new InputError(`\`skill_spec\`: ${error instanceof Error ? error.message : error}`);
  }
}

/** The words of YAML 1.2's core schema. */
function readBoolean(host: ActionHost, name: string, usual: boolean): boolean {
  const value = host.readInput(name).trim();
  if (value === '') return usual;
  if (['true', 'True', 'TRUE'].includes(value)) return true;
  if (['false', 'False', 'FALSE'].includes(value)) return false;
  throw new InputError(`\`${name}\`: ${JSON.stringify(value)} is no boolean; it takes true or false`);
}

function readMinutes(host: ActionHost, name: string, usual: number): number {
  const value = host.readInput(name).trim();
  if (value === '') return usual;
  const minutes = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(minutes > 0 && minutes <= maxTimeoutMinutes))
    throw new InputError(
      `\`${name}\`: ${JSON.stringify(value)} is no time; it takes minutes above 0, at most ${maxTimeoutMinutes}, such as 90 or 0.5`,
    );
  return minutes;
}
