/** The commands and their flags. The parser, `--help` and docs/cli.md use this table. */
export interface Flag {
  readonly name: string;
  /** The name of the value in the help. A flag without one is a switch. */
  readonly value?: string;
  readonly isRepeatable?: true;
  readonly summary: string;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The word, or words, in addition to the flags. */
  readonly word?: { readonly name: string; readonly isRequired: boolean; readonly isRepeatable?: true };
  /** Facts that the flags do not show, one line each. */
  readonly notes: readonly string[];
  readonly flags: readonly Flag[];
  readonly example: string;
}

const help = { name: 'help', summary: 'Show this help' } as const;
const common = [{ name: 'no-color', summary: 'Print without colors' }, help] as const;
const json = { name: 'json', summary: 'Print JSON on stdout instead of text' } as const;
const connection = [
  { name: 'base-url', value: 'URL', summary: 'URL of the server (AGENT_RUN_BASE_URL)' },
  { name: 'api-key', value: 'KEY', summary: 'API key (AGENT_RUN_API_KEY is safer: ps shows flags)' },
  { name: 'allow-http', summary: 'Allow sending the key to another host over HTTP' },
] as const;
const runId = { name: 'RUN_ID', isRequired: true } as const;

const table = [
  {
    name: 'serve',
    summary: 'Run the server on this machine',
    notes: [
      'Flags override AGENT_RUN_* variables, which override agent-run.yaml.',
      'Ctrl-C or SIGTERM gives running agents 30 seconds (limits.drain_seconds)',
      'to finish; a second one ends them at once.',
      'npx does not pass SIGTERM on: send it to the process in DATA/server.pid.',
      'SIGHUP reloads the TLS certificate and key. AGENT_RUN_LOG=debug logs more.',
    ],
    flags: [
      { name: 'host', value: 'ADDRESS', summary: 'Address to listen on (127.0.0.1)' },
      { name: 'port', value: 'PORT', summary: 'Port to listen on (7420); 0 picks a free one' },
      { name: 'data', value: 'DIR', summary: 'Data folder (.agent-run)' },
      { name: 'config', value: 'FILE', summary: 'Configuration file (agent-run.yaml, if it exists)' },
      { name: 'tls-cert', value: 'FILE', summary: 'PEM certificate chain; turns on https' },
      { name: 'tls-key', value: 'FILE', summary: 'PEM private key of the certificate' },
      { name: 'behind-proxy', summary: 'A proxy terminates TLS; any --host is then allowed' },
      ...common,
    ],
    example: 'agent-run serve --data /var/lib/agent-run',
  },
  {
    name: 'run',
    summary: 'Start a run, follow it and print its result',
    word: { name: 'PROMPT', isRequired: false },
    notes: [
      'Needs a prompt, a skill or a conversation. PROMPT "-" reads standard input.',
      'Ctrl-C cancels the run; a second Ctrl-C exits at once.',
      'If this command is killed, the server cancels the run within 7 minutes.',
      'If the agent asks a question (BLOCKED), this exits with 1 and the run waits.',
      'The first --skill is the task; the agent may read the others.',
      '--json prints the run when it ends. With --no-wait, it prints the new run.',
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
      { name: 'conversation', value: 'ID', summary: 'Continue a conversation; takes the id of any of its runs' },
      { name: 'interactive', summary: 'Tell the agent how to ask you questions' },
      { name: 'base-prompt', value: 'TEXT', summary: 'Instructions to put before the skill' },
      { name: 'mcp-servers', value: 'FILE', summary: 'MCP servers: a file such as .mcp.json, or JSON' },
      { name: 'output-schema', value: 'FILE', summary: 'JSON Schema for the result: a file, or JSON' },
      { name: 'metadata', value: 'PAIR', isRepeatable: true, summary: 'Label, key=value; repeatable' },
      { name: 'name', value: 'NAME', summary: 'Label for grouping and filters' },
      { name: 'title', value: 'TEXT', summary: 'Title (default: made from the prompt)' },
      { name: 'timeout-minutes', value: 'N', summary: 'Cancel the run if it has not ended after N minutes' },
      { name: 'no-wait', summary: 'Start the run, print its id and exit' },
      ...connection,
      json,
      ...common,
    ],
    example: 'agent-run run "Why is test/cart.test.ts red?" > answer.md',
  },
  {
    name: 'logs',
    summary: "Print a run's log",
    word: runId,
    notes: [
      'With --follow, the exit code says how the run ended.',
      'Ctrl-C stops following; it does not cancel the run.',
      '--json prints one event per line.',
    ],
    flags: [{ name: 'follow', summary: 'Continue until the run ends' }, ...connection, json, ...common],
    example: 'agent-run logs last --follow',
  },
  {
    name: 'wait',
    summary: 'Wait for a run to end',
    word: runId,
    notes: ['The exit code says how the run ended.', '--json prints the run when it ends.'],
    flags: [...connection, json, ...common],
    example: 'agent-run wait 7c1d9e55',
  },
  {
    name: 'open',
    summary: "Open a run's page in the browser",
    word: runId,
    notes: ['Without a display, this prints the URL of the page.'],
    flags: [...connection, ...common],
    example: 'agent-run open last',
  },
  {
    name: 'followup',
    summary: "Answer a BLOCKED run's question",
    word: { name: 'RUN_ID MESSAGE', isRequired: true, isRepeatable: true },
    notes: ['MESSAGE "-" reads standard input.', '--json prints the new events.'],
    flags: [{ name: 'no-wait', summary: 'Send the message and exit' }, ...connection, json, ...common],
    example: 'agent-run followup 7c1d9e55 "Take the blue one."',
  },
  {
    name: 'list',
    summary: 'List runs, newest first',
    notes: ['Times are RFC 3339, such as 2030-01-31T12:00:00Z.'],
    flags: [
      {
        name: 'state',
        value: 'STATE',
        isRepeatable: true,
        summary: 'Only these states, such as FAILED,ERROR; repeatable',
      },
      { name: 'name', value: 'NAME', summary: 'Only runs with this name' },
      { name: 'created-after', value: 'TIME', summary: 'Created at this time or later' },
      { name: 'created-before', value: 'TIME', summary: 'Created before this time' },
      { name: 'limit', value: 'N', summary: 'Maximum number of runs (20)' },
      ...connection,
      json,
      ...common,
    ],
    example: 'agent-run list --state failed,error --limit 5',
  },
  {
    name: 'get',
    summary: 'Show a run',
    word: runId,
    notes: [],
    flags: [...connection, json, ...common],
    example: 'agent-run get --json 7c1d9e55',
  },
  {
    name: 'artifacts',
    summary: "List or download a run's files and links",
    word: runId,
    notes: ['--download prints the paths of new files. It never overwrites a file.'],
    flags: [
      { name: 'download', value: 'DIR', summary: 'Folder for the files; created if missing' },
      ...connection,
      json,
      ...common,
    ],
    example: 'agent-run artifacts 7c1d9e55 --download files',
  },
  {
    name: 'cancel',
    summary: 'Cancel a run',
    word: runId,
    notes: [],
    flags: [{ name: 'reason', value: 'TEXT', summary: 'Reason, shown on the run' }, ...connection, json, ...common],
    example: 'agent-run cancel 7c1d9e55',
  },
  {
    name: 'skills',
    summary: 'List the skills that a run can use',
    word: { name: 'OWNER/REPO', isRequired: false },
    notes: [
      'Without OWNER/REPO, lists the skills of all repositories.',
      'Pass a value of the SKILL column to `run --skill`.',
    ],
    flags: [
      { name: 'sort-by', value: 'ORDER', summary: 'name, or last_run (most recently used first); default: name' },
      { name: 'refresh', summary: 'Skip the cache and ask GitHub again' },
      ...connection,
      json,
      ...common,
    ],
    example: 'agent-run skills octo-org/shop --sort-by last_run',
  },
  {
    name: 'environments',
    summary: 'List the environments that a run can use',
    notes: [],
    flags: [...connection, json, ...common],
    example: 'agent-run environments',
  },
  {
    name: 'agents',
    summary: 'List, install or remove agent programs',
    word: { name: 'install NAME... | remove NAME[@VERSION]...', isRequired: false, isRepeatable: true },
    notes: [
      "install gets the tested versions from npm, under their makers' licenses.",
      'They go to AGENT_RUN_AGENTS or ~/.agent-run/agents.',
      'remove NAME deletes all its versions, NAME@VERSION just one.',
      'Programs in use are kept.',
    ],
    flags: [json, ...common],
    example: 'agent-run agents install claude codex',
  },
  {
    name: 'doctor',
    summary: 'Check whether a server with this configuration works',
    notes: [
      'It sends git tokens to their hosts, and model keys only with --call.',
      'Exits with 1 if a check fails. Warnings do not count.',
    ],
    flags: [
      { name: 'config', value: 'FILE', summary: 'Configuration file (agent-run.yaml, if it exists)' },
      { name: 'data', value: 'DIR', summary: 'Data folder (.agent-run)' },
      { name: 'call', summary: 'Ask each model one short question (may cost money)' },
      json,
      ...common,
    ],
    example: 'agent-run doctor --call',
  },
  {
    name: 'help',
    summary: 'Show help for a command',
    word: { name: 'COMMAND', isRequired: false },
    notes: [],
    flags: [help],
    example: 'agent-run help run',
  },
] as const satisfies readonly Command[];

