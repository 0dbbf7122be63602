/**
 * The loop of the built-in agent: ask the model and run its tools until it answers without a call. The SDK does one
 * step at a time. This file does the rest: a broken answer is requested again without calling a tool twice, and the
 * conversation is stored after every step.
 */
import type { ToolSet } from 'ai';
import type { Clock } from '../../../../base/clock.ts';
import { retry } from '../../../../base/network/retry.ts';
import { counted } from '../../../../base/text.ts';
import type { AgentSpec } from '../adapter.ts';
import { findWrittenCalls } from './answer-text.ts';
import type { BuiltinEnd, BuiltinFailure, BuiltinLine } from './builtin-lines.ts';
import { HistoryError, type Messages, readHistory, writeHistory } from './history.ts';
import type { DeadServer, McpTools } from './mcp/mcp.ts';
import { createModel } from './model/model.ts';
import type { ModelFault } from './model/model-fault.ts';
import { type StepOutcome, takeStep } from './model/model-step.ts';
import { type RetryPolicy, retryDelayMs, retryPolicy } from './model/retry-policy.ts';
import { addUsage, noUsage } from './model/usage.ts';
import { createWatchedFetch, type SilenceLimits, silenceLimits } from './model/watched-fetch.ts';
import { createPrinter } from './redacted-json.ts';
import { createSystemPrompt } from './system-prompt.ts';
import { createTools } from './tools/tool-set.ts';

export interface LoopParts {
  readonly spec: AgentSpec;
  /** Environment of tools and MCP servers. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Stops the run, and its tools at once. */
  readonly signal: AbortSignal;
  readonly emit: (line: BuiltinLine) => void;
  /** @default silenceLimits */
  readonly silence?: SilenceLimits;
  /** @default retryPolicy */
  readonly retries?: RetryPolicy;
}

/** Interval of signs of life, far below any limit on silence. */
const aliveEveryMs = 5000;
const unsaid = 'Carry out your instructions.';

/** Carries out a run. Rejects when stopped, and on bugs of the program. */
export async function runLoop(parts: LoopParts): Promise<BuiltinEnd> {
  const { spec, emit } = parts;
  const sessionId = spec.resume ?? spec.newSessionId;
  let earlier: Messages;
  try {
    earlier = spec.resume === undefined ? [] : await readHistory(spec.stateDir, spec.resume);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    return { kind: 'failed', fault: 'harness', message: error.message };
  }
  const dead: DeadServer[] = [];
  await using mcp = await connect(parts, server => {
    emit(log(`the MCP server ${server.name} cannot be used: ${server.problem}`, 'warning'));
    dead.push(server);
  });
  const missing = dead.find(({ isRequired }) => isRequired);
  if (missing !== undefined) return endWithout(missing);
  return await converse(parts, { sessionId, earlier, mcp });
}

async function connect(
  { spec: { mcpServers, workspace }, env, signal, emit }: LoopParts,
  onDead: (server: DeadServer) => void,
): Promise<McpTools> {
  if (mcpServers.length === 0) return { tools: {}, [Symbol.asyncDispose]: async () => {} };
  // Loaded late, because it is slow to load.
  const { connectMcpServers } = await import('./mcp/mcp.ts');
  const onWarning = (text: string): void => emit(log(text, 'warning'));
  return await connectMcpServers(mcpServers, { env, signal, workspace, onDead, onWarning });
}

function endWithout({ name, problem }: DeadServer): BuiltinFailure {
  return { kind: 'failed', fault: 'mcp_server', message: `${name}: ${problem}` };
}

interface Conversation {
  readonly sessionId: string;
  readonly earlier: Messages;
  readonly mcp: McpTools;
}

async function converse(parts: LoopParts, { sessionId, earlier, mcp }: Conversation): Promise<BuiltinEnd> {
  const { spec, emit } = parts;
  const print = createPrinter(spec);
  const tools = { ...(await createTools(spec, parts.env)), ...mcp.tools };
  const ask = await createAsking(parts, tools);
  const prompt = spec.prompt.trim() === '' ? unsaid : spec.prompt;
  let messages: Messages = [...earlier, { role: 'user', content: prompt }];
  await writeHistory(spec.stateDir, sessionId, { messages, print });
  // Only once there is a conversation to continue.
  emit({ session: sessionId });
  for (let step = 1; step <= spec.stepsMax; step += 1) {
    const outcome = await ask(messages, step);
    if (outcome.kind === 'failed') return outcome;
    messages = [...messages, ...outcome.messages];
    await writeHistory(spec.stateDir, sessionId, { messages, print });
    if (outcome.finish === 'calls') continue;
    const end = endOf(outcome);
    const hasCalled = messages.slice(earlier.length).some(({ role }) => role === 'tool');
    return hasCalled || end.kind !== 'succeeded' ? end : judgeWrittenCalls(end, Object.keys(tools), emit);
  }
  return { kind: 'failed', fault: 'step_limit', message: counted(spec.stepsMax, 'step') };
}

