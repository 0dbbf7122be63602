import {
  isObject,
  readRegularFile
} from "./core.js";

// src/action/github/payload.ts
function objectOf(value) {
  return isObject(value) ? value : void 0;
}
function textOf(value) {
  return typeof value === "string" && value !== "" ? value : void 0;
}
function idOf(value) {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : void 0;
}

// src/action/github/event-details.ts
var inputsMax = 25;
function readDetails(payload, eventName) {
  const release = objectOf(payload.release);
  const given = { workflow_dispatch: payload.inputs, repository_dispatch: payload.client_payload };
  return {
    label: textOf(objectOf(payload.label)?.name),
    release: release && {
      tag: textOf(release.tag_name),
      name: textOf(release.name),
      link: textOf(release.html_url)
    },
    schedule: textOf(payload.schedule),
    push: eventName === "push" ? { before: textOf(payload.before), link: textOf(payload.compare) } : void 0,
    inputs: readInputs(objectOf(given[eventName]))
  };
}
function readInputs(inputs) {
  const isValue = (value) => typeof value === "number" || typeof value === "boolean";
  return Object.entries(inputs ?? {}).flatMap(([name, value]) => {
    const kept = isValue(value) ? value : textOf(value);
    return kept === void 0 ? [] : [[name, kept]];
  }).slice(0, inputsMax);
}
function readPlace(comment) {
  const path = textOf(comment.path);
  if (path === void 0) return void 0;
  return {
    path,
    line: idOf(comment.line),
    startLine: idOf(comment.start_line),
    originalLine: idOf(comment.original_line),
    side: textOf(comment.side),
    diffHunk: textOf(comment.diff_hunk)
  };
}

// src/action/github/event.ts
var maxBytes = 8 * 1024 * 1024;
function readEvent(context) {
  if (context.eventName === void 0) return void 0;
  return understandEvent(readPayload(context.eventPath) ?? {}, { ...context, eventName: context.eventName });
}
function readPayload(path) {
  if (path === void 0) return void 0;
  try {
    const payload = JSON.parse(readRegularFile(path, maxBytes).toString("utf8"));
    return isObject(payload) ? payload : void 0;
  } catch {
    return void 0;
  }
}
function understandEvent(payload, context) {
  const repository = objectOf(payload.repository);
  const pull = objectOf(payload.pull_request);
  const earlier = objectOf(payload.workflow_run);
  const head = pull !== void 0 ? readPullHead(pull) : earlier && readEarlierHead(earlier, repository);
  const group = objectOf(payload.merge_group);
  const check = objectOf(payload.check_suite) ?? objectOf(objectOf(payload.check_run)?.check_suite);
  const sha = textOf(objectOf(pull?.head)?.sha) ?? textOf((earlier ?? group ?? check)?.head_sha) ?? context.sha;
  return {
    name: context.eventName,
    action: textOf(payload.action),
    repository: textOf(repository?.full_name) ?? context.repository,
    repositoryId: idOf(repository?.id) ?? idOf(Number(context.repositoryId)),
    ownerType: textOf(objectOf(repository?.owner)?.type),
    ref: readRef(head, { pull, earlier, group }) ?? context.ref,
    sha,
    head,
    subject: readSubject(payload),
    comment: readComment(payload),
    earlierRun: earlier && readEarlierRun(earlier),
    ...readDetails(payload, context.eventName),
    sender: personOf(payload.sender),
    actor: context.actor,
    triggeringActor: context.triggeringActor
  };
}
function readRef(head, { pull, earlier, group }) {
  if (pull !== void 0) return idOf(pull.number) === void 0 ? void 0 : `refs/pull/${pull.number}/head`;
  if (earlier !== void 0 && head?.isFork === false && head.ref !== void 0) return `refs/heads/${head.ref}`;
  return textOf(group?.head_ref);
}
function readPullHead(pull) {
  const [head, base] = [objectOf(pull.head), objectOf(pull.base)];
  return headOf(textOf(head?.ref), objectOf(head?.repo), objectOf(base?.repo));
}
function readEarlierHead(earlier, repository) {
  return headOf(
    textOf(earlier.head_branch),
    objectOf(earlier.head_repository),
    objectOf(earlier.repository) ?? repository
  );
}
function headOf(ref, own, base) {
  const isSame = own !== void 0 && idOf(own.id) !== void 0 && own.id === base?.id;
  return { ref, repository: textOf(own?.full_name), isFork: !isSame };
}
var subjectKeys = [
  ["pull_request", "pull_request"],
  ["issue", "issue"],
  ["discussion", "discussion"]
];
function readSubject(payload) {
  for (const [key, kind] of subjectKeys) {
    const subject = objectOf(payload[key]);
    const number = idOf(subject?.number);
    if (subject === void 0 || number === void 0) continue;
    const isPull = kind === "issue" && objectOf(subject.pull_request) !== void 0;
    return { ...textFrom(subject), kind: isPull ? "pull_request" : kind, number, title: textOf(subject.title) };
  }
  return void 0;
}
function readComment(payload) {
  const comment = objectOf(payload.comment);
  const review = objectOf(payload.review);
  const written = comment ?? review;
  if (written === void 0) return void 0;
  return {
    ...textFrom(written),
    place: comment && readPlace(comment),
    reviewState: comment === void 0 ? textOf(review?.state) : void 0
  };
}
function readEarlierRun(run) {
  const pulls = Array.isArray(run.pull_requests) ? run.pull_requests : [];
  return {
    name: textOf(run.name),
    event: textOf(run.event),
    conclusion: textOf(run.conclusion),
    link: textOf(run.html_url),
    actor: personOf(run.actor),
    triggeringActor: personOf(run.triggering_actor),
    pullRequests: pulls.flatMap((pull) => idOf(objectOf(pull)?.number) ?? []).slice(0, 20)
  };
}
function textFrom(value) {
  return {
    body: textOf(value.body),
    author: personOf(value.user),
    association: textOf(value.author_association),
    link: textOf(value.html_url)
  };
}
function personOf(value) {
  const person = objectOf(value);
  const login = textOf(person?.login);
  return login === void 0 ? void 0 : { login, id: idOf(person?.id), type: textOf(person?.type) };
}
export {
  readEvent
};
