import {
  explainFork
} from "./shared-missing-credentials.js";
import {
  GitHubError
} from "./shared-github-error.js";
import {
  plainLine
} from "./core.js";

// src/action/github/gate.ts
var insideEvents = /* @__PURE__ */ new Set([
  "branch_protection_rule",
  "create",
  "delete",
  "deployment",
  "deployment_status",
  "merge_group",
  "page_build",
  "push",
  "registry_package",
  "release",
  "repository_dispatch",
  "schedule",
  "status",
  "workflow_call",
  "workflow_dispatch"
]);
function isOpenToStrangers(event) {
  if (event.name === "pull_request") return event.head?.isFork !== false;
  if (event.name === "workflow_run") return isEarlierOpen(event.earlierRun, event.head?.isFork !== false);
  return !insideEvents.has(event.name);
}
function isEarlierOpen(earlier, isFork) {
  const event = earlier?.event ?? "";
  return isFork || earlier?.actor === void 0 || !(insideEvents.has(event) || event === "pull_request");
}
async function checkGate(question) {
  const { event, requirePermission, allowBots } = question;
  if (event === void 0 || !isOpenToStrangers(event)) return { allowed: true, mayQuoteText: false };
  const people = peopleOf(event, question);
  if (people.length === 0)
    return doubt(
      `The event ${name(event.name)} does not say who caused it (its file is missing or broken), and anyone can cause such an event`
    );
  let areAllChecked = true;
  for (const person of people) {
    if (isBot(person)) {
      if (!isListed(person, allowBots)) return refuseBot(person);
      areAllChecked = false;
    } else if (requirePermission === "none") areAllChecked = false;
    else {
      const refusal = await refusePerson(person, question, event);
      if (refusal === "listed bot") areAllChecked = false;
      else if (refusal !== void 0) return refusal;
    }
  }
  return { allowed: true, mayQuoteText: areAllChecked };
}
function peopleOf(event, { actor, triggeringActor }) {
  const known = [event.sender, event.earlierRun?.actor, event.earlierRun?.triggeringActor];
  const people = /* @__PURE__ */ new Map();
  for (const person of known) if (person !== void 0) people.set(person.login.toLowerCase(), person);
  for (const login of [actor, triggeringActor])
    if (login !== void 0 && !people.has(login.toLowerCase()))
      people.set(login.toLowerCase(), { login, id: void 0, type: void 0 });
  return [...people.values()];
}
function isBot({ login, type }) {
  return type === "Bot" || /\[bot\]$/i.test(login);
}
function isListed({ login, type }, allowBots) {
  return type !== "User" && allowBots.some((bot) => bot.toLowerCase() === login.toLowerCase());
}
async function refusePerson(person, question, event) {
  const [owner, repo] = event.repository?.split("/") ?? [];
  const who = `${name(person.login)} started this by ${name(event.name)}`;
  if (question.github === void 0 || owner === void 0 || repo === void 0)
    return refuseByAssociation(
      person,
      event,
      `${who}, and without \`github_token\` the step cannot ask GitHub whether they have write access`
    );
  try {
    const github = await question.github();
    const { data } = await github.request("GET /repos/{owner}/{repo}/collaborators/{username}/permission", {
      owner,
      repo,
      username: person.login
    });
    const user = data.user;
    if (typeof user?.login === "string" && user.login.toLowerCase() !== person.login.toLowerCase())
      return doubt(`${who}, but GitHub’s answer is about ${name(user.login)}`);
    if (user?.type === "Bot")
      return isListed({ ...person, type: "Bot" }, question.allowBots) ? "listed bot" : refuseBot(person);
    if (person.id !== void 0 && typeof user?.id === "number" && user.id !== person.id)
      return doubt(`${who}, but that login now belongs to someone else`);
    if (writing.has(data.permission) || writing.has(data.role_name)) return void 0;
    const role = data.role_name || data.permission;
    if (typeof role !== "string") return doubt(`${who}, but GitHub’s answer does not say what access they have`);
    const remedy = explainFork(event, true) ?? "Ask a maintainer to start it, or set `require_permission: none` to let anyone start it";
    return {
      allowed: false,
      reason: `${who}, but has only ${name(role)} access to ${event.repository}. Write access is required. ${remedy}`,
      isKnown: true
    };
  } catch (error) {
    const why = `${who}, but the step could not find out whether they have write access: ${error instanceof Error ? error.message : String(error)}`;
    const isNoAnswer = error instanceof GitHubError && error.isRefusal && (error.status === 403 || error.status === 404);
    return isNoAnswer ? refuseByAssociation(person, event, why) : doubt(why);
  }
}
var writing = /* @__PURE__ */ new Set(["admin", "maintain", "write", "owner"]);
function refuseByAssociation(person, event, why) {
  const { author, association } = event.comment ?? event.subject ?? {};
  const isAuthor = author?.id !== void 0 && author.id === person.id;
  const hasWrite = association === "OWNER" || association === "COLLABORATOR" && event.ownerType === "User";
  return isAuthor && hasWrite ? void 0 : doubt(why);
}
function doubt(reason) {
  return { allowed: false, reason, isKnown: false };
}
function refuseBot(person) {
  const reason = `${name(person.login)} is a bot that is not in \`allow_bots\`. Add it there to let it start the step`;
  return { allowed: false, reason, isKnown: true };
}
function name(text) {
  return plainLine(text).slice(0, 100);
}
export {
  checkGate,
  isOpenToStrangers
};
