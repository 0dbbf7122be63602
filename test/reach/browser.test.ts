/**
 * The packed client, bundled, in a browser's page and in its worker. The service sends no CORS headers: the page's
 * own server hands the calls on.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium as launcher } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { openTestServer } from '../support/test-server.ts';
import { expectedReport } from './exercise.ts';
import { chromium, prepareExercise, testOn } from './runtime.ts';

const prepared = await prepareExercise();
afterAll(() => prepared[Symbol.dispose]());

const inPage = await prepared.bundle('window.exercise = exercise;');
const inWorker = await prepared.bundle(
  'onmessage = ({ data }) => exercise(data).then(postMessage, error => postMessage(String(error)));',
);
const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html', '<!doctype html><title>page</title><script type="module" src="/page.js"></script>'],
  '/page.js': ['text/javascript', inPage],
  '/worker.js': ['text/javascript', inWorker],
};

/** A page on a server that hands `/api/v1` on to a test server; both and the browser are gone after the test. */
async function openPage() {
  const { url, key } = await openTestServer();
  const site = createServer((asked, answer) => {
    const file = files[asked.url ?? ''];
    if (file === undefined) handOn(url, asked, answer);
    else answer.writeHead(200, { 'content-type': file[0] }).end(file[1]);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  const browser = await launcher.launch({
    executablePath: chromium.path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  onTestFinished(() => browser.close());
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const page = await browser.newPage();
  await page.goto(origin);
  await page.waitForFunction('typeof exercise === "function"');
  return { page, options: { baseUrl: origin, apiKey: key, allowBrowser: true } };
}

function handOn(target: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { method, headers } = asked;
  const onward = request(`${target}${asked.url}`, { method, headers }, response => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}

testOn(chromium, 'the packed client works in a page and in its worker, once it is told that it may', async () => {
  const { page, options } = await openPage();
  const given = JSON.stringify(options);
  expect(await page.evaluate(`exercise(${given})`)).toEqual(expectedReport);
  const report = await page.evaluate(`new Promise(done => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = ({ message }) => done(message);
    worker.postMessage(${given});
  })`);
  expect(report).toEqual(expectedReport);
});

testOn(chromium, 'a page that gives a key without saying that it may is refused, and nothing is sent', async () => {
  const { page, options } = await openPage();
  const sent: string[] = [];
  page.on('request', asked => sent.push(asked.url()));
  const { allowBrowser: _, ...refused } = options;
  const said = await page.evaluate(
    `exercise(${JSON.stringify(refused)}).catch(error => error.name + ': ' + error.message)`,
  );
  expect(said).toMatch(/^ConfigurationError: .*allowBrowser/);
  expect(sent).toEqual([]);
});
