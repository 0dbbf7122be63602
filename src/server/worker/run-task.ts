import type { HarnessTask, TaskText } from '../harness/harness.ts';
import type { StoredRun } from '../store/store.ts';
import type { RunFolder } from './run-folder.ts';
import type { FoundSkill } from './skill-source.ts';

/** The task that a harness gets: instructions are the base prompt, then the skill's text without its front matter. */
export function createRunTask({
  run: { runId, prompt, config },
  folder,
  skill,
  searchPath,
}: {
  readonly run: StoredRun;
  readonly folder: RunFolder;
  readonly skill: FoundSkill | undefined;
  readonly searchPath: string;
}): HarnessTask {
  const instructions: TaskText[] = [];
  if (config.base_prompt !== undefined)
    instructions.push({ origin: 'the base prompt', text: config.base_prompt, firstLine: 1 });
  if (skill !== undefined) instructions.push({ origin: 'the skill', text: skill.body, firstLine: skill.bodyLine });
  return {
    runId,
    instructions,
    prompt: { origin: 'the prompt', text: prompt, firstLine: 1 },
    modelId: config.model_id,
    searchPath,
    workspace: folder.workspace,
    stateDir: folder.state,
    resultFile: folder.resultFile,
  };
}
