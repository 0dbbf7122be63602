/**
 * What Node and SQLite need for the same work: `POST /agent/runs` keeps a run and its event in the same tables, with
 * one transaction a turn of the event loop and one flush. `GET` holds the request until `POST /end`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../src/base/clock.ts';
import { databaseFile, openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { serveBench } from './server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'agent-run-bench-'));
await (await openSqliteStore({ folder, clock: systemClock })).close();
const database = new DatabaseSync(join(folder, databaseFile));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
const insertRun = database.prepare(
  `INSERT INTO runs (run_id, state, attempt, version, title, prompt, config, source, creator_uid, creator_name,
    created_at, updated_at, conversation_id, last_seq) VALUES (?, 'QUEUED', 0, 1, ?, ?, '{}', 'API', 'k', 'k', ?, ?, ?, 1)`,
);
const insertEvent = database.prepare(
  `INSERT INTO events (run_id, seq, at, type, data) VALUES (?, 1, ?, 'state', '{"state":"QUEUED"}')`,
);

let waiting: { readonly prompt: string; readonly response: ServerResponse }[] = [];
const held = new Set<ServerResponse>();

function commit(): void {
  const batch = waiting;
  waiting = [];
  const now = Date.now();
  const ids = batch.map(() => randomUUID());
  database.exec('BEGIN IMMEDIATE');
  batch.forEach(({ prompt }, index) => {
    const id = ids[index] ?? '';
    insertRun.run(id, prompt, prompt, now, now, id);
    insertEvent.run(id, now);
  });
  database.exec('COMMIT');
  batch.forEach(({ response }, index) => {
    answer(response, { run_id: ids[index], state: 'QUEUED' });
  });
}

function answer(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'GET') {
      held.add(response);
      return;
    }
    if (request.url === '/end') {
      const finished_at = new Date().toISOString();
      for (const kept of [...held, response]) answer(kept, { finished_at });
      held.clear();
      return;
    }
    const { prompt } = JSON.parse(Buffer.concat(chunks).toString()) as { prompt: string };
    if (waiting.push({ prompt, response }) === 1) setImmediate(commit);
  });
});
server.listen(0, '127.0.0.1', () =>
  serveBench((server.address() as AddressInfo).port, async () => {
    server.closeAllConnections();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }),
);
