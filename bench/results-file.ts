/** The file of `--json`. The table of docs/performance.md is made from bench/results.json. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Measurement } from './main.ts';

export type NamedMeasurement = Measurement & { readonly name: string };

const machine = { cpu: cpus()[0]?.model, cpus: cpus().length, node: process.version };

/** Throws if the file cannot be written, or does not contain results. */
export function readResults(file: string): readonly NamedMeasurement[] {
  closeSync(openSync(file, 'a'));
  const text = readFileSync(file, 'utf8');
  if (text === '') return [];
  try {
    const earlier = JSON.parse(text);
    const measured = [...earlier.measured];
    if (!isDeepStrictEqual(earlier.machine, machine)) console.error(`${file} has results of another machine`);
    return measured;
  } catch {
    throw new Error(`${file} does not contain results of benches`);
  }
}

export function writeResults(file: string, measured: readonly NamedMeasurement[]): void {
  const results = { measuredAt: new Date().toISOString(), machine, measured };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}
