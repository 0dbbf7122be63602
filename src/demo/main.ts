/**
 * `npm start`: the main job once, then an agent at work, on this machine, without account or key. See `npm start --
 * --help`. Exits with 0 when everything worked, 1 when not, 2 on invalid flags, 130 when interrupted.
 */
import { resolve } from 'node:path';
import { messageOf } from '../base/cause.ts';
import { sizes } from '../contract/tables/sizes.ts';
import { startModelServer } from '../testing/index.ts';
import { showAgent } from './agent-act.ts';
import { type AgentPlan, type FoundAgent, findAgents, planAsked, planScripted, scriptedKey } from './agent-plan.ts';
import { Cleanup } from './cleanup.ts';
import { type DemoServer, demoLeaseSeconds, demoRepository, startDemoServer } from './demo-server.ts';
import { suggestEndpoints } from './endpoints.ts';
import { type Flags, help, readFlags } from './flags.ts';
import { modelScript } from './model-script.ts';
import { showFailure, showKilledStep, showMainJob } from './scenes.ts';
import { createScreen, type Screen } from './screen.ts';

const exampleSkill = `${demoRepository}:examples/skills/repo-report/SKILL.md`;
const clone = resolve(import.meta.dirname, '../..');

const interrupted = 130;

const exitCode = await main();
// After an interruption, something may still be waiting.
if (exitCode === interrupted) process.exit(exitCode);
process.exitCode = exitCode;

async function main(): Promise<number> {
  const flags = tryFlags();
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

function tryFlags(): Flags | undefined {
  try {
    return readFlags(process.argv.slice(2), process.env);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${help}`);
    return undefined;
  }
}

async function play(flags: Flags, cleanup: Cleanup): Promise<number> {
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  const screen = createScreen(color);
  // With the user's own task the demo is one step, or one agent's run.
  const hasOwnTask = flags.prompt !== undefined || flags.skill !== undefined;
  const isOnlyAgents = flags.agents.length > 0;
  const { found, missing } = await findAgents(isOnlyAgents || hasOwnTask ? flags.agents : ['builtin'], process.env);
  if (missing.length > 0) {
    const install = `npx agent-run agents install ${missing.join(' ')}`;
    screen.fact(
      false,
      `these agents are missing or do not start: ${missing.join(', ')}. Install them with: ${install}`,
    );
    if (found.length === 0) return 1;
  }
  const server = await openServer(flags, found, cleanup);
  const results = [missing.length === 0];
  if (!isOnlyAgents) {
    const stage = { screen, server, cleanup, actionDir: clone, color };
    const inputs = flags.prompt === undefined ? { skill_spec: flags.skill ?? exampleSkill } : { prompt: flags.prompt };
    screen.title('One step of a workflow');
    screen.say(`A server is running on ${server.url}. The action runs against it as on a GitHub runner.`);
    screen.say('No model is called: the `script` harness runs the shell blocks of a skill or prompt as written.');
    results.push(await showMainJob(stage, inputs));
    if (!hasOwnTask) {
      screen.title('A run that fails turns the step red');
      results.push(await showFailure(stage));
      screen.title('A step that is killed leaves nothing running');
      screen.say(
        `Then nobody renews the lease of its run (${demoLeaseSeconds} s here, ${sizes.followerLeaseSeconds} s by default), so the server ends the run.`,
      );
      results.push(await showKilledStep(stage));
    }
  }
  for (const { name, title } of found) {
    screen.title(`An agent fixes a bug: ${title}`);
    for (const line of labelModel(flags)) screen.say(line);
    results.push(
      await showAgent({ screen, server, agent: name, task: flags.prompt, isScripted: flags.model === undefined }),
    );
  }
  const isGood = results.every(Boolean);
  screen.title(isGood ? 'Everything worked as expected' : 'Something did not work as expected; see above');
  await showNext(screen, server, flags, found.length > 0);
  return isGood ? 0 : 1;
}

async function openServer(flags: Flags, found: readonly FoundAgent[], cleanup: Cleanup): Promise<DemoServer> {
  const plan = await planAgents(
    flags,
    found.map(({ name }) => name),
    cleanup,
  );
  return await cleanup.open(() => startDemoServer({ clone, ...plan }));
}

async function planAgents({ model }: Flags, names: readonly string[], cleanup: Cleanup): Promise<AgentPlan> {
  if (names.length === 0) return { agents: {}, env: {} };
  if (model !== undefined) return planAsked(names, model, process.env);
  const scripted = await cleanup.open(() => startModelServer(modelScript, { apiKey: scriptedKey }));
  return planScripted(names, scripted, process.env);
}

function labelModel({ model }: Flags): readonly string[] {
  const tools = 'The agent, its tools, the MCP server and the patch are real';
  if (model !== undefined)
    return [`${tools}, and so is the model: ${model.name} at ${model.url ?? "its provider's address"}.`];
  return [
    `${tools}. Only the model is simulated:`,
    'its answers come from src/demo/model-script.ts. Nothing leaves this machine or costs money.',
  ];
}

/** Ctrl-C, or a closed stdout (`| head`). A second signal ends the process at once. */
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

async function showNext(screen: Screen, server: DemoServer, flags: Flags, hasAgent: boolean): Promise<void> {
  // A user who has just asked a real model knows how.
  const suggestions = hasAgent && flags.model === undefined ? await suggestEndpoints(process.env) : [];
  screen.title('What to try next');
  for (const { found, command } of suggestions) {
    screen.show(`${found}, so this runs the same with a real model (it may cost money):`);
    screen.show(`  ${command}`);
  }
  if (flags.keep) {
    screen.show('The server keeps running until you press Ctrl-C. In another shell:');
    screen.show(`export AGENT_RUN_BASE_URL=${server.url} AGENT_RUN_API_KEY=${server.key}`);
    screen.show('npx agent-run list');
    screen.show(`npx agent-run run --skill ${exampleSkill}`);
    screen.show(`Its configuration is in ${server.configFile}`);
    return;
  }
  screen.show('npm start -- --keep                         run this again and keep the server running');
  screen.show("npm start -- --prompt $'```sh\\ndate\\n```'    run your own shell blocks");
  if (hasAgent) screen.show('npm run demo:agents                         fix the same bug with Claude Code and Codex');
  screen.show('npx agent-run serve --help                  start your own server');
  screen.show('docs/agents.md                              use your own agents and models');
  screen.show('README.md                                   copy a workflow for your repository');
}
