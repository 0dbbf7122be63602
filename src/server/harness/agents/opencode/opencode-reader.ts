import { isObject, type JsonObject } from '../../../../base/json.ts';
import { ellipsis } from '../../../../base/text.ts';
import type { EventDraft } from '../../../../contract/events.ts';
import type { AgentClaim, AgentReader, AgentSpec } from '../adapter.ts';
import {
  createMessage,
  createWarning,
  nameTool,
  readExitCode,
  readObject,
  readText,
  remember,
  tellLine,
} from '../event-parts.ts';
import { explainOpencodeError, unwrapMessage } from './opencode-faults.ts';
import { createUsageSum } from './opencode-usage.ts';

/** Lines with a part of an answer: those of the plugin, and the program's own. */
const partLines: ReadonlySet<unknown> = new Set(['agent_run_part', 'step_start', 'text', 'tool_use', 'step_finish']);
/** Starts a subagent. Its silence is that of a model, not of a tool. */
const delegate = 'task';
const thoughtMax = 400;
/** Per answer: events of tool calls that wait for the text before them. */
const heldMax = 50;

/**
 * Reads the lines of `--format json` and those of the plugin (opencode-plugin.ts), which reports the same parts
 * earlier. The first report of a part counts. The program does not report its end: it succeeded if its last answer
 * ended with `stop` and no error followed.
 */
