import { findSecrets } from '../../base/secret-variables.ts';
import { parseSkillSpec, type SkillSpec, skillsOf } from '../../contract/tables/skill-spec.ts';
import { findForeign, refuseCheckout } from '../environments/checkout.ts';
import { type Environment, findEnvironment } from '../environments/environment.ts';
import type { Harness, TaskSkill } from '../harness/harness.ts';
import { createRunRedactor } from '../harness/run-redactor.ts';
import type { EventWriter } from '../output/event-writer.ts';
import { RunFailure, RunStopped } from '../run-failure.ts';
import { createSkillFinder } from '../skills/environment-skills.ts';
import { placeSkills } from '../skills/skill-folders.ts';
import type { FoundSkill } from '../skills/skill-source.ts';
import type { Continuation } from '../store/continuation.ts';
import { createBaseEnvironment } from '../workspace/agent-environment.ts';
import { type Clone, cloneRepositories, describeClones, findClones } from '../workspace/environment-clone.ts';
import { runSetup } from '../workspace/environment-setup.ts';
import { placeContainer } from '../workspace/run-container.ts';
import { createRunFolder, reopenRunFolder } from '../workspace/run-folder.ts';
import type { GitParts } from '../workspace/run-git.ts';
import type { RunContext } from './run-context.ts';
import { emptyFolder, prepareWorkspace } from './workspace.ts';

export interface Surroundings {
  readonly environment: Environment | undefined;
  readonly clones: readonly Clone[];
  /** The skill whose text is part of the instructions, its folder, and the other skills. */
  readonly skill: FoundSkill | undefined;
  readonly skillDir: string | undefined;
  readonly skills: readonly TaskSkill[];
  /** Base environment of a program. In a container, PATH is that of the image. */
  readonly env: Readonly<Record<string, string>>;
  readonly searchPath: string;
  /** Container for the setup commands and the agent. */
  readonly image: string | undefined;
  /** The part of it that comes from the run's environment. */
  readonly passedOn: Readonly<Record<string, string>>;
}

/**
 * Makes the folder of a run and fills it: repositories, skills, and the results of the setup commands. A continued
 * conversation finds its workspace as it left it. Throws RunFailure, and errors of `execute`.
 */
export async function setUpRun(context: RunContext, harness: Harness): Promise<Surroundings> {
  const environment = chooseEnvironment(context);
  const { continuation } = context.run;
  return continuation === undefined
    ? await begin(context, harness, environment)
    : await goOn(context, environment, continuation);
}

async function goOn(
  context: RunContext,
  environment: Environment | undefined,
  continuation: Continuation,
): Promise<Surroundings> {
  const { run, folder, dataDir, events, signal, programs } = context;
  if (!(await reopenRunFolder(folder, { keepsArtifacts: run.attempt > 1 })))
    throw new RunFailure(
      'resource_not_found',
      `the conversation ${run.conversationId} is gone: the server has removed its workspace and session. Start a new run without conversation_id`,
    );
  const { env, passedOn, searchPath, image } = createEnvironment(context, environment);
  if (image !== undefined) await programs.prepareImage(image);
  const clones = await findClones(environment, folder.workspace, continuation.clones);
  const { skill, others } = await findSkills(context, clones);
  const execute: GitParts['execute'] = (...command) => programs.executeFully(...command);
  const workspace = { folder, searchPath, execute, dataDir, signal };
  const { contents, skillDir } = await prepareWorkspace(workspace, skill, 'as the conversation left it');
  events.noteSystem(`workspace: ${contents}`);
  const skills = await placeSkills(others, { folder, dataDir, signal });
  await logSkills(others, events);
  events.beginProgram();
  return { environment, clones, skill, skillDir, skills, env, passedOn, searchPath, image };
}

