import { html } from 'hono/html';
import { describeArtifact } from '../base/wording/artifact-words.ts';
import { revealControls } from '../border/terminal-text.ts';
import type { Artifact } from '../contract/artifacts.ts';
import type { ServedRun } from '../contract/run.ts';
import type { Html } from './html-document.ts';
import { renderLink } from './link.ts';

/** The files, pull requests and other artifacts of a run; '' if there are none. `token` is the page's. */
export function renderLeft({ run_id: runId, artifacts }: ServedRun, token: string): Html | '' {
  if (artifacts.length === 0) return '';
  return html`<h2>Artifacts</h2>
<ul class="left">
${artifacts.map(artifact => renderArtifact(artifact, { runId, token }))}</ul>`;
}

function renderArtifact(
  artifact: Artifact,
  { runId, token }: { readonly runId: string; readonly token: string },
): Html {
  const { kind, name, url, fileUid, details } = describeArtifact(artifact);
  // Relative, because the server may be behind a proxy with a path prefix.
  const file = `${runId}/artifacts/${encodeURIComponent(fileUid ?? '')}?token=${encodeURIComponent(token)}`;
  const what =
    fileUid !== undefined
      ? html`<a href="${file}" download>${revealControls(name)}</a>`
      : url === undefined
        ? html`${revealControls(name)}`
        : renderLink(url, name);
  const more = [kind, ...details].map(revealControls).join(' · ');
  return html`<li><bdi>${what}</bdi> <span class="quiet"><bdi>${more}</bdi></span></li>
`;
}
