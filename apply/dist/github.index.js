// src/action/github/github.ts
// src/base/network/retry.ts
export const id = 994;
export const ids = [994];
export const modules = {

/***/ 1994:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  openGitHub: () => (/* binding */ openGitHub)
});

// EXTERNAL MODULE: ./node_modules/@actions/github/lib/github.js + 21 modules
var github = __webpack_require__(1758);
// EXTERNAL MODULE: ./node_modules/@octokit/plugin-retry/dist-bundle/index.js
var dist_bundle = __webpack_require__(9735);
// EXTERNAL MODULE: ./node_modules/@octokit/plugin-throttling/dist-bundle/index.js
var plugin_throttling_dist_bundle = __webpack_require__(6856);
// EXTERNAL MODULE: ./build/js/base/cause.js
var cause = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/js/base/clock.js + 1 modules
var base_clock = __webpack_require__(972);
// EXTERNAL MODULE: ./build/js/base/json.js
var json = __webpack_require__(6910);
;// CONCATENATED MODULE: ./build/js/base/network/retry.js
/** The retry loop of the client and the built-in agent, and its backoff. The caller decides whether to retry. */

/** Retries `attempt` and rejects with its last error. A TypeError without a network fault is a bug, and final. */
async function retry(attempt, { retriesMax, wait, countsAsRetry = () => true }) {
    return await pRetry(attempt, {
        retries: retriesMax,
        // shouldRetry waits, because the wait depends on the failure.
        minTimeout: 0,
        shouldRetry: async ({ error, attemptNumber }) => await wait(error, attemptNumber - 1),
        shouldConsumeRetry: ({ error }) => countsAsRetry(error),
    });
}
/** Half to all of the doubled delay, so that many clients do not return together. `attempt` counts from 0. */
function backoffMs(attempt, { baseDelayMs, maxDelayMs }, random = Math.random) {
    return Math.min(baseDelayMs * 2 ** attempt, maxDelayMs) * (0.5 + random() / 2);
}

// EXTERNAL MODULE: ./build/js/border/answers.js
var answers = __webpack_require__(654);
// EXTERNAL MODULE: ./build/js/action/github/github-error.js
var github_error = __webpack_require__(6361);
// EXTERNAL MODULE: ./build/js/action/github/rate-limit.js
var rate_limit = __webpack_require__(5153);
;// CONCATENATED MODULE: ./build/js/action/github/github.js
/**
 * GitHub's API through GitHub's toolkit, which only this file loads. Octokit's plugins retry. This file decides
 * whether there is time, and it waits, so that waits respect the deadline and end with the step.
 */










