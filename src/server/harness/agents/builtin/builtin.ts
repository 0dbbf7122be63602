import { fileURLToPath } from 'node:url';
import { type AgentAdapter, modelApis } from '../adapter.ts';
import { createBuiltinReader } from './builtin-reader.ts';

// Beside this file, as source or as built: whichever this one is.
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** The agent that comes with the server: a loop of its own (builtin-agent.ts), which needs nothing installed. */
export const builtinAdapter: AgentAdapter = {
  title: 'the built-in agent',
  apis: modelApis,
  program: { file: fileURLToPath(new URL(`./builtin-agent.${ending}`, import.meta.url)) },
  versionArgs: ['--version'],
  /** Everything goes through standard input: what it is asked, and the key, which so is in no environment that a tool inherits. */
  launch: spec => ({ args: [], env: {}, stdin: JSON.stringify(spec), files: [] }),
  createReader: () => createBuiltinReader(),
};
