/**
 * `npm run picture`: draws README's picture of a red step. Runs the step, keeps its summary as
 * docs/images/red-step.md, and takes a screenshot of it in Chromium. Needs the Debian packages chromium, fonts-inter
 * and fonts-noto-color-emoji.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { chromium } from 'playwright-core';
import { root } from './doc-tables.ts';
import { runRedStep } from './red-step.ts';

/** Close to what GitHub shows. */
const style = `
body { margin: 0; padding: 24px 28px; width: 704px; background: #fff; color: #1f2328; font: 15px/1.5 Inter, sans-serif }
h3 { margin: 0 0 14px; font-size: 20px; font-weight: 600 }
p, ul, table, details { margin: 0 0 14px }
a { color: #0969da; text-decoration: none }
table { border-collapse: collapse }
th, td { padding: 5px 12px; border: 1px solid #d1d9e0; text-align: left }
thead:not(:has(th:not(:empty))) { display: none }
code, pre { font: 13px/1.45 'DejaVu Sans Mono', monospace; background: #818b981f; border-radius: 6px }
code { padding: 2px 5px }
pre { padding: 12px 14px; margin: 10px 0; white-space: pre-wrap }
pre code { padding: 0; background: none }
`;

const markdown = await runRedStep();
writeFileSync(join(root, 'docs/images/red-step.md'), markdown);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage({ viewport: { width: 760, height: 400 }, deviceScaleFactor: 2 });
  const body = new MarkdownIt({ html: true }).render(markdown);
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>${style}</style>${body}`);
  await page.screenshot({ path: join(root, 'docs/images/red-step.png'), fullPage: true });
} finally {
  await browser.close();
}
