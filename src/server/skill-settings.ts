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
    throw fault('token', `${describeUnsetVariable(variable)}; give the token in it, or leave \`token\` out`);
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw fault(
      'token',
      `the variable ${variable} holds blanks or other characters that no token has (it is not shown)`,
    );
  const url = new URL(api_url);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw fault('api_url', 'has a credential, "?" or "#" in it (it is not shown); give the address alone');
  if (token !== undefined && !isPrivate(api_url))
    throw fault('api_url', 'the token would cross the network in the clear; give an address that begins with https://');
  return { repositories, token, apiUrl: api_url.replace(/\/+$/, '') };
}
