import { html } from 'hono/html';
import { version } from '../base/version.ts';
import { type Html, renderDocument } from './document.ts';

/** What this address is; it says nothing about runs, for it needs no key. */
export function renderHomePage(): Html {
  return renderDocument({
    title: 'Server',
    root: './',
    body: html`
<h1>An agent-run server</h1>
<p>It takes agent runs, carries them out and keeps what happened. Version ${version}.</p>
<ul>
<li>A run's page is opened by its <code>session_link</code>.</li>
<li><a href="openapi.json">The interface</a> as an OpenAPI document</li>
<li><a href="errors">The error codes</a> and what to do about each</li>
</ul>
`,
  });
}

/** The one answer to whoever has no valid link: it tells nothing, not even whether there is such a run. */
export function renderLinkNeededPage(): Html {
  return renderDocument({
    title: 'Link needed',
    root: '../',
    body: html`
<h1>This page needs the whole link</h1>
<p>This page needs the whole link (<code>session_link</code> of the run), with the token at its end. A link holds for a month or two; ask for the run again to get a new one.</p>
`,
  });
}
