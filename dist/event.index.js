// src/action/github/event-details.ts
// src/action/github/event.ts
// src/action/github/payload.ts
export const id = 790;
export const ids = [790];
export const modules = {

/***/ 790:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readEvent: () => (/* binding */ readEvent)
});

// EXTERNAL MODULE: ./build/js/base/json.js
var json = __webpack_require__(6910);
// EXTERNAL MODULE: ./build/js/border/files.js
var files = __webpack_require__(5838);
;// CONCATENATED MODULE: ./build/js/action/github/payload.js
/** Reads members of a payload, which may have any value on another service. */

function objectOf(value) {
    return (0,json/* isObject */.Gv)(value) ? value : undefined;
}
/** Also undefined for ''. */
function textOf(value) {
    return typeof value === 'string' && value !== '' ? value : undefined;
}
/** Reads an ID, an issue number or a line number. */
function idOf(value) {
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

;// CONCATENATED MODULE: ./build/js/action/github/event-details.js

/** GitHub's maximum for a manual start. */
const inputsMax = 25;
function readDetails(payload, eventName) {
    const release = objectOf(payload.release);
    const given = { workflow_dispatch: payload.inputs, repository_dispatch: payload.client_payload };
    return {
        label: textOf(objectOf(payload.label)?.name),
        release: release && {
            tag: textOf(release.tag_name),
            name: textOf(release.name),
            link: textOf(release.html_url),
        },
        schedule: textOf(payload.schedule),
        push: eventName === 'push' ? { before: textOf(payload.before), link: textOf(payload.compare) } : undefined,
        inputs: readInputs(objectOf(given[eventName])),
    };
}
function readInputs(inputs) {
    const isValue = (value) => typeof value === 'number' || typeof value === 'boolean';
    return Object.entries(inputs ?? {})
        .flatMap(([name, value]) => {
        const kept = isValue(value) ? value : textOf(value);
        return kept === undefined ? [] : [[name, kept]];
    })
        .slice(0, inputsMax);
}
/** Undefined for a comment outside the code. */
function readPlace(comment) {
    const path = textOf(comment.path);
    if (path === undefined)
        return undefined;
    return {
        path,
        line: idOf(comment.line),
        startLine: idOf(comment.start_line),
        originalLine: idOf(comment.original_line),
        side: textOf(comment.side),
        diffHunk: textOf(comment.diff_hunk),
    };
}

;// CONCATENATED MODULE: ./build/js/action/github/event.js
/** The event that started the workflow. Reads the used parts of its payload, from GitHub or a service like it. */




/** GitHub's limit is 25 MB. Payloads of supported events have a few hundred KiB. */
const maxBytes = 8 * 1024 * 1024;
/** Lacks the payload if the file is missing, broken or too long. Undefined without an event. Never throws. */
function readEvent(context) {
    if (context.eventName === undefined)
        return undefined;
    return parseEvent(readPayload(context.eventPath) ?? {}, { ...context, eventName: context.eventName });
}
function readPayload(path) {
    if (path === undefined)
        return undefined;
    try {
        const payload = JSON.parse((0,files/* readPlainFileSync */.c4)(path, maxBytes).toString('utf8'));
        return (0,json/* isObject */.Gv)(payload) ? payload : undefined;
    }
    catch {
        return undefined;
    }
}
function parseEvent(payload, context) {
    const repository = objectOf(payload.repository);
    const pull = objectOf(payload.pull_request);
    const earlier = objectOf(payload.workflow_run);
    const head = pull !== undefined ? readPullHead(pull) : earlier && readEarlierHead(earlier, repository);
    const group = objectOf(payload.merge_group);
    const check = objectOf(payload.check_suite) ?? objectOf(objectOf(payload.check_run)?.check_suite);
    const sha = textOf(objectOf(pull?.head)?.sha) ?? textOf((earlier ?? group ?? check)?.head_sha) ?? context.sha;
    return {
        name: context.eventName,
        action: textOf(payload.action),
        repository: textOf(repository?.full_name) ?? context.repository,
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
    };
}
/** Returns a ref under which the base repository has the commit. A fork's branch is not one. */
function readRef(head, { pull, earlier, group }) {
    if (pull !== undefined)
        return idOf(pull.number) === undefined ? undefined : `refs/pull/${pull.number}/head`;
    if (earlier !== undefined && head?.isFork === false && head.ref !== undefined)
        return `refs/heads/${head.ref}`;
    return textOf(group?.head_ref);
}
function readPullHead(pull) {
    const [head, base] = [objectOf(pull.head), objectOf(pull.base)];
    return headOf(textOf(head?.ref), objectOf(head?.repo), objectOf(base?.repo));
}
function readEarlierHead(earlier, repository) {
    return headOf(textOf(earlier.head_branch), objectOf(earlier.head_repository), objectOf(earlier.repository) ?? repository);
}
/** Everything except a certain match with the base repository counts as a fork. */
function headOf(ref, own, base) {
    const isSame = own !== undefined && idOf(own.id) !== undefined && own.id === base?.id;
    return { ref, repository: textOf(own?.full_name), isFork: !isSame };
}
const subjectKeys = [
    ['pull_request', 'pull_request'],
    ['issue', 'issue'],
    ['discussion', 'discussion'],
];
function readSubject(payload) {
    for (const [key, kind] of subjectKeys) {
        const subject = objectOf(payload[key]);
        const number = idOf(subject?.number);
        if (subject === undefined || number === undefined)
            continue;
        // A comment on a pull request arrives as a comment on an issue.
        const isPull = kind === 'issue' && objectOf(subject.pull_request) !== undefined;
        return { ...textFrom(subject), kind: isPull ? 'pull_request' : kind, number, title: textOf(subject.title) };
    }
    return undefined;
}
function readComment(payload) {
    const comment = objectOf(payload.comment);
    const review = objectOf(payload.review);
    const written = comment ?? review;
    if (written === undefined)
        return undefined;
    return {
        ...textFrom(written),
        place: comment && readPlace(comment),
        reviewState: comment === undefined ? textOf(review?.state) : undefined,
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
        pullRequests: pulls.flatMap(pull => idOf(objectOf(pull)?.number) ?? []).slice(0, 20),
    };
}
function textFrom(value) {
    return {
        body: textOf(value.body),
        author: personOf(value.user),
        association: textOf(value.author_association),
        link: textOf(value.html_url),
    };
}
function personOf(value) {
    const person = objectOf(value);
    const login = textOf(person?.login);
    return login === undefined ? undefined : { login, id: idOf(person?.id), type: textOf(person?.type) };
}


/***/ })

};
