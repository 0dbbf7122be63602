import { html } from 'hono/html';
import { revealControls } from '../border/terminal-text.ts';
import type { RunEvent } from '../contract/events.ts';
import type { ServedRun } from '../contract/run.ts';
import { isFinal } from '../contract/tables/state.ts';
import { type Html, renderDocument } from './html-document.ts';
import { renderLongText } from './long-text.ts';
import { renderEvents } from './run-events.ts';
import { renderRunHead, runTitle } from './run-head.ts';
import { printMoment } from './time-text.ts';

export interface RunPageData {
  readonly run: ServedRun;
  /** Changes with every change of the run except its events. */
  readonly version: number;
  /** A contiguous part of the run's events. */
  readonly events: readonly RunEvent[];
  /** Whether `events` includes the newest; only then does the page follow the run. */
  readonly isNewest: boolean;
  /** The token that opened the page and opens its other parts. */
  readonly token: string;
  readonly nowMs: number;
}

/** The page of one run, complete without scripts. With scripts it follows the run until it ends. */
export function renderRunPage({ run, version, events, isNewest, token, nowMs }: RunPageData): Html {
  const first = events[0]?.seq ?? 1;
  const last = events.at(-1)?.seq ?? 0;
  const query = `?token=${encodeURIComponent(token)}`;
  const isLive = isNewest && !isFinal(run.state);
  const standing = isNewest
    ? isLive
      ? `As of ${printMoment(new Date(nowMs).toISOString())}.`
      : 'The run is over.'
    : `Entries ${first} to ${last} of ${run.last_seq}.`;
  const { base_prompt, output_schema } = run.agent_config;
  return renderDocument({
    title: runTitle(run),
    root: '../',
    live: isLive ? { after: last, version } : undefined,
    body: html`
<h1 dir="auto">${revealControls(run.title)}</h1>
<p class="quiet id"><code>${run.run_id}</code></p>
${renderRunHead(run, { nowMs, token })}
<section>
<h2>Prompt</h2>
${run.prompt === '' ? html`<p class="quiet">None. The skill is the task.</p>` : renderLongText(revealControls(run.prompt))}
</section>${base_prompt !== undefined && renderText('Base prompt', base_prompt)}${
      output_schema !== undefined && renderText('Output schema', JSON.stringify(output_schema, null, 2))
    }
<section>
<h2>Log</h2>
<p class="quiet">Times are UTC.</p>
<p id="earlier" class="quiet"${first === 1 && html` hidden`}><span>${(first - 1).toLocaleString('en')}</span> earlier entries are not shown. <a href="${query}&amp;before=${first}">Show earlier entries</a></p>
<ol id="log" class="log">
${renderEvents(events)}</ol>
</section>
<div class="bar"><p id="live" role="status" data-mood="${isLive ? 'live' : 'over'}">${standing}</p>${
      isLive && html`<noscript><p>JavaScript is off, so this page reloads itself.</p></noscript>`
    }${isNewest ? html`<a href="#end">Jump to end</a>` : html`<a href="${query}">Show newest</a>`}</div>
<div id="end"></div>
`,
  });
}

function renderText(title: string, text: string): Html {
  return html`
<section>
<h2>${title}</h2>
${renderLongText(revealControls(text))}
</section>`;
}
