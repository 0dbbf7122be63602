/** Pages as functions of data, rendered on the server. Send `pageHeaders` with each. */

export { renderErrorPage, renderErrorsPage, renderUnknownErrorPage } from './error-pages.ts';
export { renderHomePage, renderLinkNeededPage } from './home-page.ts';
export { type Html, pageHeaders } from './html-document.ts';
export { renderEvents } from './run-events.ts';
export { renderRunHead } from './run-head.ts';
export { type RunPageData, renderRunPage } from './run-page.ts';
