/** A tour of the whole interface: every operation, state and kind of harness, and most ends that a run can have. */
import PublishedClient from 'oz-agent-sdk';
import { apiPrefix, routes } from '../../src/contract/tables/routes.ts';
import { fenced } from '../support/test-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { OpenApiDocument, Visit } from './answer-check.ts';
import { journeys } from './journeys.ts';
import { listOperations } from './operations.ts';
import { type Json, pathBelowPrefix, RecordedRequests } from './recorded-requests.ts';
import { openTourServer } from './tour-server.ts';
import { wordsOf } from './words.ts';

export interface TourRecord {
  /** Every answer, in order. */
  readonly visits: readonly Visit[];
  /** Of those, the ones that the published client of npm asked for. */
  readonly ofPublishedClient: readonly Visit[];
  readonly document: OpenApiDocument;
  /** The runs at their end, by the name of their journey; some where they were on the way. */
  readonly runs: Readonly<Record<string, Json>>;
  /** Lists that were asked for with every published word, and the status of each. */
  readonly lists: readonly (readonly [path: string, status: number])[];
  /** What redirects say, and what they should. */
  readonly redirects: { readonly asked: readonly Json[]; readonly expected: readonly Json[] };
}

const unknown = '0192f000-0000-7000-8000-000000000000';
const nap = fenced('sleep 60');

export async function takeTour(): Promise<TourRecord> {
  const server = await openTourServer();
  const requests = new RecordedRequests(server);
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApiDocument;
  const runs: Record<string, Json> = {};
  const started: Record<string, string> = {};
  for (const [name, { body }] of Object.entries(journeys)) started[name] = await requests.start(body);
  for (const [name, runId] of Object.entries(started)) runs[name] = await requests.ended(runId);
  const redirects = await visitConversation(requests, runs);
  await visitFullServer(requests, runs);
  await visitEndedRun(requests, runs.script ?? {});
  const lists = await visitLists(requests);
  await visitErrors(requests, String(runs.script?.run_id));
  const ofPublishedClient = await visitWithPublishedClient(requests, server.key);

  // A server that stops refuses new runs and loses the one at work; its successor says so.
  const lost = await requests.start({ prompt: nap });
  await requests.until(lost, 'INPROGRESS');
  const stopped = server.server.stop({ drainSeconds: 1, beforeClose: () => server.listening.close(200) });
  await requests.call('POST', '/agent/runs', { body: { prompt: 'x' } });
  await stopped;
  requests.url = (await server.restart()).url;
  runs.lost = await requests.ended(lost);
  runs.slow = await requests.ended(await requests.start({ prompt: nap }));
  await visitLists(requests);
  return { visits: requests.visits, ofPublishedClient, document, runs, redirects, lists };
}

/** A run that asks and is answered, and a second one that continues its conversation. */
async function visitConversation(requests: RecordedRequests, runs: Record<string, Json>) {
  const config = { harness: { type: 'builtin' } };
  const runId = await requests.start({ prompt: 'Ask me.', interactive: true, config });
  runs.blocked = await requests.until(runId, 'BLOCKED');
  const { session_id } = runs.blocked;
  const asked: Json[] = [];
  const askRedirects = async (): Promise<void> => {
    for (const path of [`sessions/${session_id}`, `conversations/${runId}`, `sessions/${unknown}`])
      asked.push(await requests.call('GET', `/agent/${path}/redirect`, { isOpen: true }));
  };
  await askRedirects();
  const answer = { body: { message: 'The blue one.' }, headers: { 'Idempotency-Key': 'answer-1' } };
  await requests.call('POST', `/agent/runs/${runId}/followups`, answer);
  runs.answered = await requests.ended(runId);
  await askRedirects();
  await requests.call('POST', `/agent/runs/${runId}/followups`, { body: { message: 'Too late.' } });
  runs.continued = await requests.ended(await requests.start({ prompt: 'And now?', conversation_id: runId }));
  return { asked, expected: [{}, { session_id }, {}, { conversation_id: runId }, {}, {}] };
}

/** More runs than there are places: some work, one waits. */
async function visitFullServer(requests: RecordedRequests, runs: Record<string, Json>): Promise<void> {
  const sleepers: string[] = [];
  for (let index = 0; index < 4; index += 1) sleepers.push(await requests.start({ prompt: nap, lease_seconds: 60 }));
  const working = `/agent/runs/${sleepers[0]}`;
  await requests.until(sleepers[0], 'INPROGRESS');
  runs.queued = await requests.until(sleepers[3], 'QUEUED');
  await requests.call('PUT', `${working}/lease`, { body: { lease_seconds: 30 } });
  await requests.call('DELETE', `${working}/lease`);
  await requests.call('POST', '/agent/runs', { body: { prompt: 'x', conversation_id: sleepers[0] } });
  await requests.call('POST', `${working}/followups`, { body: { message: 'x' } });
  await requests.call('GET', `${working}/result`);
  for (const runId of sleepers)
    await requests.call('POST', `/agent/runs/${runId}/cancel`, { body: { reason: 'enough' } });
  for (const runId of sleepers) runs.cancelled = await requests.ended(runId);
}

