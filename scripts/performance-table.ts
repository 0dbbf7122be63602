/** The table of docs/performance.md, from what `npm run bench -- --json bench/results.json` measured. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { code, printTable } from './markdown-table.ts';

interface Results {
  readonly measuredAt: string;
  readonly machine: { readonly cpu: string; readonly cpus: number; readonly node: string };
  readonly measured: readonly {
    readonly name: string;
    readonly what: string;
    readonly ratios: readonly { readonly name: string; readonly value: number; readonly goal?: string }[];
  }[];
}

export function printPerformance(): string {
  const file = resolve(import.meta.dirname, '../bench/results.json');
  const { measuredAt, machine, measured }: Results = JSON.parse(readFileSync(file, 'utf8'));
  const rows = measured.flatMap(({ name, ratios }) =>
    ratios.map(ratio => [code(name), ratio.name, String(Number(ratio.value.toPrecision(3))), ratio.goal ?? '']),
  );
  const meanings = measured.map(({ name, what }) => `- ${code(name)}: ${what}`).join('\n');
  return [
    `Measured on ${measuredAt.slice(0, 10)}: ${machine.cpus} cores, ${machine.cpu}, Node ${machine.node}.`,
    printTable(['Bench', 'What', 'Measured', 'Goal'], rows),
    meanings,
  ].join('\n\n');
}
