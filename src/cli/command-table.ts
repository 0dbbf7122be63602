/** The commands and their flags, as data. Parsing, `--help` and docs/cli.md are made from this one table. */
export interface Flag {
  readonly name: string;
  /** What stands for its value in the help; a flag without one is a switch. */
  readonly value?: string;
  readonly isRepeatable?: true;
  readonly summary: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The one word that it takes in addition to flags, or several. */
  readonly word?: { readonly name: string; readonly isRequired: boolean; readonly isRepeatable?: true };
  /** What a person has to know and the flags do not say; a line each. */
  readonly notes: readonly string[];
  readonly flags: readonly Flag[];
  readonly example: string;
}

const help = { name: 'help', summary: 'Show this help' } as const;
const json = { name: 'json', summary: 'Print JSON on stdout instead of text' } as const;
const connection = [
  { name: 'base-url', value: 'URL', summary: 'Address of the server (else AGENT_RUN_BASE_URL)' },
  { name: 'api-key', value: 'KEY', summary: 'API key (else AGENT_RUN_API_KEY; ps shows flags)' },
  { name: 'allow-http', summary: 'Allow sending the key to another host over plain http' },
] as const;
const runId = { name: 'RUN_ID', isRequired: true } as const;

const table = [
  {
    name: 'serve',
    summary: 'Run the server on this machine',
    notes: [
      'Flags override AGENT_RUN_* variables, which override agent-run.yaml.',
      'Ctrl-C or SIGTERM lets running agents finish; a second one ends them.',
      'SIGHUP reloads the TLS certificate and key. AGENT_RUN_LOG=debug logs more.',
    ],
    flags: [
      { name: 'host', value: 'ADDRESS', summary: 'Address to listen on (127.0.0.1)' },
      { name: 'port', value: 'PORT', summary: 'Port to listen on (7420); 0 picks a free one' },
      { name: 'data', value: 'DIR', summary: 'Data folder (.agent-run)' },
      { name: 'config', value: 'FILE', summary: 'Configuration file (agent-run.yaml, if it exists)' },
      { name: 'tls-cert', value: 'FILE', summary: 'PEM certificate chain; turns on https' },
      { name: 'tls-key', value: 'FILE', summary: 'PEM private key of the certificate' },
      { name: 'behind-proxy', summary: 'A proxy in front terminates TLS; allows any --host' },
      help,
    ],
    example: 'agent-run serve --data /var/lib/agent-run',
  },
  {
    name: 'run',
    summary: 'Start a run, follow it and print its result',
    word: { name: 'PROMPT', isRequired: false },
    notes: [
      'Needs a prompt, a skill or a conversation. PROMPT "-" reads standard input.',
      'Progress goes to stderr, the result to stdout.',
      'Ctrl-C cancels the run; a second Ctrl-C exits at once.',
      'If this command is killed, the server cancels the run 7 minutes later.',
      'If the agent asks a question (BLOCKED), this exits with 1 and the run waits.',
      'With several --skill, the first is the task; the agent may read the others.',
      '--json prints the run when it is over; with --no-wait, the created run.',
    ],
    flags: [
      { name: 'prompt', value: 'TEXT', summary: 'The task, same as PROMPT' },
      { name: 'prompt-file', value: 'FILE', summary: 'File with the task' },
      {
        name: 'skill',
        value: 'SPEC',
        isRepeatable: true,
        summary: 'owner/repo:skill-name or owner/repo:path/to/SKILL.md',
      },
      { name: 'harness', value: 'NAME', summary: 'Agent, as the server names it' },
      { name: 'model', value: 'ID', summary: 'Model, as its provider names it' },
      { name: 'environment', value: 'ID', summary: 'Environment to work in, by name or id' },
      { name: 'conversation', value: 'ID', summary: 'Continue this conversation, or that of this run' },
      { name: 'interactive', summary: 'Tell the agent how to ask you questions' },
      { name: 'base-prompt', value: 'TEXT', summary: 'Instructions before those of the skill' },
      { name: 'mcp-servers', value: 'FILE', summary: 'MCP servers: a file such as .mcp.json, or the text' },
      { name: 'output-schema', value: 'FILE', summary: 'JSON Schema of the result: a file, or the text' },
      { name: 'metadata', value: 'PAIR', isRepeatable: true, summary: 'Label, key=value; repeatable' },
      { name: 'name', value: 'NAME', summary: 'Label for grouping and filters' },
      { name: 'title', value: 'TEXT', summary: 'Title (default: made from the prompt)' },
      { name: 'timeout-minutes', value: 'N', summary: 'Cancel the run if it is not over by then' },
      { name: 'no-wait', summary: 'Start the run, print its id and exit' },
      ...connection,
      json,
      help,
    ],
    example: 'agent-run run "Why is test/cart.test.ts red?" > answer.md',
  },
  {
    name: 'follow',
    summary: 'Follow a run from its first event to its end',
    word: runId,
    notes: ['Ctrl-C stops following; the run continues.', '--json prints the events, one JSON object per line.'],
    flags: [...connection, json, help],
    example: 'agent-run follow 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55',
  },
  {
    name: 'followup',
    summary: 'Answer a BLOCKED run and follow it',
    word: { name: 'RUN_ID MESSAGE', isRequired: true, isRepeatable: true },
    notes: [
      'MESSAGE "-" reads standard input.',
      'For a run that is over, use agent-run run --conversation ID instead.',
      'Ctrl-C stops following; the run continues.',
      '--json prints the new events; with --no-wait, {"run_id": "..."}.',
    ],
    flags: [{ name: 'no-wait', summary: 'Send the message and exit' }, ...connection, json, help],
    example: 'agent-run followup 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55 "Take the blue one."',
  },
  {
    name: 'list',
    summary: 'List runs, newest first',
    notes: ['Times are RFC 3339, such as 2030-01-31T12:00:00Z.', '--json prints an array of runs, without results.'],
    flags: [
      { name: 'state', value: 'STATE', isRepeatable: true, summary: 'Only this state; repeatable' },
      { name: 'name', value: 'NAME', summary: 'Only runs with this name' },
      { name: 'created-after', value: 'TIME', summary: 'Created at this time or later' },
      { name: 'created-before', value: 'TIME', summary: 'Created before this time' },
      { name: 'limit', value: 'N', summary: 'Maximum number of runs (20)' },
      ...connection,
      json,
      help,
    ],
    example: 'agent-run list --state FAILED --state ERROR --limit 5',
  },
  {
    name: 'get',
    summary: 'Show one run as it is now',
    word: runId,
    notes: [],
    flags: [...connection, json, help],
    example: 'agent-run get --json 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55',
  },
  {
    name: 'artifacts',
    summary: 'List what a run left, or download its files',
    word: runId,
    notes: [
      '--download keeps the paths below DIR and prints those of the new files.',
      'It never overwrites a file: one that exists makes the exit code 1.',
      '--json prints an array of artifacts; a downloaded file has a "path".',
    ],
    flags: [
      { name: 'download', value: 'DIR', summary: 'Folder for the files; created if missing' },
      ...connection,
      json,
      help,
    ],
    example: 'agent-run artifacts 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55 --download left',
  },
  {
    name: 'cancel',
    summary: 'Cancel a run that is not over',
    word: runId,
    notes: ['--json prints {"run_id": "..."}.'],
    flags: [{ name: 'reason', value: 'TEXT', summary: 'Reason, shown on the run' }, ...connection, json, help],
    example: 'agent-run cancel 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55',
  },
  {
    name: 'skills',
    summary: 'List the skills that a run can use',
    word: { name: 'OWNER/REPO', isRequired: false },
    notes: [
      'Without OWNER/REPO, lists all checkouts. GitHub is asked for one repository.',
      'The column SKILL is what `run --skill` takes.',
      '--json prints an array of {"name", "variants"}.',
    ],
    flags: [
      { name: 'sort-by', value: 'ORDER', summary: 'name, or last_run: last used first (name)' },
      { name: 'refresh', summary: 'Skip the cache and ask GitHub again' },
      ...connection,
      json,
      help,
    ],
    example: 'agent-run skills octo-org/shop --sort-by last_run',
  },
  {
    name: 'environments',
    summary: 'List the environments that a run can use',
    notes: ['The column NAME is what `run --environment` takes.', '--json prints an array of environments.'],
    flags: [...connection, json, help],
    example: 'agent-run environments',
  },
  {
    name: 'agents',
    summary: 'List, install or remove agent programs',
    word: { name: 'install NAME... | remove NAME[@VERSION]...', isRequired: false, isRepeatable: true },
    notes: [
      'Without arguments, lists the agents and the programs found for them.',
      "install gets the tested versions from npm, under their makers' licenses.",
      'They go to AGENT_RUN_AGENTS or ~/.agent-run/agents, where servers find them.',
      'remove deletes all versions, or one. It keeps a program that is running.',
      '--json prints an array of what was listed, installed or removed.',
    ],
    flags: [json, help],
    example: 'agent-run agents install claude codex',
  },
  {
    name: 'doctor',
    summary: 'Check whether a server with this configuration works',
    notes: [
      'Checks programs, endpoints, git, repositories, containers, data folder, TLS.',
      'Starts no server. Sends git tokens to their hosts, model keys only with --call.',
      'Exits with 1 if something does not work. Warnings do not count.',
      '--json: {"ok": true, "findings": [{"subject", "status", "text", "remedy"}]}.',
    ],
    flags: [
      { name: 'config', value: 'FILE', summary: 'Configuration file (agent-run.yaml, if it exists)' },
      { name: 'data', value: 'DIR', summary: 'Data folder (.agent-run)' },
      { name: 'call', summary: 'Ask each model one short question (may cost money)' },
      json,
      help,
    ],
    example: 'agent-run doctor --call',
  },
  {
    name: 'help',
    summary: 'Show how to use a command',
    word: { name: 'COMMAND', isRequired: false },
    notes: [],
    flags: [help],
    example: 'agent-run help run',
  },
] as const satisfies readonly Command[];

