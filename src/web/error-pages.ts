import { html } from 'hono/html';
import { didYouMean } from '../base/wording/nearest.ts';
import { revealControls } from '../border/terminal-text.ts';
import { type ErrorCodeEntry, errorCodes } from '../contract/tables/error-codes.ts';
import { type Html, renderDocument } from './html-document.ts';
import { renderStateBadge } from './state-badge.ts';

/** The page that the `type` of a problem document links to. */
export function renderErrorPage({ code, title, status, retryable, endsRunAs, remedy }: ErrorCodeEntry): Html {
  return renderDocument({
    title,
    root: '../',
    body: html`
<h1>${title}</h1>
<dl class="facts">
<div class="broad"><dt>Code</dt><dd><code>${code}</code></dd></div>
<div><dt>HTTP status</dt><dd>${status ?? 'none: used only for runs'}</dd></div>
<div><dt>A run ends as</dt><dd>${endsRunAs === undefined ? 'not used for runs' : renderStateBadge(endsRunAs)}</dd></div>
<div><dt>Retry without changes</dt><dd>${retryable ? 'can succeed' : 'will fail again'}</dd></div>
</dl>
<h2>What to do</h2>
<p>${renderProse(remedy)}</p>
<p><a href="../errors">All error codes</a></p>
`,
  });
}

export function renderErrorsPage(): Html {
  const rows = errorCodes.map(
    ({ code, title, status, retryable, endsRunAs, remedy }) => html`<tr>
<th scope="row"><a href="errors/${code}"><code>${code}</code></a><span>${title}</span></th><td>${status ?? '–'}</td><td>${endsRunAs ?? '–'}</td><td>${retryable ? 'yes' : 'no'}</td><td class="prose">${renderProse(remedy)}</td>
</tr>
`,
  );
  return renderDocument({
    title: 'Error codes',
    root: './',
    body: html`
<h1>Error codes</h1>
<div class="wide" tabindex="0" role="region" aria-label="Error codes">
<table>
<thead><tr><th scope="col">Code and meaning</th><th scope="col">Status</th><th scope="col">Run ends as</th><th scope="col">Retry</th><th scope="col">What to do</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
`,
  });
}

export function renderUnknownErrorPage(code: string): Html {
  const known = errorCodes.map(row => row.code);
  return renderDocument({
    title: 'Unknown error code',
    root: '../',
    body: html`
<h1>Unknown error code</h1>
<p>This version has no error code <code>${revealControls(code.slice(0, 80))}</code>${didYouMean(code.slice(0, 80), known) || '.'}</p>
<p><a href="../errors">All error codes</a></p>
`,
  });
}

/** Backticks mark code in the table's text. */
function renderProse(prose: string): readonly Html[] {
  return prose.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
