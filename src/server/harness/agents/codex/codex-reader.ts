import { join } from 'node:path';
import type { JsonObject } from '../../../../base/json.ts';
import { ellipsis } from '../../../../base/text.ts';
import type { EventDraft } from '../../../../contract/events.ts';
import type { AgentReader, AgentSpec } from '../adapter.ts';
import {
  createMessage,
  type RunUsage,
  readExitCode,
  readObject,
  readText,
  remember,
  tellLine,
} from '../event-parts.ts';
import { explainCodexFailure, explainCodexStart } from './codex-fault.ts';
import { readCall } from './codex-items.ts';
import { codexHome } from './codex-launch.ts';
import { openSessionLog, readThreadTokens, type SessionLog, type ThreadTokens } from './session-log.ts';

const thoughtMax = 400;

/**
 * Reads the lines of `exec --json`: `thread.started`, then items as they start and complete, and `turn.completed` or
 * `turn.failed` at the end. An `error` in between is a retry, or the reason of a later failure. Its usage covers the
 * thread over all its runs, and comes only after a successful turn. Otherwise usage comes from the thread's log.
 */
export function createCodexReader({ stateDir, resume }: Pick<AgentSpec, 'stateDir' | 'resume'>): AgentReader {
  const openLog = (threadId: string): SessionLog => openSessionLog(join(stateDir, codexHome), threadId);
  const started = new Set<string>();
  const openCalls = new Set<string>();
  let log = resume === undefined ? undefined : openLog(resume);
  // Earlier records belong to earlier runs, so read all of them first.
  while (log?.update() === true);
  const before = { tokens: log?.tokens, answers: log?.answers ?? 0 };
  let threadId: string | undefined;
  /** A thread is named before its first turn begins, and stored only then. */
  let isKept = false;
  /** Answers as far as items show them: two calls of one answer look like two answers. */
  let guessedSteps = 0;
  let isAnswering = false;
  let text = '';
  let complaint: string | undefined;
  let end: 'completed' | 'failed' | undefined;
  let told = '';

  const countSteps = (): number => Math.max(0, (log?.answers ?? 0) - before.answers) || guessedSteps;
  const reportUsage = (tokens: ThreadTokens | undefined): readonly EventDraft[] => {
    // Earlier usage of the thread is unknown, and no number is better than a wrong one.
    if (tokens === undefined || (resume !== undefined && before.tokens === undefined)) return [];
    const since = (name: keyof ThreadTokens) => Math.max(0, tokens[name] - (before.tokens?.[name] ?? 0));
    const usage: RunUsage = {
      input_tokens: since('input_tokens'),
      output_tokens: since('output_tokens'),
      cached_tokens: since('cached_tokens'),
      reasoning_tokens: since('reasoning_tokens'),
      requests: countSteps(),
    };
    const json = JSON.stringify(usage);
    if (json === told || usage.input_tokens + usage.output_tokens === 0) return [];
    told = json;
    return [{ type: 'usage', data: { ...usage } }];
  };
  const reportLoggedUsage = (): readonly EventDraft[] => {
    log?.update();
    return (log?.answers ?? 0) > before.answers ? reportUsage(log?.tokens) : [];
  };
  const beginAnswer = (): void => {
    complaint = undefined;
    // The end of an earlier turn is not that of this one.
    end = undefined;
    if (!isAnswering) guessedSteps += 1;
    isAnswering = true;
  };
  const reportComplaint = (said: string): readonly EventDraft[] => {
    complaint = said;
    // A successful turn clears earlier complaints.
    if (end === 'completed') end = 'failed';
    return [tellLine(`Codex: ${said}`)];
  };

  const readCallItem = (item: JsonObject, isCompleted: boolean): readonly EventDraft[] => {
    const call = readCall(item);
    if (call === undefined) return [];
    const id = readText(item.id);
    const events: EventDraft[] = [];
    if (!started.has(id)) {
      beginAnswer();
      remember(started, id);
      text = '';
      if (!call.isDelegate) remember(openCalls, id);
      events.push({ type: 'tool_call', data: { id, name: call.name, input: call.input } });
    }
    if (isCompleted) {
      isAnswering = false;
      openCalls.delete(id);
      const exit = readExitCode(call.exit_code);
      events.push({ type: 'tool_result', data: { id, output: call.output, is_error: call.isError, ...exit } });
    }
    return events;
  };

  const readCompleted = (item: JsonObject): readonly EventDraft[] => {
    switch (item.type) {
      case 'agent_message':
        beginAnswer();
        text = readText(item.text);
        return text.trim() === '' ? [] : [createMessage(text)];
      case 'reasoning':
        beginAnswer();
        return [tellLine(`thinking: ${ellipsis(readText(item.text), thoughtMax)}`)];
      case 'error':
        // Printed in every run with a model that is newer than the program. The model works anyway.
        if (/^Model metadata for \S+ not found/.test(readText(item.message))) return [];
        // A warning, unless it ends the turn.
        return end === 'completed'
          ? reportComplaint(readText(item.message))
          : [tellLine(`Codex: ${readText(item.message)}`)];
      default:
        return readCallItem(item, true);
    }
  };

  return {
    read(event) {
      switch (event.type) {
        case 'thread.started':
          threadId = readText(event.thread_id) || undefined;
          if (threadId !== undefined) log ??= openLog(threadId);
          return [];
        case 'turn.started':
          isKept = true;
          end = undefined;
          text = '';
          return [];
        case 'item.started':
          return [...readCallItem(readObject(event.item), false), ...reportLoggedUsage()];
        case 'item.completed':
          return [...readCompleted(readObject(event.item)), ...reportLoggedUsage()];
        case 'error':
          return reportComplaint(readText(event.message));
        case 'turn.failed':
          end = 'failed';
          complaint = readText(readObject(event.error).message) || complaint;
          return reportLoggedUsage();
        case 'turn.completed':
          end = 'completed';
          log?.update();
          return reportUsage(readThreadTokens(event.usage));
        default:
          return [];
      }
    },
    claim({ outputTail }) {
      if (end === 'completed') return { kind: 'succeeded', text };
      if (complaint !== undefined) return { kind: 'failed', text, ...explainCodexFailure(complaint) };
      const fault = threadId === undefined ? explainCodexStart(outputTail) : undefined;
      return fault === undefined ? { kind: 'none', text } : { kind: 'failed', ...fault };
    },
    get steps() {
      return countSteps();
    },
    get isToolRunning() {
      return openCalls.size > 0;
    },
    get sessionId() {
      return isKept ? threadId : undefined;
    },
  };
}
