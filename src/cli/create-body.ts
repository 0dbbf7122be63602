import { DocumentError, quoteText, readDocument, unwrapMcpServers } from '../base/document.ts';
import type { AgentConfig, CreateRunBody } from '../client/index.ts';
import { parseSkillSpec, SkillSpecError } from '../contract/tables/skill-spec.ts';
import { type Arguments, UsageError } from './arguments.ts';
import { readPrompt, readTextFile } from './prompt.ts';
import type { Shell } from './terminal/command-shell.ts';

/** The create that `run` sends. Throws UsageError. */
export async function readRunBody(
  args: Arguments,
  shell: Shell,
  leaseSeconds: number | undefined,
): Promise<CreateRunBody> {
  const skills = args.all('skill').map(checkSkill);
  const prompt = await readPrompt(args, shell);
  const conversation = args.text('conversation');
  if (prompt === undefined && skills.length === 0 && conversation === undefined)
    throw new UsageError(
      'Nothing to run. Give a PROMPT ("-" reads standard input), --skill or --conversation; see npx agent-run run --help',
    );
  const harness = args.text('harness');
  return {
    prompt,
    title: args.text('title'),
    config: {
      name: args.text('name'),
      model_id: args.text('model'),
      environment_id: args.text('environment'),
      base_prompt: args.text('base-prompt'),
      harness: harness === undefined ? undefined : { type: harness },
      // The first skill is the task; the agent may read the others.
      ...(skills.length > 1 ? { skills } : { skill_spec: skills[0] }),
      mcp_servers: await readMcpServers(args, shell),
      output_schema: await readObject(args, shell, 'output-schema'),
    },
    conversation_id: conversation,
    interactive: args.has('interactive') ? true : undefined,
    metadata: readMetadata(args),
    lease_seconds: leaseSeconds,
  };
}

function checkSkill(skill: string): string {
  try {
    parseSkillSpec(skill);
    return skill;
  } catch (error) {
    if (error instanceof SkillSpecError) throw new UsageError(`--skill: ${error.message}`);
    throw error;
  }
}

/** The server validates each server and names what it rejects. */
async function readMcpServers(args: Arguments, shell: Shell): Promise<AgentConfig['mcp_servers']> {
  const document = await readObject(args, shell, 'mcp-servers');
  return document && (unwrapMcpServers(document) as AgentConfig['mcp_servers']);
}

async function readObject(
  args: Arguments,
  shell: Shell,
  flag: 'mcp-servers' | 'output-schema',
): Promise<Record<string, unknown> | undefined> {
  const value = args.text(flag);
  if (value === undefined) return undefined;
  try {
    return await readDocument(value, path => readTextFile(shell, path));
  } catch (error) {
    throw error instanceof DocumentError ? new UsageError(`--${flag}: ${error.message}`) : error;
  }
}

function readMetadata(args: Arguments): Readonly<Record<string, string>> | undefined {
  const pairs = args.all('metadata').map(pair => {
    const [key = '', ...rest] = pair.split('=');
    if (rest.length === 0 || key.trim() === '')
      throw new UsageError(`--metadata must be key=value, not ${quoteText(pair)}`);
    return [key.trim(), rest.join('=').trim()] as const;
  });
  const again = pairs.find(([key], index) => pairs.findIndex(([other]) => other === key) < index);
  if (again !== undefined) throw new UsageError(`--metadata ${quoteText(again[0])} is given twice`);
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}
