import { expect, test } from 'vitest';
import { readMcpCheck } from '../../../../src/server/harness/agents/mcp-check.ts';

const mcpServers = [
  { name: 'a', type: 'stdio', command: 'a', args: [], env: {}, required: false },
  { name: 'b', type: 'stdio', command: 'b', args: [], env: {}, required: true },
] as const;

test('other lines that servers print during the check are not parsed', () => {
  const flood = '{\n'.repeat(400_000);
  const began = performance.now();
  const found = readMcpCheck({ mcpServers, variables: {} }, `${flood}{"server":"b","problem":"it is gone"}\n${flood}`);
  expect(performance.now() - began).toBeLessThan(2000);
  expect(found).toEqual({ dead: [{ name: 'b', isRequired: true, problem: 'it is gone' }], untried: [mcpServers[0]] });
});
