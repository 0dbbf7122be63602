/** The agent programs that this version was tried with. None of them is shipped: whoever wants one has it installed, or installs it with the command. */
export interface AgentProgram {
  /** What people call it. */
  readonly title: string;
  /** On npm's registry, from whoever makes it. */
  readonly package: string;
  readonly version: string;
  /** Its program, below the folder of the package; JavaScript is run by the Node of the server. */
  readonly file: string;
  /** JavaScript below the folder of the package that has to run once after it was unpacked. */
  readonly setup?: string;
  readonly licence: string;
  /** On the disk, on Linux. */
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
