// src/action/github/base-files.ts
// src/action/github/comments.ts
// src/action/github/event-details.ts
// src/action/github/event.ts
// src/action/github/github-error.ts
// src/action/github/payload.ts
// src/action/github/rate-limit.ts
// src/action/text/markdown-inline.ts
// src/action/text/markdown-tree.ts
// src/action/text/render-markdown.ts
// src/apply/apply-inputs.ts
// src/apply/changes/protected-paths.ts
// src/apply/outcome.ts
// src/apply/review-in-step.ts
// src/apply/review/diff-lines.ts
// src/apply/review/findings.ts
// src/apply/review/match-threads.ts
// src/apply/review/plan-review.ts
// src/apply/review/print-review.ts
// src/apply/review/review.ts
// src/apply/review/standing-review.ts
// src/apply/secret-scan.ts
// src/apply/target.ts
export const id = 732;
export const ids = [732,887,435,361,126];
export const modules = {

/***/ 2126:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   findForkPull: () => (/* binding */ findForkPull),
/* harmony export */   instructionFiles: () => (/* binding */ instructionFiles),
/* harmony export */   instructionFolders: () => (/* binding */ instructionFolders),
/* harmony export */   isInstruction: () => (/* binding */ isInstruction),
/* harmony export */   listBaseFiles: () => (/* binding */ listBaseFiles),
/* harmony export */   readBaseFile: () => (/* binding */ readBaseFile)
/* harmony export */ });
/* harmony import */ var _payload_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7315);

/** In lower case, because some file systems ignore case. */
const instructionFiles = [
    ...['claude.md', 'claude.local.md', 'agents.md', 'agents.override.md', 'gemini.md', 'qwen.md', 'context.md'],
    ...['.mcp.json', 'opencode.json', 'opencode.jsonc', '.cursorrules', 'copilot-instructions.md'],
];
const instructionFolders = [
    ...['.claude', '.codex', '.gemini', '.opencode', '.agents', '.qwen', '.pi', '.cursor'],
];
/** Whether a path is such a file, or in such a folder. */
function isInstruction(path) {
    const parts = path.toLowerCase().split('/');
    return instructionFiles.includes(parts.at(-1) ?? '') || parts.some(part => instructionFolders.includes(part));
}
/**
 * The fork's pull request that the event is about. Undefined if it is about none. `mainCommit` stands in for a base
 * that the event does not have and GitHub does not tell. A pull request is a fork's unless GitHub says otherwise.
 */
async function findForkPull({ name, repository, head, baseCommit, subject }, { mainCommit, github }) {
    const isPull = subject?.kind === 'pull_request' || name.startsWith('pull_request');
    if (head === undefined ? !isPull : !head.isFork)
        return undefined;
    let commit = baseCommit ?? mainCommit;
    // The event of a comment does not have its pull request.
    if (head === undefined && github !== undefined && repository !== undefined && subject !== undefined) {
        const [owner = '', repo = ''] = repository.split('/');
        const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
        const answer = await github.request(route, { owner, repo, pull_number: subject.number }).catch(() => undefined);
        const pull = (0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .objectOf */ .Xy)(answer?.data);
        const [from, to] = [(0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .objectOf */ .Xy)(pull?.head), (0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .objectOf */ .Xy)(pull?.base)];
        const id = (0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .idOf */ .TH)((0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .objectOf */ .Xy)(from?.repo)?.id);
        if (id !== undefined && id === (0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .objectOf */ .Xy)(to?.repo)?.id)
            return undefined;
        commit = (0,_payload_js__WEBPACK_IMPORTED_MODULE_0__/* .textOf */ .b6)(to?.sha) ?? commit;
    }
    return { base: repository === undefined || commit === undefined ? undefined : { repository, commit } };
}
/** Throws GitHubError, or an Error if GitHub does not list all files. */
async function listBaseFiles(github, { repository, commit }) {
    const [owner = '', repo = ''] = repository.split('/');
    const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';
    const { data } = await github.request(route, { owner, repo, tree_sha: commit, recursive: '1' });
    if (data.truncated === true)
        throw new Error('the repository has more files than GitHub lists');
    return data.tree
        .filter(({ type, path }) => type === 'blob' && isInstruction(path))
        .map(({ path, mode, sha }) => ({ path, mode, sha }));
}
/** Throws GitHubError. */
async function readBaseFile(github, { repository }, { sha }) {
    const [owner = '', repo = ''] = repository.split('/');
    const route = 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}';
    const { data } = await github.request(route, { owner, repo, file_sha: sha });
    return Buffer.from(data.content, 'base64');
}


/***/ }),

/***/ 6887:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   carries: () => (/* binding */ carries),
/* harmony export */   isSameText: () => (/* binding */ isSameText),
/* harmony export */   markerOf: () => (/* binding */ markerOf),
/* harmony export */   readOwnLogin: () => (/* binding */ readOwnLogin),
/* harmony export */   upsertComment: () => (/* binding */ upsertComment)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6910);
/* harmony import */ var _github_error_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6361);
/**
 * A step's single comment. It is found by a hidden marker and its author, across all pages. Comments of others with
 * the same marker are left alone.
 */



/** Author of comments made with a workflow's own token. */
const usualAuthor = 'github-actions[bot]';
const maxCreates = 4;
/** GitHub's maximum. */
const pageSize = 100;
const maxPages = 100;
/** `<!-- agent-run:KEY -->`. Different keys have different markers, and no key can close the HTML comment. */
function markerOf(key) {
    const safe = key
        .replace(/[^A-Za-z0-9._/]+/g, '-')
        .replace(/-+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 80);
    const isSame = safe === key && safe !== '';
    // After replacing or cutting, two keys could be equal.
    const tail = isSame ? '' : `.${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(key).digest('hex').slice(0, 12)}`;
    return `<!-- agent-run:${safe}${tail} -->`;
}
/**
 * Creates the comment, or edits it in place if its text differs. The first line of `body` is the marker.
 * `author` is the token's login, if known. Returns undefined if there is no comment and `creates` is false. Throws
 * GitHubError.
 */
async function upsertComment(github, { marker, body, author, creates = true, ...place }) {
    if (!carries(body, marker))
        throw new TypeError(`The first line of the body is not the marker ${marker}`);
    for (let attempt = 0;; attempt += 1) {
        const own = await findOwn(github, { ...place, marker, author });
        if (own !== undefined)
            return await edit(github, place, own, body);
        if (!creates)
            return undefined;
        try {
            const { data } = await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
                ...addressOf(place),
                body,
            });
            return { id: Number(data.id), link: data.html_url, author: data.user?.login, happened: 'created' };
        }
        catch (error) {
            // The comment may exist in spite of the error. Looking for the marker tells.
            const mayRepeat = error instanceof _github_error_js__WEBPACK_IMPORTED_MODULE_1__.GitHubError && error.mayBeDone && attempt + 1 < maxCreates;
            if (!mayRepeat || !(await github.pause(attempt)))
                throw error;
        }
    }
}
async function edit(github, { owner, repo }, own, body) {
    const kept = { id: own.id, link: own.html_url, author: own.user?.login };
    // GitHub may store lines with CR LF.
    if (isSameText(own.body ?? '', body))
        return { ...kept, happened: 'unchanged' };
    await github.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
        owner,
        repo,
        comment_id: own.id,
        body,
    });
    return { ...kept, happened: 'edited' };
}
/**
 * Returns the oldest comment, if an accident created two. For services without a link to the next page, a full page
 * means that there is another. Throws GitHubError above the page limit, because an unread page may have the comment.
 */
async function findOwn(github, { marker, author, ...place }) {
    let login = author?.toLowerCase();
    for (let page = 1; page <= maxPages; page += 1) {
        const { data, headers } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            ...addressOf(place),
            per_page: pageSize,
            page,
        });
        const listed = data;
        if (!Array.isArray(listed) || !listed.every(_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv))
            throw new _github_error_js__WEBPACK_IMPORTED_MODULE_1__.GitHubError(`GitHub did not answer with a list of the comments of #${place.number}`, {});
        const marked = data.filter(({ body }) => carries(body ?? '', marker));
        if (marked.length > 0)
            login ??= (await readOwnLogin(github)).toLowerCase();
        const own = marked.find(({ user }) => user !== null && user.login.toLowerCase() === login);
        if (own !== undefined)
            return { ...own, id: Number(own.id) };
        const hasNext = headers.link === undefined ? data.length >= pageSize : headers.link.includes('rel="next"');
        if (!hasNext || data.length === 0)
            return undefined;
    }
    const most = (maxPages * pageSize).toLocaleString('en');
    throw new _github_error_js__WEBPACK_IMPORTED_MODULE_1__.GitHubError(`#${place.number} has more than ${most} comments (${maxPages} pages), and this step found no comment of its own among the first ones, so it writes none. Comment on a newer issue or set \`comment: off\``, {});
}
/**
 * Returns the token's login. `viewer` works for every token, including a workflow's, for which `GET /user` is
 * forbidden. Servers like GitHub only have `GET /user`.
 */
async function readOwnLogin(github) {
    const asks = [
        async () => (await github.graphql('query { viewer { login } }')).viewer?.login,
        async () => (await github.request('GET /user')).data.login,
    ];
    for (const ask of asks) {
        try {
            const login = await ask();
            if (typeof login === 'string' && login !== '')
                return login;
        }
        catch (error) {
            // A refusal means that this token or server lacks the query. A network fault means nothing, and a guess could
            // create a second comment.
            if (error instanceof _github_error_js__WEBPACK_IMPORTED_MODULE_1__.GitHubError && !error.isRefusal)
                throw error;
        }
    }
    return usualAuthor;
}
/** GitHub may store other line ends. */
function isSameText(stored, text) {
    return stored.replaceAll('\r\n', '\n').trimEnd() === text.trimEnd();
}
/** Only the first line counts: others may quote a stranger, who can write any marker. */
function carries(body, marker) {
    return (body
        .trimStart()
        .split(/[\r\n]/, 1)[0]
        ?.trim() === marker);
}
function addressOf({ owner, repo, number }) {
    return { owner, repo, issue_number: number };
}


/***/ }),

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

