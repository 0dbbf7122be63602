import type { McpServer } from '../src/server/harness/mcp-servers.ts';
import type { ModelScript, ModelTurn } from '../src/testing/index.ts';

/** What a program goes through, for the record. */
export interface AgentCase {
  readonly script: ModelScript;
  /** What the model answered in a run before, which this one goes on with. */
  readonly before?: ModelScript;
  /** A session that there is not. */
  readonly resume?: string;
  readonly key?: string;
  readonly mcpServers?: readonly McpServer[];
  readonly steps?: number;
  readonly isUnreachable?: boolean;
  /** Sent to the program's group when its shell tool has written `started`. */
  readonly signal?: NodeJS.Signals;
}

const always =
  (turn: ModelTurn): ModelScript =>
  () =>
    turn;
const shell = (command: string): ModelTurn => ({ tools: [{ shell: command }] });
const usage = { input: 1000, output: 20, cached: 300, reasoning: 5 };
const started = shell('touch started; for i in 1 2 3 4 5 6 7 8; do sleep 1; done');

const notes = `
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tool = { name: 'read_note', description: 'Reads a note', inputSchema: { type: 'object', properties: { id: { type: 'string' } } } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { id } }) =>
    id === '0' ? { content: [{ type: 'text', text: 'no such note' }], isError: true } : { content: [{ type: 'text', text: 'note ' + id }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) send(answers[method] ? { id, result: answers[method](params) } : { id, error: { code: -32601, message: 'unknown' } });
});
`;
const noteServer: McpServer = {
  type: 'stdio',
  name: 'notes',
  command: 'node',
  args: ['-e', notes],
  env: {},
  required: false,
};
const deadServer = (required: boolean): McpServer => ({
  type: 'stdio',
  name: 'dead',
  command: 'false',
  args: [],
  env: {},
  required,
});
const readNote = (id: string): ModelTurn => ({
  tools: [{ mcp: { server: 'notes', tool: 'read_note', input: { id } } }],
});

export const agentCases: Readonly<Record<string, AgentCase>> = {
  success: {
    script: [
      { text: 'I look first.', tools: [{ shell: 'echo one; echo two >&2' }], reasoning: 'Where am I?', usage },
      { tools: [{ write: { path: 'note.txt', content: 'hello\n' } }], usage },
      { text: 'It is done.', usage },
    ],
  },
  'failing-tool': { script: [shell('echo broken; exit 3'), { text: 'It failed.' }] },
  'parallel-tools': {
    script: [
      { tools: [{ shell: 'echo one' }, { shell: 'echo two' }], usage },
      { text: 'Both.', usage },
    ],
  },
  'mcp-tool': { script: [readNote('7'), readNote('0'), { text: 'Read.' }], mcpServers: [noteServer] },
  'dead-mcp': { script: [{ text: 'Fine without.' }], mcpServers: [deadServer(false)] },
  'dead-required-mcp': { script: [{ text: 'Fine without.' }], mcpServers: [deadServer(true)] },
  resume: { before: [{ text: 'First.', usage }], script: [{ text: 'Second.', usage }] },
  'resume-unknown': { resume: '01920000-0000-7000-8000-000000000000', script: [{ text: 'Never.' }] },
  400: { script: always({ status: 400, error: 'tools are not supported' }) },
  401: { script: always({ text: 'Never.' }), key: 'wrong' },
  404: { script: always({ status: 404, error: 'The model `m-1` does not exist or you do not have access to it.' }) },
  429: { script: always({ status: 429, error: 'slow down', headers: { 'retry-after': '0' } }) },
  '429-then-fine': {
    script: [
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 429, headers: { 'retry-after': '0' } },
      { text: 'At last.', usage },
    ],
  },
  500: { script: always({ status: 500, error: 'out of order' }) },
  'too-long': {
    script: always({
      status: 400,
      error: 'prompt is too long: 210000 tokens > 200000 maximum',
      code: 'context_length_exceeded',
    }),
  },
  /** Of programs that then have the model sum up the conversation. */
  compaction: {
    script: [
      { text: 'I look.', tools: [{ shell: 'echo seen' }], usage },
      {
        status: 400,
        error: 'prompt is too long: 210000 tokens > 200000 maximum',
        code: 'context_length_exceeded',
      },
      { text: 'The summary of what was done.', usage },
      { text: 'It is done.', usage },
    ],
  },
  'cut-stream': { script: always({ text: 'It is cut here, in the middle of it.', cutAfterChunks: 3 }) },
  'stream-error': { script: always({ text: 'Something', streamError: 'the model has a fever' }) },
  refusal: { script: always({ refusal: 'I will not do that.' }) },
  'output-limit': { script: always({ text: 'A long text that', stop: 'length' }) },
  'output-limit-empty': { script: always({ text: '', stop: 'length' }) },
  empty: { script: always({ text: '' }) },
  'step-limit': { script: always(shell('echo again')), steps: 2 },
  unreachable: { script: [], isUnreachable: true },
  sigterm: { script: [started, { text: 'Never.' }], signal: 'SIGTERM' },
  sigint: { script: [started, { text: 'Never.' }], signal: 'SIGINT' },
};
