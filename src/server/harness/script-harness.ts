import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { findSecrets } from '../../base/secret-variables.ts';
import { counted } from '../../base/text.ts';
import { readPlainFile } from '../../border/files.ts';
import { redactValue } from '../../border/secrets.ts';
import { wholeText } from '../../contract/tables/run-text.ts';
import { findProgram } from '../executor/program-file.ts';
import { placeFiles } from './agents/state-files.ts';
import { describeCause, describeExitCode } from './ending-text.ts';
import {
  type CommandEnd,
  type Harness,
  type HarnessOutcome,
  HarnessRefusal,
  type HarnessTask,
  type PreparedCommand,
  refuseForAgents,
} from './harness.ts';
import { createRunRedactor } from './run-redactor.ts';

const languages: readonly string[] = ['sh', 'bash', 'shell'];

/**
 * Runs the blocks one after another and records its progress. Its own messages are discarded, because bash would
 * report a killed block in the middle of the run's log. The blocks have the real standard error. Before every block
 * but the first, both streams get the divider, so that an earlier block's output is not shown as the last lines of a
 * failed one. The divider comes from a file, because a block may print the command lines of processes.
 */
const driver = `exec 3>&2 2>/dev/null
state=$1 count=$2 divider=$(<"$1/divider")
for ((block = 1; block <= count; block++)); do
  [ "$block" -eq 1 ] || { printf '%s' "$divider"; printf '%s' "$divider" >&3; }
  printf '%s\\n' "$block" >"$state/block"
  "$BASH" -euo pipefail "$state/block-$block.sh" 2>&3 3>&-
  code=$?
  [ "$code" -eq 0 ] || exit "$code"
done
`;

interface Block {
  readonly origin: string;
  readonly line: number;
  readonly code: string;
}

/**
 * Runs the fenced sh and bash blocks of the instructions, then those of the prompt, exactly as written. Each has its
 * own bash in the workspace, and the first failure stops the run. Calls no model. AGENT_RUN_PROMPT_FILE names a file
 * with the prompt. `advice` says what to do with a prompt without blocks.
 */
export function createScriptHarness(env: Readonly<Record<string, string>> = {}, advice = adviseAgent([])): Harness {
  return {
    name: 'script',
    refuse: refuseForAgents('script'),
    asksModel: false,
    executesSkills: true,
    prepare: task => prepareScript(task, { own: env, advice }),
  };
}

/** Names of the server's other harnesses, for an error. */
export function adviseAgent(others: readonly string[]): string {
  return others.length === 0
    ? 'this server has no agent; ask its owner to add one'
    : `set \`harness\` (in the command \`--harness\`) to ${others.join(' or ')}`;
}

async function prepareScript(
  task: HarnessTask,
  { own, advice }: { readonly own: Readonly<Record<string, string>>; readonly advice: string },
): Promise<PreparedCommand> {
  // Loaded late: only blocks need the parser.
  const { readFencedBlocks } = await import('../../border/fenced-blocks.ts');
  const blocks = [...task.instructions, task.prompt].flatMap(({ origin, text, firstLine }): readonly Block[] =>
    readFencedBlocks(text)
      .filter(({ language, code }) => languages.includes(language) && code.trim() !== '')
      .map(({ line, code }) => ({ origin, line: line + firstLine - 1, code })),
  );
  if (blocks.length === 0)
    throw new HarnessRefusal(
      'invalid_request',
      `the script harness found no fenced sh or bash block in the skill or prompt. It runs nothing else and calls no model. Add a block. A prompt in prose needs an agent: ${advice}`,
    );
  const bash = task.image === undefined ? findProgram('bash', own.PATH ?? task.searchPath) : 'bash';
  if (bash === undefined)
    throw new HarnessRefusal(
      'environment_setup_failed',
      'bash runs shell blocks, and it is not on the PATH of the server. Install it there',
    );
  const divider = `\x1e${randomUUID()}\x1e`;
  const promptFile = join(task.stateDir, 'prompt.md');
  const driverFile = join(task.stateDir, 'driver.sh');
  await placeFiles(task.stateDir, [
    { path: 'prompt.md', text: task.prompt.text },
    { path: 'driver.sh', text: driver },
    { path: 'divider', text: divider },
    ...blocks.map((block, index) => ({ path: `block-${index + 1}.sh`, text: printScript(block) })),
  ]);
  const redactor = createRunRedactor(findSecrets({ ...task.variables, ...own }));
  return {
    argv: [bash, driverFile, task.stateDir, String(blocks.length)],
    env: { ...own, AGENT_RUN_PROMPT_FILE: promptFile },
    stdin: '',
    divider,
    redactor,
    conclude: async end =>
      redactValue(concludeScript(blocks, await readBlockNumber(task.stateDir), end), redactor.redact),
  };
}

/**
 * As many empty lines as precede the block in its document, so that bash's errors have the document's line numbers.
 */
function printScript({ line, code }: Block): string {
  return '\n'.repeat(line) + code;
}

async function readBlockNumber(stateDir: string): Promise<number> {
  return Number((await readPlainFile(join(stateDir, 'block'), 16)) ?? '');
}

function concludeScript(blocks: readonly Block[], reached: number, end: CommandEnd): HarnessOutcome {
  if (end.exitCode === 0) {
    const printed = end.stdout.text.trim() === '' ? undefined : end.stdout;
    const nothing = `${blocks.length === 1 ? 'The block' : `All ${counted(blocks.length, 'block')}`} ended with exit code 0 and printed nothing to standard output.`;
    return { state: 'SUCCEEDED', result: end.result ?? printed ?? wholeText(nothing) };
  }
  const block = blocks[reached - 1];
  const where =
    block === undefined ? 'the script' : `block ${reached} of ${blocks.length} (line ${block.line} of ${block.origin})`;
  const how =
    end.exitCode === undefined
      ? `was killed by ${end.signal ?? 'an unknown signal'}`
      : `ended with ${describeExitCode(end.exitCode)}`;
  return {
    state: 'FAILED',
    code: 'agent_failed',
    message: `${where} ${how}${describeCause(end.outputTail)}`,
    result: end.result,
  };
}
