// src/action/github/base-files.ts
// src/apply/changes/protected-paths.ts
// src/apply/review/diff-lines.ts
// src/apply/review/findings.ts
// src/apply/review/match-threads.ts
// src/apply/review/plan-review.ts
// src/apply/review/print-review.ts
// src/apply/review/review.ts
// src/apply/review/standing-review.ts
export const id = 113;
export const ids = [113];
export const modules = {

/***/ 3332:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  u: () => (/* binding */ findProtected),
  W: () => (/* binding */ isProtectedPath)
});

// EXTERNAL MODULE: ./node_modules/picomatch/index.js
var picomatch = __webpack_require__(4006);
;// CONCATENATED MODULE: ./build/js/action/github/base-files.js

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
        const pull = objectOf(answer?.data);
        const [from, to] = [objectOf(pull?.head), objectOf(pull?.base)];
        const id = idOf(objectOf(from?.repo)?.id);
        if (id !== undefined && id === objectOf(to?.repo)?.id)
            return undefined;
        commit = textOf(to?.sha) ?? commit;
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

// EXTERNAL MODULE: ./build/js/base/text.js
var base_text = __webpack_require__(9199);
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
const isListed = picomatch(protectedPaths, { dot: true, nocase: true });
const shownMax = 10;
/** Whether the workflow must allow a change of the path. */
function isProtectedPath(path) {
    return isListed(path) || isInstruction(path);
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
            ? [`${(0,base_text/* counted */.hS)(files.length, 'file')} changed, and \`changes_max_files\` is ${maxFiles}`]
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


/***/ }),

/***/ 2113:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  applyReview: () => (/* binding */ applyReview)
});

// EXTERNAL MODULE: ./node_modules/ajv/dist/ajv.js
var ajv = __webpack_require__(2463);
// EXTERNAL MODULE: ./build/js/action/github/github-error.js
var github_error = __webpack_require__(6361);
// EXTERNAL MODULE: ./build/js/base/cause.js
var cause = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/js/base/text.js
var base_text = __webpack_require__(9199);
// EXTERNAL MODULE: ./build/js/border/visible-text.js
var visible_text = __webpack_require__(1043);
// EXTERNAL MODULE: ./build/js/contract/tables/review-schema.js
var review_schema = __webpack_require__(3323);
// EXTERNAL MODULE: ./build/js/apply/outcome.js
var outcome = __webpack_require__(7953);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./node_modules/picomatch/index.js
var picomatch = __webpack_require__(4006);
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
    const isWanted = paths === undefined ? () => true : picomatch([...paths], { dot: true });
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

// EXTERNAL MODULE: ./build/js/action/github/comments.js
var github_comments = __webpack_require__(6887);
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
// EXTERNAL MODULE: ./build/js/action/text/render-markdown.js + 3 modules
var render_markdown = __webpack_require__(5438);
// EXTERNAL MODULE: ./build/js/border/terminal-text.js
var terminal_text = __webpack_require__(769);
// EXTERNAL MODULE: ./build/js/apply/changes/protected-paths.js + 1 modules
var protected_paths = __webpack_require__(3332);
;// CONCATENATED MODULE: ./build/js/apply/review/standing-review.js
/** What the pull request has: its head, its diff, and the reviews and threads that this action made earlier. */



/** GitHub's maximum. */
const pageSize = 100;
/** GitHub lists at most 3,000 files. */
const maxPages = 30;
async function readStandingReview(github, { marker, ...target }) {
    const place = addressOf(target);
    const { data: pull } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', place);
    const login = (await (0,github_comments/* readOwnLogin */.UD)(github)).toLowerCase();
    const reviews = [];
    for await (const review of listPages(page => github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', { ...place, ...page })))
        if (review.user?.login.toLowerCase() === login && (0,github_comments/* carries */.ED)(review.body, marker))
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
    throw new github_error/* GitHubError */.y(`#${target.number} has more than ${maxPages * pageSize} review threads, so this step cannot tell which findings stand already`, {});
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
            isApplicable: comment?.isWhole === true && comment.side === 'RIGHT' && !(0,protected_paths/* isProtectedPath */.W)(comment.path),
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
        editReviews: (0,github_comments/* isSameText */.cZ)(summary.body, body) ? [] : [{ id: summary.id, body }],
        dismiss: event === 'COMMENT' && isDecided ? summary.id : undefined,
    };
}
function planThreads({ standing, gone }, printing) {
    const current = standing.map(({ placed, thread }) => ({ thread, body: printComment(placed, printing) }));
    const ended = gone.filter(({ isGone }) => !isGone).map(thread => ({ thread, body: printGone(thread, printing) }));
    return {
        editComments: [...current, ...ended]
            .filter(({ thread, body }) => !(0,github_comments/* isSameText */.cZ)(thread.body, body))
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
            const isLineRefused = error instanceof github_error/* GitHubError */.y && error.status === 422 && !isTextOnly && (plan.create?.comments.length ?? 0) > 0;
            const mayRepeat = error instanceof github_error/* GitHubError */.y && error.mayBeDone && attempt + 1 < maxAttempts;
            if (isLineRefused)
                isTextOnly = true;
            else if (!mayRepeat || !(await github.pause(attempt)))
                return { ...describe(done), link: done.link, failure: (0,outcome/* failureOf */.g5)(error) };
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
        if (!(error instanceof github_error/* GitHubError */.y && error.isRefusal))
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
            if (error instanceof github_error/* GitHubError */.y && !error.isRefusal)
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


/***/ })

};
