/**
 * What the client adds to a program that creates, reads, lists and awaits runs, next to the published client of the
 * public service.
 */
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Measurement } from '../main.ts';

const program = `
import { AgentRuns } from './src/client/index.ts';
const { runs } = new AgentRuns();
const { run_id } = await runs.create({ prompt: 'Why is the build red?' });
console.log(await runs.retrieve(run_id), await runs.list(), await runs.wait(run_id));
`;
const publishedProgram = `
import Client from 'oz-agent-sdk';
const { agent } = new Client();
const { run_id } = await agent.run({ prompt: 'Why is the build red?' });
console.log(await agent.runs.retrieve(run_id), await agent.runs.list());
`;

/** What every call needs: the least that any client with these options, retries and errors can weigh. */
const readingProgram = `
import { isRunOf, parseRun } from './src/client/http/shape.ts';
import { Transport } from './src/client/http/transport.ts';
import { resolveOptions } from './src/client/options/settings.ts';
const call = { method: 'GET', path: '/agent/runs/1', as: 'json', isIdempotent: true, isExpected: isRunOf('1') };
console.log(parseRun((await new Transport(resolveOptions({})).send(call)).data));
`;

interface Size {
  readonly bytes: number;
  readonly gzipBytes: number;
}

export async function measureClientSize(): Promise<Measurement> {
  const own = await bundle(program);
  const reading = await bundle(readingProgram);
  const published = await bundle(publishedProgram);
  const print = ({ bytes, gzipBytes }: Size) => `${bytes} bytes, ${gzipBytes} with gzip`;
  return {
    what: 'create, retrieve, list and wait, bundled by esbuild for browsers',
    rows: [
      ['this client', print(own)],
      ['of it, to read one run', print(reading)],
      ['oz-agent-sdk, without wait', print(published)],
    ],
    ratios: [
      { name: 'kB with gzip', value: own.gzipBytes / 1000, goal: 'below 12' },
      { name: 'with gzip, to oz-agent-sdk', value: own.gzipBytes / published.gzipBytes, goal: 'below 1' },
    ],
  };
}

async function bundle(contents: string): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '../..') },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
  });
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  return { bytes: text.length, gzipBytes: gzipSync(text).length };
}
