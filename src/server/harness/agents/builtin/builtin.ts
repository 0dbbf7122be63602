import { fileURLToPath } from 'node:url';
import { siblingProgram } from '../../../../base/process/sibling-program.ts';
import { type AgentAdapter, modelApis } from '../adapter.ts';
import { createBuiltinReader } from './builtin-reader.ts';

/** The agent that comes with the server: a loop of its own (builtin-agent.ts), which needs nothing installed. */
export const builtinAdapter: AgentAdapter = {
  title: 'the built-in agent',
  apis: modelApis,
  program: { file: fileURLToPath(siblingProgram('builtin-agent', import.meta.url)) },
  versionArgs: ['--version'],
  /** Everything goes through standard input: what it is asked, and the key, which so is in no environment that a tool inherits. */
  launch: spec => ({ args: [], env: {}, stdin: JSON.stringify(spec), files: [] }),
  createReader: () => createBuiltinReader(),
};
