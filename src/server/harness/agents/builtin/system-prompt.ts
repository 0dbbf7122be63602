import type { AgentSpec } from '../adapter.ts';

type PromptParts = Pick<AgentSpec, 'instructions' | 'skills' | 'workspace'>;

/** The system prompt: role, working folder, how to finish, skills, and the instructions of the run. */
export function createSystemPrompt({ instructions, skills, workspace }: PromptParts, today: Date): string {
  const parts = [
    [
      'You are a coding agent. You run without a person: nobody sees what you say before you end, and nobody answers questions unless a way to ask is given below. Decide for yourself, and say in your answer what you assumed.',
      `You work in the folder ${workspace}. Paths may be relative to it. Today is ${today.toISOString().slice(0, 10)} (UTC).`,
      'Use your tools to look before you change something, and check your work, by the tests of the project where there are any. Several tools in one answer are carried out one after another.',
      'You have ended when you answer without calling a tool. That last answer is the result of the run: make it complete, for it is all that is read of what you said.',
    ].join('\n'),
  ];
  if (skills.length > 0)
    parts.push(
      [
        'Skills are instructions for certain tasks. Where the task fits one, read its file first and follow it; paths in it are relative to the folder of the file.',
        ...skills.map(({ name, description, folder }) => `- ${name}: ${description} (${folder}/SKILL.md)`),
      ].join('\n'),
    );
  if (instructions !== '') parts.push(instructions);
  return parts.join('\n\n');
}