async function begin(
  context: RunContext,
  harness: Harness,
  environment: Environment | undefined,
): Promise<Surroundings> {
  const { run, folder, dataDir, git, events, signal, programs } = context;
  const execute: GitParts['execute'] = (...command) => programs.executeFully(...command);
  await createRunFolder(folder);
  const { env, passedOn, searchPath, image } = createEnvironment(context, environment);
  const base = { folder, searchPath, execute };
  if (image !== undefined) await programs.prepareImage(image);
  const writeLog = (text: string) => events.writeSystem(text);
  const clones =
    environment === undefined
      ? []
      : await cloneRepositories(environment, run.checkout, { ...base, git, signal, writeLog });
  const { skill, others } = await findSkills(context, clones);
  const held = clones.length === 0 ? undefined : describeClones(clones);
  const { contents, skillDir } = await prepareWorkspace({ ...base, dataDir, signal }, skill, held);
  events.noteSystem(`workspace: ${contents}`);
  if (environment === undefined && contents.startsWith(emptyFolder)) {
    const missing = describeMissing(run.checkout?.repository);
    if (harness.asksModel === true) await events.writeWarning(missing);
    else if (run.checkout?.repository !== undefined) await events.writeSystem(missing);
  }
  const foreign = environment && findForeign(environment, run.checkout ?? {});
  if (foreign !== undefined)
    await events.writeWarning(
      `the run was started for ${foreign}, which is not in its environment, so the environment's own revisions are used`,
    );
  const skills = await placeSkills(others, { folder, dataDir, signal });
  await logSkills(others, events);
  const redactor = createRunRedactor(findSecrets(passedOn));
  const container = image === undefined ? undefined : placeContainer(image, folder, { isAgent: false });
  await runSetup(environment?.setup ?? [], {
    execute: (command, onOutput) => programs.executeFully(command, onOutput, container),
    events,
    cwd: folder.workspace,
    env,
    redactor,
    onEnd: end => programs.reportLeftovers(end, 'the setup command'),
  });
  events.beginProgram();
  return { environment, clones, skill, skillDir, skills, env, passedOn, searchPath, image };
}

/** Skills outside the workspace. A skill from GitHub is named with its commit. */
async function logSkills(others: readonly FoundSkill[], events: EventWriter): Promise<void> {
  if (others.length > 0)
    await events.writeSystem(
      `more skills, which the agent reads as needed: ${others.map(({ origin }) => origin).join(', ')}`,
    );
}

function createEnvironment(
  { baseEnv, folder, image: usualImage }: RunContext,
  environment: Environment | undefined,
): Pick<Surroundings, 'env' | 'passedOn' | 'searchPath' | 'image'> {
  const base = createBaseEnvironment(baseEnv, folder);
  const { PATH: searchPath, ...withoutPath } = base;
  const image = environment?.image ?? usualImage;
  const own: Readonly<Record<string, string>> = image === undefined ? base : withoutPath;
  const passedOn = Object.fromEntries(
    Object.entries(environment?.env ?? {}).filter(([name]) => !Object.hasOwn(own, name)),
  );
  return { env: { ...passedOn, ...own }, passedOn, searchPath, image };
}

/** The configuration may have changed since the run was created. */
function chooseEnvironment({ run, environments }: RunContext): Environment | undefined {
  const { environment_id: wanted } = run.config;
  if (wanted === undefined) return undefined;
  const environment = findEnvironment(environments, wanted);
  if (environment === undefined)
    throw new RunFailure('resource_not_found', `this server no longer has the environment ${wanted}`);
  const fault = refuseCheckout(environment, run.checkout ?? {});
  if (fault !== undefined) throw new RunFailure('operation_not_supported', fault);
  return environment;
}

async function findSkills(
  { run, claim, store, skills: server, events, signal }: RunContext,
  clones: readonly Clone[],
): Promise<{ readonly skill: FoundSkill | undefined; readonly others: readonly FoundSkill[] }> {
  const [spec, ...more] = skillsOf({ config: run.config }).map(parseSkillSpec);
  if (spec === undefined) return { skill: undefined, others: [] };
  const findAnywhere = createSkillFinder(clones, server);
  const find = async (wanted: SkillSpec) => {
    const found = await findAnywhere(wanted, signal);
    for (const note of found.notes) await events.writeSystem(note);
    return found;
  };
  const skill = await find(spec);
  const { name, description, repository, path } = skill;
  const described = { name, ...(description === '' ? {} : { description }), full_path: path };
  if (!(await store.describeSkill(claim, described, `${repository}:${path}`))) throw new RunStopped({ kind: 'lost' });
  const others: FoundSkill[] = [];
  for (const other of more) others.push(await find(other));
  return { skill, others };
}

/** An agent without code finds no problems, so its run would be green. */
function describeMissing(repository: string | undefined): string {
  const lost = repository === undefined ? '' : `${repository} was not cloned, and `;
  return `${lost}the workspace is empty, because the run names no environment; set \`environment_id\` (in the command \`--environment\`)`;
}
