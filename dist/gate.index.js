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
/* harmony export */   checkGate: () => (/* binding */ checkGate),
/* harmony export */   isOpenToStrangers: () => (/* binding */ isOpenToStrangers)
/* harmony export */ });
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1065);
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(769);
/* harmony import */ var _github_error_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8742);
/* harmony import */ var _missing_credentials_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2674);
/**
 * Who may start the step. Events that strangers can cause need write access of everybody who had a hand in them; all else was caused by
 * somebody who has it, for it takes a push or a click that GitHub gives to no others.
 *
 * The answer of GitHub's API decides. What the event says of a comment's author (`author_association`) is a stand-in where the API
 * refuses to answer or there is no token, and only two of its words mean write access: OWNER, and COLLABORATOR in a repository of a person,
 * where there is no lesser collaborator. MEMBER only says that somebody belongs to the organisation, a COLLABORATOR of an
 * organisation's repository may be one who reads, and who hides that they belong to it has any other word.
 *
 * Nobody starts a run who may not, and nobody of whom that is not known; but the second is no end that a workflow can be content with.
 */




/** Events that take write access to the repository, or that nobody causes. An event that is not here is one of strangers, known or not. */
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
/** Whether somebody without write access can have caused it. */
function isOpenToStrangers(event) {
    if (event.name === 'pull_request')
        return event.head?.isFork !== false;
    if (event.name === 'workflow_run')
        return isEarlierOpen(event.earlierRun, event.head?.isFork !== false);
    return !insideEvents.has(event.name);
}
/** A run of the own repository by somebody known, on an event that strangers cannot cause themselves. */
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
        return doubt(`The event ${name(event.name)} does not say who caused it (its file is missing or broken), and anyone can cause such an event`);
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
/** Actor, who started this attempt, who sent the event, and for an earlier workflow who started that: each once. */
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
/** GitHub's logins are the same in both cases. A person of a bot's name is none. */
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
            return doubt(`${who}, but GitHub’s answer is about ${name(user.login)}`);
        if (user?.type === 'Bot')
            return isListed({ ...person, type: 'Bot' }, question.allowBots) ? 'listed bot' : refuseBot(person);
        // The login may have gone to somebody else since.
        if (person.id !== undefined && typeof user?.id === 'number' && user.id !== person.id)
            return doubt(`${who}, but that login now belongs to someone else`);
        if (writing.has(data.permission) || writing.has(data.role_name))
            return undefined;
        const role = data.role_name || data.permission;
        if (typeof role !== 'string')
            return doubt(`${who}, but GitHub’s answer does not say what access they have`);
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
        return isNoAnswer ? refuseByAssociation(person, event, why) : doubt(why);
    }
}
/** `permission` is `write` for the role maintain on GitHub; services like it say `maintain` and `owner`. */
const writing = new Set(['admin', 'maintain', 'write', 'owner']);
/** The word of the event about the author of what it is about, when that is this very person. */
function refuseByAssociation(person, event, why) {
    const { author, association } = event.comment ?? event.subject ?? {};
    const isAuthor = author?.id !== undefined && author.id === person.id;
    const hasWrite = association === 'OWNER' || (association === 'COLLABORATOR' && event.ownerType === 'User');
    return isAuthor && hasWrite ? undefined : doubt(why);
}
function doubt(reason) {
    return { allowed: false, reason, isKnown: false };
}
function refuseBot(person) {
    const reason = `${name(person.login)} is a bot that is not in \`allow_bots\`. Add it there to let it start the step`;
    return { allowed: false, reason, isKnown: true };
}
/** Foreign words in a sentence. */
function name(text) {
    return (0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_3__/* .plainLine */ .h0)(text).slice(0, 100);
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

/***/ 2674:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainByEvent: () => (/* binding */ explainByEvent),
/* harmony export */   explainFork: () => (/* binding */ explainFork)
/* harmony export */ });
/** Why a secret is empty where the event gives none, and what to do, for the end of a sentence; undefined where the event does not tell. */
function explainByEvent({ event, actor, isSkipped, }) {
    const byFork = explainFork(event, isSkipped);
    if (byFork !== undefined)
        return byFork;
    const isDependabot = [actor, event?.actor, event?.sender?.login].some(login => login?.toLowerCase() === 'dependabot[bot]');
    if (!isDependabot)
        return undefined;
    return `a workflow that Dependabot starts gets Dependabot secrets instead of Actions secrets. Add the secret under Settings, Secrets and variables, Dependabot${isSkipped ? '' : ', or set `on_missing_credentials: skip`'}`;
}
/** The same for a pull request from a fork; undefined for any other event. */
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
