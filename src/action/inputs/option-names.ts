import type { NameOption } from '../../client/index.ts';

const names = { baseUrl: '`base_url`', apiKey: '`api_key`', allowHttp: '`allow_http: true`' } as const;

/** What an option of the client is called in a workflow. */
export const nameInput: NameOption = option => names[option];
