import type { AgentConfig } from '../../../contract/config.ts';
import type { Harness, HarnessTask, TaskText } from '../../harness/harness.ts';
import { readMcpServers } from '../../harness/mcp-servers.ts';
import { RunFailure } from '../../run-failure.ts';
import { describeSchema } from '../../schema/output-schema.ts';
import { fillPlaceholders } from '../../skills/skill-placeholders.ts';
import type { RunContext } from '../run-context.ts';
import type { Surroundings } from '../run-setup.ts';

const howToAsk = [
  'You can ask a person in this run. If you cannot continue without their decision, write your question, with all that they need to know, to the file that the environment variable AGENT_RUN_QUESTION names, and end your answer. The work stops until they answer, and then continues with their answer.',
  'Ask only what you can neither find out nor safely decide yourself.',
].join('\n');

/**
 * Builds the task for a harness. Instructions are the base prompt, then the skill's text without front matter, then
 * the form of the answer if there is a schema. The skill's placeholders are filled in with the prompt, which still is
 * the task. Throws RunFailure if the result is too large.
 */
export function createRunTask(
  { run, folder, workingFolder = folder.workspace }: Pick<RunContext, 'run' | 'folder' | 'workingFolder'>,
  {
    harness,
    surroundings: { skill, skills, searchPath, image, passedOn: variables },
  }: {
    readonly harness: Pick<Harness, 'executesSkills' | 'variables'>;
    readonly surroundings: Pick<Surroundings, 'skill' | 'skills' | 'searchPath' | 'image' | 'passedOn'>;
  },
): HarnessTask {
  const { prompt, config, isInteractive, continuation, followup } = run;
  const instructions: TaskText[] = [];
  if (config.base_prompt !== undefined)
    instructions.push({ origin: 'the base prompt', text: config.base_prompt, firstLine: 1 });
  if (skill !== undefined) {
    // A prompt must not become part of code that is executed as written.
    const text = harness.executesSkills === true ? skill.body : fillPlaceholders(skill.body, prompt);
    instructions.push({ origin: 'the skill', text, firstLine: skill.bodyLine });
  }
  if (config.output_schema !== undefined)
    instructions.push({ origin: 'the output schema', text: describeSchema(config.output_schema), firstLine: 1 });
  if (isInteractive) instructions.push({ origin: 'the way to ask', text: howToAsk, firstLine: 1 });
  const told =
    followup === undefined ? { origin: 'the prompt', text: prompt } : { origin: 'the answer', text: followup };
  const passedOn = { ...variables, ...harness.variables };
  return {
    instructions,
    prompt: { ...told, firstLine: 1 },
    modelId: config.model_id,
    mcpServers: findMcpServers(config, passedOn),
    skills,
    sessionId: continuation?.sessionId,
    searchPath,
    image,
    variables: passedOn,
    workspace: workingFolder,
    stateDir: folder.state,
    tempDir: folder.temporary,
  };
}

/** The variables may have changed since the run was created. */
function findMcpServers(config: AgentConfig, variables: HarnessTask['variables']): HarnessTask['mcpServers'] {
  try {
    return readMcpServers(config, variables);
  } catch (error) {
    throw error instanceof RangeError ? new RunFailure('environment_setup_failed', error.message) : error;
  }
}
