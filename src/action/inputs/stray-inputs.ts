/**
 * Inputs in a workflow that this action does not have. The runner only warns of them, and a step would pass without
 * the schema or limit that they set.
 */
import { editDistance } from '../../base/wording/nearest.ts';
import type { ActionHost } from '../host/host.ts';
import { applyInputNames, claudeFlags, inputNames, keyInputs, peerInputs, unreplacedInputs } from './input-names.ts';

const ownInputs = { 'agent-run': inputNames, 'agent-run/apply': applyInputNames } as const;
type OwnAction = keyof typeof ownInputs;

/** Covers misspelled inputs and those of other actions. A job's `env:` may set other INPUT_… variables. */
export function findStrayInputs(host: ActionHost, action: OwnAction = 'agent-run'): readonly string[] {
  return Object.entries(host.variables()).flatMap(([variable, value]) => {
    const name = /^INPUT_(.+)$/i.exec(variable)?.[1]?.toLowerCase() ?? '';
    if (name === '' || value.trim() === '' || ownInputs[action].includes(name)) return [];
    return describeStray(name, value, action) ?? [];
  });
}

function describeStray(name: string, value: string, action: OwnAction): string | undefined {
  const names = ownInputs[action];
  const sibling = action === 'agent-run' ? 'agent-run/apply' : 'agent-run';
  if (ownInputs[sibling].includes(name))
    return `\`${name}\` is an input of ${sibling}, not of this action. Set it there`;
  const [owner, another] = Object.entries(peerInputs).flatMap(([peer, theirs]) => {
    const entry = theirs.find(known => known.split('=')[0] === name);
    return entry === undefined ? [] : [{ action: peer, entry }];
  });
  if (owner !== undefined) {
    const whose = another === undefined ? `an input of ${owner.action}, not of` : 'not an input of';
    // No input of an agent has a replacement in an action without one.
    const advice = action === 'agent-run' ? adviseInstead(owner.entry, value) : 'remove it';
    return `\`${name}\` is ${whose} this action. ${advice.charAt(0).toUpperCase()}${advice.slice(1)}`;
  }
  const word = name.replaceAll('-', '_');
  // Short names are close to many words.
  const near = names.find(known => editDistance(word, known) <= (known.length < 6 ? 1 : 2));
  return near && `\`${name}\` is not an input of this action. Did you mean \`${near}\`?`;
}

function adviseInstead(entry: string, value: string): string {
  const [theirs = '', ours] = entry.split('=');
  if (keyInputs.includes(theirs)) return `set ${theirs.replaceAll('-', '_').toUpperCase()} under \`env:\` of the step`;
  const instead = theirs === 'claude_args' ? readClaudeArguments(value) : undefined;
  if (instead !== undefined) return instead;
  if (ours === undefined)
    return unreplacedInputs.includes(theirs)
      ? 'remove it; this action has nothing like it'
      : 'remove it; docs/coming-from-another-action.md of agent-run says what to use instead';
  return ours.includes(':') && value.trim() === 'false' ? 'remove it' : `did you mean \`${ours.replace(':', ': ')}\`?`;
}

/** Shows no value but a model's name, because others may contain secrets. Undefined without known flags. */
function readClaudeArguments(value: string): string | undefined {
  const flags = [...value.matchAll(/(?:^|\s)(--[a-z][a-z-]*)(?:[\s=]+(?!--)("[^"]*"|'[^']*'|\S+))?/gi)];
  const replaced = flags.flatMap(([, flag = '', text = '']) => {
    const ours = claudeFlags[flag];
    if (ours === undefined) return [];
    const model = flag === '--model' ? /^["']?([\w.:@/[\]-]{1,100})["']?$/.exec(text)?.[1] : undefined;
    return [`\`${ours}${model === undefined ? '' : `: ${model}`}\` for ${flag}`];
  });
  const others = flags.flatMap(([, flag = '']) => (claudeFlags[flag] === undefined ? [flag] : []));
  const parts = [
    ...(replaced.length === 0 ? [] : [`set ${replaced.join(', ')}`]),
    ...(others.length === 0 ? [] : [`there is no input for ${others.join(', ')}`]),
    ...(others.includes('--max-turns') ? ['`timeout_minutes` limits the run'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}
