// src/action/github/missing-credentials.ts
function explainByEvent({
  event,
  actor,
  isSkipped
}) {
  const byFork = explainFork(event, isSkipped);
  if (byFork !== void 0) return byFork;
  const isDependabot = [actor, event?.actor, event?.sender?.login].some(
    (login) => login?.toLowerCase() === "dependabot[bot]"
  );
  if (!isDependabot) return void 0;
  return `a workflow that Dependabot starts gets Dependabot secrets instead of Actions secrets. Add the secret under Settings, Secrets and variables, Dependabot${isSkipped ? "" : ", or set `on_missing_credentials: skip`"}`;
}
function explainFork(event, isSkipped) {
  const isPull = event?.name.startsWith("pull_request") === true;
  if (!isPull || event?.name === "pull_request_target" || event?.head?.isFork !== true) return void 0;
  return `GitHub gives no secrets to the workflow of a pull request from a fork. ${isSkipped ? "Let" : "Set `on_missing_credentials: skip` to skip such pull requests, or let"} a maintainer start the agent with an event that gets secrets, such as a comment (\`issue_comment\`), where the step checks that they have write access`;
}

export {
  explainByEvent,
  explainFork
};
