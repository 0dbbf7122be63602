/** What takes a server, in a step that has none. */
import { parseSkillSpec } from '../../contract/skill-spec.ts';
import type { ActionInputs } from '../inputs/inputs.ts';

const remedy = 'give the `base_url` of a server that has it';

/** Why the step cannot do what it is told, for each such input. `repository` is the one in the workspace, as `owner/name`. */
export function findServerOnly(
  { task, follow, embedded }: Pick<ActionInputs, 'task' | 'follow' | 'embedded'>,
  repository: string | undefined,
): readonly string[] {
  const faults: string[] = [];
  if (!follow.wait)
    faults.push(
      '`wait` is false and there is no server: the run would end with the step; give `base_url`, or leave `wait` out',
    );
  if (follow.onTimeout === 'leave')
    faults.push(
      '`on_timeout` is leave and there is no server: the run ends with the step; give `base_url`, or leave `on_timeout` out',
    );
  if (task.environmentId !== undefined)
    faults.push(`\`environment_id\`: a step without a server has no environments; leave it out, or ${remedy}`);
  const isProgram = embedded.command !== undefined || embedded.allowScript;
  if (Object.keys(task.mcpServers ?? {}).length > 0 && isProgram && !isAgent(task.harness))
    faults.push(
      `\`mcp_servers\`: a \`command\` receives no MCP servers; configure them in the program itself, name an agent with \`harness\`, or ${remedy}`,
    );
  if (task.skillSpec !== undefined) {
    const { owner, repo } = parseSkillSpec(task.skillSpec);
    const wanted = `${owner}/${repo}`;
    if (wanted.toLowerCase() !== repository?.toLowerCase())
      faults.push(
        `\`skill_spec\`: a step without a server has the skills of its own repository alone (${repository ?? 'GITHUB_REPOSITORY does not say which'}), and none of ${wanted}; copy the skill, or ${remedy}`,
      );
  }
  return faults;
}

function isAgent(harness: string | undefined): boolean {
  return harness !== undefined && !['oz', 'command', 'script'].includes(harness);
}
