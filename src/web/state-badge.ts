import { html } from 'hono/html';
import { revealControls } from '../border/terminal-text.ts';
import { type RunState, runStates, stateMeanings } from '../contract/tables/state.ts';
import type { Html } from './html-document.ts';

/** A state is told by its word; the tone only adds a colour. */
const looks: Readonly<Record<RunState, { readonly word: string; readonly tone: string }>> = {
  QUEUED: { word: 'Queued', tone: 'idle' },
  PENDING: { word: 'Pending', tone: 'idle' },
  CLAIMED: { word: 'Claimed', tone: 'idle' },
  INPROGRESS: { word: 'In progress', tone: 'busy' },
  SUCCEEDED: { word: 'Succeeded', tone: 'good' },
  FAILED: { word: 'Failed', tone: 'bad' },
  ERROR: { word: 'Error', tone: 'bad' },
  BLOCKED: { word: 'Blocked', tone: 'held' },
  CANCELLED: { word: 'Canceled', tone: 'held' },
};

export function renderStateBadge(state: string): Html {
  const known = findState(state);
  return html`<span class="badge ${known === undefined ? 'idle' : looks[known].tone}">${stateWord(state)}</span>`;
}

/** The state as a person says it. */
export function stateWord(state: string): string {
  const known = findState(state);
  return known === undefined ? revealControls(state) : looks[known].word;
}

export function stateMeaning(state: string): string {
  const known = findState(state);
  return known === undefined ? '' : stateMeanings[known];
}

function findState(state: string): RunState | undefined {
  return runStates.find(known => known === state);
}
