import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelMessage } from 'ai';
import type { PrintJson } from './redacted-json.ts';

/** A conversation without its system prompt: tasks, answers, tool calls and their results. */
export type Messages = readonly ModelMessage[];

/** The file is missing, or was not written by this version. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

interface HistoryFile {
  readonly version: 1;
  readonly messages: Messages;
}

const idForm = /^[A-Za-z0-9-]{1,64}$/;

/** Throws HistoryError. */
export async function readHistory(stateDir: string, sessionId: string): Promise<Messages> {
  let text: string;
  try {
    text = await readFile(locate(stateDir, sessionId), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new HistoryError(`there is no conversation ${JSON.stringify(sessionId)} to continue`);
  }
  const file = parse(text);
  if (file?.version !== 1)
    throw new HistoryError(`the conversation ${JSON.stringify(sessionId)} was saved by another version or is damaged`);
  return file.messages;
}

/** Atomic, and readable by this user only. */
export async function writeHistory(
  stateDir: string,
  sessionId: string,
  { messages, print }: { readonly messages: Messages; readonly print: PrintJson },
): Promise<void> {
  const path = locate(stateDir, sessionId);
  await writeFile(`${path}.new`, print({ version: 1, messages } satisfies HistoryFile), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function locate(stateDir: string, sessionId: string): string {
  if (!idForm.test(sessionId)) throw new HistoryError(`${JSON.stringify(sessionId)} is not a conversation id`);
  return join(stateDir, `conversation-${sessionId}.json`);
}

function parse(text: string): HistoryFile | undefined {
  try {
    return JSON.parse(text) as HistoryFile;
  } catch {
    return undefined;
  }
}
