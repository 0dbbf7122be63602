import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { waitMs } from '../support/wait-until.ts';
import { createRun, runId } from './fixtures.ts';
import { allFeatures, answerJson, hang, type Reply, startScriptedServer } from './scripted-server.ts';

const entry = resolve(import.meta.dirname, '../../src/client/index.ts');

/** The packages that `file` imports at run time, directly or not. Type-only imports are erased. */
function packagesFrom(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const specifiers = [...text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from '([^']+)';/gm)].map(
    match => match[1] ?? '',
  );
  return specifiers.flatMap(name => (name.startsWith('.') ? packagesFrom(resolve(dirname(file), name), seen) : [name]));
}

test('the client imports only the bundled retry loop: no schema library and nothing of Node', () => {
  const seen = new Set<string>();
  expect([...new Set(packagesFrom(entry, seen))].sort()).toEqual(['p-retry']);
  expect(seen.size).toBeGreaterThan(20);
});

/** Runs a module in its own Node process, which must end by itself. */
async function runAlone(source: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], {
    timeout: waitMs,
  });
  return stdout.trim();
}

test('the client works without a process', async () => {
  await using server = await startScriptedServer(answerJson(createRun('SUCCEEDED')));
  const source = `
    const { log } = console;
    delete globalThis.process;
    const { AgentRuns } = await import(${JSON.stringify(entry)});
    const client = new AgentRuns({ baseUrl: ${JSON.stringify(server.url)}, apiKey: 'k' });
    log(typeof process, (await client.runs.wait(${JSON.stringify(runId)})).state);
  `;
  expect(await runAlone(source)).toBe('undefined SUCCEEDED');
});

test('finished and failed calls do not keep a program alive', async () => {
  const first = answerJson(createRun('QUEUED', { run_id: 'x' }), { ...allFeatures, ETag: '"1"' });
  const reply: Reply = (response, request) =>
    (request.headers['if-none-match'] === undefined && !request.path.includes('hang') ? first : hang)(
      response,
      request,
    );
  await using server = await startScriptedServer(reply);
  const source = `
    const { AgentRuns } = await import(${JSON.stringify(entry)});
    const client = new AgentRuns({ baseUrl: ${JSON.stringify(server.url)}, apiKey: 'k', maxRetries: 0 });
    const nameOf = promise => promise.then(() => 'fine', error => error.name);
    const signal = AbortSignal.timeout(200);
    console.log(JSON.stringify(await Promise.all([
      nameOf(client.runs.retrieve('x')),
      nameOf(client.get('/hang', { timeoutMs: 100 })),
      nameOf(client.get('/hang', { signal })),
      nameOf(client.runs.wait('x', { signal })),
      nameOf((async () => { for await (const run of client.runs.follow('x')) return run; })()),
    ])));
  `;
  expect(JSON.parse(await runAlone(source))).toEqual([
    'fine',
    'ConnectionTimeoutError',
    'AbortedError',
    'AbortedError',
    'fine',
  ]);
});