export type CommandName = (typeof table)[number]['name'];
export type FlagName = (typeof table)[number]['flags'][number]['name'];

export const commands: readonly (Command & { readonly name: CommandName })[] = table;

/** The flags that are allowed without a command. */
export const generalFlags = [
  ...common,
  { name: 'version', summary: 'Show the version' },
] as const satisfies readonly Flag[];

export const exitCodes = [
  { code: 0, meaning: 'the run or the request succeeded' },
  { code: 1, meaning: 'the run did not succeed, was not found, or had already ended' },
  { code: 2, meaning: 'wrong command line or configuration; nothing was done' },
  { code: 3, meaning: 'the server is unreachable or refused the request' },
  { code: 130, meaning: 'interrupted; the outcome is unknown' },
] as const;

export type ExitCode = (typeof exitCodes)[number]['code'];

/** A flag in a help line: `--prompt TEXT`. */
export function printFlag({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** How to call a command: `agent-run get RUN_ID [flags]`. */
export function printUsage({ name, word }: Command): string {
  const shown = word === undefined ? [] : [word.isRequired ? word.name : `[${word.name}]`];
  return ['agent-run', name, ...shown, '[flags]'].join(' ');
}

export function findCommand(name: string): (typeof commands)[number] | undefined {
  return commands.find(command => command.name === name);
}
