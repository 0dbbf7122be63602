import { findSecrets } from '../../base/secret-variables.ts';
import { findForeign, refuseCheckout } from '../environments/checkout.ts';
import { type Environment, findEnvironment, type GitSettings } from '../environments/environment.ts';
import type { ExecutorEnd } from '../executor/executor.ts';
import type { TaskSkill } from '../harness/harness.ts';
import { createRunRedactor } from '../harness/run-redactor.ts';
import type { EventWriter } from '../output/event-writer.ts';
import { RunFailure } from '../run-failure.ts';
import { createSkillFinder } from '../skills/environment-skills.ts';
import { placeSkills } from '../skills/skill-folders.ts';
import type { FoundSkill, SkillSource } from '../skills/skill-source.ts';
import type { Continuation } from '../store/continuation.ts';
import type { StoredRun } from '../store/store.ts';
import { createBaseEnvironment } from '../workspace/agent-environment.ts';
import { type Clone, cloneRepositories, describeClones, findClones } from '../workspace/environment-clone.ts';
import { runSetup } from '../workspace/environment-setup.ts';
import { createRunFolder, type RunFolder, reopenRunFolder } from '../workspace/run-folder.ts';
import type { GitParts } from '../workspace/run-git.ts';
import { emptyFolder, prepareWorkspace } from './workspace.ts';

interface SetupParts {
  readonly run: StoredRun;
  /** Whether an agent works in the run. */
  readonly asksModel: boolean;
  readonly folder: RunFolder;
  readonly dataDir: string;
  readonly baseEnv: Readonly<Record<string, string>>;
  readonly skills: SkillSource;
  readonly environments: readonly Environment[];
  readonly git: GitSettings;
  readonly events: EventWriter;
  readonly signal: AbortSignal;
  readonly execute: GitParts['execute'];
  /** As that of the server. */
  readonly image?: string | undefined;
  /** Sees to it that an image is there. */
  readonly prepareImage: (image: string) => Promise<void>;
  /** Executes a setup command in a container of an image. */
  readonly executeContained: (image: string) => GitParts['execute'];
  /** Says which skill the run works with. */
  readonly describeSkill: (skill: FoundSkill) => Promise<void>;
  /** Tells of processes that a setup command left. */
  readonly onSetupEnd: (end: Extract<ExecutorEnd, { kind: 'ended' }>) => Promise<void>;
}

/** What a run works in. */
interface Surroundings {
  readonly environment: Environment | undefined;
  readonly clones: readonly Clone[];
  /** The run's own skill, whose text is among the instructions, its folder, and the others. */
  readonly skill: FoundSkill | undefined;
  readonly skillDir: string | undefined;
  readonly skills: readonly TaskSkill[];
  /** What a program's environment starts from. In a container PATH is that of the image. */
  readonly env: Readonly<Record<string, string>>;
  readonly searchPath: string;
  /** Of the containers that setup commands and the agent run in. */
  readonly image: string | undefined;
  /** What of it the environment of the run brings. */
  readonly passedOn: Readonly<Record<string, string>>;
}

/**
 * Makes the folder of a run and fills it: repositories, skills, and what the setup commands of its environment make. A conversation that goes
 * on finds all of this as it left it. Throws RunFailure, or what `execute` throws.
 */
export async function setUpRun(parts: SetupParts): Promise<Surroundings> {
  const environment = chooseEnvironment(parts);
  const { continuation } = parts.run;
  return continuation === undefined ? await begin(parts, environment) : await goOn(parts, environment, continuation);
}

async function goOn(
  parts: SetupParts,
  environment: Environment | undefined,
  continuation: Continuation,
): Promise<Surroundings> {
  const { run, folder, dataDir, events, signal, execute } = parts;
  if (!(await reopenRunFolder(folder, { keepsArtifacts: run.attempt > 1 })))
    throw new RunFailure(
      'resource_not_found',
      `the conversation ${run.conversationId} is gone: the server has removed its workspace and session. Start a new run without conversation_id`,
    );
  const { env, passedOn, searchPath, image } = createEnvironment(parts, environment);
  if (image !== undefined) await parts.prepareImage(image);
  const clones = await findClones(environment, folder.workspace, continuation.clones);
  const { skill, others } = await findSkills(parts, clones);
  const workspace = { folder, searchPath, execute, dataDir, signal };
  const { contents, skillDir } = await prepareWorkspace(workspace, skill, 'as the conversation left it');
  await events.writeSystem(`workspace: ${contents}`);
  const skills = await placeSkills(others, { folder, dataDir, signal });
  await tellSkills(others, events);
  events.beginProgram();
  return { environment, clones, skill, skillDir, skills, env, passedOn, searchPath, image };
}