/***/ 6361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GitHubError: () => (/* binding */ GitHubError),
/* harmony export */   explainFailure: () => (/* binding */ explainFailure)
/* harmony export */ });
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1065);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6910);
/* harmony import */ var _base_text_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9199);
/* harmony import */ var _border_answers_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(654);
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(769);
/* harmony import */ var _rate_limit_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5153);
/** Explains failures of GitHub's API: the operation, GitHub's message, and the missing permission. */






class GitHubError extends Error {
    name = 'GitHubError';
    /** Undefined without a complete response. */
    status;
    /** True if the request may have been carried out in spite of the error. */
    mayBeDone;
    /**
     * True if GitHub permanently refuses the request or does not know the target. False for limits and network faults.
     */
    isRefusal;
    constructor(message, facts, options) {
        super(message, options);
        this.status = facts.status;
        this.mayBeDone = facts.mayBeDone ?? false;
        this.isRefusal = facts.isRefusal ?? false;
    }
}
/** `stopped` is the reason if the request was aborted from outside. */
function explainFailure(error, operation, stopped) {
    const { response, message } = error;
    const cause = { cause: error };
    if (response === undefined) {
        const why = stopped ?? describeFault(error);
        return new GitHubError(`GitHub did not answer ${operation}: ${why}`, { mayBeDone: true }, cause);
    }
    const { data, headers } = response;
    const status = error.status ?? response.status;
    if (message === _rate_limit_js__WEBPACK_IMPORTED_MODULE_1__/* .limitWords */ .v) {
        const seconds = Math.ceil(((0,_border_answers_js__WEBPACK_IMPORTED_MODULE_0__/* .readRetryAfterMs */ .jR)(name => headers[name]?.toString(), Date.now()) ?? 0) / 1000);
        const wait = seconds > 0 ? ` It asks to wait ${seconds} s, which is longer than the step waits.` : '';
        return new GitHubError(`GitHub limits the rate of ${operation} (${status}).${wait}`, { status }, cause);
    }
    // Octokit's message contains the URL. GitHub's own message is in the data.
    const words = (0,_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv)(data) && typeof data.message === 'string' ? [data.message, ...listReasons(data)].join(': ') : '';
    const said = words || (typeof data === 'string' ? '' : message);
    const accepted = headers['x-accepted-github-permissions']?.toString();
    const sentence = explainAnswer(operation, { status, said, accepted });
    return new GitHubError(sentence, { status, mayBeDone: status >= 500, isRefusal: status < 500 }, cause);
}
/** What is wrong with an unprocessable request, as sentences or objects with one. */
function listReasons({ errors }) {
    const reasons = Array.isArray(errors) ? errors : [];
    return reasons
        .map(reason => ((0,_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv)(reason) ? reason.message : reason))
        .filter(reason => typeof reason === 'string');
}
/** For faults below HTTP, the innermost message is the specific one. */
function describeFault(error) {
    const inner = (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_3__/* .findCause */ .lO)(error);
    return inner instanceof Error && inner.name === 'TimeoutError' ? 'no answer in time' : (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_3__/* .describeCause */ .V$)(inner);
}
const permissions = [
    // Also for reading: a token that can only read fails at the next request.
    { route: /\/pulls\//, needs: '`pull-requests: write`' },
    { route: /\/comments\b/, needs: '`issues: write`, or `pull-requests: write` on a pull request' },
];
// GitHub names `metadata: read`, which a workflow cannot grant.
const whoMayAsk = "the job's token can with `contents: read` under `permissions:`, any other token with access to the repository (permission Metadata)";
/** Explains an unsuccessful response. `said` is GitHub's own message. */
function explainAnswer(operation, { status, said, accepted }) {
    const words = (0,_base_text_js__WEBPACK_IMPORTED_MODULE_4__/* .ellipsis */ .gO)((0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_5__/* .plainLine */ .h0)(said).trim(), 200);
    const opening = `GitHub answered ${status} to ${operation}${words === '' ? '' : `: ${words}`}`;
    if (status === 401)
        return `${opening}. \`github_token\` is not valid here or has expired`;
    if (status !== 403 && status !== 404)
        return opening;
    if (operation.includes('/collaborators/'))
        return `${opening}. ${status === 403 ? 'The token may not read this' : 'It does not exist, or the token cannot see it'}: ${whoMayAsk}`;
    const needs = readAccepted(accepted) ?? permissions.find(({ route }) => route.test(operation))?.needs;
    if (needs === undefined)
        return opening;
    const where = 'grant it under `permissions:` of the job';
    return status === 403
        ? `${opening}. The token lacks a permission. This requires ${needs}: ${where}. On a pull request from a fork the token is always read-only`
        : `${opening}. It does not exist, or the token cannot see it. This requires ${needs}: ${where}`;
}
/**
 * Rewrites `issues=write; pull_requests=write` for a workflow. Semicolons separate alternatives. Commas join
 * permissions that are needed together.
 */
function readAccepted(header) {
    const alternatives = (header ?? '')
        .split(';')
        .map(part => [...part.matchAll(/([a-z_]+)=(read|write|admin)/g)].map(([, name = '', level]) => `\`${name.replaceAll('_', '-')}: ${level}\``))
        .filter(names => names.length > 0);
    return alternatives.length === 0 ? undefined : alternatives.map(names => names.join(' and ')).join(', or ');
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


/***/ }),

/***/ 5153:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   v: () => (/* binding */ limitWords),
/* harmony export */   x: () => (/* binding */ markLimit)
/* harmony export */ });
/* harmony import */ var _border_answers_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(654);

/** Text by which plugin-throttling recognizes a limit. */
const limitWords = 'secondary rate limit';
/**
 * Rewrites GitHub's rate limits for plugin-throttling. The plugin recognizes only limits with these words, and
 * neither dates nor times by GitHub's clock.
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
function markLimit(error, now) {
    const { status, message, response: { headers } = {} } = error;
    // The plugin's errors for GraphQL responses have no status.
    if (headers === undefined || ![undefined, 403, 429].includes(status))
        return;
    const reset = headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset']) : Number.NaN;
    const told = { 'retry-after': new Date(reset * 1000).toUTCString(), ...headers };
    const waitMs = (0,_border_answers_js__WEBPACK_IMPORTED_MODULE_0__/* .readRetryAfterMs */ .jR)(name => told[name]?.toString(), now);
    if (status === 403 && waitMs === undefined && !/rate limit/i.test(message))
        return;
    error.message = limitWords;
    if (waitMs !== undefined)
        headers['retry-after'] = String(Math.max(waitMs, 100) / 1000);
}


/***/ }),

/***/ 6237:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  L: () => (/* binding */ renderMarkdownEnd)
});

// EXTERNAL MODULE: ./build/js/border/terminal-text.js
var terminal_text = __webpack_require__(769);
// EXTERNAL MODULE: ./build/js/action/text/budget.js
var budget = __webpack_require__(5092);
// EXTERNAL MODULE: ./build/js/action/text/markdown.js
var markdown = __webpack_require__(2688);
;// CONCATENATED MODULE: ./build/js/action/text/markdown-inline.js
/** Writes text with emphasis, code and links anew. Everything else becomes escaped text. */


function writeLines(nodes) {
    return writeInline(nodes, { inTable: false, within: new Set() })
        .split('\n')
        .map(line => line.trim())
        .filter(line => line !== '')
        .map(markdown/* escapeLineStart */.Kc);
}
/** Returns a single line, for headings and cells. */
function writeLine(nodes, { inTable }) {
    return writeInline(nodes, { inTable, within: new Set() }).replace(/\\?\n/g, ' ').trim();
}
const delimiters = { em: '*', strong: '**', s: '~~' };
function writeInline(nodes, place) {
    const pieces = [];
    for (const node of nodes) {
        const piece = writeNode(node, place);
        // Adjacent delimiters would be read as one.
        if (isDelimiter(pieces.at(-1)?.at(-1)) && isDelimiter(piece[0]))
            pieces.push(markdown/* gap */.rQ);
        if (piece !== '')
            pieces.push(piece);
    }
    return pieces.join('');
}
function isDelimiter(character) {
    return character !== undefined && '*~`'.includes(character);
}
function writeNode(node, place) {
    const { type, token, children } = node;
    switch (type) {
        case 'softbreak':
            return '\n';
        case 'hardbreak':
            return '\\\n';
        case 'code_inline':
            return writeCode(token.content, place);
        case 'link':
            return writeLink({ node, label: writeInline(children, enter(place, 'link')), address: attribute(node, 'href') }, place);
        case 'image': {
            const label = (0,markdown/* escapeText */.X1)(`image: ${plainText(children)}`);
            return writeLink({ node, label, address: attribute(node, 'src') }, place);
        }
        case 'em':
        case 'strong':
        case 's': {
            const inner = writeInline(children, enter(place, type));
            const isWritable = !place.within.has(type) && inner !== '' && inner === inner.trim();
            const delimiter = isWritable ? (delimiters[type] ?? '') : markdown/* gap */.rQ;
            return `${delimiter}${inner}${delimiter}`;
        }
        default:
            return (0,markdown/* escapeText */.X1)(token.content);
    }
}
function enter(place, type) {
    return { ...place, within: new Set([...place.within, type]) };
}
/** Writes a link to the web. Any other becomes its label, with the address as code if it differs. */
function writeLink({ node, label, address }, place) {
    const target = (0,markdown/* readTarget */._E)(address);
    if (target !== undefined && !isReference(address) && !place.within.has('link'))
        return `[${label.trim() === '' ? (0,markdown/* escapeText */.X1)(address) : label}](<${target}>)`;
    const words = plainText(node.children).trim();
    if (isSame(words, address) && node.type === 'link')
        return writeCode(shorten(address), place);
    return address.startsWith('#') || address === '' ? label : `${label} (${writeCode(shorten(address), place)})`;
}
/** True if GitHub would notify an issue, pull request or discussion that this address mentions it. */
function isReference(address) {
    let path = address;
    try {
        path = decodeURIComponent(address);
    }
    catch {
        // Invalid percent-encoding stays as it is.
    }
    return /\/+[^/]+\/+[^/]+\/+(?:issues|pulls?|discussions)\/+\d/i.test(path);
}
function isSame(words, address) {
    if (words === address || `mailto:${words}` === address)
        return true;
    return URL.canParse(words) && URL.canParse(address) && new URL(words).href === new URL(address).href;
}
function shorten(address) {
    return (0,budget/* keepHead */.sc)(address, { surface: 'comment', room: 300 });
}
function writeCode(content, { inTable }) {
    const code = content.replaceAll('\n', ' ');
    // A table cell's code cannot contain a backslash before a pipe.
    if (code === '' || (inTable && code.includes('\\|')))
        return (0,markdown/* escapeText */.X1)(code);
    const bar = '`'.repeat((0,markdown/* longestBackticks */.Ww)(code) + 1);
    const isPadded = /^`|`$/.test(code) || (/^ .* $/.test(code) && code.trim() !== '');
    const inner = isPadded ? ` ${code} ` : code;
    return `${bar}${inTable ? inner.replaceAll('|', '\\|') : inner}${bar}`;
}
function attribute({ token }, name) {
    return String(token.attrGet(name) ?? '');
}
function plainText(nodes) {
    return nodes.map(({ token, children }) => (children.length > 0 ? plainText(children) : token.content)).join('');
}

