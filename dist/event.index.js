// src/action/github/event-details.ts
// src/action/github/event.ts
// src/action/github/payload.ts
export const id = 435;
export const ids = [435];
export const modules = {

/***/ 3435:
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
// EXTERNAL MODULE: ./build/js/action/github/payload.js
var github_payload = __webpack_require__(7315);
;// CONCATENATED MODULE: ./build/js/action/github/event-details.js

/** GitHub's maximum for a manual start. */
const inputsMax = 25;
function readDetails(payload, eventName) {
    const release = (0,github_payload/* objectOf */.Xy)(payload.release);
    const given = { workflow_dispatch: payload.inputs, repository_dispatch: payload.client_payload };
    return {
        label: (0,github_payload/* textOf */.b6)((0,github_payload/* objectOf */.Xy)(payload.label)?.name),
        release: release && {
            tag: (0,github_payload/* textOf */.b6)(release.tag_name),
            name: (0,github_payload/* textOf */.b6)(release.name),
            link: (0,github_payload/* textOf */.b6)(release.html_url),
        },
        schedule: (0,github_payload/* textOf */.b6)(payload.schedule),
        push: eventName === 'push' ? { before: (0,github_payload/* textOf */.b6)(payload.before), link: (0,github_payload/* textOf */.b6)(payload.compare) } : undefined,
        inputs: readInputs((0,github_payload/* objectOf */.Xy)(given[eventName])),
    };
}
function readInputs(inputs) {
    const isValue = (value) => typeof value === 'number' || typeof value === 'boolean';
    return Object.entries(inputs ?? {})
        .flatMap(([name, value]) => {
        const kept = isValue(value) ? value : (0,github_payload/* textOf */.b6)(value);
        return kept === undefined ? [] : [[name, kept]];
    })
        .slice(0, inputsMax);
}
/** Undefined for a comment outside the code. */
function readPlace(comment) {
    const path = (0,github_payload/* textOf */.b6)(comment.path);
    if (path === undefined)
        return undefined;
    return {
        path,
        line: (0,github_payload/* idOf */.TH)(comment.line),
        startLine: (0,github_payload/* idOf */.TH)(comment.start_line),
        originalLine: (0,github_payload/* idOf */.TH)(comment.original_line),
        side: (0,github_payload/* textOf */.b6)(comment.side),
        diffHunk: (0,github_payload/* textOf */.b6)(comment.diff_hunk),
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
    const repository = (0,github_payload/* objectOf */.Xy)(payload.repository);
    const pull = (0,github_payload/* objectOf */.Xy)(payload.pull_request);
    const earlier = (0,github_payload/* objectOf */.Xy)(payload.workflow_run);
    const head = pull !== undefined ? readPullHead(pull) : earlier && readEarlierHead(earlier, repository);
    const group = (0,github_payload/* objectOf */.Xy)(payload.merge_group);
    const check = (0,github_payload/* objectOf */.Xy)(payload.check_suite) ?? (0,github_payload/* objectOf */.Xy)((0,github_payload/* objectOf */.Xy)(payload.check_run)?.check_suite);
    const sha = (0,github_payload/* textOf */.b6)((0,github_payload/* objectOf */.Xy)(pull?.head)?.sha) ?? (0,github_payload/* textOf */.b6)((earlier ?? group ?? check)?.head_sha) ?? context.sha;
    return {
        name: context.eventName,
        action: (0,github_payload/* textOf */.b6)(payload.action),
        repository: (0,github_payload/* textOf */.b6)(repository?.full_name) ?? context.repository,
        ownerType: (0,github_payload/* textOf */.b6)((0,github_payload/* objectOf */.Xy)(repository?.owner)?.type),
        ref: readRef(head, { pull, earlier, group }) ?? context.ref,
        sha,
        head,
        baseCommit: (0,github_payload/* textOf */.b6)((0,github_payload/* objectOf */.Xy)(pull?.base)?.sha),
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
        return (0,github_payload/* idOf */.TH)(pull.number) === undefined ? undefined : `refs/pull/${pull.number}/head`;
    if (earlier !== undefined && head?.isFork === false && head.ref !== undefined)
        return `refs/heads/${head.ref}`;
    return (0,github_payload/* textOf */.b6)(group?.head_ref);
}
function readPullHead(pull) {
    const [head, base] = [(0,github_payload/* objectOf */.Xy)(pull.head), (0,github_payload/* objectOf */.Xy)(pull.base)];
    return headOf((0,github_payload/* textOf */.b6)(head?.ref), (0,github_payload/* objectOf */.Xy)(head?.repo), (0,github_payload/* objectOf */.Xy)(base?.repo));
}
function readEarlierHead(earlier, repository) {
    return headOf((0,github_payload/* textOf */.b6)(earlier.head_branch), (0,github_payload/* objectOf */.Xy)(earlier.head_repository), (0,github_payload/* objectOf */.Xy)(earlier.repository) ?? repository);
}
/** Everything except a certain match with the base repository counts as a fork. */
function headOf(ref, own, base) {
    const isSame = own !== undefined && (0,github_payload/* idOf */.TH)(own.id) !== undefined && own.id === base?.id;
    return { ref, repository: (0,github_payload/* textOf */.b6)(own?.full_name), isFork: !isSame };
}
const subjectKeys = [
    ['pull_request', 'pull_request'],
    ['issue', 'issue'],
    ['discussion', 'discussion'],
];
function readSubject(payload) {
    for (const [key, kind] of subjectKeys) {
        const subject = (0,github_payload/* objectOf */.Xy)(payload[key]);
        const number = (0,github_payload/* idOf */.TH)(subject?.number);
        if (subject === undefined || number === undefined)
            continue;
        // A comment on a pull request arrives as a comment on an issue.
        const isPull = kind === 'issue' && (0,github_payload/* objectOf */.Xy)(subject.pull_request) !== undefined;
        return { ...textFrom(subject), kind: isPull ? 'pull_request' : kind, number, title: (0,github_payload/* textOf */.b6)(subject.title) };
    }
    return undefined;
}
function readComment(payload) {
    const comment = (0,github_payload/* objectOf */.Xy)(payload.comment);
    const review = (0,github_payload/* objectOf */.Xy)(payload.review);
    const written = comment ?? review;
    if (written === undefined)
        return undefined;
    return {
        ...textFrom(written),
        place: comment && readPlace(comment),
        reviewState: comment === undefined ? (0,github_payload/* textOf */.b6)(review?.state) : undefined,
    };
}
function readEarlierRun(run) {
    const pulls = Array.isArray(run.pull_requests) ? run.pull_requests : [];
    return {
        name: (0,github_payload/* textOf */.b6)(run.name),
        event: (0,github_payload/* textOf */.b6)(run.event),
        conclusion: (0,github_payload/* textOf */.b6)(run.conclusion),
        link: (0,github_payload/* textOf */.b6)(run.html_url),
        actor: personOf(run.actor),
        triggeringActor: personOf(run.triggering_actor),
        pullRequests: pulls.flatMap(pull => (0,github_payload/* idOf */.TH)((0,github_payload/* objectOf */.Xy)(pull)?.number) ?? []).slice(0, 20),
    };
}
function textFrom(value) {
    return {
        body: (0,github_payload/* textOf */.b6)(value.body),
        author: personOf(value.user),
        association: (0,github_payload/* textOf */.b6)(value.author_association),
        link: (0,github_payload/* textOf */.b6)(value.html_url),
    };
}
function personOf(value) {
    const person = (0,github_payload/* objectOf */.Xy)(value);
    const login = (0,github_payload/* textOf */.b6)(person?.login);
    return login === undefined ? undefined : { login, id: (0,github_payload/* idOf */.TH)(person?.id), type: (0,github_payload/* textOf */.b6)(person?.type) };
}


/***/ }),

/***/ 7315:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   TH: () => (/* binding */ idOf),
/* harmony export */   Xy: () => (/* binding */ objectOf),
/* harmony export */   b6: () => (/* binding */ textOf)
/* harmony export */ });
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6910);
/** Reads members of a payload, which may have any value on another service. */

function objectOf(value) {
    return (0,_base_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(value) ? value : undefined;
}
/** Also undefined for ''. */
function textOf(value) {
    return typeof value === 'string' && value !== '' ? value : undefined;
}
/** Reads an ID, an issue number or a line number. */
function idOf(value) {
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}


/***/ })

};
