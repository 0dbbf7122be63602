import { html } from 'hono/html';
import { isNestedBeyond } from '../base/json.ts';
import { describeArtifact } from '../base/wording/artifact-words.ts';
import { describeCall } from '../base/wording/tool-text.ts';
import { printUsage } from '../base/wording/usage-total.ts';
import { revealControls, terminalText } from '../border/terminal-text.ts';
import { type RunEvent, readEventDraft } from '../contract/events.ts';
import type { Html } from './html-document.ts';
import { renderLongText } from './long-text.ts';
import { renderStateBadge } from './state-badge.ts';
import { printClockTime } from './time-text.ts';

/** A log entry: a word for its kind, and its text. */
interface Entry {
  readonly kind: string;
  /** A CSS class: a constant, never text of a run. */
  readonly look: 'state' | 'message' | 'tool' | 'bad' | 'stdout' | 'stderr' | 'system' | 'other';
  readonly content: Html;
}

/** The log's entries as list items, in order. Used for the first page and for later updates. */
export function renderEvents(events: readonly RunEvent[]): Html {
  return html`${joinLog(events.map(nameKnown)).map(event => {
    const { kind, look, content } = describeEvent(event);
    return html`<li class="${look}" id="e${event.seq}" data-seq="${event.seq}"><time datetime="${event.at}">${printClockTime(event.at)}</time><span class="kind">${kind}</span><div>${content}</div></li>
`;
  })}`;
}

/** An event that does not match its type, as an earlier version stored some, is shown like one of an unknown type. */
function nameKnown(event: RunEvent): RunEvent {
  return readEventDraft(event) === undefined ? { ...event, type: `odd ${event.type}` } : event;
}

/**
 * Joins output that continues a line of the same stream. Output is split into events by time and size, and a progress
 * bar redrawn a hundred times should be one entry.
 */
function joinLog(events: readonly RunEvent[]): readonly RunEvent[] {
  const groups: [RunEvent, ...RunEvent[]][] = [];
  for (const event of events) {
    const group = groups.at(-1);
    if (group !== undefined && continuesLine(group.at(-1), event)) group.push(event);
    else groups.push([event]);
  }
  return groups.map(group => {
    const [first] = group;
    if (first.type !== 'log') return first;
    const text = group.map(event => (event.type === 'log' ? event.data.text : '')).join('');
    return { ...first, data: { ...first.data, text } };
  });
}

function continuesLine(before: RunEvent | undefined, event: RunEvent): boolean {
  return (
    before?.type === 'log' &&
    event.type === 'log' &&
    event.data.stream === before.data.stream &&
    !before.data.text.endsWith('\n')
  );
}

function describeEvent(event: RunEvent): Entry {
  switch (event.type) {
    case 'log': {
      const { stream, level, text } = event.data;
      return level === 'warning'
        ? { kind: level, look: 'bad', content: renderOutput(text.replace(/^warning: /, '')) }
        : { kind: stream, look: stream, content: renderOutput(text) };
    }
    case 'state': {
      const { state, message = '' } = event.data;
      const content = html`${renderStateBadge(state)} <bdi>${terminalText(message)}</bdi>`;
      return { kind: 'state', look: 'state', content };
    }
    case 'message':
      return {
        kind: revealControls(event.data.role),
        look: 'message',
        content: html`<p dir="auto">${terminalText(event.data.text)}</p>`,
      };
    case 'tool_call': {
      const { title, text } = describeCall(event.data.name, event.data.input);
      const content = html`<b><bdi>${revealControls(title)}</bdi></b>${text !== '' && renderLongText(terminalText(text))}`;
      return { kind: 'tool', look: 'tool', content };
    }
    case 'tool_result': {
      const { output, is_error: isError, exit_code: exitCode } = event.data;
      if (!isError) return { kind: 'tool result', look: 'tool', content: renderValue(output) };
      const exit = exitCode !== undefined && html`<p class="quiet">exit code ${exitCode}</p>`;
      return { kind: 'tool error', look: 'bad', content: html`${exit}${renderValue(output)}` };
    }
    case 'usage':
      return { kind: 'usage', look: 'other', content: renderNumbers(event.data) };
    case 'artifact':
      return { kind: 'artifact', look: 'other', content: renderArtifact(event.data) };
    default:
      return { kind: revealControls(event.type), look: 'other', content: renderValue(event.data) };
  }
}

function renderOutput(text: string): Html {
  return html`<pre>${terminalText(text.replace(/\r?\n$/, ''))}</pre>`;
}

const indentedLevels = 20;

/** A string as it is, other values as JSON: in one line if that is short. */
function renderValue(value: unknown): Html {
  if (typeof value === 'string') return renderLongText(terminalText(value));
  const line = JSON.stringify(value) ?? '';
  // Each nesting level adds indentation to all lines below it.
  const isLine = line.length <= 100 || isNestedBeyond(value, indentedLevels);
  return renderLongText(revealControls(isLine ? line : JSON.stringify(value, null, 2)));
}

/** The page lists downloads separately. */
function renderArtifact({ artifact_type, ...data }: Readonly<Record<string, unknown>>): Html {
  const { kind, name, details } = describeArtifact({ artifact_type, data });
  return html`<bdi>${revealControls([`${kind}: ${name}`, ...details].join(' · '))}</bdi>`;
}

function renderNumbers(usage: Readonly<Record<string, unknown>>): Html {
  const counted = Object.entries(usage).filter(([, value]) => value !== 0);
  return html`<bdi>${revealControls(printUsage(Object.fromEntries(counted)))}</bdi>`;
}
