/**
 * The agent programs that this version was tested with. None is shipped: users install them themselves, or with the
 * command.
 */
export interface AgentProgram {
  /** Display name. */
  readonly title: string;
  /** Package of the maker on npm's registry. */
  readonly package: string;
  readonly version: string;
  /** Path of its program in the package's folder. The server's Node runs JavaScript. */
  readonly file: string;
  /** JavaScript in the package's folder that must run once after unpacking. */
  readonly setup?: string;
  readonly licence: string;
  /** Size on the disk, on Linux. */
  readonly megabytes: number;
}

/** By the name of the agent, which is also that of its program. */
export const agentPrograms = {
  claude: {
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    file: 'bin/claude.exe',
    setup: 'install.cjs',
    licence: 'proprietary, https://code.claude.com/docs/en/legal-and-compliance',
    megabytes: 390,
  },
  codex: {
    title: 'Codex',
    package: '@openai/codex',
    version: '0.171.0',
    file: 'bin/codex.js',
    licence: 'Apache-2.0',
    megabytes: 430,
  },
  gemini: {
    title: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    file: 'bundle/gemini.js',
    licence: 'Apache-2.0',
    megabytes: 100,
  },
  opencode: {
    title: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    file: 'bin/opencode.exe',
    setup: 'postinstall.mjs',
    licence: 'MIT',
    megabytes: 360,
  },
} as const satisfies Readonly<Record<string, AgentProgram>>;

export type AgentProgramName = keyof typeof agentPrograms;

export function isAgentProgramName(name: string): name is AgentProgramName {
  return Object.hasOwn(agentPrograms, name);
}