export type CommandName = (typeof table)[number]['name'];
export type FlagName = (typeof table)[number]['flags'][number]['name'];

export const commands: readonly (Command & { readonly name: CommandName })[] = table;

/** What the command takes without a command's name. */
export const generalFlags = [help, { name: 'version', summary: 'Show the version' }] as const satisfies readonly Flag[];

export const exitCodes = [
  { code: 0, meaning: 'the run succeeded, or the request worked' },
  { code: 1, meaning: 'the run did not succeed, is lost, or does not exist' },
  { code: 2, meaning: 'wrong usage, configuration or skill; nothing done' },
  { code: 3, meaning: 'the server cannot be reached, or refuses' },
  { code: 130, meaning: 'interrupted; outcome unknown' },
] as const;

export type ExitCode = (typeof exitCodes)[number]['code'];

/** The flags on a line of help: `--prompt TEXT`. */
export function printFlag({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** How a command is called: `agent-run get RUN_ID [flags]`. */
export function printUsage({ name, word }: Command): string {
  const shown = word === undefined ? [] : [word.isRequired ? word.name : `[${word.name}]`];
  return ['agent-run', name, ...shown, '[flags]'].join(' ');
}

export function findCommand(name: string): (typeof commands)[number] | undefined {
  return commands.find(command => command.name === name);
}
