import type { GitHubEvent } from './event.ts';

/** Why `api_key` is empty, as far as the event tells, and what to do. */
export function explainMissingKey({
  event,
  actor,
}: {
  readonly event: GitHubEvent | undefined;
  readonly actor: string | undefined;
}): string {
  const isPull = event?.name.startsWith('pull_request') === true;
  if (isPull && event?.name !== 'pull_request_target' && event?.head?.isFork === true)
    return '`api_key` is empty: GitHub gives no secrets to the workflow of a pull request from a fork. Set `on_missing_credentials: skip` to leave such pull requests out, or let a maintainer start the agent with an event that has secrets, such as a comment (`issue_comment`), which checks that they have write access';
  const isDependabot = [actor, event?.actor, event?.sender?.login].some(
    login => login?.toLowerCase() === 'dependabot[bot]',
  );
  if (isDependabot)
    return '`api_key` is empty: a workflow that Dependabot starts gets Dependabot secrets and not those of Actions. Add the secret under Settings, Secrets and variables, Dependabot, too, or set `on_missing_credentials: skip`';
  return '`api_key` is empty: the secret is not set, or its name is misspelt (GitHub makes an empty text of a secret that is not there). See Settings, Secrets and variables, Actions. A reusable workflow gets secrets only if its caller passes them, such as with `secrets: inherit`, and one of an environment only if the job names the environment';
}
