import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { wholeText } from '../../../src/contract/tables/run-text.ts';
import { createProcessExecutor } from '../../../src/server/executor/process-executor.ts';
import type {
  CommandEnd,
  Harness,
  HarnessOutcome,
  HarnessTask,
  PreparedCommand,
  TaskText,
} from '../../../src/server/harness/harness.ts';
import { OutputDivider } from '../../../src/server/output/output-divider.ts';
import { OutputTail } from '../../../src/server/output/output-tail.ts';

export const searchPath = '/usr/local/bin:/usr/bin:/bin';

export const prompt = (text: string): TaskText => ({ origin: 'the prompt', text, firstLine: 1 });

/** A task with folders that are removed after the test. */
export async function createTask(more: Partial<HarnessTask> = {}): Promise<HarnessTask> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-run-harness-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return {
    instructions: [],
    prompt: prompt(''),
    modelId: undefined,
    mcpServers: [],
    skills: [],
    sessionId: undefined,
    searchPath,
    variables: {},
    workspace: folder,
    stateDir: folder,
    tempDir: folder,
    ...more,
  };
}

export const endedWell: CommandEnd = {
  exitCode: 0,
  signal: undefined,
  stdout: wholeText(''),
  outputTail: '',
  result: undefined,
};

/** Executes the prepared program, and lets the harness conclude. */
export async function carryOut(
  harness: Harness,
  task: HarnessTask,
  resultText?: string,
): Promise<{ outcome: HarnessOutcome; stdout: string; stderr: string }> {
  const prepared: PreparedCommand = await harness.prepare(task);
  const executor = createProcessExecutor({ serverId: `harness-test-${process.pid}`, watchdog: false });
  const output = { stdout: '', stderr: '' };
  const divider = new OutputDivider(prepared.divider);
  const tail = new OutputTail(64 * 1024);
  const end = await executor.execute({
    command: {
      argv: prepared.argv,
      cwd: task.workspace,
      env: { PATH: searchPath, ...prepared.env },
      stdin: prepared.stdin,
    },
    runId: 'run',
    runDir: task.stateDir,
    scratchDir: task.stateDir,
    onOutput: async (stream, chunk) => {
      for (const [index, part] of divider.split(stream, chunk).entries()) {
        if (index > 0) tail.beginPart(stream);
        output[stream] += Buffer.from(part).toString();
        tail.push(stream, Buffer.from(part).toString());
      }
    },
    timeLimitMs: 60_000,
    graceMs: 200,
    signal: new AbortController().signal,
  });
  await executor.close();
  if (end.kind === 'not_started') throw new Error(end.message);
  const outcome = await prepared.conclude({
    exitCode: end.exitCode,
    signal: end.signal,
    stdout: wholeText(output.stdout),
    outputTail: tail.text,
    result: resultText === undefined ? undefined : wholeText(resultText),
  });
  return { outcome, stdout: output.stdout, stderr: output.stderr };
}
