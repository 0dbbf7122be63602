import type { AgentConfig } from '../../contract/config.ts';
import type { ErrorCode } from '../../contract/tables/error-codes.ts';
import { type Environment, findEnvironment } from '../environments/environment.ts';
import type { ContainerEngine } from '../executor/containers/container-engine.ts';
import { describeUnreachable } from '../harness/agents/in-container.ts';
import type { HarnessSet } from '../harness/harness-set.ts';
import { type McpServer, readMcpServers, UnsupportedMcpMember } from '../harness/mcp-servers.ts';
import { refuseSchema } from '../schema/output-schema.ts';
import type { ServerConfig } from './server-config.ts';

/** A configuration with its harness's defaults, or why it does not work with that harness. */
export type CompletedConfig =
  | { readonly config: AgentConfig }
  | {
      readonly refused: Extract<ErrorCode, 'invalid_request' | 'operation_not_supported' | 'resource_unavailable'>;
      readonly message: string;
    };

type Surroundings = Pick<ServerConfig, 'environments' | 'docker'> & {
  /** A string says why there is no engine. */
  readonly engine: ContainerEngine | string;
};

interface Container {
  /** Names the setting of the image, as the beginning of a sentence. */
  readonly because: string;
  readonly network: string | undefined;
}

function findOwn({ environment_id: uid }: AgentConfig, { environments }: Surroundings): Environment | undefined {
  return uid === undefined ? undefined : findEnvironment(environments, uid);
}

function findContainer(config: AgentConfig, surroundings: Surroundings): Container | undefined {
  const environment = findOwn(config, surroundings);
  const { image, settings } = surroundings.docker;
  const { network } = settings;
  if (environment?.image !== undefined)
    return {
      because: `config.environment_id: the environment ${environment.name} runs in a container (\`docker_image\`)`,
      network,
    };
  return image === undefined
    ? undefined
    : { because: 'this server runs agents in a container (`docker.image`)', network };
}

function refuseContainer(
  { because, network }: Container,
  mcpServers: readonly McpServer[],
  { engine }: Surroundings,
): string | undefined {
  if (typeof engine === 'string') return `${because}, but ${engine}`;
  for (const server of mcpServers) {
    const fault = server.type === 'http' ? describeUnreachable(server.url, network) : undefined;
    if (fault !== undefined) return `config.mcp_servers.${server.name}.url: ${fault}`;
  }
  return undefined;
}

/** Checks whether a run would work, before it is created. The signal aborts when the caller has left. */
export function createConfigCheck(
  harnesses: HarnessSet,
  surroundings: Surroundings,
): (config: AgentConfig, signal?: AbortSignal) => Promise<CompletedConfig> {
  return async (config, signal) => {
    const harness = harnesses.get(config.harness?.type);
    let mcpServers: readonly McpServer[];
    try {
      mcpServers = readMcpServers(config, { ...findOwn(config, surroundings)?.env, ...harness?.variables });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const refused = error instanceof UnsupportedMcpMember ? 'operation_not_supported' : 'invalid_request';
      return { refused, message: error.message };
    }
    const refusal = config.output_schema && (await refuseSchema(config.output_schema, signal));
    if (refusal !== undefined)
      return 'fault' in refusal
        ? { refused: 'invalid_request', message: `config.output_schema ${refusal.fault}` }
        : {
            refused: 'resource_unavailable',
            message: `config.output_schema cannot be checked right now: ${refusal.unasked}. Try again later.`,
          };
    const moreSkills = (config.skills ?? []).length > 1;
    const container = findContainer(config, surroundings);
    const message =
      (container && refuseContainer(container, mcpServers, surroundings)) ??
      harness?.refuse({ modelId: config.model_id, mcpServers, moreSkills, container });
    if (message !== undefined) return { refused: 'operation_not_supported', message };
    const model = config.model_id ?? harness?.defaultModel;
    return { config: { ...config, ...(model === undefined ? {} : { model_id: model }) } };
  };
}
