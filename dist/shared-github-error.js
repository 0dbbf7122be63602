import {
  ellipsis,
  plainLine
} from "./core.js";

// src/action/github/github-error.ts
var GitHubError = class extends Error {
  name = "GitHubError";
  /** Undefined when no whole answer came. */
  status;
  /** Whether it may have been carried out all the same. */
  mayBeDone;
  /** Whether GitHub said that this is not allowed or not there, for good: no limit, no fault of the network. */
  isRefusal;
  constructor(message, facts, options) {
    super(message, options);
    this.status = facts.status;
    this.mayBeDone = facts.mayBeDone ?? false;
    this.isRefusal = facts.isRefusal ?? false;
  }
};
var permissions = [
  // Also where they are only listed: who grants reading alone meets the next refusal.
  { route: /\/comments\b/, needs: "`issues: write`, or `pull-requests: write` on a pull request" }
];
var whoMayAsk = "the job's token can with `contents: read` under `permissions:`, any other token with access to the repository (permission Metadata)";
function explainAnswer(operation, { status, said, accepted }) {
  const words = ellipsis(plainLine(said).trim(), 200);
  const opening = `GitHub answered ${status} to ${operation}${words === "" ? "" : `: ${words}`}`;
  if (status === 401) return `${opening}. \`github_token\` is not valid here or has expired`;
  if (status !== 403 && status !== 404) return opening;
  if (operation.includes("/collaborators/"))
    return `${opening}. ${status === 403 ? "The token may not read this" : "It does not exist, or the token cannot see it"}: ${whoMayAsk}`;
  const needs = readAccepted(accepted) ?? permissions.find(({ route }) => route.test(operation))?.needs;
  if (needs === void 0) return opening;
  const where = "grant it under `permissions:` of the job";
  return status === 403 ? `${opening}. The token lacks a permission. This requires ${needs}: ${where}. On a pull request from a fork the token is always read-only` : `${opening}. It does not exist, or the token cannot see it. This requires ${needs}: ${where}`;
}
function readAccepted(header) {
  const alternatives = (header ?? "").split(";").map(
    (part) => [...part.matchAll(/([a-z_]+)=(read|write|admin)/g)].map(
      ([, name = "", level]) => `\`${name.replaceAll("_", "-")}: ${level}\``
    )
  ).filter((names) => names.length > 0);
  return alternatives.length === 0 ? void 0 : alternatives.map((names) => names.join(" and ")).join(", or ");
}

export {
  GitHubError,
  explainAnswer
};
