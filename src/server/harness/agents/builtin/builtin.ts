import { fileURLToPath } from 'node:url';
import { siblingProgram } from '../../../../base/process/sibling-program.ts';
import { type AgentAdapter, modelApis } from '../adapter.ts';
import { createBuiltinReader } from './builtin-reader.ts';

/** The agent that comes with the server: its own loop (builtin-agent.ts), which needs no installation. */
export const builtinAdapter: AgentAdapter = {
  title: 'the built-in agent',
  apis: modelApis,
  program: { file: fileURLToPath(siblingProgram('builtin-agent', import.meta.url)) },
  versionArgs: ['--version'],
  /** Standard input carries everything, including the key, so no environment that a tool inherits contains it. */
  launch: spec => ({ args: [], env: {}, stdin: JSON.stringify(spec), files: [] }),
  createReader: () => createBuiltinReader(),
};
