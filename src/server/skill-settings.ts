import { describeUnsetVariable } from '../base/variable-name.ts';
import type { ConfigFile } from './config-schema.ts';
import { EnvironmentSettingError } from './environment-settings.ts';
import { isPrivate } from './environments/address.ts';
import type { GitHubSkillSettings } from './worker/github-skills.ts';

/** Throws EnvironmentSettingError. */
export function readGitHubSkills(
  { skills }: Pick<ConfigFile, 'skills'>,
  env: Readonly<Record<string, string | undefined>>,
): GitHubSkillSettings | undefined {
  if (skills?.github === undefined) return undefined;
  const { repositories, token: variable, api_url } = skills.github;
  const fault = (key: string, message: string) => new EnvironmentSettingError(['skills', 'github', key], message);
  const token = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && token === undefined)
    throw fault('token', `${describeUnsetVariable(variable)}; set it to the token, or remove \`token\``);
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw fault(
      'token',
      `the variable ${variable} contains spaces or other characters that a token cannot have (its value is not shown)`,
    );
  const url = new URL(api_url);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw fault('api_url', 'must not contain a credential, "?" or "#" (its value is not shown); use the plain URL');
  if (token !== undefined && !isPrivate(api_url))
    throw fault('api_url', 'the token would be sent unencrypted; use an https:// URL');
  return { repositories, token, apiUrl: api_url.replace(/\/+$/, '') };
}
