/** Inputs that need a server, in a step that has none. */
import type { ActionInputs } from '../inputs/inputs.ts';

const remedy = 'set `base_url` to a server that supports it';

/** Returns a sentence for each such input. `repository` is the one in the workspace, as `owner/name`. */
export function findServerOnly(
  { task, follow, embedded }: Pick<ActionInputs, 'task' | 'follow' | 'embedded'>,
  repository: string | undefined,
): readonly string[] {
  const faults: string[] = [];
  if (!follow.wait)
    faults.push(
      '`wait` must be true without a server, because the run ends with the step; set `base_url`, or remove `wait`',
    );
  if (follow.onTimeout === 'leave')
    faults.push(
      '`on_timeout` must not be leave without a server, because the run ends with the step; set `base_url`, or remove `on_timeout`',
    );
  if (task.environmentId !== undefined)
    faults.push(`\`environment_id\`: a step without a server has no environments; remove it, or ${remedy}`);
  const isProgram = embedded.command !== undefined || embedded.allowScript;
  if (Object.keys(task.mcpServers ?? {}).length > 0 && isProgram && !isAgent(task.harness))
    faults.push(
      `\`mcp_servers\`: a \`command\` does not receive MCP servers; configure them in the program itself, set \`harness\` to an agent, or ${remedy}`,
    );
  if (task.skill !== undefined) {
    const wanted = `${task.skill.owner}/${task.skill.repo}`;
    if (wanted.toLowerCase() !== repository?.toLowerCase())
      faults.push(
        `\`skill_spec\`: a step without a server can use only the skills of its own repository (${repository ?? 'GITHUB_REPOSITORY is not set'}), not those of ${wanted}; copy the skill, or ${remedy}`,
      );
  }
  return faults;
}

function isAgent(harness: string | undefined): boolean {
  return harness !== undefined && !['oz', 'command', 'script'].includes(harness);
}