/** One attempt. GitHub itself gives up after ten seconds. */
const attemptMs = 12_000;
const maxRetries = 5;
/** Far more than any useful response, and little for a runner's memory. */
const answerBytesMax = 8 * 1024 * 1024;
const backoff = { baseDelayMs: 500, maxDelayMs: 8_000 };
/** GitHub's documentation asks for this wait if a response names no duration. */
const usualLimitMs = 60_000;
/** Time left for the request after a wait of unknown length. */
const reserveMs = 5000;
/** Satisfies plugin-throttling's interface for a request group, without its delays. */
const unspaced = { key: () => ({ schedule: async () => { } }) };
function openGitHub({ token, apiUrl, fetch, log, clock = base_clock/* systemClock */.m, ...use }) {
    const endsAt = clock.monotonicMs() + use.limitMs;
    const leftMs = () => endsAt - clock.monotonicMs();
    const ends = AbortSignal.any([use.signal, use.hurry].filter(end => end !== undefined));
    const canWait = (waitMs) => !ends.aborted && waitMs < leftMs();
    const pause = async (waitMs) => {
        if (!canWait(waitMs))
            return false;
        // A sleep rejects only when it is aborted.
        await clock.sleep(waitMs, ends).catch(() => { });
        return !ends.aborted;
    };
    const whyStopped = () => {
        if (use.signal?.aborted === true)
            return 'the step is being stopped';
        return ends.aborted ? 'the step has ended' : undefined;
    };
    const watchAttempts = ({ hook }) => {
        hook.after('request', (answer, options) => {
            // Octokit reads a truncated response as empty text. An empty list would lead to a second comment.
            if (answer.status === 204 || (0,json/* isObject */.Gv)(answer.data) || Array.isArray(answer.data))
                return;
            throw Object.assign(new Error('the answer is not JSON or is incomplete'), { status: 500, request: options });
        });
        hook.error('request', async (error, options) => {
            (0,rate_limit/* markLimit */.x)(error, clock.now());
            const retryCount = options.request.retryCount ?? 0;
            const isRepeated = Number(error.status) >= 500 &&
                // Repeating an edit is harmless. Repeating a POST may create a second comment.
                (isQuestion(options) || options.method !== 'POST') &&
                !((0,cause/* findCause */.lO)(error) instanceof answers/* BodyTooLongError */.xz) &&
                retryCount < maxRetries &&
                (await pause(backoffMs(retryCount, backoff)));
            options.request.retries = isRepeated ? maxRetries : 0;
            throw error;
        });
        hook.before('request', options => {
            const why = whyStopped() ?? `the limit of ${Math.ceil(use.limitMs / 1000)} s was reached`;
            if (!canWait(0))
                throw new github_error/* GitHubError */.y(`${nameOperation(options)} was not sent to GitHub: ${why}`, {});
            const end = isQuestion(options) ? ends : use.signal;
            const timeout = AbortSignal.timeout(Math.ceil(Math.min(attemptMs, leftMs())));
            options.request.signal = end === undefined ? timeout : AbortSignal.any([timeout, end]);
        });
    };
    const waitForLimit = async (seconds, options, _, retryCount) => {
        const waitMs = seconds > 0 ? seconds * 1000 : Math.max(Math.min(usualLimitMs, leftMs() - reserveMs), 100);
        if (retryCount >= maxRetries || !canWait(waitMs))
            return false;
        log(`GitHub limits the rate of ${nameOperation(options)}. Trying again in ${Math.ceil(waitMs / 1000)} s`);
        return await pause(waitMs);
    };
    // Reads the body here, so that the request's signal covers it too.
    const fetchWhole = async (url, init) => (0,answers/* bufferAnswer */.tE)(await fetch(url, init), answerBytesMax);
    const octokit = (0,github/* getOctokit */.Q)(token, {
        baseUrl: apiUrl.replace(/\/+$/, ''),
        userAgent: 'agent-run',
        // Octokit warns about deprecated routes on the console, which the runner parses.
        request: { fetch: fetchWhole, log: { warn: () => { } } },
        // No waits by the plugin: they would ignore the deadline.
        retry: { retries: 1, retryAfterBaseValue: 0 },
        throttle: {
            retryAfterBaseValue: 0,
            fallbackSecondaryRateRetryAfter: 0,
            onRateLimit: waitForLimit,
            onSecondaryRateLimit: waitForLimit,
            // Removes the one to three seconds between writes. A step writes two or three times in all.
            write: unspaced,
            notifications: unspaced,
        },
    }, 
    // The first plugin is closest to the request, so it sees each attempt.
    watchAttempts, dist_bundle/* retry */.L, plugin_throttling_dist_bundle/* throttling */.A);
    octokit.hook.error('request', (error, options) => {
        if (error instanceof github_error/* GitHubError */.y)
            throw error;
        // Also covers limits that plugin-throttling found in a GraphQL response.
        (0,rate_limit/* markLimit */.x)(error, clock.now());
        throw (0,github_error/* explainFailure */.S)(error, nameOperation(options), whyStopped());
    });
    return {
        request: octokit.request,
        graphql: octokit.graphql,
        pause: attempt => pause(backoffMs(attempt + 1, backoff)),
    };
}
/** This file sends only GraphQL queries, so repeating them is safe. */
function isQuestion({ method, url }) {
    return method === 'GET' || url.endsWith('/graphql');
}
function nameOperation({ method, url }) {
    // On GitHub Enterprise Server, octokit expands the GraphQL route to a full URL.
    return `${method} ${url.endsWith('/graphql') ? '/graphql' : url}`;
}


/***/ })

};
