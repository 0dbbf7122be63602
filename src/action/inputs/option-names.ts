import type { NameOption } from '../../client/index.ts';

const names = { baseUrl: '`base_url`', apiKey: '`api_key`', allowHttp: '`allow_http: true`' } as const;

export const nameInput: NameOption = option => names[option];

/** Writes a server's `config.mcp_servers.web.url` as the input's `mcp_servers.web.url`, in backticks. */
export function nameMembers(text: string): string {
  return text
    .replace(/\bconfig\.harness(?:\.(?:type|name)\b)?/g, '`harness`')
    .replace(
      /\bconfig\.((?:base_prompt|environment_id|mcp_servers|model_id|name|output_schema|skill_spec)\b(?:\.[\w-]+)*)/g,
      '`$1`',
    );
}
