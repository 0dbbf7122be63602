/**
 * An MCP server that is a program, with one message per line. The library's own transport ignores a line that it
 * cannot parse, so an answer after a prompt, or one over several lines, would be waited for until the timeout. This
 * one quotes the line.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';

/** Time for another message after a line that looked like an answer: servers log what they send, too. */
const answerMs = 1000;
/** Grace to end by itself after its input has ended. */
const endMs = 200;
/** Limit on quoted output. It is redacted where it is shown, before it is shortened further. */
const unreadMax = 10_000;
const lineMax = 16 * 1024 * 1024;

export interface StdioProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export class StdioTransport implements Transport {
  onclose?: Transport['onclose'];
  onmessage?: Transport['onmessage'];
  /** Why it was closed without a request. */
  problem: string | undefined;
  readonly #program: StdioProgram;
  readonly #quietMs: number;
  #child: ChildProcess | undefined;
  #rest = '';
  #unread = '';
  #hasSpoken = false;
  #timer: NodeJS.Timeout | undefined;

  /** A program that printed text gets `quietMs` for its first message. */
  constructor(program: StdioProgram, quietMs: number) {
    this.#program = program;
    this.#quietMs = quietMs;
  }

  async start(): Promise<void> {
    const { command, args, ...place } = this.#program;
    const child = spawn(command, args, { ...place, stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
    this.#child = child;
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    child.on('close', () => {
      clearTimeout(this.#timer);
      this.onclose?.();
    });
    await once(child, 'spawn').catch(error => {
      throw error?.code === 'ENOENT' ? new Error(`program ${JSON.stringify(command)} not found on its PATH`) : error;
    });
    child.on('error', () => {});
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    const timer = setTimeout(() => child.kill(), endMs);
    await once(child, 'close');
    clearTimeout(timer);
  }

  #read(chunk: string): void {
    this.#rest += chunk;
    if (chunk.includes('\n')) {
      const lines = this.#rest.split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') this.#readLine(line.trim());
    }
    clearTimeout(this.#timer);
    if (this.#rest.length > lineMax) this.#fail('it printed a line of more than 16 MiB to its standard output');
    if (this.problem !== undefined) return;
    const rest = this.#hasSpoken ? '' : this.#rest.slice(0, unreadMax);
    const text = `${this.#unread}\n${rest}`.trim().slice(0, unreadMax);
    const isAnswer = text.includes('"jsonrpc"') && /"(result|error)"/.test(text);
    // Text alone is not a fault: servers print greetings and progress.
    if (text === '' || (this.#hasSpoken && !isAnswer)) return;
    const problem = `it printed something other than an MCP message to its standard output: ${JSON.stringify(text)}`;
    this.#timer = setTimeout(() => this.#fail(problem), isAnswer ? answerMs : this.#quietMs);
  }

  #fail(problem: string): void {
    this.problem = problem;
    this.#rest = '';
    void this.close();
  }

  #readLine(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch {
      if (this.#unread.length < unreadMax) this.#unread = `${this.#unread}\n${line}`.trimStart();
      return;
    }
    [this.#hasSpoken, this.#unread] = [true, ''];
    this.onmessage?.(message);
  }
}
