/**
 * Inputs that a workflow gives and this action does not have. The runner only warns of them, and a step would be green
 * without the schema or the limit that they name.
 */
import { editDistance } from '../../base/nearest.ts';
import type { ActionHost } from '../host/host.ts';
import { inputNames, keyInputs, peerInputs } from './input-names.ts';

/** A sentence for each input that is misspelled or belongs to another action. A job's `env:` may set other INPUT_… variables. */
export function findStrayInputs(host: ActionHost): readonly string[] {
  return Object.entries(host.variables()).flatMap(([variable, value]) => {
    const name = /^INPUT_(.+)$/i.exec(variable)?.[1]?.toLowerCase() ?? '';
    if (name === '' || value.trim() === '' || inputNames.includes(name)) return [];
    return describeStray(name) ?? [];
  });
}

function describeStray(name: string): string | undefined {
  for (const [action, names] of Object.entries(peerInputs)) {
    const [theirs, counterpart] = names.map(entry => entry.split('=')).find(([known]) => known === name) ?? [];
    if (theirs === undefined) continue;
    const remedy = keyInputs.includes(theirs)
      ? `set ${theirs.replaceAll('-', '_').toUpperCase()} under \`env:\` of the step`
      : counterpart === undefined
        ? 'remove it; docs/coming-from-another-action.md says what replaces it'
        : `did you mean \`${counterpart}\`?`;
    return `\`${name}\` is an input of ${action}, not of this action: ${remedy}`;
  }
  const word = name.replaceAll('-', '_');
  // A short name is near to many words.
  const near = inputNames.find(known => editDistance(word, known) <= (known.length < 6 ? 1 : 2));
  return near && `\`${name}\` is not an input of this action: did you mean \`${near}\`?`;
}
