import type { NameOption } from '../../client/index.ts';

const names = { baseUrl: '`base_url`', apiKey: '`api_key`', allowHttp: '`allow_http: true`' } as const;

/** Names an option of the client as in a workflow. */
export const nameInput: NameOption = option => names[option];

/**
 * Replaces members of a request in a server's message by their inputs: `mcp_servers.web.url` in backticks for
 * `config.mcp_servers.web.url`.
 */
export function nameMembers(text: string): string {
  return text
    .replace(/\bconfig\.harness(?:\.(?:type|name)\b)?/g, '`harness`')
    .replace(
      /\bconfig\.((?:base_prompt|environment_id|mcp_servers|model_id|name|output_schema|skill_spec)\b(?:\.[\w-]+)*)/g,
      '`$1`',
    );
}
