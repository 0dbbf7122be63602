import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { liveScript } from './live-script.ts';
import { style } from './style.ts';

/** Markup: whatever was put into it is escaped. */
export type Html = ReturnType<typeof html>;

interface Document {
  readonly title: string;
  /** The relative address of the server's first page: links stay right behind a proxy that serves us below a path. */
  readonly root: './' | '../';
  readonly body: Html;
  /** Attributes of `main` that the script reads; its presence brings the script along. */
  readonly live?: { readonly after: number; readonly version: number } | undefined;
}

/** A page that does not follow its run because scripts are off loads itself again after so long. */
const refreshSeconds = 15;

/** The shell of every page. Its style and script are constants, so that the policy can name them by their hash. */
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
 * Goes with every page. A run's page holds text of anybody and has its token in the address: nothing but our own script runs, nothing is
 * loaded from elsewhere, and the address is told to nobody.
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
