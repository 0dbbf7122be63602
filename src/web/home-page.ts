import { html } from 'hono/html';
import { version } from '../base/process/version.ts';
import { type Html, renderDocument } from './html-document.ts';

/** The page of the bare address. It shows nothing about runs because it needs no key. */
export function renderHomePage(): Html {
  return renderDocument({
    title: 'Server',
    root: './',
    body: html`
<h1>agent-run server</h1>
<p>This server runs agents and keeps their history. Version ${version}.</p>
<ul>
<li>To see a run, open its complete link, with its token. <code>npx agent-run open RUN_ID</code> prints one.</li>
<li><a href="openapi.json">API reference</a> as an OpenAPI document</li>
<li><a href="errors">Error codes</a> and how to fix them</li>
</ul>
`,
  });
}

/** The one answer for every invalid link. It does not reveal whether the run exists. */
export function renderLinkNeededPage(): Html {
  return renderDocument({
    title: 'Link needed',
    root: '../',
    body: html`
<h1>This page needs the complete link</h1>
<p>Open the complete link, with its token. Links expire after a month or two: <code>npx agent-run open RUN_ID</code> prints a new one.</p>
`,
  });
}
