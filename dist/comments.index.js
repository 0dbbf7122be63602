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


/***/ })

};
