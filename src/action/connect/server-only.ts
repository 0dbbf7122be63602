/** What takes a server, in a step that has none. */
import { parseSkillSpec } from '../../contract/skill-spec.ts';
import type { ActionInputs } from '../inputs/inputs.ts';

const remedy = 'give the `base_url` of a server that has it';

/** Why the step cannot do what it is told, for each such input. `repository` is the one in the workspace, as `owner/name`. */
export function findServerOnly(
  { task, follow }: Pick<ActionInputs, 'task' | 'follow'>,
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
  if (Object.keys(task.mcpServers ?? {}).length > 0)
    faults.push(
      `\`mcp_servers\`: a step without a server has no way to tell \`command\` of them; set them up for the program itself, or ${remedy}`,
    );
  if (task.outputSchema !== undefined)
    faults.push(
      `\`output_schema\`: a step without a server does not check results; ask for the form in the prompt, or ${remedy}`,
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
