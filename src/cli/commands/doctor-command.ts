import { ConfigError, examineServer, type Finding, readServerConfig, type ServerConfig } from '../../server/index.ts';
import type { Arguments } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import type { Shell } from '../terminal/command-shell.ts';

/** A missing part fails the command; a warning does not. */
export async function doctor(args: Arguments, shell: Shell): Promise<ExitCode> {
  const findings: Finding[] = [];
  const showsJson = args.has('json');
  for await (const finding of examine(args, shell)) {
    findings.push(finding);
    if (!showsJson) printFinding(finding, shell);
  }
  const isWell = findings.every(({ status }) => status !== 'fail');
  if (showsJson) shell.printJson({ ok: isWell, findings });
  return isWell ? 0 : 1;
}

async function* examine(args: Arguments, shell: Shell): AsyncGenerator<Finding> {
  let config: ServerConfig;
  try {
    const flags = { config: args.text('config'), data: args.text('data') };
    config = readServerConfig({ env: shell.env, cwd: shell.cwd, flags });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const text of error.faults)
      yield { subject: 'configuration', status: 'fail', text, remedy: 'fix it, then run doctor again' };
    return;
  }
  const { missingFile } = config;
  yield missingFile === undefined
    ? { subject: 'configuration', status: 'ok', text: `harnesses: ${nameHarnesses(config)}` }
    : {
        subject: 'configuration',
        status: 'warn',
        text: `none found: ${missingFile} does not exist`,
        remedy: 'create it, or name another file with --config FILE',
      };
  yield* examineServer(config, { asksModels: args.has('call') });
}

function nameHarnesses({ harnesses: { script, commands, agents = {} } }: ServerConfig): string {
  const names = [...(script ? ['script'] : []), ...Object.keys(commands), ...Object.keys(agents)];
  return names.length === 0 ? 'none' : names.join(', ');
}

const widths = { status: 6, subject: 26 };

function printFinding({ subject, status, text, remedy }: Finding, shell: Shell): void {
  shell.print(`${status.padEnd(widths.status)}${subject.padEnd(widths.subject)} ${text}`);
  if (remedy !== undefined) shell.print(`${' '.repeat(widths.status)}-> ${remedy}`);
}
