import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { liveScript } from './live-script.ts';
import { style } from './style.ts';

/** Markup with all inserted text escaped. */
export type Html = ReturnType<typeof html>;

interface Document {
  readonly title: string;
  /** The relative address of the server's home page, so that links work behind a proxy with a path prefix. */
  readonly root: './' | '../';
  readonly body: Html;
  /** Attributes of `main` that the script reads. Their presence adds the script. */
  readonly live?: { readonly after: number; readonly version: number } | undefined;
}

/** Without scripts, a page that follows its run reloads after this time. */
const refreshSeconds = 15;

/**
 * The frame of every page. Its style and script are constants, so that the content security policy can list their
 * hashes.
 */
export function renderDocument({ title, root, body, live }: Document): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · agent-run</title>
<style>${raw(style)}</style>${
    live &&
    html`
<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`
  }
</head>
<body>
<header class="top"><a href="${root}">agent-run</a></header>
${
  live === undefined
    ? html`<main>${body}</main>`
    : html`<main data-after="${live.after}" data-version="${live.version}">${body}</main>
<script>${raw(liveScript)}</script>`
}
</body>
</html>
`;
}

/**
 * Headers of every page. A run's page shows untrusted text and has its token in the address. Only this project's
 * script runs, nothing loads from elsewhere, and no referrer is sent.
 */
export const pageHeaders: Readonly<Record<string, string>> = Object.freeze({
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashSource(liveScript)}`,
    `style-src ${hashSource(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
