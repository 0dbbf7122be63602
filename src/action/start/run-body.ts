import type { JsonObject } from '../../base/json.ts';
import type { CreateRunBody } from '../../contract/create.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import type { ActionHost } from '../host/host.ts';
import type { TaskInputs } from '../inputs/inputs.ts';
import { InputError, quote } from '../inputs/values.ts';

/** Label by which a re-run of a job finds the run of an earlier attempt. */
export const stepLabel = 'agent_run_step';

interface Extras {
  readonly trigger_url: string | undefined;
  readonly repository: string | undefined;
  readonly ref: string | undefined;
  readonly sha: string | undefined;
}

/** The step's task, the same for every attempt of its job. */
export function printTask(task: TaskInputs, prompt: string | undefined, extras: Extras): JsonObject {
  const config = defined({
    name: task.name,
    model_id: task.modelId,
    environment_id: task.environmentId,
    skill_spec: task.skill?.text,
    base_prompt: task.basePrompt,
    mcp_servers: task.mcpServers,
    output_schema: task.outputSchema,
    harness: task.harness === undefined ? undefined : { type: task.harness },
  });
  return defined({ prompt, title: task.title, metadata: task.metadata, ...extras, config });
}

export function completeBody(
  task: JsonObject,
  { stepKey, leaseSeconds }: { readonly stepKey: string | undefined; readonly leaseSeconds: number | undefined },
): CreateRunBody {
  const metadata = { ...(task.metadata as JsonObject | undefined), ...defined({ [stepLabel]: stepKey }) };
  // The server validates the rest and names what it rejects.
  return {
    ...task,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...defined({ lease_seconds: leaseSeconds }),
  } as CreateRunBody;
}

/** AGENT_RUN_LEASE_SECONDS changes the lease. The server's lower bound still applies. Throws InputError. */
export function readLeaseSeconds(host: ActionHost): number {
  const text = host.readVariable('AGENT_RUN_LEASE_SECONDS')?.trim() ?? '';
  if (text === '') return sizes.followerLeaseSeconds;
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= sizes.leaseSecondsMax))
    throw new InputError(
      `AGENT_RUN_LEASE_SECONDS: must be a number of seconds above 0, at most ${sizes.leaseSecondsMax}, not ${quote(text)}`,
    );
  return seconds;
}

function defined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
