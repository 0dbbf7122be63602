/** Writes the hashes of the agent programs' packages, as npm's registry gives them: `node scripts/agent-hashes.ts`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageHashes } from '../src/server/harness/agents/install/package-hashes.ts';
import { agentPrograms, isAgentProgramName } from '../src/server/harness/agents/programs.ts';
import { root } from './doc-tables.ts';

const file = 'src/server/harness/agents/install/package-hashes.ts';
const path = join(root, file);
const [opening = ''] = readFileSync(path, 'utf8').split(/^(?= {2}\w+: \{$)/m);
const entries = Object.keys(packageHashes)
  .filter(isAgentProgramName)
  .map(name => `  ${name}: {\n${printHashes(agentPrograms[name])}\n  },\n`);
writeFileSync(path, `${opening}${entries.join('')}};\n`);
execFileSync('npx', ['biome', 'format', '--write', file], { cwd: root, stdio: 'inherit' });

/** For every platform, whichever this one is. */
function printHashes({ package: name, version }: { readonly package: string; readonly version: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-hashes-'));
  try {
    const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...flags, '--prefix', folder, `${name}@${version}`], { stdio: 'inherit' });
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const packages = Object.entries<{ readonly integrity: string }>(lock.packages).filter(([at]) => at !== '');
    return packages
      .map(([at, { integrity }]) => `    '${at.split('node_modules/').at(-1)}': '${integrity}',`)
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
