import type { GitHubEvent } from './event.ts';

/** Reason and remedy as the end of a sentence. Undefined if the event is not the reason. */
export function explainByEvent({
  event,
  actor,
  isSkipped,
}: {
  readonly event: GitHubEvent | undefined;
  readonly actor: string | undefined;
  /** True if the step already skips such events. */
  readonly isSkipped: boolean;
}): string | undefined {
  const byFork = explainFork(event, isSkipped);
  if (byFork !== undefined) return byFork;
  const isDependabot = [actor, event?.actor, event?.sender?.login].some(
    login => login?.toLowerCase() === 'dependabot[bot]',
  );
  if (!isDependabot) return undefined;
  return `a workflow that Dependabot starts gets Dependabot secrets instead of Actions secrets. Add the secret under Settings, Secrets and variables, Dependabot${isSkipped ? '' : ', or set `on_missing_credentials: skip`'}`;
}

/** The same for a pull request from a fork. Undefined for any other event. */
export function explainFork(event: GitHubEvent | undefined, isSkipped: boolean): string | undefined {
  const isPull = event?.name.startsWith('pull_request') === true;
  if (!isPull || event?.name === 'pull_request_target' || event?.head?.isFork !== true) return undefined;
  return `GitHub gives no secrets to the workflow of a pull request from a fork. ${isSkipped ? 'Let' : 'Set `on_missing_credentials: skip` to skip such pull requests, or let'} a maintainer start the agent with an event that gets secrets, such as a comment (\`issue_comment\`), where the step checks that they have write access`;
}
