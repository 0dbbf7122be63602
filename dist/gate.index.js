// src/action/github/gate.ts
// src/action/github/github-error.ts
// src/action/github/missing-credentials.ts
// src/action/github/rate-limit.ts
export const id = 802;
export const ids = [802,361,674];
export const modules = {

/***/ 5802:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   checkGate: () => (/* binding */ checkGate)
/* harmony export */ });
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1065);
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(769);
/* harmony import */ var _github_error_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6361);
/* harmony import */ var _missing_credentials_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2674);
/**
 * Decides who may start the step. Events that strangers can cause require write access of everyone involved. All
 * other events need a push, or a click by somebody whom the repository's owner let in.
 *
 * GitHub's API decides. The event's `author_association` is a fallback if the API refuses to answer or there is no
 * token. Only two of its values prove write access: OWNER, and COLLABORATOR in a user's repository, where every
 * collaborator can write. MEMBER only means membership of the organization. A COLLABORATOR in an organization's
 * repository may only have read access, and a member who hides the membership has another value.
 *
 * Neither a refused nor an unknown person starts a run. A refusal skips the step. An unknown permission fails it.
 */




/** Events that require write access, or that no person causes. All others count as open to strangers. */
const insideEvents = new Set([
    'branch_protection_rule',
    'create',
    'delete',
    'deployment',
    'deployment_status',
    'merge_group',
    'page_build',
    'push',
    'registry_package',
    'release',
    'repository_dispatch',
    'schedule',
    'status',
    'workflow_call',
    'workflow_dispatch',
]);
/** Returns true if someone without write access may have caused it. */
function isOpenToStrangers(event) {
    if (event.name === 'pull_request')
        return event.head?.isFork !== false;
    if (event.name === 'workflow_run')
        return isEarlierOpen(event.earlierRun, event.head?.isFork !== false);
    return !insideEvents.has(event.name);
}
/** False only for this repository's run by a known person, on an event that strangers cannot cause. */
function isEarlierOpen(earlier, isFork) {
    const event = earlier?.event ?? '';
    return isFork || earlier?.actor === undefined || !(insideEvents.has(event) || event === 'pull_request');
}
async function checkGate(question) {
    const { event, requirePermission, allowBots } = question;
    if (event === undefined || !isOpenToStrangers(event))
        return { allowed: true, mayQuoteText: false };
    const people = peopleOf(event, question);
    if (people.length === 0)
        return refuseUnknown(`The event ${name(event.name)} does not say who caused it (its file is missing or broken), and anyone can cause such an event`);
    let areAllChecked = true;
    for (const person of people) {
        if (isBot(person)) {
            if (!isListed(person, allowBots))
                return refuseBot(person);
            areAllChecked = false;
        }
        else if (requirePermission === 'none')
            areAllChecked = false;
        else {
            const refusal = await refusePerson(person, question, event);
            if (refusal === 'listed bot')
                areAllChecked = false;
            else if (refusal !== undefined)
                return refusal;
        }
    }
    return { allowed: true, mayQuoteText: areAllChecked };
}
/** The actor, who started this attempt, the sender, and who started an earlier workflow. No repetitions. */
function peopleOf(event, { actor, triggeringActor }) {
    const known = [event.sender, event.earlierRun?.actor, event.earlierRun?.triggeringActor];
    const people = new Map();
    for (const person of known)
        if (person !== undefined)
            people.set(person.login.toLowerCase(), person);
    for (const login of [actor, triggeringActor])
        if (login !== undefined && !people.has(login.toLowerCase()))
            people.set(login.toLowerCase(), { login, id: undefined, type: undefined });
    return [...people.values()];
}
function isBot({ login, type }) {
    return type === 'Bot' || /\[bot\]$/i.test(login);
}
/** GitHub's logins ignore case. A person with a bot's name is not a bot. */
function isListed({ login, type }, allowBots) {
    return type !== 'User' && allowBots.some(bot => bot.toLowerCase() === login.toLowerCase());
}
async function refusePerson(person, question, event) {
    const [owner, repo] = event.repository?.split('/') ?? [];
    const who = `${name(person.login)} triggered this step (${name(event.name)})`;
    if (question.github === undefined || owner === undefined || repo === undefined)
        return refuseByAssociation(person, event, `${who}, and without \`github_token\` the step cannot ask GitHub whether they have write access`);
    try {
        const github = await question.github();
        const { data } = await github.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
            owner,
            repo,
            username: person.login,
        });
        const user = data.user;
        if (typeof user?.login === 'string' && user.login.toLowerCase() !== person.login.toLowerCase())
            return refuseUnknown(`${who}, but GitHub’s answer is about ${name(user.login)}`);
        if (user?.type === 'Bot')
            return isListed({ ...person, type: 'Bot' }, question.allowBots) ? 'listed bot' : refuseBot(person);
        // Someone else may own the login by now.
        if (person.id !== undefined && typeof user?.id === 'number' && user.id !== person.id)
            return refuseUnknown(`${who}, but that login now belongs to someone else`);
        if (writing.has(data.permission) || writing.has(data.role_name))
            return undefined;
        const role = data.role_name || data.permission;
        if (typeof role !== 'string')
            return refuseUnknown(`${who}, but GitHub’s answer does not say what access they have`);
        const remedy = (0,_missing_credentials_js__WEBPACK_IMPORTED_MODULE_1__.explainFork)(event, true) ??
            'Ask a maintainer to start it, or set `require_permission: none` to let anyone start it';
        return {
            allowed: false,
            reason: `${who}, but has only ${name(role)} access to ${event.repository}. Write access is required. ${remedy}`,
            isKnown: true,
        };
    }
    catch (error) {
        const why = `${who}, but the step could not find out whether they have write access: ${(0,_base_cause_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(error)}`;
        const isNoAnswer = error instanceof _github_error_js__WEBPACK_IMPORTED_MODULE_0__.GitHubError && error.isRefusal && (error.status === 403 || error.status === 404);
        return isNoAnswer ? refuseByAssociation(person, event, why) : refuseUnknown(why);
    }
}
/** GitHub reports `write` for the role maintain. Services like it report `maintain` and `owner`. */
const writing = new Set(['admin', 'maintain', 'write', 'owner']);
/** Uses the event's association, which applies only if the person is the author. */
function refuseByAssociation(person, event, why) {
    const { author, association } = event.comment ?? event.subject ?? {};
    const isAuthor = author?.id !== undefined && author.id === person.id;
    const hasWrite = association === 'OWNER' || (association === 'COLLABORATOR' && event.ownerType === 'User');
    return isAuthor && hasWrite ? undefined : refuseUnknown(why);
}
function refuseUnknown(reason) {
    return { allowed: false, reason, isKnown: false };
}
function refuseBot(person) {
    const reason = `${name(person.login)} is a bot that is not in \`allow_bots\`. Add it there to let it start the step`;
    return { allowed: false, reason, isKnown: true };
}
function name(text) {
    return (0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_3__/* .plainLine */ .h0)(text).slice(0, 100);
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

/***/ 2674:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainByEvent: () => (/* binding */ explainByEvent),
/* harmony export */   explainFork: () => (/* binding */ explainFork)
/* harmony export */ });
/** Reason and remedy as the end of a sentence. Undefined if the event is not the reason. */
function explainByEvent({ event, actor, isSkipped, }) {
    const byFork = explainFork(event, isSkipped);
    if (byFork !== undefined)
        return byFork;
    const isDependabot = [actor, event?.actor, event?.sender?.login].some(login => login?.toLowerCase() === 'dependabot[bot]');
    if (!isDependabot)
        return undefined;
    return `a workflow that Dependabot starts gets Dependabot secrets instead of Actions secrets. Add the secret under Settings, Secrets and variables, Dependabot${isSkipped ? '' : ', or set `on_missing_credentials: skip`'}`;
}
/** The same for a pull request from a fork. Undefined for any other event. */
function explainFork(event, isSkipped) {
    const isPull = event?.name.startsWith('pull_request') === true;
    if (!isPull || event?.name === 'pull_request_target' || event?.head?.isFork !== true)
        return undefined;
    return `GitHub gives no secrets to the workflow of a pull request from a fork. ${isSkipped ? 'Let' : 'Set `on_missing_credentials: skip` to skip such pull requests, or let'} a maintainer start the agent with an event that gets secrets, such as a comment (\`issue_comment\`), where the step checks that they have write access`;
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
