import type { GitSettings } from '../environments/environment.ts';
import { isPrivate } from '../environments/repository-address.ts';
import type { GitHubSkillSettings } from '../skills/github-skills.ts';
import type { ConfigFile } from './config-schema.ts';
import { EnvironmentSettingError, readToken } from './environment-settings.ts';

/** A token for skills takes precedence over the host's. Throws EnvironmentSettingError. */
export function readGitHubSkills(
  { skills }: Pick<ConfigFile, 'skills'>,
  { env, git }: { readonly env: Readonly<Record<string, string | undefined>>; readonly git: GitSettings },
): GitHubSkillSettings | undefined {
  if (skills?.github === undefined) return undefined;
  const { repositories, token, url: text } = skills.github;
  const path = ['skills', 'github'];
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new EnvironmentSettingError(
      [...path, 'url'],
      'must not contain a credential, "?" or "#" (its value is not shown); use the plain URL',
    );
  const { host } = url;
  const own = token && { token: readToken(env, token, [...path, 'token'], host), apiUrl: '' };
  const known = own || git.hosts[host];
  if (known !== undefined && !isPrivate(text))
    throw new EnvironmentSettingError([...path, 'url'], 'the token would be sent unencrypted; use an https:// URL');
  return {
    repositories,
    url: text.replace(/\/+$/, ''),
    git: { ...git, hosts: known === undefined ? {} : { [host]: known } },
  };
}
