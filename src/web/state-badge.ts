import { html } from 'hono/html';
import { revealControls } from '../border/terminal-text.ts';
import { type RunState, runStates, stateMeanings } from '../contract/tables/state.ts';
import type { Html } from './html-document.ts';

/** The word shows the state; the tone only adds a color. */
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

/** The state in plain words. */
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
