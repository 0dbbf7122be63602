import type { CreateRunBody } from '../client/index.ts';
import { parseSkillSpec, SkillSpecError } from '../contract/skill-spec.ts';
import { type Arguments, UsageError } from './arguments.ts';
import { readPrompt } from './prompt.ts';
import type { Shell } from './shell.ts';

/** What `run` asks the server for. Throws UsageError. */
export async function readRunBody(
  args: Arguments,
  shell: Shell,
  leaseSeconds: number | undefined,
): Promise<CreateRunBody> {
  const skill = readSkill(args);
  const prompt = await readPrompt(args, shell);
  const conversation = args.text('conversation');
  if (prompt === undefined && skill === undefined && conversation === undefined)
    throw new UsageError('nothing to run: give a PROMPT, --skill or --conversation; see agent-run run --help');
  return {
    prompt,
    title: args.text('title'),
    config: {
      name: args.text('name'),
      model_id: args.text('model'),
      environment_id: args.text('environment'),
      skill_spec: skill,
    },
    conversation_id: conversation,
    interactive: args.has('interactive') ? true : undefined,
    lease_seconds: leaseSeconds,
  };
}

function readSkill(args: Arguments): string | undefined {
  const skill = args.text('skill');
  try {
    if (skill !== undefined) parseSkillSpec(skill);
    return skill;
  } catch (error) {
    if (error instanceof SkillSpecError) throw new UsageError(`--skill: ${error.message}`);
    throw error;
  }
}