export function createOpencodeReader({
  mcpServers,
  deadServers,
}: Pick<AgentSpec, 'mcpServers' | 'deadServers'>): AgentReader {
  /** Finished parts and calls. */
  const done = new Set<string>();
  const reportedCalls = new Set<string>();
  const openCalls = new Set<string>();
  const openTexts = new Set<string>();
  /** Messages in which the program summarizes the conversation. */
  const summaries = new Set<string>();
  /** Events of calls that began before the text before them was complete. */
  let held: EventDraft[] = [];
  const usage = createUsageSum();
  const dead = new Set(deadServers);
  let sessionId: string | undefined;
  let steps = 0;
  /** Without those of subagents. */
  let ownSteps = 0;
  /** Text of the last answer. */
  let answer = '';
  /** How the last answer ended. Undefined while there is none or it is in progress. */
  let reason: string | undefined;
  let error: unknown;
  /**
   * Answers that had begun before the error, and those up to the last that ended. A later answer clears an error; the
   * answer that it interrupted does not.
   */
  let errorStep = 0;
  let endedStep = 0;
  /** By the lines of the program. They come later than those of the plugin, but in the order of its errors. */
  const begun = new Set<string>();

  const finish = (id: string): boolean => {
    if (done.has(id)) return false;
    remember(done, id);
    return true;
  };
  const release = (): readonly EventDraft[] => {
    if (openTexts.size > 0 && held.length < heldMax) return [];
    const events = held;
    held = [];
    return events;
  };
  const readWords = (part: JsonObject): readonly EventDraft[] => {
    const id = readText(part.id);
    if (done.has(id) || !isObject(part.time)) return [];
    if (part.time.end === undefined) {
      remember(openTexts, id);
      return [];
    }
    finish(id);
    openTexts.delete(id);
    const text = readText(part.text);
    if (part.type === 'text') answer += text;
    if (text.trim() === '') return release();
    const told = part.type === 'text' ? createMessage(text) : tellLine(`thinking: ${ellipsis(text, thoughtMax)}`);
    return [told, ...release()];
  };
  const readTool = (part: JsonObject): readonly EventDraft[] => {
    const id = readText(part.callID);
    if (done.has(id)) return [];
    const name = readText(part.tool);
    const { status, input = {}, output = '', error: fault = '', metadata } = readObject(part.state);
    if (!reportedCalls.has(id)) {
      remember(reportedCalls, id);
      if (name !== delegate) remember(openCalls, id);
      held.push({ type: 'tool_call', data: { id, name: nameTool(name, '', mcpServers), input } });
    }
    const isError = status === 'error';
    if (status === 'completed' || isError) {
      finish(id);
      openCalls.delete(id);
      const exit = readExitCode(readObject(metadata).exit);
      held.push({ type: 'tool_result', data: { id, output: isError ? fault : output, is_error: isError, ...exit } });
    }
    return release();
  };
  const readPart = (part: JsonObject, isProgram: boolean): readonly EventDraft[] => {
    sessionId ??= readText(part.sessionID) || undefined;
    // A subagent has its own session: its answers count as usage, but not as answers of the run. The same goes for
    // summaries, and for the program's messages to the model.
    const isOwn = part.sessionID === sessionId && !summaries.has(readText(part.messageID)) && part.synthetic !== true;
    switch (part.type) {
      case 'step-start':
        if (isOwn && isProgram) remember(begun, readText(part.id));
        if (!finish(readText(part.id))) return [];
        steps += 1;
        if (!isOwn) return [];
        ownSteps += 1;
        answer = '';
        reason = undefined;
        openTexts.clear();
        return release();
      case 'reasoning':
      case 'text':
        return isOwn ? readWords(part) : [];
      case 'tool':
        return readTool(part);
      case 'step-finish':
        if (!finish(readText(part.id))) return [];
        if (isOwn) {
          reason = readText(part.reason);
          endedStep = ownSteps;
          openTexts.clear();
        }
        return [...release(), { type: 'usage', data: { ...usage.add(part) } }];
      default:
        return [];
    }
  };
  const readSession = ({ sessionID, parentID, status }: JsonObject): readonly EventDraft[] => {
    if (parentID === undefined) sessionId ??= readText(sessionID) || undefined;
    if (!isObject(status)) return [];
    const message = unwrapMessage(readText(status.message));
    return [tellLine(`the model did not answer: ${message}; starting try ${Number(status.attempt) + 1}`)];
  };
  const readServers = (servers: unknown): readonly EventDraft[] =>
    mcpServers.flatMap(({ name }) => {
      const { status, error: fault } = readObject(readObject(servers)[name]);
      if (status === undefined || status === 'connected' || dead.has(name)) return [];
      dead.add(name);
      return [createWarning(`the MCP server ${name} cannot be used: ${readText(fault) || readText(status)}`)];
    });
  return {
    read(event) {
      if (partLines.has(event.type)) return readPart(readObject(event.part), event.type !== 'agent_run_part');
      switch (event.type) {
        case 'agent_run_session':
          return readSession(event);
        case 'agent_run_summary':
          remember(summaries, readText(event.messageID));
          return [tellLine('opencode: summarizing the conversation to shorten it')];
        case 'agent_run_mcp':
          return readServers(event.servers);
        case 'error':
          sessionId ??= readText(event.sessionID) || undefined;
          error = event.error;
          errorStep = begun.size;
          return [tellLine(`opencode: ${explainOpencodeError(error).message}`)];
        default:
          return [];
      }
    },
    claim() {
      if (error !== undefined && errorStep >= endedStep)
        return { kind: 'failed', text: answer, ...explainOpencodeError(error) };
      const claim = judge(reason, answer, error !== undefined);
      const missing = mcpServers.find(({ name, required }) => required && dead.has(name));
      if (claim.kind !== 'succeeded' || missing === undefined) return claim;
      return { ...claim, kind: 'failed', fault: 'mcp_server', message: missing.name };
    },
    get steps() {
      return steps;
    },
    get isToolRunning() {
      return openCalls.size > 0;
    },
    get sessionId() {
      return sessionId;
    },
  };
}

/** By how the last answer ended. After any error the program exits with 1. */
function judge(reason: string | undefined, text: string, isOvercome: boolean): AgentClaim {
  if (reason === undefined) return { kind: 'none', text };
  if (reason === 'stop') return { kind: 'succeeded', text, ...(isOvercome && { exitCode: 1 }) };
  if (reason === 'length') return { kind: 'failed', text, fault: 'output_limit', message: '' };
  if (reason === 'content-filter') return { kind: 'failed', text, fault: 'refusal', message: '' };
  return { kind: 'failed', text, fault: 'harness', message: `its last answer ended with ${JSON.stringify(reason)}` };
}