async function begin(parts: SetupParts, environment: Environment | undefined): Promise<Surroundings> {
  const { run, folder, dataDir, git, events, signal, execute } = parts;
  await createRunFolder(folder);
  const { env, passedOn, searchPath, image } = createEnvironment(parts, environment);
  const base = { folder, searchPath, execute };
  if (image !== undefined) await parts.prepareImage(image);
  const tell = (text: string) => events.writeSystem(text);
  const clones =
    environment === undefined ? [] : await cloneRepositories(environment, run.checkout, { ...base, git, signal, tell });
  const { skill, others } = await findSkills(parts, clones);
  const held = clones.length === 0 ? undefined : describeClones(clones);
  const { contents, skillDir } = await prepareWorkspace({ ...base, dataDir, signal }, skill, held);
  await events.writeSystem(`workspace: ${contents}`);
  if (environment === undefined && contents.startsWith(emptyFolder)) {
    const missing = describeMissing(run.checkout?.repository);
    if (parts.asksModel) await events.writeWarning(missing);
    else if (run.checkout?.repository !== undefined) await events.writeSystem(missing);
  }
  const foreign = environment && findForeign(environment, run.checkout ?? {});
  if (foreign !== undefined)
    await events.writeWarning(
      `the run was started for ${foreign}, which is not in its environment, so the environment's own revisions are used`,
    );
  const skills = await placeSkills(others, { folder, dataDir, signal });
  await tellSkills(others, events);
  const redactor = createRunRedactor(findSecrets(passedOn));
  const inPlace = image === undefined ? execute : parts.executeContained(image);
  const setup = { execute: inPlace, events, cwd: folder.workspace, env, redactor, onEnd: parts.onSetupEnd };
  await runSetup(environment?.setup ?? [], setup);
  events.beginProgram();
  return { environment, clones, skill, skillDir, skills, env, passedOn, searchPath, image };
}

/** Those that lie beside the workspace. Of GitHub's it names the commit. */
async function tellSkills(others: readonly FoundSkill[], events: EventWriter): Promise<void> {
  if (others.length > 0)
    await events.writeSystem(
      `more skills, which the agent reads as needed: ${others.map(({ origin }) => origin).join(', ')}`,
    );
}

function createEnvironment(
  { baseEnv, folder, image: usualImage }: SetupParts,
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

/** The configuration may have changed since the run was made. */
function chooseEnvironment({ run, environments }: SetupParts): Environment | undefined {
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
  { run, skills: server, describeSkill, events, signal }: SetupParts,
  clones: readonly Clone[],
): Promise<{ readonly skill: FoundSkill | undefined; readonly others: readonly FoundSkill[] }> {
  const { skill_spec, skills: [first, ...more] = [] } = run.config;
  const spec = skill_spec ?? first;
  if (spec === undefined) return { skill: undefined, others: [] };
  const findAnywhere = createSkillFinder(clones, server);
  const find = async (wanted: string) => {
    const found = await findAnywhere(wanted, signal);
    for (const note of found.notes) await events.writeSystem(note);
    return found;
  };
  const skill = await find(spec);
  await describeSkill(skill);
  const others: FoundSkill[] = [];
  for (const other of more) others.push(await find(other));
  return { skill, others };
}

/** An agent without code finds nothing wrong with it, and its run is green. */
function describeMissing(repository: string | undefined): string {
  const lost = repository === undefined ? '' : `${repository} was not cloned, and `;
  return `${lost}the workspace is empty, because the run names no environment; set \`environment_id\` (in the command \`--environment\`)`;
}
