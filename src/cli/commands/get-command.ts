import { printArtifact } from '../../base/wording/artifact-words.ts';
import { printUsage } from '../../base/wording/usage-total.ts';
import type { Run } from '../../client/index.ts';
import { printRunText } from '../../contract/tables/run-text.ts';
import { skillsOf } from '../../contract/tables/skill-spec.ts';
import type { Arguments } from '../arguments.ts';
import { connectToRun } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import { alignColumns } from '../terminal/columns.ts';
import type { Shell } from '../terminal/command-shell.ts';
import { paintState } from '../terminal/run-table.ts';

export async function get(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  const run = await client.runs.retrieve(runId);
  if (args.has('json')) shell.printJson(run);
  else shell.print(printRun(run), clean => paintState(clean, shell, /^(state +)([A-Z]+)/m));
  return 0;
}

/** The run for a person: one line per known member, then the result. */
function printRun(run: Run): string {
  const { agent_config: config, status_message: status, result } = run;
  const code = status?.reason ?? status?.error_code;
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ['run', run.run_id],
    ['state', run.state],
    ['reason', status && `${status.message}${code === undefined ? '' : ` (${code})`}`],
    ['conversation', run.conversation_id],
    ['title', run.title],
    ['name', config?.name],
    ['skill', skillsOf({ config }).join(', ')],
    ['harness', config?.harness?.name ?? config?.harness?.type],
    ['model', config?.model_id],
    ['environment', run.environment_name ?? config?.environment_id],
    ['created', run.created_at],
    ['started', run.started_at],
    ['finished', run.finished_at],
    ['used', printUsage(run.request_usage ?? {})],
    ['page', run.session_link],
    ...(run.artifacts ?? []).map(artifact => ['left', printArtifact(artifact)] as const),
  ];
  const given = rows.flatMap(([name, value]) => (value ? [[name, value.replace(/\s+/g, ' ')]] : []));
  const shown =
    result === undefined
      ? []
      : ['', describeExtent(result), printRunText({ text: result.text, leftOutBytes: result.left_out_bytes ?? 0 })];
  return [...alignColumns(given), ...shown].join('\n');
}

/** The run itself has only the start of a long result. */
function describeExtent({ truncated, left_out_bytes: leftOutBytes = 0 }: NonNullable<Run['result']>): string {
  if (!truncated) return 'result';
  return leftOutBytes === 0
    ? 'result (only its beginning; GET …/result returns all of it)'
    : 'result (only the beginning of what was kept; GET …/result returns all that was kept)';
}