// EXTERNAL MODULE: ./node_modules/markdown-it/dist/markdown-it.mjs + 12 modules
var markdown_it = __webpack_require__(5251);
// EXTERNAL MODULE: ./build/js/action/text/key-words.js
var key_words = __webpack_require__(5618);
;// CONCATENATED MODULE: ./build/js/action/text/markdown-tree.js
/** An agent's text as a tree, built from the parser's flat tokens. */



/** Deeper nesting is not worth its indentation, and the parser drops content below its own limit. */
const deepest = 40;
/** HTML stays text. The writer decides whether an address may be a link. */
const parser = new markdown_it/* default */.A('default', { html: false, linkify: true, maxNesting: deepest + 10 });
parser.validateLink = () => true;
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// The runner finds a key only letter by letter. Reading a part of it as emphasis or strikethrough would remove
// characters.
parser.inline.ruler.before('strikethrough', 'key', state => {
    const [run = ''] = /^(?:_+|~+)/.exec(state.src.slice(state.pos, state.pos + keyUnits)) ?? [];
    if (run === '' || !isWithinKey(state.src, state.pos))
        return false;
    state.pending += run;
    state.pos += run.length;
    return true;
});
/** Units examined on each side of a key. */
const keyUnits = 64;
function isWithinKey(text, at) {
    const [before = ''] = /[\w.+/=~-]*$/.exec(text.slice(Math.max(0, at - keyUnits), at)) ?? [];
    const [after = ''] = /^[\w.+/=~-]*/.exec(text.slice(at, at + keyUnits)) ?? [];
    return (0,key_words/* isKeyLike */.P)(before + after);
}
/** Returns a text's blocks. Undefined if the nesting is too deep. */
function parseMarkdown(text, redact = same) {
    const tokens = parser.parse((0,terminal_text/* terminalText */.eR)(text), {});
    const levels = [tokens, ...tokens.map(({ children }) => children ?? [])];
    for (const token of levels.flat()) {
        // An inline token holds the source of its children.
        if (token.type !== 'inline')
            token.content = redact(token.content);
        for (const name of ['href', 'src']) {
            const address = token.attrGet(name);
            if (address !== null)
                token.attrSet(name, redact(String(address)));
        }
    }
    return levels.every(isFlat) ? nest(tokens) : undefined;
}
const same = text => text;
function isFlat(tokens) {
    let depth = 0;
    return tokens.every(({ nesting }) => {
        depth += nesting;
        return depth <= deepest;
    });
}
function nest(tokens) {
    const top = [];
    const open = [top];
    for (const token of tokens) {
        if (token.nesting < 0) {
            open.pop();
            continue;
        }
        const children = token.children === null ? [] : [...nest(token.children)];
        open.at(-1)?.push({ type: token.type.replace(/_open$/, ''), token, children });
        if (token.nesting > 0)
            open.push(children);
    }
    return top;
}

// EXTERNAL MODULE: ./build/js/action/text/open-fence.js
var open_fence = __webpack_require__(6685);
;// CONCATENATED MODULE: ./build/js/action/text/render-markdown.js






/** An agent's headings go below the step's, `###`. */
const headingShift = 3;
/**
 * Only this many UTF-16 units at the end of a longer text are parsed. A text built to be slow, such as a table of
 * letters, takes half a second at this size, and signals are not handled meanwhile.
 */
const parsedUnits = 64 * 1024;
/**
 * Returns as many of the last blocks as fit, and the end of the block before them, below a line that tells what is
 * left out and where there is more. If nothing fits, returns the end of the plain text.
 */
function renderMarkdownEnd(given, { where, missingBytes = 0, redact, ...cut }) {
    const { surface } = cut;
    const text = trimEmptyLines((0,terminal_text/* terminalText */.eR)(given));
    const room = (0,budget/* readRoom */.Qo)(cut);
    const fenced = () => fenceEnd(redact === undefined ? text : redact(text), { where, missingBytes, ...cut });
    if (missingBytes === 0 && isJsonDocument(text)) {
        const code = (0,markdown/* fence */.EU)(redact === undefined ? text : redact(text), 'json');
        return (0,budget/* measureText */.kD)(code, surface) <= room ? code : fenced();
    }
    const sourceMax = Math.min(room, parsedUnits);
    const source = text.length > sourceMax ? text.slice(text.length - sourceMax).replace(/^[^\n]*\n/, '') : text;
    const { code, language, rest } = (0,open_fence/* splitOpenFence */.w)(text, text.length - source.length);
    const nodes = parseMarkdown(rest, redact) ?? [];
    const blocks = [
        ...(code === '' ? [] : [codeBlock(redact === undefined ? code : redact(code), readLanguage(language), surface)]),
        ...nodes.map(node => blockOf(node, surface)),
    ].filter(block => block.text !== '');
    const whole = blocks.map(block => block.text).join('\n\n');
    if (missingBytes === 0 && source === text && whole !== '' && (0,budget/* measureText */.kD)(whole, surface) <= room)
        return whole;
    const note = `*(only the end is shown${where === undefined ? '' : `; ${(0,markdown/* quoteInline */.Wx)(where)}`})*`;
    let left = room - (0,budget/* measureText */.kD)(note, surface);
    let first = blocks.length;
    for (; first > 0; first -= 1) {
        const bytes = (0,budget/* measureText */.kD)(`\n\n${blocks[first - 1]?.text}`, surface);
        if (bytes > left)
            break;
        left -= bytes;
    }
    const end = blocks[first - 1]?.cut(left - (0,budget/* measureText */.kD)('\n\n', surface));
    const shown = [...(end === undefined ? [] : [end]), ...blocks.slice(first).map(block => block.text)];
    return shown.length > 0 ? [note, ...shown].join('\n\n') : fenced();
}
function blockOf(node, surface) {
    const { type, token } = node;
    if (type === 'fence')
        return codeBlock(token.content, readLanguage(token.info), surface);
    if (type === 'code_block')
        return codeBlock(token.content, 'text', surface);
    return { text: writeBlock(node), cut: room => cutBlock(node, room, surface) };
}
function codeBlock(code, language, surface) {
    return {
        text: (0,markdown/* fence */.EU)(code, language),
        cut: room => fitFence(inside => (0,markdown/* fence */.EU)((0,budget/* keepEnd */.zf)(code, { surface, room: inside }), language), { surface, room }),
    };
}
/** Returns the last items of a list or blocks of a quote that fit. */
function cutBlock(node, room, surface) {
    const isDivisible = node.type === 'blockquote' || node.type.endsWith('_list');
    const parts = isDivisible ? node.children.length : 0;
    let [from, end] = [1, parts];
    while (from < end) {
        const middle = Math.floor((from + end) / 2);
        if ((0,budget/* measureText */.kD)(writeBlock(node, middle), surface) <= room)
            end = middle;
        else
            from = middle + 1;
    }
    return from < parts ? writeBlock(node, from) : undefined;
}
/** Removes empty lines around the text, which would use up room. The first line keeps its indentation. */
function trimEmptyLines(text) {
    const trimmed = text.trimEnd();
    return trimmed.slice(trimmed.lastIndexOf('\n', Math.max(0, trimmed.search(/\S/))) + 1);
}
/** Returns the end of the text in a fence. '' if there is no room for one. */
function fenceEnd(text, { where, missingBytes, ...cut }) {
    const { surface } = cut;
    return fitFence(room => (0,markdown/* fence */.EU)((0,budget/* keepTail */.G9)(text, { surface, room, where, missingBytes })), cut) ?? '';
}
/** Gives `write` as much room inside its fence as keeps the whole within its limit. */
function fitFence(write, cut) {
    const room = (0,budget/* readRoom */.Qo)(cut);
    for (let inside = room - (0,budget/* measureText */.kD)((0,markdown/* fence */.EU)(''), cut.surface); inside > 0;) {
        const fenced = write(inside);
        const over = (0,budget/* measureText */.kD)(fenced, cut.surface) - room;
        if (over <= 0)
            return fenced;
        inside -= over;
    }
    return undefined;
}
function writeBlocks(nodes) {
    return nodes.map(node => writeBlock(node)).filter(block => block !== '');
}
/** Skips the first `from` items of a list or blocks of a quote. */
function writeBlock(node, from = 0) {
    const { type, token, children } = node;
    switch (type) {
        case 'paragraph':
            return writeLines(inlineOf(node)).join('\n');
        case 'heading': {
            const title = writeLine(inlineOf(node), { inTable: false });
            return title === '' ? '' : `${'#'.repeat(Math.min(6, Number(token.tag.slice(1)) + headingShift))} ${title}`;
        }
        case 'blockquote':
            return indent(writeBlocks(children.slice(from)).join('\n\n'), '> ', '> ');
        case 'bullet_list':
        case 'ordered_list':
            return writeList(node, from);
        case 'fence':
            return (0,markdown/* fence */.EU)(token.content, readLanguage(token.info));
        case 'code_block':
            return (0,markdown/* fence */.EU)(token.content);
        case 'hr':
            // Hyphens would merge a bullet and a rule into one line.
            return '***';
        case 'table':
            return writeTable(node);
        default:
            return writeLines(children).join('\n');
    }
}
function writeList({ type, token, children }, from) {
    const start = Number(token.attrGet('start') ?? 1) + from;
    const items = children.slice(from).map((item, index) => {
        const marker = type === 'bullet_list' ? '- ' : `${Math.min(start + index, 999_999_999)}. `;
        return indent(writeItem(item), marker, ' '.repeat(marker.length));
    });
    const isTight = children.every(item => item.children.every(block => block.type !== 'paragraph' || block.token.hidden));
    return items.join(isTight ? '\n' : '\n\n');
}
/** Writes an item's blocks. Only a block that always interrupts a paragraph follows one without an empty line. */
function writeItem({ children }) {
    let text = '';
    for (const [index, block] of children.entries()) {
        const written = writeBlock(block);
        if (written === '')
            continue;
        const interrupts = block.type === 'fence' || (block.type === 'bullet_list' && /^- [^\n]/.test(written));
        const isTight = children[index - 1]?.token.hidden === true && interrupts;
        text += text === '' ? written : `${isTight ? '\n' : '\n\n'}${written}`;
    }
    return text.replace(/^\\\[([ xX])\\\] /, '[$1] ');
}
function writeTable({ children }) {
    const rows = children.flatMap(part => part.children);
    const cells = rows.map(row => row.children.map(cell => writeLine(inlineOf(cell), { inTable: true })));
    const [head = [], ...body] = cells;
    const rule = (rows[0]?.children ?? []).map(cell => rules[String(cell.token.attrGet('style') ?? '')] ?? '---');
    return [head, rule, ...body].map(row => `| ${row.join(' | ')} |`).join('\n');
}
const rules = {
    'text-align:left': ':--',
    'text-align:center': ':-:',
    'text-align:right': '--:',
};
/** Languages that GitHub renders instead of showing, some with remote images, or treats as a suggested change. */
const drawnLanguages = new Set(['mermaid', 'math', 'geojson', 'topojson', 'stl', 'suggestion']);
function readLanguage(info) {
    const word = /^[A-Za-z0-9+#.-]{1,30}(?=\s|$)/.exec(info.trim())?.[0] ?? 'text';
    return drawnLanguages.has(word.toLowerCase()) ? 'text' : word;
}
function inlineOf({ children }) {
    return children[0]?.children ?? [];
}
function indent(text, first, others) {
    return text
        .split('\n')
        .map((line, index) => `${index === 0 ? first : others}${line}`.trimEnd())
        .join('\n');
}
/** An object or a list, which Markdown would read as words and links. */
function isJsonDocument(text) {
    if (!/^\s*[[{]/.test(text))
        return false;
    try {
        JSON.parse(text);
        return true;
    }
    catch {
        return false;
    }
}


/***/ }),

/***/ 3732:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  postReview: () => (/* binding */ postReview)
});

