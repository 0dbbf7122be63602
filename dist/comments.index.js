// src/action/github/comments.ts
// src/action/github/github-error.ts
// src/action/github/rate-limit.ts
export const id = 887;
export const ids = [887,361];
export const modules = {

/***/ 6887:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   markerOf: () => (/* binding */ markerOf),
/* harmony export */   upsertComment: () => (/* binding */ upsertComment)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6910);
/* harmony import */ var _github_error_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8742);
/**
 * The one comment of a step. It is found by a hidden marker and by its author, through all pages; whoever else writes our marker keeps
 * the own comment.
 */



/** Who comments with the token that every workflow has. */
const usualAuthor = 'github-actions[bot]';
const maxCreates = 4;
/** The most that GitHub gives. */
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
    // What was replaced or cut would make two legs one.
    const tail = isSame ? '' : `.${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(key).digest('hex').slice(0, 12)}`;
    return `<!-- agent-run:${safe}${tail} -->`;
}
/**
 * Brings the comment to this body: edits it in place when it is there and says something else, creates it when it is not. `body` carries
 * the marker in its first or last line. `author` is the token's own login where the caller knows it. Undefined where there is none and `creates`
 * is false. Throws GitHubError.
 */
async function upsertComment(github, { marker, body, author, creates = true, ...place }) {
    if (!carries(body, marker))
        throw new TypeError(`The body has no marker ${marker} in its first or last line`);
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
            // It may be there all the same: only a look for the marker tells.
            const mayRepeat = error instanceof _github_error_js__WEBPACK_IMPORTED_MODULE_1__.GitHubError && error.mayBeDone && attempt + 1 < maxCreates;
            if (!mayRepeat || !(await github.pause(attempt)))
                throw error;
        }
    }
}
async function edit(github, { owner, repo }, own, body) {
    const kept = { id: own.id, link: own.html_url, author: own.user?.login };
    // GitHub may keep lines with CR LF.
    if (own.body?.replaceAll('\r\n', '\n').trimEnd() === body.trimEnd())
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
 * The oldest one, where an accident made two. Services that name no next page have one as long as pages are full. Throws GitHubError where
 * there are more pages than anybody reads: without having seen them all nobody knows whether there is one.
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
 * Whose token it is. `viewer` answers every kind of token, also the one of a workflow, for which `GET /user` is forbidden; servers
 * like GitHub have only the latter.
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
            // Not for this token, or not on this server. A fault of the network says nothing, and a guess would make a second comment.
            if (error instanceof _github_error_js__WEBPACK_IMPORTED_MODULE_1__.GitHubError && !error.isRefusal)
                throw error;
        }
    }
    return usualAuthor;
}
function carries(body, marker) {
    const lines = body.trim().split(/\r\n|\r|\n/);
    return lines[0]?.trim() === marker || lines.at(-1)?.trim() === marker;
}
function addressOf({ owner, repo, number }) {
    return { owner, repo, issue_number: number };
}


/***/ }),

/***/ 8742:
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
/** What is said when GitHub's API does not do what was asked: the operation, GitHub's words, and the permission that the token lacks. */






class GitHubError extends Error {
    name = 'GitHubError';
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
}
/** `stopped` is why the request was ended from outside, where it was. */
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
    // Octokit's own message of a refusal holds the address; GitHub's words are in the data.
    const words = (0,_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv)(data) && typeof data.message === 'string' ? data.message : '';
    const said = words || (typeof data === 'string' ? '' : message);
    const accepted = headers['x-accepted-github-permissions']?.toString();
    const sentence = explainAnswer(operation, { status, said, accepted });
    return new GitHubError(sentence, { status, mayBeDone: status >= 500, isRefusal: status < 500 }, cause);
}
/** What went wrong below HTTP: the innermost word is the one that says it. */
function describeFault(error) {
    const inner = (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_3__/* .findCause */ .lO)(error);
    return inner instanceof Error && inner.name === 'TimeoutError' ? 'no answer in time' : (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_3__/* .describeCause */ .V$)(inner);
}
/** `POST /repos/{owner}/{repo}/issues/{issue_number}/comments` and what it needs, where GitHub does not say it itself. */
const permissions = [
    // Also where they are only listed: who grants reading alone meets the next refusal.
    { route: /\/comments\b/, needs: '`issues: write`, or `pull-requests: write` on a pull request' },
];
// GitHub names `metadata: read` for it, which is nothing that a workflow could grant.
const whoMayAsk = "the job's token can with `contents: read` under `permissions:`, any other token with access to the repository (permission Metadata)";
/** A sentence for an answer that is no success. `said` is GitHub's own message. */
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
/** `issues=write; pull_requests=write` (alternatives; a comma joins what is needed together) in the words of a workflow. */
function readAccepted(header) {
    const alternatives = (header ?? '')
        .split(';')
        .map(part => [...part.matchAll(/([a-z_]+)=(read|write|admin)/g)].map(([, name = '', level]) => `\`${name.replaceAll('_', '-')}: ${level}\``))
        .filter(names => names.length > 0);
    return alternatives.length === 0 ? undefined : alternatives.map(names => names.join(' and ')).join(', or ');
}


/***/ }),

/***/ 5153:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   v: () => (/* binding */ limitWords),
/* harmony export */   x: () => (/* binding */ markLimit)
/* harmony export */ });
/* harmony import */ var _border_answers_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(654);

/** What plugin-throttling knows a limit by. */
const limitWords = 'secondary rate limit';
/**
 * Puts what GitHub says about a limit of the rate into the terms of plugin-throttling, which knows neither a limit without these words, nor a
 * date, nor that a moment is by GitHub's clock. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
function markLimit(error, now) {
    const { status, message, response: { headers } = {} } = error;
    // Without a status: what the plugin found in an answer of GraphQL.
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


/***/ })

};
