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
  /** The one word that it takes beside flags, or several. */
  readonly word?: { readonly name: string; readonly isRequired: boolean; readonly isRepeatable?: true };
  /** What a person has to know and the flags do not say; a line each. */
  readonly notes: readonly string[];
  readonly flags: readonly Flag[];
  readonly example: string;
}

const help = { name: 'help', summary: 'Show this text' } as const;
const json = { name: 'json', summary: 'JSON on stdout in place of text, as said above' } as const;
const connection = [
  { name: 'base-url', value: 'URL', summary: 'Address of the server (else AGENT_RUN_BASE_URL)' },
  { name: 'api-key', value: 'KEY', summary: 'Its key (else AGENT_RUN_API_KEY; ps shows flags)' },
  { name: 'allow-http', summary: 'Let the key go to another host over plain http' },
] as const;
const runId = { name: 'RUN_ID', isRequired: true } as const;

const table = [
  {
    name: 'serve',
    summary: 'Run the server on this machine',
    notes: [
      'Settings: flags over environment (AGENT_RUN_*) over agent-run.yaml.',
      'Ctrl-C or SIGTERM drains: running agents may end; a second one ends them.',
      'With TLS, SIGHUP reads certificate and key again. AGENT_RUN_LOG=debug says more.',
    ],
    flags: [
      { name: 'host', value: 'ADDRESS', summary: 'Address to listen on (127.0.0.1)' },
      { name: 'port', value: 'PORT', summary: 'Port to listen on (7420); 0 takes a free one' },
      { name: 'data', value: 'DIR', summary: 'Folder that keeps everything (.agent-run)' },
      { name: 'config', value: 'FILE', summary: 'Configuration (agent-run.yaml, when there is one)' },
      { name: 'tls-cert', value: 'FILE', summary: 'Certificate, PEM; makes it https' },
      { name: 'tls-key', value: 'FILE', summary: 'Key of the certificate, PEM' },
      { name: 'behind-proxy', summary: 'A proxy in front speaks TLS; allows any --host' },
      help,
    ],
    example: 'agent-run serve --data /var/lib/agent-run',
  },
  {
    name: 'run',
    summary: 'Start a run, follow it, print its result',
    word: { name: 'PROMPT', isRequired: false },
    notes: [
      'What happens goes to stderr, the result alone to stdout.',
      'Of several --skill the first is the task, the others are to be read.',
      'PROMPT "-" reads standard input. A prompt, a skill or a conversation is needed.',
      'Ctrl-C cancels the run; a second one ends this command at once.',
      'When this command is killed, the server cancels the run minutes later.',
      'A run that asks (BLOCKED) waits for agent-run followup; this ends with 1.',
      '--json: the run as an object when it is over; with --no-wait as it was started.',
    ],
    flags: [
      { name: 'prompt', value: 'TEXT', summary: 'The task; the same as PROMPT' },
      { name: 'prompt-file', value: 'FILE', summary: 'File that holds the task' },
      {
        name: 'skill',
        value: 'SPEC',
        isRepeatable: true,
        summary: 'owner/repo:skill-name or owner/repo:path/to/SKILL.md',
      },
      { name: 'harness', value: 'NAME', summary: "The agent, by the server's name for it" },
      { name: 'model', value: 'ID', summary: 'Model, as the harness of the server names it' },
      { name: 'environment', value: 'ID', summary: 'Environment that the run works in' },
      { name: 'conversation', value: 'ID', summary: 'Go on with a conversation, or with that of a run' },
      { name: 'interactive', summary: 'Tell the agent how to ask you' },
      { name: 'base-prompt', value: 'TEXT', summary: 'Instructions before those of the skill' },
      { name: 'mcp-servers', value: 'FILE', summary: 'MCP servers: a file such as .mcp.json, or JSON' },
      { name: 'output-schema', value: 'FILE', summary: 'JSON Schema of the result: a file, or JSON' },
      { name: 'metadata', value: 'PAIR', isRepeatable: true, summary: 'Label of the run, key=value; may be repeated' },
      { name: 'name', value: 'NAME', summary: 'Label for grouping and filters' },
      { name: 'title', value: 'TEXT', summary: 'Title (made from the prompt)' },
      { name: 'timeout-minutes', value: 'N', summary: 'Cancel the run when it is not over by then' },
      { name: 'no-wait', summary: 'Only start it; print its id' },
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
    notes: [
      'What happens goes to stderr, the result alone to stdout.',
      'Ctrl-C ends the following; the run goes on.',
      '--json: the events, one JSON object a line.',
    ],
    flags: [...connection, json, help],
    example: 'agent-run follow 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55',
  },
  {
    name: 'followup',
    summary: 'Answer a run that is blocked, and follow it on',
    word: { name: 'RUN_ID MESSAGE', isRequired: true, isRepeatable: true },
    notes: [
      'MESSAGE "-" reads standard input. The run goes on where it stopped.',
      'A run that is over takes none: agent-run run --conversation ID goes on.',
      'Ctrl-C ends the following; the run goes on.',
      '--json: the events from then on; with --no-wait {"run_id": "..."}.',
    ],
    flags: [{ name: 'no-wait', summary: 'Only send it' }, ...connection, json, help],
    example: 'agent-run followup 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55 "Take the blue one."',
  },
  {
    name: 'list',
    summary: 'List runs, the newest first',
    notes: ['Times are as in RFC 3339, such as 2030-01-31T12:00:00Z.', '--json: one array of runs, without results.'],
    flags: [
      { name: 'state', value: 'STATE', isRepeatable: true, summary: 'Only these states; may be repeated' },
      { name: 'name', value: 'NAME', summary: 'Only runs of this name' },
      { name: 'created-after', value: 'TIME', summary: 'Created then or later' },
      { name: 'created-before', value: 'TIME', summary: 'Created before then' },
      { name: 'limit', value: 'N', summary: 'At most so many (20)' },
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
    notes: ['--json: the run as an object.'],
    flags: [...connection, json, help],
    example: 'agent-run get --json 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55',
  },
  {
    name: 'artifacts',
    summary: 'List what a run left, or download its files',
    word: runId,
    notes: [
      '--download: the files, by the paths that they had; their paths go to stdout.',
      'What is there already is not touched, and makes the exit code 1.',
      '--json: an array of what the run left; a downloaded file has its "path".',
    ],
    flags: [
      { name: 'download', value: 'DIR', summary: 'Folder for the files; made when it is missing' },
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
    notes: ['--json: {"run_id": "..."}.'],
    flags: [{ name: 'reason', value: 'TEXT', summary: 'Why; stands on the run' }, ...connection, json, help],
    example: 'agent-run cancel 0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55',
  },
  {
    name: 'skills',
    summary: 'List the skills that a run can name',
    word: { name: 'OWNER/REPO', isRequired: false },
    notes: [
      'Of one repository, from a checkout or from GitHub; else of all checkouts.',
      'What stands under SKILL goes into `run --skill`.',
      '--json: an array of {"name", "variants"}, as GET /agent has it.',
    ],
    flags: [
      { name: 'sort-by', value: 'ORDER', summary: 'name, or last_run: the last used first (name)' },
      { name: 'refresh', summary: 'Ask GitHub again although it was asked a moment ago' },
      ...connection,
      json,
      help,
    ],
    example: 'agent-run skills octo-org/shop --sort-by last_run',
  },
  {
    name: 'environments',
    summary: 'List the environments that a run can work in',
    notes: [
      'What stands under NAME goes into `run --environment`.',
      '--json: an array of environments, as GET /agent/environments has it.',
    ],
    flags: [...connection, json, help],
    example: 'agent-run environments',
  },
  {
    name: 'agents',
    summary: 'List agent programs, install or remove some',
    word: { name: 'install NAME... | remove NAME[@VERSION]...', isRequired: false, isRepeatable: true },
    notes: [
      'Lists the agents that a server can run, and the programs found for them.',
      'install: the versions that this agent-run was tried with, from npm.',
      "They are their makers' packages, under their makers' licences.",
      'They go to the folder AGENT_RUN_AGENTS, else ~/.agent-run/agents.',
      'A server of the same user finds them there by itself.',
      'remove: all versions, or one. A program that is at work stays, and is told.',
      '--json: an array with what is listed, or was installed or removed.',
    ],
    flags: [json, help],
    example: 'agent-run agents install claude codex',
  },
  {
    name: 'doctor',
    summary: 'Look whether a server of this configuration works',
    notes: [
      'Programs and their versions, endpoints, git, bash, containment, data folder,',
      'variables that are passed on, repositories of environments and of skills on',
      'GitHub, containers, the files of TLS, and a limit of memory that is too low.',
      'It starts no server. Without --call no key of a model is sent anywhere, and',
      'nothing costs; repositories are asked for with the tokens of their hosts.',
      'Exit code 0: all is well, or works with a warning; 1: something does not work.',
      '--json: {"ok": true, "findings": [{"subject", "status", "text", "remedy"}]}.',
    ],
    flags: [
      { name: 'config', value: 'FILE', summary: 'Configuration (agent-run.yaml, when there is one)' },
      { name: 'data', value: 'DIR', summary: 'Folder that keeps everything (.agent-run)' },
      { name: 'call', summary: 'Ask each model one short question; it may cost' },
      json,
      help,
    ],
    example: 'agent-run doctor --call',
  },
  {
    name: 'help',
    summary: 'Show what a command does',
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
  { code: 2, meaning: 'usage, configuration, unknown skill: nothing was done' },
  { code: 3, meaning: 'the server could not be reached, or does not allow it' },
  { code: 130, meaning: 'interrupted; what became of the run is not known here' },
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
