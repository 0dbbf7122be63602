import { resolve } from 'node:path';
import { describeArtifact } from '../../base/wording/artifact-words.ts';
import { saveArtifacts } from '../../border/downloads.ts';
import type { AgentRuns, Run } from '../../client/index.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import type { Arguments } from '../arguments.ts';
import { connectToRun } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import { alignColumns } from '../terminal/columns.ts';
import type { Shell } from '../terminal/command-shell.ts';
import { listenForInterruption } from '../terminal/interruption.ts';

export async function artifacts(args: Arguments, shell: Shell): Promise<ExitCode> {
  const { client, runId } = await connectToRun(args, shell);
  const { artifacts: left = [] } = await client.runs.retrieve(runId);
  const folder = args.text('download');
  if (folder !== undefined) return await download(left, { client, args, shell, folder: resolve(shell.cwd, folder) });
  if (args.has('json')) shell.printJson(left);
  else if (left.length === 0) shell.note('The run left no artifacts');
  else shell.print(alignColumns(left.map(printRow)).join('\n'));
  return 0;
}

type Artifacts = NonNullable<Run['artifacts']>;

function printRow(artifact: Artifacts[number]): readonly string[] {
  const { kind, name, url, details } = describeArtifact(artifact);
  const more = [...(url === undefined || url === name ? [] : [url]), ...details].join(', ');
  return [kind, name, more].map(cell => cell.replace(/\s+/g, ' '));
}

interface Downloading {
  readonly client: AgentRuns;
  readonly args: Arguments;
  readonly shell: Shell;
  readonly folder: string;
}

async function download(left: Artifacts, { client, args, shell, folder }: Downloading): Promise<ExitCode> {
  const signal = listenForInterruption(shell);
  const source = {
    get: (path: string) => client.get(path, { signal }),
    fetch: (url: string, init: RequestInit) => fetch(url, init),
  };
  const saving = saveArtifacts(source, left, { folder, bytesMax: sizes.artifactBytes, signal });
  const saved = await saving.catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
  if (saved === undefined) {
    shell.note('Interrupted: some files are missing', 'bad');
    return 130;
  }
  const { paths, faults } = saved;
  if (args.has('json')) shell.printJson(left.map(artifact => addPath(artifact, paths)));
  else for (const path of paths.values()) shell.print(path);
  if (paths.size === 0 && faults.length === 0) shell.note('The run left no files');
  for (const fault of faults) shell.note(`agent-run: ${fault}`, 'bad');
  return faults.length === 0 ? 0 : 1;
}

function addPath(artifact: Artifacts[number], paths: ReadonlyMap<string, string>): unknown {
  const path = artifact.artifact_type === 'FILE' ? paths.get(artifact.data.artifact_uid) : undefined;
  return path === undefined ? artifact : { ...artifact, data: { ...artifact.data, path } };
}
