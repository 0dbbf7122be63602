import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../../../../src/base/clock.ts';
import type { AgentSpec, ModelApi } from '../../../../../src/server/harness/agents/adapter.ts';
import type { BuiltinEnd, BuiltinLine } from '../../../../../src/server/harness/agents/builtin/builtin-lines.ts';
import { type LoopParts, runLoop } from '../../../../../src/server/harness/agents/builtin/loop.ts';
import { createToolEnvironment } from '../../../../../src/server/harness/agents/builtin/tool-environment.ts';
import { type ModelScript, type ModelServer, startModelServer } from '../../../../../src/testing/index.ts';
import { createTempFolder } from '../../../../support/temp-folder.ts';

// As in the program.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

export const apiKey = 'the-key-of-the-model';
/** A variable of the agent that contains the key by accident. */
export const toolEnv = createToolEnvironment(
  { PATH: process.env.PATH, HOME: '/nonexistent', MODEL_KEY: apiKey },
  apiKey,
);

export interface Folders {
  readonly workspace: string;
  readonly stateDir: string;
  readonly tempDir: string;
}

/** Folders of a run, removed after the test. */
export async function createFolders(): Promise<Folders> {
  const root = await realpath(createTempFolder());
  const folders = { workspace: join(root, 'workspace'), stateDir: join(root, 'state'), tempDir: join(root, 'temp') };
  for (const folder of Object.values(folders)) await mkdir(folder);
  return folders;
}

export interface LoopRun extends Folders {
  readonly end: BuiltinEnd;
  readonly lines: readonly BuiltinLine[];
  readonly server: ModelServer;
  readonly spec: AgentSpec;
}

export interface LoopOptions extends Partial<Omit<LoopParts, 'spec'>> {
  readonly api?: ModelApi;
  readonly folders?: Folders;
  readonly spec?: Partial<AgentSpec>;
  readonly clock?: Clock;
  /** The endpoint. Undefined: the scripted one. */
  readonly root?: string;
}

/** A run of the loop in this process against a scripted model. */
export async function runScript(script: ModelScript, options: LoopOptions = {}): Promise<LoopRun> {
  const { api = 'openai-chat', folders = await createFolders(), root, spec: more, ...parts } = options;
  const server = await startModelServer(script, { apiKey });
  onTestFinished(() => server.close());
  const spec: AgentSpec = {
    prompt: 'Do it.',
    instructions: '',
    model: 'm-1',
    endpoint: { api, root: root ?? server.url, apiKey },
    mcpServers: [],
    skills: [],
    ...folders,
    variables: {},
    newSessionId: 'b0a1c2d3-0000-4000-8000-000000000001',
    resume: undefined,
    stepsMax: 20,
    ...more,
  };
  const lines: BuiltinLine[] = [];
  const end = await runLoop({
    env: toolEnv,
    clock: systemClock,
    signal: new AbortController().signal,
    retries: { retriesMax: 3, baseDelayMs: 1, maxDelayMs: 60_000 },
    ...parts,
    spec,
    emit: line => lines.push(line),
  });
  return { ...folders, end, lines, server, spec };
}

/** Events of one type. */
export function eventsOf<Type extends string>(lines: readonly BuiltinLine[], type: Type) {
  return lines.flatMap(line =>
    'type' in line && line.type === type ? [line as Extract<BuiltinLine, { type: Type }>] : [],
  );
}

/** Log lines of the run itself. */
export function logOf(lines: readonly BuiltinLine[]): string {
  return eventsOf(lines, 'log')
    .map(({ data }) => data.text)
    .join('');
}