type Answered = Extract<StepOutcome, { readonly kind: 'answered' }>;

function endOf({ finish, text }: Answered): BuiltinEnd {
  if (finish === 'length') return { kind: 'failed', fault: 'output_limit', message: '', text };
  if (finish === 'refusal') return { kind: 'failed', fault: 'refusal', message: text, text };
  return { kind: 'succeeded', text };
}

const unparsed = "a tool call written as text: the model's server does not parse tool calls";

/** The answer that ends a run: no tool was called. */
function judgeWrittenCalls(
  end: Extract<BuiltinEnd, { readonly kind: 'succeeded' }>,
  tools: readonly string[],
  emit: LoopParts['emit'],
): BuiltinEnd {
  const written = findWrittenCalls(end.text, tools);
  if (written === 'all')
    return {
      kind: 'failed',
      fault: 'no_result',
      message: `its answer is ${unparsed}; turn that on there (vLLM: --enable-auto-tool-choice)`,
    };
  if (written === 'part') emit(log(`part of the answer is ${unparsed}`, 'warning'));
  return end;
}

/** Asks until there is an answer or retries are used up. */
async function createAsking(
  { spec, clock, signal, emit, silence = silenceLimits, retries: policy = retryPolicy }: LoopParts,
  tools: ToolSet,
): Promise<(messages: Messages, step: number) => Promise<Answered | BuiltinFailure>> {
  let usage = noUsage;
  let aliveMs = clock.monotonicMs();
  const onByte = (): void => {
    if (clock.monotonicMs() - aliveMs < aliveEveryMs) return;
    aliveMs = clock.monotonicMs();
    emit({ alive: true });
  };
  const asked = await createModel(spec, createWatchedFetch({ clock, limits: silence, onByte }));
  const system = createSystemPrompt(spec, new Date(clock.now()));
  return async (messages, step) => {
    const attempt = async (): Promise<Answered> => {
      usage = { ...usage, requests: usage.requests + 1 };
      const outcome = await takeStep({
        asked,
        system,
        tools,
        messages,
        clock,
        signal,
        emit,
        onAnswer: used => {
          usage = addUsage(usage, used);
          emit({ step });
          emit({ type: 'usage', data: { ...usage } });
        },
      });
      if (outcome.kind === 'answered') return outcome;
      throw new UnansweredError(outcome);
    };
    try {
      return await retry(attempt, {
        retriesMax: policy.retriesMax,
        wait: async (error, retries) => {
          if (!(error instanceof UnansweredError)) return false;
          const delayMs = retryDelayMs(error.fault, retries, policy);
          if (delayMs === undefined) return false;
          const { httpStatus, message } = error.fault;
          const status = httpStatus === undefined ? '' : ` (status ${httpStatus})`;
          emit(
            log(
              `the model did not answer${status}: ${message}; retrying in ${(delayMs / 1000).toFixed(1)} s (retry ${retries + 1} of ${policy.retriesMax})`,
            ),
          );
          await clock.sleep(delayMs, signal);
          return true;
        },
      });
    } catch (error) {
      if (!(error instanceof UnansweredError)) throw error;
      emit({ type: 'usage', data: { ...usage } });
      const { fault, httpStatus, message } = error.fault;
      return { kind: 'failed', fault, httpStatus, message };
    }
  };
}

/** A step without an answer, thrown to the loop that repeats it. */
class UnansweredError extends Error {
  readonly fault: ModelFault;

  constructor(fault: ModelFault) {
    super(fault.message);
    this.fault = fault;
  }
}

function log(text: string, level?: 'warning'): BuiltinLine {
  return { type: 'log', data: { stream: 'system', text: `${text.replace(/\s+/g, ' ')}\n`, ...(level && { level }) } };
}
