/**
 * `npm start`: the main job once, on this machine, without account or key. See `npm start -- --help`.
 * Exits with 0 when everything was as promised, 1 when not, 2 on wrong flags, 130 when it was interrupted.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sizes } from '../contract/sizes.ts';
import { parseSkillSpec } from '../contract/skill-spec.ts';
import { Cleanup } from './cleanup.ts';
import { type DemoServer, demoLeaseSeconds, demoRepository, startDemoServer } from './demo-server.ts';
import { showFailure, showKilledStep, showMainJob } from './scenes.ts';
import { createScreen } from './screen.ts';

const help = `npm start -- [--prompt TEXT | --skill ${demoRepository}:NAME] [--keep]

  --prompt TEXT   run the fenced sh or bash blocks of this text instead of the example skill
  --skill SPEC    run another skill of this clone, as owner/repo:name or owner/repo:path/SKILL.md
  --keep          leave the server running and print its address and key (ctrl-C ends it)
`;
const exampleSkill = `${demoRepository}:examples/skills/repo-report/SKILL.md`;
const clone = resolve(import.meta.dirname, '../..');

const interrupted = 130;

const exitCode = await main();
// What was interrupted in the middle may still wait for something.
if (exitCode === interrupted) process.exit(exitCode);
process.exitCode = exitCode;

async function main(): Promise<number> {
  const flags = readFlags();
  if (flags === undefined) return 2;
  if (flags.help) {
    console.log(help);
    return 0;
  }
  const ending = listenForEnding();
  const cleanup = new Cleanup();
  try {
    const code = await Promise.race([play(flags, cleanup), ending.then(() => interrupted)]);
    if (flags.keep && code !== interrupted) await ending;
    return code;
  } finally {
    await cleanup.close();
  }
}

async function play(flags: Flags, cleanup: Cleanup): Promise<number> {
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  const screen = createScreen(color);
  const server = await cleanup.open(() => startDemoServer(clone));
  const stage = { screen, server, cleanup, actionDir: clone, color };
  const inputs = flags.prompt === undefined ? { skill_spec: flags.skill ?? exampleSkill } : { prompt: flags.prompt };
  screen.title('One step of a workflow');
  screen.say(
    `A server was started on ${server.url}. The committed action runs against it as a GitHub runner would start it.`,
  );
  screen.say(
    'No model is called: the `script` harness runs the fenced shell blocks of a skill or prompt as they are written.',
  );
  const results = [await showMainJob(stage, inputs)];
  if (flags.prompt === undefined && flags.skill === undefined) {
    screen.title('A run that fails turns the step red');
    results.push(await showFailure(stage));
    screen.title('A step that is killed leaves nothing running');
    screen.say(
      `Nobody renews the lease of its run any more (${demoLeaseSeconds} s here, ${sizes.followerLeaseSeconds} s by default), so the server ends it.`,
    );
    results.push(await showKilledStep(stage));
  }
  showNext(screen, server, flags.keep);
  return results.every(Boolean) ? 0 : 1;
}

interface Flags {
  readonly prompt?: string | undefined;
  readonly skill?: string | undefined;
  readonly keep: boolean;
  readonly help: boolean;
}

function readFlags(): Flags | undefined {
  try {
    const { values } = parseArgs({
      options: {
        prompt: { type: 'string' },
        skill: { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.prompt !== undefined && values.skill !== undefined)
      throw new Error('--prompt and --skill are both given; give one of the two');
    if (values.prompt?.trim() === '')
      throw new Error('--prompt is empty; give it a text with a fenced sh or bash block');
    if (values.skill !== undefined) parseSkillSpec(values.skill);
    return values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`);
    return undefined;
  }
}

/** Ctrl-C, or a reader of stdout that goes away (`| head`). A second signal ends the process at once. */
function listenForEnding(): Promise<void> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (isEnding) process.exit(interrupted);
      isEnding = true;
      end();
    });
  process.stdout.on('error', () => end());
  process.stderr.on('error', () => {});
  return promise;
}

function showNext(screen: ReturnType<typeof createScreen>, server: DemoServer, keep: boolean): void {
  screen.title('What to try next');
  if (keep) {
    screen.show('The server stays up; ctrl-C ends it. In another shell:');
    screen.show(`export AGENT_RUN_BASE_URL=${server.url} AGENT_RUN_API_KEY=${server.key}`);
    screen.show('npx agent-run list');
    screen.show(`npx agent-run run --skill ${exampleSkill}`);
    screen.show(`its configuration: ${server.configFile}`);
    return;
  }
  screen.show('npm start -- --keep                                   the same, and the server stays up');
  screen.show("npm start -- --prompt $'```sh\\ndate\\n```'              your own blocks");
  screen.show('npx agent-run serve --help                            a server of your own');
  screen.show('README.md                                             the workflow to paste');
}