/** What a run left. */
async function visitEndedRun(requests: RecordedRequests, { run_id, artifacts }: Json): Promise<void> {
  const run = `/agent/runs/${run_id}`;
  const { etag } = await requests.send('GET', `${apiPrefix}${run}`);
  await requests.call('GET', run, { headers: { 'If-None-Match': etag } });
  await requests.call('GET', `${run}/result`);
  await requests.call('GET', `${run}/events?limit=3`);
  await requests.call('GET', `${run}/events`, { headers: { Accept: 'text/event-stream' } });
  const [file] = artifacts as readonly { readonly data: { readonly artifact_uid: string } }[];
  const artifact = `/agent/artifacts/${file?.data.artifact_uid}`;
  const { download_url } = (await requests.call('GET', artifact)).data as { readonly download_url: string };
  await requests.send('GET', download_url, { isOpen: true });
  await requests.send('GET', `${new URL(download_url).pathname}?token=1.x`, { isOpen: true });
  await requests.call('GET', `${artifact}/download`);
}

async function visitLists(requests: RecordedRequests): Promise<TourRecord['lists']> {
  const states = wordsOf('RunState', 'newest').map(state => `state=${state}`);
  const paths = [
    '/agent/runs?limit=500&sort_by=created_at&sort_order=asc',
    '/agent/runs?limit=3&execution_location=REMOTE&q=a',
    `/agent/runs?${states.join('&')}`,
    ...wordsOf('RunSourceType', 'newest').map(source => `/agent/runs?source=${source}`),
    ...wordsOf('ArtifactType', 'newest').map(type => `/agent/runs?artifact_type=${type}`),
    ...wordsOf('RunOrder', 'newest').map(order => `/agent/runs?sort_by=${order}&limit=2`),
    ...wordsOf('SkillOrder', 'newest').map(order => `/agent?sort_by=${order}&include_malformed_skills=true`),
    ...wordsOf('EnvironmentOrder', 'newest').map(order => `/agent/environments?sort_by=${order}`),
  ];
  const lists: [string, number][] = [];
  for (const path of paths) lists.push([path, (await requests.send('GET', `${apiPrefix}${path}`)).status]);
  return lists;
}

/** One request for each way to be refused. */
async function visitErrors(requests: RecordedRequests, runId: string): Promise<void> {
  const create = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    requests.call('POST', '/agent/runs', { body, headers });
  const ask = { prompt: 'x' };
  await create('{');
  await create({ prompt: 5, title: [] });
  await create(ask, { 'Content-Type': 'text/plain' });
  await create({ prompt: 'x'.repeat(100_000) });
  await create({ ...ask, config: { memory_stores: [{}] } });
  await create({ ...ask, config: { runner_id: 'r' } });
  await create({ ...ask, config: { environment_id: 'nowhere' } });
  await create({ skill: 'octo-org/tools:gone' });
  const [first, second] = [{ prompt: fenced('true') }, { prompt: fenced('false') }];
  for (const body of [first, first, second]) await create(body, { 'Idempotency-Key': 'once' });
  await requests.call('PUT', '/agent/runs', { body: ask });
  await requests.call('GET', '/agent/runs', { isOpen: true });
  for (const path of [
    '/agent/nothing',
    '/agent/runs?state=DONE&limit=0',
    '/agent?repo=x',
    '/agent?repo=octo-org/unknown',
    '/agent/environments?sort_by=x',
    `/agent/runs/${runId}/events?limit=0`,
    ...['', '/events', '/result'].map(part => `/agent/runs/${unknown}${part}`),
    ...['', '/download'].map(part => `/agent/artifacts/${unknown}${part}`),
  ])
    await requests.call('GET', path);
  for (const id of [runId, unknown]) {
    await requests.call('POST', `/agent/runs/${id}/cancel`);
    await requests.call('POST', `/agent/runs/${id}/followups`, { body: { message: 'x' } });
    await requests.call('PUT', `/agent/runs/${id}/lease`, { body: { lease_seconds: 30 } });
    await requests.call('DELETE', `/agent/runs/${id}/lease`);
  }
  const served = Object.values(routes).map(({ method, path }) => `${method} ${path}`);
  for (const { method, path } of listOperations('newest'))
    if (!served.some(known => known === `${method} ${path}`))
      await requests.call(method, path.replace(/\{\w+\}/, unknown));
}

/** The operations that the client of npm has, by that client. */
async function visitWithPublishedClient(requests: RecordedRequests, apiKey: string): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  const client = new PublishedClient({
    apiKey,
    baseURL: `${requests.url}${apiPrefix}`,
    maxRetries: 0,
    async fetch(address, init) {
      const response = await fetch(address, init);
      const path = pathBelowPrefix(new URL(String(address)));
      visits.push(await requests.record(init?.method?.toUpperCase() ?? 'GET', path, response.clone()));
      return response;
    },
  });
  const { run_id: runId } = await client.agent.run({
    prompt: nap,
    title: 'A nap',
    team: true,
    config: { name: 'nap' },
  });
  await client.agent.runs.retrieve(runId);
  await client.agent.runs.cancel(runId);
  await waitUntil(async () => (await client.agent.runs.retrieve(runId)).state === 'CANCELLED');
  await client.agent.runs.list({ state: ['SUCCEEDED', 'CANCELLED'], limit: 5 });
  await client.agent.list({ sort_by: 'last_run' });
  // It has no more operations that this server has; it reads what it is answered instead.
  await client.agent.run({}).catch(() => {});
  await client.agent.schedules.list().catch(() => {});
  return visits;
}