// EXTERNAL MODULE: ./build/js/action/github/comments.js
var github_comments = __webpack_require__(6887);
// EXTERNAL MODULE: ./build/js/base/cause.js
var cause = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/js/base/json.js
var json = __webpack_require__(6910);
// EXTERNAL MODULE: ./build/js/contract/tables/sizes.js
var sizes = __webpack_require__(4249);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: ./build/js/action/inputs/file-inputs.js
var file_inputs = __webpack_require__(4079);
// EXTERNAL MODULE: ./build/js/action/inputs/input-names.js
var input_names = __webpack_require__(3198);
// EXTERNAL MODULE: ./build/js/action/inputs/stray-inputs.js
var stray_inputs = __webpack_require__(350);
// EXTERNAL MODULE: ./build/js/action/inputs/values.js
var values = __webpack_require__(8589);
// EXTERNAL MODULE: ./build/js/border/files.js
var files = __webpack_require__(5838);
// EXTERNAL MODULE: ./build/js/contract/tables/review-schema.js
var review_schema = __webpack_require__(3323);
;// CONCATENATED MODULE: ./build/js/apply/apply-inputs.js
/** The inputs of `apply`, read and checked once. */







/** Defaults. */
const usualReview = {
    maxComments: 20,
    minSeverity: 'low',
    paths: undefined,
    verdicts: ['comment', 'request_changes'],
};
/** In the order in which they are applied. */
const verbs = (/* unused pure expression or super */ null && (['review', 'comment', 'labels', 'pull_request', 'push']));
/** Throws InputError with every fault. */
async function readApplyInputs(host) {
    return await readAll({
        token: () => {
            const token = readSecret(host, 'github_token');
            if (token === undefined)
                throw new InputError('`github_token` is empty. Remove the input to use the token of the job');
            return token;
        },
        isDryRun: () => {
            refuseFaults(findStrayInputs(host, 'agent-run/apply'));
            return readBoolean(host, 'dry_run', false);
        },
        answer: () => readAnswer(host),
        commit: () => readCommit(host),
        number: () => readCount(host, 'number', { min: 1, max: Number.MAX_SAFE_INTEGER }),
        key: () => readWord(host, 'key'),
        review: () => readReviewInputs(host),
        comment: () => readVerb(host, 'comment') || undefined,
        labels: () => readLabelInputs(host),
        pull_request: () => readPullRequestInputs(host),
        push: () => readPushInputs(host),
    });
}
function readAnswer(host) {
    const text = readText(host, 'result');
    const file = readWord(host, 'result_file');
    if (text !== undefined && file !== undefined)
        throw new InputError('`result` and `result_file` are both set. Remove one of them');
    if (file !== undefined)
        return { text: readInputFile(host, 'result_file', file), input: 'result_file' };
    if (text === undefined)
        throw new InputError('`result` and `result_file` are empty. Set `result` to the output `result_json` of the job with the agent, and skip this job if that one left no result');
    return { text, input: 'result' };
}
function readCommit(host) {
    const commit = readWord(host, 'commit');
    if (commit !== undefined && !/^[0-9a-f]{40}$/.test(commit))
        throw new InputError(`\`commit\` must be the full hash of a commit in lower case, not ${quote(commit)}`);
    return commit;
}
async function readReviewInputs(host) {
    if (!readVerb(host, 'review'))
        return undefined;
    return await readAll({
        maxComments: () => readCount(host, 'review_max_comments', { min: 1, max: 100 }) ?? usualReview.maxComments,
        minSeverity: () => readChoice(host, 'review_min_severity', ['low', ...severities.filter(word => word !== 'low')]),
        paths: () => readPatterns(host, 'review_paths'),
        verdicts: () => readWords(host, 'review_verdicts')?.map(word => checkWord('review_verdicts', word, reviewVerdicts)) ??
            usualReview.verdicts,
    });
}
async function readLabelInputs(host) {
    if (!readVerb(host, 'labels'))
        return undefined;
    return await readAll({
        allowed: () => {
            const allowed = readLabelList(host, 'labels_allowed');
            if (allowed.length > 0)
                return allowed;
            throw new InputError('`labels` is on, but `labels_allowed` is empty. List the labels that the agent may add');
        },
        max: () => readCount(host, 'labels_max', { min: 1, max: 100 }) ?? 3,
    });
}
/** Labels may contain spaces. */
function readLabelList(host, name) {
    const labels = (readTrimmed(host, name) ?? '')
        .split(/[\n,]/)
        .map(label => label.trim())
        .filter(label => label !== '');
    const wrong = labels.find(label => /^- |[["\]]/.test(label));
    if (wrong === undefined)
        return labels;
    throw new InputError(`\`${name}\`: ${quote(wrong)} is not a label. Write one per line, or separate them by commas`);
}
async function readPullRequestInputs(host) {
    if (!readVerb(host, 'pull_request'))
        return undefined;
    return await readAll({
        branch: () => readBranch(host, 'pull_request_branch'),
        base: () => readBranch(host, 'pull_request_base'),
        isDraft: () => readBoolean(host, 'pull_request_draft', false),
        labels: () => readLabelList(host, 'pull_request_labels'),
        reviewers: () => (readWords(host, 'pull_request_reviewers') ?? []).map(login => login.replace(/^@/, '')),
        ...changeReaders(host),
    });
}
async function readPushInputs(host) {
    const [isOn, proposes] = [readVerb(host, 'push'), readBoolean(host, 'pull_request', false)];
    if (isOn && proposes)
        throw new InputError('`pull_request` and `push` are both on. Turn one of them off');
    if (!isOn && !proposes)
        refuseIdle(host, changeInputNames, 'pull_request');
    return isOn ? await readAll(changeReaders(host)) : undefined;
}
function changeReaders(host) {
    return {
        patch: () => readPatch(host),
        allowPaths: () => readPatterns(host, 'changes_allow_paths') ?? [],
        maxFiles: () => readCount(host, 'changes_max_files', { min: 1, max: 1000 }) ?? 100,
        maxBytes: () => readCount(host, 'changes_max_bytes', { min: 1, max: patchBytesMax }) ?? 1_000_000,
    };
}
function readPatterns(host, name) {
    const patterns = readWords(host, name);
    // A path needs to match only one of them, so an exception would let everything else through.
    const wrong = patterns?.find(pattern => pattern.startsWith('!') || /[{}]/.test(pattern));
    if (wrong !== undefined)
        throw new InputError(`\`${name}\`: ${quote(wrong)} is not a pattern. Exceptions (!) and braces do not work`);
    return patterns;
}
const changeInputNames = (/* unused pure expression or super */ null && (['patch_file', 'changes_allow_paths', 'changes_max_files', 'changes_max_bytes']));
/** As large as a run's patch can be. */
const patchBytesMax = (/* unused pure expression or super */ null && (64 * 1024 * 1024));
function readPatch(host) {
    const file = readWord(host, 'patch_file');
    if (file === undefined)
        throw new InputError('`patch_file` is empty. Download the artifact with the file that the output `patch_file` of the other job names');
    try {
        return readPlainFileSync(realpathSync(resolveInWorkspace(host, file)), patchBytesMax);
    }
    catch (error) {
        throw new InputError(`\`patch_file\`: ${quote(file)} cannot be read: ${explainFileFault(error)}`);
    }
}
/** What `git check-ref-format --branch` accepts, and `${{ github.ref }}`. */
function readBranch(host, name) {
    const branch = readWord(host, name)?.replace(/^refs\/heads\//, '');
    const wrong = /^(-|\/|refs\/|@$|HEAD$)|[\s~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|[./]$|\.lock(\/|$)/;
    if (branch === undefined || (branch.length <= 200 && !wrong.test(branch)))
        return branch;
    throw new InputError(`\`${name}\`: ${quote(branch)} is not the name of a branch`);
}
/** Whether a verb is on. Throws InputError if it is off and an input for it is set. */
function readVerb(host, verb) {
    const isOn = readBoolean(host, verb, false);
    if (!isOn)
        refuseIdle(host, applyInputNames.filter(name => name.startsWith(`${verb}_`)), verb);
    return isOn;
}
function refuseIdle(host, names, verb) {
    const idle = names.find(name => isGiven(host, name));
    if (idle !== undefined)
        throw new InputError(`\`${idle}\` has no effect, because \`${verb}\` is off. Set \`${verb}: true\``);
}
function readCount(host, name, { min, max }) {
    const value = readWord(host, name);
    if (value === undefined)
        return undefined;
    const count = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (count >= min && count <= max)
        return count;
    const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
    throw new InputError(`\`${name}\` must be a whole number ${range}, not ${quote(value)}`);
}

;// CONCATENATED MODULE: ./build/js/apply/outcome.js

/** Names the setting behind a refusal that GitHub does not explain. */
function failureOf(error) {
    return (0,cause/* messageOf */.bD)(error).replace(/(is not permitted to (?:create|approve)[\w ]* pull requests).*/s, '$1. Allow it under Settings > Actions > General > Allow GitHub Actions to create and approve pull requests');
}
/** In the step's log. */
function printOutcome(host, outcome) {
    const { verb, notes, refused = [], movedTo, link } = outcome;
    const told = `${verb}: ${tell(outcome)}`;
    if (movedTo === undefined)
        host.print(`${told}${link === undefined ? '' : ` (${link})`}`);
    else
        host.warn(told);
    for (const note of notes)
        host.print(`${verb}: ${note}`);
    for (const what of refused)
        host.warn(`${verb}: ${what}`);
}
/** What was done, without the verb. */
function tell({ deeds, failure, movedTo }) {
    if (movedTo !== undefined)
        return `the head of the pull request is ${movedTo}, which is not the commit that the agent saw. Nothing was changed`;
    if (deeds.length > 0)
        return deeds.join(', ');
    return failure === undefined ? 'nothing to change' : 'nothing was done';
}

// EXTERNAL MODULE: ./node_modules/ajv/dist/ajv.js
var ajv = __webpack_require__(2463);
// EXTERNAL MODULE: ./build/js/action/github/github-error.js
var github_error = __webpack_require__(6361);
// EXTERNAL MODULE: ./build/js/base/text.js
var base_text = __webpack_require__(9199);
// EXTERNAL MODULE: ./build/js/border/visible-text.js
var visible_text = __webpack_require__(1043);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./node_modules/picomatch/index.js
var node_modules_picomatch = __webpack_require__(4006);
;// CONCATENATED MODULE: ./build/js/apply/review/diff-lines.js
/** The lines of a pull request that GitHub takes comments on: those in the hunks of its diff. */
/** Reads the hunks of one file, as GitHub lists it: without a header of the file. */
function readHunks(patch) {
    const hunks = [];
    let oldLine = 0;
    for (const line of patch.split('\n')) {
        const [, oldStart, newStart, newCount = '1'] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
        if (newStart !== undefined) {
            oldLine = Number(oldStart);
            const from = Number(newStart);
            hunks.push({ right: { from, to: from + Number(newCount) - 1 }, left: new Set() });
        }
        else if (line.startsWith('-')) {
            hunks.at(-1)?.left.add(oldLine);
            oldLine += 1;
        }
        else if (line.startsWith(' '))
            oldLine += 1;
    }
    return hunks;
}
function hasLine(hunk, side, line) {
    return side === 'LEFT' ? hunk.left.has(line) : line >= hunk.right.from && line <= hunk.right.to;
}

;// CONCATENATED MODULE: ./build/js/apply/review/findings.js
/** Decides where each finding goes: on lines of the diff, or into the text of the review. */




/** Applies the workflow's limits. */
function chooseFindings(proposed, { minSeverity, paths }) {
    const given = proposed.map(finding => ({ ...finding, path: finding.path.replace(/^(\.\/)+/, '') }));
    const severe = given.filter(finding => rankOf(finding) <= review_schema/* severities */.gO.indexOf(minSeverity));
    const isWanted = paths === undefined ? () => true : node_modules_picomatch([...paths], { dot: true });
    const findings = severe.filter(({ path }) => isWanted(path)).sort((a, b) => rankOf(a) - rankOf(b));
    return {
        findings,
        belowSeverity: given.length - severe.length,
        outsidePaths: severe.length - findings.length,
    };
}
/** 0 for the worst. */
function rankOf({ severity }) {
    return review_schema/* severities */.gO.indexOf(severity);
}
/** A finding that the agent repeats is one. */
function placeFindings(findings, files) {
    const byPath = new Map(files.map(file => [file.path, file]));
    const byFormerPath = new Map(files.flatMap(file => (file.formerPath === undefined ? [] : [[file.formerPath, file]])));
    const placed = findings.map((finding) => {
        const side = finding.side ?? 'RIGHT';
        const lines = { from: finding.line, to: Math.max(finding.line, finding.end_line ?? finding.line) };
        const file = byPath.get(finding.path) ?? (side === 'LEFT' ? byFormerPath.get(finding.path) : undefined);
        return { finding, lines, side, hash: hashFinding(finding), comment: file && findPlace(file, { lines, side }) };
    });
    const seen = new Set();
    return placed.filter(({ hash, lines }) => {
        const key = `${hash} ${lines.from}`;
        return !seen.has(key) && seen.add(key);
    });
}
/** A comment's lines must be in one hunk. Covers those of the first hunk that has any. */
function findPlace({ path, hunks }, { lines, side }) {
    for (const hunk of hunks) {
        const [first, last] = side === 'LEFT' ? spanOf(hunk.left) : [hunk.right.from, hunk.right.to];
        let [from, to] = [Math.max(lines.from, first), Math.min(lines.to, last)];
        while (from <= to && !hasLine(hunk, side, from))
            from += 1;
        while (from <= to && !hasLine(hunk, side, to))
            to -= 1;
        if (from > to)
            continue;
        const isWhole = from === lines.from && to === lines.to;
        return { path, side, line: to, startLine: from === to ? undefined : from, isWhole };
    }
    return undefined;
}
function spanOf(lines) {
    return [Math.min(...lines), Math.max(...lines)];
}
function hashFinding({ path, side, text }) {
    const words = text.toLowerCase().replace(/\s+/g, ' ').trim();
    return (0,external_node_crypto_.createHash)('sha256')
        .update(JSON.stringify([path, side ?? 'RIGHT', words]))
        .digest('hex')
        .slice(0, 16);
}

;// CONCATENATED MODULE: ./build/js/apply/review/match-threads.js
/**
 * First by text, then by place: an agent rarely finds the same words twice. GitHub moves a thread's line with the code.
 */
function matchThreads(findings, threads) {
    // A thread that this action resolved is over. If its finding comes back, it gets a new one.
    const left = new Set(threads.filter(({ isResolved, isGone }) => !(isResolved && isGone)));
    const found = new Map();
    for (const isSame of [isSameFinding, isSameText, isSamePlace])
        for (const placed of findings) {
            if (found.has(placed))
                continue;
            const thread = [...left].find(each => isSame(placed, each));
            if (thread === undefined)
                continue;
            found.set(placed, thread);
            left.delete(thread);
        }
    const pairs = [...found].map(([placed, thread]) => ({ placed, thread }));
    return {
        standing: pairs.filter(({ thread }) => !thread.isResolved),
        settled: pairs.filter(({ thread }) => thread.isResolved).map(({ placed }) => placed),
        fresh: findings.filter(placed => !found.has(placed)),
        gone: [...left].filter(({ isResolved, isGone, canResolve }) => !isResolved && !(isGone && !canResolve)),
    };
}
function isSameFinding(placed, thread) {
    return isSameText(placed, thread) && isSamePlace(placed, thread);
}
function isSameText({ hash }, thread) {
    return hash === thread.hash;
}
/** What a person resolved settles only the same words: another finding on that line is a new one. */
function isSamePlace({ comment }, { path, side, line, isResolved }) {
    return !isResolved && comment?.path === path && comment.side === side && comment.line === line;
}

// EXTERNAL MODULE: ./build/js/action/text/budget.js
var budget = __webpack_require__(5092);
// EXTERNAL MODULE: ./build/js/action/text/markdown.js
var markdown = __webpack_require__(2688);
// EXTERNAL MODULE: ./build/js/action/text/redact.js
var text_redact = __webpack_require__(2160);
// EXTERNAL MODULE: ./build/js/action/text/render-markdown.js + 2 modules
var render_markdown = __webpack_require__(6237);
// EXTERNAL MODULE: ./build/js/border/terminal-text.js
var terminal_text = __webpack_require__(769);
// EXTERNAL MODULE: ./build/js/action/github/base-files.js
var base_files = __webpack_require__(2126);
;// CONCATENATED MODULE: ./build/js/apply/changes/protected-paths.js
/** Changes that the workflow must allow: files that decide what runs or who reviews, and anything but plain files. */



const protectedPaths = [
    ...['.github/**', '**/CODEOWNERS', '**/.gitmodules', '**/.gitattributes', '**/package-lock.json'],
    ...['*.lock', '*.lockb', '*.lockfile', '*.lock.json', '*.lock.hcl', 'npm-shrinkwrap.json', 'pnpm-lock.yaml'],
    ...['pylock.toml', 'gems.locked', '*.resolved', 'conda-lock.yml', 'cabal.project.freeze', 'Manifest.toml'],
    ...['go.sum', 'go.work.sum', '.npmrc', '.yarnrc.yml', '.pnp.cjs'],
    // Other CI, which also runs on a push by a job's token.
    ...['.circleci/**', '.gitlab-ci.yml', '.travis.yml', 'azure-pipelines.yml', 'Jenkinsfile', '.buildkite/**'],
].map(pattern => (pattern.includes('/') ? pattern : `**/${pattern}`));
// Some file systems ignore case.
const isListed = node_modules_picomatch(protectedPaths, { dot: true, nocase: true });
const shownMax = 10;
/** Whether the workflow must allow a change of the path. */
function isProtectedPath(path) {
    return isListed(path) || (0,base_files.isInstruction)(path);
}
/** Why the changes are refused, as sentences. Empty if they are not. */
function findProtected(files, { allowPaths, maxFiles, maxBytes }) {
    const isAllowed = allowPaths.length === 0 ? () => false : picomatch([...allowPaths], { dot: true });
    const refused = files.flatMap(file => {
        const why = describeKind(file) ?? (isProtectedPath(file.path) ? 'protected' : undefined);
        return why === undefined || isAllowed(file.path) ? [] : [`${JSON.stringify(file.path)} (${why})`];
    });
    const more = refused.length - shownMax;
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return [
        ...(refused.length === 0
            ? []
            : [
                `these paths are not in \`changes_allow_paths\`: ${refused.slice(0, shownMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
            ]),
        ...(files.length > maxFiles
            ? [`${counted(files.length, 'file')} changed, and \`changes_max_files\` is ${maxFiles}`]
            : []),
        ...(bytes > maxBytes ? [`the files have ${bytes} bytes, and \`changes_max_bytes\` is ${maxBytes}`] : []),
    ];
}
function describeKind({ mode, formerMode }) {
    for (const [word, kind] of [
        ['120000', 'a link'],
        ['160000', 'a submodule'],
    ])
        if (mode === word || formerMode === word)
            return kind;
    return mode === '100755' && formerMode !== '100755' ? 'becomes executable' : undefined;
}

;// CONCATENATED MODULE: ./build/js/apply/review/standing-review.js
/** What the pull request has: its head, its diff, and the reviews and threads that this action made earlier. */



/** GitHub's maximum. */
const pageSize = 100;
/** GitHub lists at most 3,000 files. */
const maxPages = 30;
async function readStandingReview(github, { marker, ...target }) {
    const place = addressOf(target);
    const { data: pull } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', place);
    const login = (await (0,github_comments.readOwnLogin)(github)).toLowerCase();
    const reviews = [];
    for await (const review of listPages(page => github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', { ...place, ...page })))
        if (review.user?.login.toLowerCase() === login && (0,github_comments.carries)(review.body, marker))
            reviews.push({
                id: Number(review.id),
                state: review.state,
                body: review.body,
                commit: review.commit_id ?? undefined,
                link: review.html_url,
            });
    return {
        headSha: pull.head.sha,
        // A deleted account has none.
        isOwnPull: pull.user?.login.toLowerCase() === login,
        summary: reviews.at(-1),
        threads: await readThreads(github, { ...target, marker, login }),
    };
}
/** Reads until every path is found. */
async function readDiff(github, { paths, ...target }) {
    const files = [];
    const missing = new Set(paths);
    if (missing.size === 0)
        return files;
    for await (const file of listPages(page => github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', { ...addressOf(target), ...page }))) {
        files.push({ path: file.filename, formerPath: file.previous_filename, hunks: readHunks(file.patch ?? '') });
        missing.delete(file.filename);
        if (missing.size === 0)
            break;
    }
    return files;
}
const threadQuery = `query($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviewThreads(first: ${pageSize}, after: $after) {
      nodes {
        id isResolved viewerCanResolve path line diffSide
        comments(first: 1) { nodes { databaseId body author { __typename login } } }
      }
      pageInfo { hasNextPage endCursor }
    }
  } }
}`;
/** Only GraphQL knows threads. */
async function readThreads(github, { marker, login, ...target }) {
    const threads = [];
    let after = null;
    for (let page = 0; page < maxPages; page += 1) {
        const answer = await github.graphql(threadQuery, { ...target, after });
        const { nodes, pageInfo } = answer.repository.pullRequest.reviewThreads;
        for (const { id, isResolved, viewerCanResolve, path, line, diffSide, comments } of nodes) {
            const [first] = comments.nodes;
            const [, hash, gone] = readThreadMarker(first?.body ?? '', marker);
            if (first === undefined || hash === undefined || loginOf(first.author) !== login)
                continue;
            threads.push({
                id,
                isResolved,
                canResolve: viewerCanResolve,
                path,
                side: diffSide,
                line: line ?? undefined,
                hash,
                isGone: gone !== undefined,
                commentId: first.databaseId,
                body: first.body,
            });
        }
        if (!pageInfo.hasNextPage)
            return threads;
        after = pageInfo.endCursor;
    }
    throw new github_error.GitHubError(`#${target.number} has more than ${maxPages * pageSize} review threads, so this step cannot tell which findings stand already`, {});
}
/** The first line of a comment with a finding. */
function threadMarker(marker, hash, isGone = false) {
    return `${marker}<!-- finding:${hash}${isGone ? ' gone' : ''} -->`;
}
function readThreadMarker(body, marker) {
    if (!body.startsWith(marker))
        return [];
    return /^<!-- finding:([0-9a-f]+)( gone)? -->\r?\n/.exec(body.slice(marker.length)) ?? [];
}
/** GraphQL leaves out the `[bot]` of an app's login. A person may have the login without it. */
function loginOf(author) {
    if (author === null)
        return undefined;
    return `${author.login}${author.__typename === 'Bot' ? '[bot]' : ''}`.toLowerCase();
}
async function* listPages(read) {
    for (let page = 1; page <= maxPages; page += 1) {
        const { data, headers } = await read({ per_page: pageSize, page });
        yield* data;
        if (headers.link?.includes('rel="next"') !== true)
            return;
    }
}
function addressOf({ owner, repo, number }) {
    return { owner, repo, pull_number: number };
}

;// CONCATENATED MODULE: ./build/js/apply/review/print-review.js
/** The Markdown of a review. What an agent wrote is rendered harmless: it mentions, links and closes nothing. */









/** Of what an agent wrote. Escaped, it takes up to twice as much. */
const findingRoom = 8000;
const summaryRoom = 12_000;
const pathRoom = 400;
const verdictWords = {
    approve: ': approved',
    comment: '',
    request_changes: ': changes requested',
};
function printSummary({ text, verdict, outside, notes }, printing) {
    const { marker, commit, jobUrl } = printing;
    const head = `${marker}\n### Review of \`${print_review_short(commit)}\`${verdictWords[verdict]}`;
    const foot = [...notes, ...(jobUrl === undefined ? [] : [(0,markdown/* link */.nf)('Log', jobUrl)])].join(' · ');
    let room = budget/* budgets */.RK.comment.max - head.length - foot.length - 200;
    const summary = render(text, printing, summaryRoom);
    room -= summary.length;
    const shown = [];
    for (const placed of outside) {
        const entry = printOutside(placed, printing);
        room -= entry.length + 2;
        if (room < 0)
            break;
        shown.push(entry);
    }
    const left = outside.length - shown.length;
    return [
        head,
        summary,
        ...(outside.length === 0 ? [] : ['#### Other findings']),
        ...shown,
        ...(left === 0 ? [] : [`${(0,base_text/* counted */.hS)(left, 'more finding')} did not fit.`]),
        foot,
    ]
        .filter(part => part !== '')
        .join('\n\n');
}
/** Of a review that brings only new findings. The summary is in an earlier one. */
function printAddition(count, summaryLink, { commit }) {
    return `${(0,base_text/* counted */.hS)(count, 'new finding')} in \`${print_review_short(commit)}\`. ${(0,markdown/* link */.nf)('The summary', summaryLink)} is up to date.`;
}
/** What remains of a summary that a newer review replaced. Without the marker, it is not found again. */
function printSuperseded({ commit }) {
    return `A newer review, of \`${print_review_short(commit)}\`, replaces this one.`;
}
/** A comment on lines of the diff. */
function printComment(placed, printing) {
    const { finding, hash, comment } = placed;
    return [
        `${threadMarker(printing.marker, hash)}\n${printHead(placed)}`,
        render(finding.text, printing, findingRoom),
        printSuggestion(finding.suggestion, {
            isApplicable: comment?.isWhole === true && comment.side === 'RIGHT' && !isProtectedPath(comment.path),
        }, printing),
    ]
        .filter(part => part !== '')
        .join('\n\n');
}
/** The comment of a thread whose finding is gone. */
function printGone({ hash, body }, printing) {
    const rest = body.slice(body.indexOf('\n') + 1);
    return `${threadMarker(printing.marker, hash, true)}\n*No longer found in \`${print_review_short(printing.commit)}\`.*\n\n${rest}`;
}
function printHead({ finding, lines, comment }) {
    const range = comment?.isWhole === false ? ` · ${describeLines(lines)}` : '';
    return `**Severity: ${finding.severity}**${range}`;
}
function printOutside({ finding, lines, side }, printing) {
    const { repositoryUrl, commit } = printing;
    const path = (0,terminal_text/* plainLine */.h0)((0,terminal_text/* terminalText */.eR)((0,budget/* keepHead */.sc)(finding.path, { surface: 'comment', room: pathRoom })));
    const where = `${path}, ${describeLines(lines)}`;
    const anchor = `#L${lines.from}${lines.to === lines.from ? '' : `-L${lines.to}`}`;
    // The commit has the files as after the change.
    const place = repositoryUrl !== undefined && side === 'RIGHT' && isPathOfRepository(finding.path)
        ? (0,markdown/* link */.nf)(where, `${repositoryUrl}/blob/${commit}/${finding.path.split('/').map(encodeURIComponent).join('/')}${anchor}`)
        : (0,markdown/* quoteInline */.Wx)(where);
    return [
        `**Severity: ${finding.severity}** · ${place}`,
        render(finding.text, printing, findingRoom),
        printSuggestion(finding.suggestion, { isApplicable: false }, printing),
    ]
        .filter(part => part !== '')
        .join('\n\n');
}
function describeLines({ from, to }) {
    return from === to ? `line ${from}` : `lines ${from}–${to}`;
}
/** False for a path that a browser would resolve to another page. */
function isPathOfRepository(path) {
    return path.length <= pathRoom && path.split('/').every(part => !['', '.', '..'].includes(part));
}
/** One click commits a suggestion as it is, so one with characters that nobody sees is only shown. */
function printSuggestion(suggestion, { isApplicable }, { redact }) {
    if (suggestion === null || suggestion === undefined || suggestion.trim() === '')
        return '';
    const text = suggestion.replaceAll('\r\n', '\n');
    const shown = (0,text_redact/* redactAll */.$)(text, redact);
    const isExact = shown === text && !(0,visible_text/* hasUnseen */.FN)(text) && text.length <= findingRoom;
    return (0,markdown/* fence */.EU)((0,budget/* keepHead */.sc)(shown, { surface: 'comment', room: findingRoom }), isApplicable && isExact ? 'suggestion' : 'text');
}
function render(text, { redact }, room) {
    const start = (0,budget/* keepHead */.sc)((0,text_redact/* redactAll */.$)(text, redact), { surface: 'comment', room });
    // Escapes may make it longer. Then its end is shown.
    return (0,render_markdown/* renderMarkdownEnd */.L)(start, { surface: 'comment', room: 2 * room, redact });
}
function print_review_short(commit) {
    return commit.slice(0, 7);
}

;// CONCATENATED MODULE: ./build/js/apply/review/plan-review.js
/** Decides everything that a review changes on GitHub, from what the agent found and what stands there. */





const events = {
    approve: 'APPROVE',
    comment: 'COMMENT',
    request_changes: 'REQUEST_CHANGES',
};
function planReview({ isTextOnly, ...facts }) {
    const { answer, chosen, inputs, files, standing, printing } = facts;
    const matches = matchThreads(placeFindings(chosen.findings, files), standing.threads);
    const isOnLines = ({ comment }) => !isTextOnly && comment !== undefined;
    const onLines = matches.fresh.filter(isOnLines);
    const fresh = onLines.slice(0, Math.max(0, inputs.maxComments - matches.standing.length));
    const rest = new Set(onLines.slice(fresh.length));
    // A finding that is worse than one with a comment is not left out.
    const mildest = Math.max(...matches.standing.map(({ placed }) => rankOf(placed.finding)));
    const isInText = (placed) => rest.has(placed) ? rankOf(placed.finding) < mildest : !isOnLines(placed);
    const outside = matches.fresh.filter(isInText).slice(0, inputs.maxComments);
    const leftOut = matches.fresh.length - fresh.length - outside.length;
    const { verdict, why } = chooseVerdict(answer.verdict, inputs, standing);
    const notes = [
        ...(why === undefined ? [] : [why]),
        ...describeRest({ chosen, matches, fresh: fresh.length, outside: outside.length, leftOut }),
    ];
    const body = printSummary({ text: answer.summary, verdict, outside, notes }, printing);
    const comments = fresh.flatMap(placed => placed.comment === undefined ? [] : [{ place: placed.comment, body: printComment(placed, printing) }]);
    return {
        ...planSummary({ summary: standing.summary, event: events[verdict], body, comments, printing }),
        ...planThreads(matches, printing),
        notes,
    };
}
/** Only what the workflow allows. GitHub lets nobody judge their own pull request. */
function chooseVerdict(verdict, { verdicts }, { isOwnPull }) {
    if (verdict === 'comment')
        return { verdict };
    if (!verdicts.includes(verdict))
        return {
            verdict: 'comment',
            why: `The agent's verdict is \`${verdict}\`, which \`review_verdicts\` does not allow`,
        };
    return isOwnPull
        ? { verdict: 'comment', why: `The agent's verdict is \`${verdict}\`, which GitHub refuses from the author` }
        : { verdict };
}
/** One review has the summary. It is edited as long as its verdict holds. */
function planSummary({ summary, event, body, comments, printing, }) {
    if (summary === undefined)
        return { create: { event, body, comments }, editReviews: [], dismiss: undefined };
    const isDecided = ['APPROVED', 'CHANGES_REQUESTED'].includes(summary.state);
    const holds = (event === 'REQUEST_CHANGES' && summary.state === 'CHANGES_REQUESTED') ||
        // An approval is for one commit.
        (event === 'APPROVE' && summary.state === 'APPROVED' && summary.commit === printing.commit) ||
        event === 'COMMENT';
    if (!holds)
        return {
            create: { event, body, comments },
            editReviews: [{ id: summary.id, body: printSuperseded(printing) }],
            dismiss: undefined,
        };
    const addition = {
        event: 'COMMENT',
        body: printAddition(comments.length, summary.link, printing),
        comments,
    };
    return {
        create: comments.length === 0 ? undefined : addition,
        editReviews: (0,github_comments.isSameText)(summary.body, body) ? [] : [{ id: summary.id, body }],
        dismiss: event === 'COMMENT' && isDecided ? summary.id : undefined,
    };
}
function planThreads({ standing, gone }, printing) {
    const current = standing.map(({ placed, thread }) => ({ thread, body: printComment(placed, printing) }));
    const ended = gone.filter(({ isGone }) => !isGone).map(thread => ({ thread, body: printGone(thread, printing) }));
    return {
        editComments: [...current, ...ended]
            .filter(({ thread, body }) => !(0,github_comments.isSameText)(thread.body, body))
            .map(({ thread, body }) => ({ id: thread.commentId, body })),
        resolve: gone.filter(({ canResolve }) => canResolve).map(({ id }) => id),
    };
}
/** The same words for findings that stand and new ones, so that the same answer again changes nothing. */
function describeRest({ chosen, matches: { standing, settled }, fresh, outside, leftOut }) {
    const say = (findings, words) => (findings === 0 ? [] : [`${(0,base_text/* counted */.hS)(findings, 'finding')} ${words}`]);
    return [
        ...say(standing.length + fresh, 'on lines of the diff'),
        ...say(outside, 'without a comment on a line'),
        ...say(settled.length, 'not repeated, because somebody resolved the thread'),
        ...say(leftOut, 'left out (`review_max_comments`)'),
        ...say(chosen.belowSeverity, 'left out (`review_min_severity`)'),
        ...say(chosen.outsidePaths, 'left out (`review_paths`)'),
    ];
}

;// CONCATENATED MODULE: ./build/js/apply/review/review.js
/** The verb `review`: one review of a pull request, kept up to date from push to push. */










const maxAttempts = 4;
/**
 * Reads what stands, plans, and carries the plan out. A plan is made of what GitHub has, so it can be made again after
 * a request of unknown outcome. Throws GitHubError, and an Error for an answer of the wrong form.
 */
async function applyReview({ github, target, printing, isDryRun, ...given }) {
    const answer = readReview(given.answer);
    const chosen = chooseFindings(answer.findings, given.inputs);
    const paths = new Set(chosen.findings.map(({ path }) => path));
    const done = {
        create: undefined,
        editReviews: [],
        dismiss: undefined,
        editComments: [],
        resolve: [],
        notes: [],
        link: undefined,
    };
    let isTextOnly = false;
    for (let attempt = 0;; attempt += 1) {
        const standing = await readStandingReview(github, { ...target, marker: printing.marker });
        // The next run reviews the new head. Its lines are not those that the agent saw.
        if (standing.headSha !== printing.commit)
            return { verb: 'review', deeds: [], notes: [], movedTo: standing.headSha };
        const files = await readDiff(github, { ...target, paths });
        const plan = planReview({ answer, chosen, inputs: given.inputs, files, standing, printing, isTextOnly });
        done.link ??= standing.summary?.link;
        if (isDryRun)
            return { ...describe(plan), link: done.link, previews: listPreviews(plan) };
        try {
            done.notes = [...plan.notes];
            await carryOut(github, { plan, target, commit: printing.commit, done });
            return { ...describe(done), link: done.link };
        }
        catch (error) {
            // One line that GitHub does not take makes it refuse the whole review.
            const isLineRefused = error instanceof github_error.GitHubError && error.status === 422 && !isTextOnly && (plan.create?.comments.length ?? 0) > 0;
            const mayRepeat = error instanceof github_error.GitHubError && error.mayBeDone && attempt + 1 < maxAttempts;
            if (isLineRefused)
                isTextOnly = true;
            else if (!mayRepeat || !(await github.pause(attempt)))
                return { ...describe(done), link: done.link, failure: failureOf(error) };
        }
    }
}
function readReview(answer) {
    const check = new ajv.Ajv({ strict: false, ownProperties: true }).compile(review_schema/* reviewSchema */.Yg);
    if (!check(answer)) {
        const [{ instancePath = '', message = 'is wrong' } = {}] = check.errors ?? [];
        const place = instancePath === '' ? 'the answer' : `\`${(0,base_text/* ellipsis */.gO)(instancePath.slice(1), 100)}\``;
        throw new Error(`the answer is not a review: ${place} ${message}. Set \`output_schema: review\` in the job with the agent`);
    }
    if (answer.findings.length === 0 && !(0,visible_text/* isVisible */.zN)(answer.summary))
        throw new Error('the answer is not a review: it has neither a summary nor a finding');
    return answer;
}
/** The new review first: it matters most. */
async function carryOut(github, given) {
    const { plan, target, commit, done } = given;
    const { owner, repo } = target;
    const place = addressOf(target);
    if (plan.create !== undefined) {
        const { event, body, comments } = plan.create;
        const { data } = await github.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
            ...place,
            commit_id: commit,
            event,
            body,
            comments: comments.map(({ place: { path, side, line, startLine }, body: text }) => ({
                path,
                side,
                line,
                body: text,
                ...(startLine !== undefined && { start_line: startLine, start_side: side }),
            })),
        });
        done.link = data.html_url;
        done.create = plan.create;
    }
    for (const edit of plan.editReviews) {
        const { id, body } = edit;
        const route = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}';
        await github.request(route, { ...place, review_id: id, body });
        done.editReviews.push(edit);
    }
    await dismissReview(github, given);
    for (const edit of plan.editComments) {
        const { id, body } = edit;
        const route = 'PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}';
        await github.request(route, { owner, repo, comment_id: id, body });
        done.editComments.push(edit);
    }
    await resolveThreads(github, given);
}
/** GitHub may refuse it: a protected branch can limit who may. */
async function dismissReview(github, { plan: { dismiss }, target, commit, done }) {
    if (dismiss === undefined)
        return;
    try {
        await github.request('PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals', {
            ...addressOf(target),
            review_id: dismiss,
            message: `The review of ${commit.slice(0, 7)} has another verdict.`,
        });
        done.dismiss = dismiss;
    }
    catch (error) {
        if (!(error instanceof github_error.GitHubError && error.isRefusal))
            throw error;
        done.notes.push(`The verdict of the earlier review stands: ${(0,base_text/* ellipsis */.gO)((0,cause/* messageOf */.bD)(error), 300)}`);
    }
}
/** Their comments say already that the finding is gone. */
async function resolveThreads(github, { plan, done }) {
    for (const id of plan.resolve)
        try {
            await github.graphql('mutation($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }', {
                id,
            });
            done.resolve.push(id);
        }
        catch (error) {
            // GraphQL's refusals are other errors.
            if (error instanceof github_error.GitHubError && !error.isRefusal)
                throw error;
            done.notes.push(`GitHub does not let this token resolve threads (${(0,base_text/* ellipsis */.gO)((0,cause/* messageOf */.bD)(error), 200)}). Grant \`contents: write\` if it should`);
            return;
        }
}
function describe({ create, editReviews, dismiss, editComments, resolve, notes }) {
    const say = (count, what) => (count === 0 ? [] : [(0,base_text/* counted */.hS)(count, what)]);
    const comments = create?.comments.length ?? 0;
    return {
        verb: 'review',
        deeds: [
            ...(create === undefined ? [] : [`a new review${comments === 0 ? '' : ` with ${(0,base_text/* counted */.hS)(comments, 'comment')}`}`]),
            ...say(editReviews.length, 'edited review'),
            ...say(dismiss === undefined ? 0 : 1, 'dismissed review'),
            ...say(editComments.length, 'edited comment'),
            ...say(resolve.length, 'resolved thread'),
        ],
        notes,
    };
}
function listPreviews({ create, editReviews, editComments }) {
    return [
        ...(create === undefined ? [] : [{ place: `a new review (${create.event})`, markdown: create.body }]),
        ...(create?.comments ?? []).map(({ place: { path, line }, body }) => ({
            place: `${path}, line ${line}`,
            markdown: body,
        })),
        ...editReviews.map(({ id, body }) => ({ place: `review ${id}`, markdown: body })),
        ...editComments.map(({ id, body }) => ({ place: `comment ${id}`, markdown: body })),
    ];
}

// EXTERNAL MODULE: ./node_modules/@secretlint/core/module/index.js + 17 modules
var core_module = __webpack_require__(198);
// EXTERNAL MODULE: ./node_modules/@secretlint/secretlint-rule-preset-recommend/module/index.js
var secretlint_rule_preset_recommend_module = __webpack_require__(1577);
;// CONCATENATED MODULE: ./build/js/apply/secret-scan.js
/** Looks for keys and tokens in an agent's answer before any of it is published. secretlint knows their forms. */



/** Keys that secretlint does not know: Gemini API keys and Claude Code tokens. */
const otherKeys = /AIza[\w-]{35}|sk-ant-[a-z]+\d+-[\w-]{20}/g;
/** The rule by which a comment in the text turns the scan off. */
const filter = '@secretlint/secretlint-rule-filter-comments';
/** Throws an Error that names their places. `what` begins its sentence: `the answer seems`. */
async function refuseSecrets(what, texts) {
    const places = await findSecretPlaces(texts);
    if (places.length > 0)
        throw new Error(`${what} to contain a secret: ${places.slice(0, 5).join(', ')}. None of that was published. If it is a real one, revoke it`);
}
/** Scans what is sent as well. Markdown hides keys, for example by `\\_`, and what GitHub gets is the text without that. */
function scanRequests(github, refuse = refuseSecrets) {
    const request = async (route, parameters = {}) => {
        // Files are scanned as text before they are sent in Base64.
        if (!/^GET |\/git\/(blobs|trees)$/.test(route))
            await refuse('the text for GitHub seems', parameters);
        return await github.request(route, { ...parameters });
    };
    return { ...github, request: request };
}
/** Where secrets seem to be, such as `findings/3/text (GITHUB_TOKEN)`. Never contains one. */
async function findSecretPlaces(answer) {
    const texts = listTexts(answer, []);
    const content = texts.map(({ text }) => text).join('\n');
    // One scan of all texts: each scan starts every rule.
    const { messages } = await (0,core_module/* lintSource */.n)({
        source: { filePath: 'answer.txt', content, contentType: 'text' },
        options: {
            noPhysicFilePath: true,
            config: { rules: secretlint_rule_preset_recommend_module/* rules */.a.filter(({ meta }) => meta.id !== filter).map(rule => ({ id: rule.meta.id, rule })) },
        },
    });
    let end = 0;
    const ends = texts.map(({ path, text }) => {
        end += text.length + 1;
        return { path, end };
    });
    const findPlace = (start) => ends.find(text => start < text.end)?.path ?? 'text';
    const places = messages
        .filter(({ type }) => type === 'message')
        .map(({ range: [start], messageId }) => `${findPlace(start)} (${messageId})`);
    const others = [...content.matchAll(otherKeys)].map(({ index }) => `${findPlace(index)} (API key)`);
    return [...new Set([...places, ...others])];
}
function listTexts(value, path) {
    if (typeof value === 'string')
        return [{ path: path.join('/'), text: value }];
    if (Array.isArray(value))
        return value.flatMap((each, index) => listTexts(each, [...path, index]));
    if (!(0,json/* isObject */.Gv)(value))
        return [];
    return Object.entries(value).flatMap(([name, each]) => [
        { path: path.join('/'), text: name },
        // The agent chose the name.
        ...listTexts(each, [...path, /^[a-z_]{1,20}$/.test(name) ? name : '…']),
    ]);
}

// EXTERNAL MODULE: ./build/js/action/github/event.js + 1 modules
var github_event = __webpack_require__(3435);
;// CONCATENATED MODULE: ./build/js/apply/target.js
/** What the answer is about: an issue or pull request of this repository, and the commit that the agent saw. */


function findRepository({ repository }) {
    const [owner, repo] = repository?.split('/') ?? [];
    if (owner === undefined || repo === undefined)
        throw new values/* InputError */.dz('GITHUB_REPOSITORY is not set. A GitHub runner sets it');
    return { owner, repo };
}
/** Undefined if neither the inputs nor the event name one. */
function findNumber(context, { number }) {
    const subject = readEvent(context)?.subject;
    return number ?? (subject?.kind === 'discussion' ? undefined : subject?.number);
}
/** The number of the event's issue. Undefined for a pull request, and if the workflow names another number. */
function findIssue(context, { number }) {
    const subject = readEvent(context)?.subject;
    return subject?.kind === 'issue' && (number ?? subject.number) === subject.number ? subject.number : undefined;
}
/** Throws InputError if neither the inputs nor the event name an issue or pull request. */
function findTarget(context, inputs) {
    const number = findNumber(context, inputs);
    if (number !== undefined)
        return { ...findRepository(context), number };
    throw new InputError(`the event ${context.eventName ?? 'of this job'} has no issue or pull request. Set \`number\` to its number`);
}
/**
 * The commit that the agent saw: `commit`, or the head of the event's pull request. Undefined if neither is given.
 */
function findSeen(context, { commit, number }) {
    const pull = findPull(context);
    return commit ?? (pull !== undefined && (number ?? pull.number) === pull.number ? pull.sha : undefined);
}
/** Throws InputError if the head is still that of the event, so that `commit` is not an earlier one. */
function refuseMergeCommit(context, { commit }, head) {
    if (commit !== undefined && findPull(context)?.sha === head)
        throw new InputError(`\`commit\` is ${commit}, but the head of the pull request is still ${head}. Remove the input if the agent saw that head. \`github.sha\` is a merge commit here: check out \`github.event.pull_request.head.sha\` for the agent`);
}
/** Throws InputError if nothing tells the commit. */
function findCommit(context, inputs, usual) {
    const seen = findSeen(context, inputs) ?? usual;
    if (seen !== undefined)
        return seen;
    throw new InputError(`the event ${context.eventName ?? 'of this job'} does not tell which commit the agent saw. Set \`commit\` to its full hash`);
}
/** The head of the pull request, if it is not `seen`. Undefined for an issue. Throws GitHubError. */
async function findNewHead(github, target, seen) {
    const { owner, repo, number } = target;
    const place = { owner, repo };
    const { data: issue } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
        ...place,
        issue_number: number,
    });
    if (!issue.pull_request)
        return undefined;
    const { data: pull } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
        ...place,
        pull_number: number,
    });
    return pull.head.sha === seen ? undefined : pull.head.sha;
}
/** The branch that the event is about. Throws InputError for that of a fork. */
function findBranch(context) {
    const pull = findPull(context);
    if (pull === undefined)
        return /^refs\/heads\/(.+)$/.exec(context.ref ?? '')?.[1];
    if (!pull.head.isFork)
        return pull.head.ref;
    throw new InputError('the branch of the event is in a fork, so no pull request can be opened for it. Set `pull_request_base` and `commit`');
}
function findPull(context) {
    const { subject, head, sha } = readEvent(context) ?? {};
    return subject?.kind === 'pull_request' && head !== undefined ? { number: subject.number, head, sha } : undefined;
}

;// CONCATENATED MODULE: ./build/js/apply/review-in-step.js
/**
 * `review: on` of the action that runs agents: the verb `review` in the agent's own step, with its usual limits.
 * Nothing here may be loaded later than this file, because the agent could change it.
 */









/** Throws GitHubError, and an Error for an answer of the wrong form. */
async function postReview({ host, context, pull, github, answer, key }) {
    const { jobUrl, repositoryUrl } = context;
    if (!(0,json/* isObject */.Gv)(answer) || (0,json/* isNestedBeyond */.Jc)(answer, sizes/* sizes */.L.jsonLevels))
        throw new Error('the run has no structured result with a review');
    let hasSecret = false;
    const refuse = async (what, texts) => {
        try {
            await refuseSecrets(what, texts);
        }
        catch (error) {
            hasSecret = true;
            throw error;
        }
    };
    try {
        await refuse('the answer seems', answer);
        const outcome = await applyReview({
            ...{ github: scanRequests(github, refuse), answer, inputs: usualReview, isDryRun: false },
            target: { ...findRepository(context), number: pull.number },
            printing: { marker: (0,github_comments.markerOf)(key), jobUrl, repositoryUrl, commit: pull.commit, redact: host.redact },
        });
        printOutcome(host, outcome);
        if (outcome.failure !== undefined)
            throw new Error(outcome.failure);
        if (outcome.movedTo !== undefined)
            return { title: 'no review, because the pull request has a newer commit' };
        return { title: `review: ${String(answer.verdict).replaceAll('_', ' ')}`, link: outcome.link };
    }
    catch (error) {
        if (hasSecret)
            return { secret: (0,cause/* messageOf */.bD)(error) };
        throw error;
    }
}


/***/ })

};
