import { html } from 'hono/html';
import { revealControls } from '../border/terminal-text.ts';
import type { Html } from './html-document.ts';

/** A link for web addresses only: never for `javascript:` or for an address that starts a program. */
export function renderLink(address: string, text = address): Html {
  const url = URL.parse(address);
  const shown = revealControls(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:'
    ? html`<a href="${url.href}" rel="noreferrer noopener nofollow">${shown}</a>`
    : html`${shown}`;
}
