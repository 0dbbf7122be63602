import type { AgentConfig } from '../contract/config.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import type { HarnessSet } from './harness/harness-set.ts';
import { type McpServer, readMcpServers } from './harness/mcp-servers.ts';
import { refuseSchema } from './worker/output-schema.ts';

/** A configuration with the defaults of its harness, or why that harness cannot carry it out. */
export type CompletedConfig =
  | { readonly config: AgentConfig }
  | { readonly refused: Extract<ErrorCode, 'invalid_request' | 'operation_not_supported'>; readonly message: string };

/** Whether a run could be carried out, before there is one. `config.harness` is one of the set. */
export function createConfigCheck(harnesses: HarnessSet): (config: AgentConfig) => Promise<CompletedConfig> {
  return async config => {
    const harness = harnesses.get(config.harness?.type);
    let mcpServers: readonly McpServer[];
    try {
      mcpServers = readMcpServers(config);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { refused: 'invalid_request', message: error.message };
    }
    const schemaFault = config.output_schema === undefined ? undefined : await refuseSchema(config.output_schema);
    if (schemaFault !== undefined)
      return { refused: 'invalid_request', message: `config.output_schema: ${schemaFault}` };
    const moreSkills = (config.skills ?? []).length > 1;
    const message = harness?.refuse({ modelId: config.model_id, mcpServers, moreSkills });
    if (message !== undefined) return { refused: 'operation_not_supported', message };
    const model = config.model_id ?? harness?.defaultModel;
    return { config: { ...config, ...(model === undefined ? {} : { model_id: model }) } };
  };
}
