// src/apply/changes/git-program.ts
// src/apply/changes/make-commit.ts
// src/apply/changes/patched-tree.ts
// src/apply/changes/proposal-text.ts
// src/apply/changes/proposed-pull.ts
export const id = 377;
export const ids = [377,573];
export const modules = {

/***/ 6859:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ makeCommit)
/* harmony export */ });
/* harmony import */ var _patched_tree_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7509);

/** Returns its hash. Throws GitHubError, and an Error if GitHub's tree is not the one that was checked. */
async function makeCommit(github, { repository, tree, parent, message }) {
    const entries = [];
    for (const file of tree.files)
        entries.push(await makeEntry(github, { repository, tree, file }));
    const { data: made } = await github.request('POST /repos/{owner}/{repo}/git/trees', {
        ...repository,
        base_tree: tree.baseSha,
        tree: entries,
    });
    if (made.sha !== tree.sha)
        throw new Error(`GitHub made the tree ${made.sha}, and the patch gives ${tree.sha}`);
    const { data: commit } = await github.request('POST /repos/{owner}/{repo}/git/commits', {
        ...repository,
        message,
        tree: made.sha,
        parents: [parent],
    });
    return commit.sha;
}
async function makeEntry(github, { repository, tree, file }) {
    const mode = ((0,_patched_tree_js__WEBPACK_IMPORTED_MODULE_0__/* .isRemoved */ .R)(file) ? file.formerMode : file.mode);
    const entry = { path: file.path, mode, type: mode === '160000' ? 'commit' : 'blob' };
    if ((0,_patched_tree_js__WEBPACK_IMPORTED_MODULE_0__/* .isRemoved */ .R)(file))
        return { ...entry, sha: null };
    if (mode === '160000')
        return { ...entry, sha: file.sha };
    const bytes = await tree.readContent(file);
    const content = bytes.toString('utf8');
    // Saves a request for each file of text.
    if (Buffer.from(content).equals(bytes))
        return { ...entry, content };
    const { data: blob } = await github.request('POST /repos/{owner}/{repo}/git/blobs', {
        ...repository,
        content: bytes.toString('base64'),
        encoding: 'base64',
    });
    return { ...entry, sha: blob.sha };
}


/***/ }),

/***/ 7509:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  R: () => (/* binding */ isRemoved),
  W: () => (/* binding */ openPatchedTree)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:tls"
var external_node_tls_ = __webpack_require__(1692);
// EXTERNAL MODULE: ./build/js/base/cause.js
var cause = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/js/border/folders.js
var folders = __webpack_require__(9416);
// EXTERNAL MODULE: ./build/js/border/terminal-text.js
var terminal_text = __webpack_require__(769);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: ./build/js/base/text.js
var base_text = __webpack_require__(9199);
;// CONCATENATED MODULE: ./build/js/apply/changes/git-program.js
/** Runs the runner's git in a repository of our own, which has no working tree, hooks or settings of others. */




/** Refuses paths that macOS would read as `.git`. Windows' names are refused by default. */
const usualConfig = { 'core.protectHFS': 'true' };
const bytesMax = 64 * 1024 * 1024;
const passed = /^(PATH|SystemRoot|(https?|all|no)_proxy|SSL_CERT_(FILE|DIR)|GIT_SSL_CA(INFO|PATH))$/i;
/** The output. Throws an Error with git's words. */
async function runGit({ folder, variables, signal }, args, { input = '', config = {} } = {}) {
    const settings = Object.entries({ ...usualConfig, ...config });
    const child = (0,external_node_child_process_.spawn)('git', args, {
        cwd: folder,
        signal,
        env: {
            ...Object.fromEntries(Object.entries(variables).filter(([name]) => passed.test(name))),
            HOME: folder,
            LC_ALL: 'C',
            GIT_DIR: folder,
            GIT_CONFIG_NOSYSTEM: '1',
            GIT_CONFIG_GLOBAL: '/dev/null',
            GIT_TERMINAL_PROMPT: '0',
            GIT_CONFIG_COUNT: String(settings.length),
            ...Object.fromEntries(settings.flatMap(([name, value], index) => [
                [`GIT_CONFIG_KEY_${index}`, name],
                [`GIT_CONFIG_VALUE_${index}`, value],
            ])),
        },
        stdio: ['pipe', 'pipe', 'pipe'],
    });
    const chunks = [];
    let bytes = 0;
    let complaint = '';
    child.stdout.on('data', (chunk) => {
        bytes += chunk.length;
        if (bytes <= bytesMax)
            chunks.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
        if (complaint.length < 2000)
            complaint += text;
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => { });
    child.stdin.end(input);
    const [code] = await (0,external_node_events_.once)(child, 'close');
    const name = `git ${args[0]}`;
    if (code !== 0)
        throw new Error(`${name} failed: ${(0,base_text/* ellipsis */.gO)((0,terminal_text/* terminalText */.eR)(complaint).replace(/\s+/g, ' ').trim(), 400)}`);
    if (bytes > bytesMax)
        throw new Error(`${name} printed more than ${bytesMax.toLocaleString('en')} bytes`);
    return Buffer.concat(chunks);
}

;// CONCATENATED MODULE: ./build/js/apply/changes/patched-tree.js
/**
 * The agent's patch, applied to the commit that the agent saw. git does it, in a new repository without a working
 * tree: no file of the patch is written under its name, let alone executed.
 */








/** Throws an Error with a sentence. */
async function openPatchedTree({ tempDir = (0,external_node_os_.tmpdir)(), repositoryUrl, token, commit, patch, ...place }) {
    const folder = await (0,promises_.mkdtemp)((0,external_node_path_.join)(tempDir, 'agent-run-apply-'));
    const git = { ...place, folder };
    const remove = () => (0,folders/* removeTree */.dM)(folder, place.variables.PATH);
    try {
        await runGit(git, ['init', '--quiet', '--bare', '--template=']);
        const authorities = await writeAuthorities(git);
        const authorization = `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
        await runGit(git, ['fetch', '--quiet', '--depth=1', '--no-tags', '--', repositoryUrl, commit], {
            config: { 'http.extraHeader': authorization, 'http.followRedirects': 'false', ...authorities },
        });
        await runGit(git, ['read-tree', commit]);
        await runGit(git, ['apply', '--cached', '--whitespace=nowarn', '-'], { input: patch }).catch((error) => {
            const words = (0,cause/* messageOf */.bD)(error);
            const why = /No valid patches|corrupt|unrecognized/i.test(words)
                ? '`patch_file` is empty or not a patch. Pass the file that the output `patch_file` of the other job names'
                : `the patch does not apply to ${commit.slice(0, 7)}. Set \`commit\` to the commit that the agent worked on, and check out no other repository than this one`;
            throw new Error(`${why} (${words})`);
        });
        const tree = String(await runGit(git, ['write-tree'])).trim();
        const args = ['-r', '--no-renames', commit, tree];
        const files = await readSizes(git, parseRaw(await runGit(git, ['diff-tree', '-z', '--raw', '--abbrev=64', ...args])));
        const diff = String(await runGit(git, ['diff-tree', '-p', '-U0', '--text', ...args]));
        return {
            sha: tree,
            baseSha: String(await runGit(git, ['rev-parse', `${commit}^{tree}`])).trim(),
            files,
            addedText: diff
                .split('\n')
                .filter(line => line.startsWith('+'))
                // A mark on each line would break up a key of several lines.
                .map(line => line.slice(1))
                .join('\n'),
            readContent: file => runGit(git, ['cat-file', 'blob', file.sha]),
            [Symbol.asyncDispose]: remove,
        };
    }
    catch (error) {
        await remove();
        throw error;
    }
}
/** With a private authority for Node, git trusts what this program and the system trust. */
async function writeAuthorities({ folder, variables }) {
    if (variables.NODE_EXTRA_CA_CERTS === undefined || variables.GIT_SSL_CAINFO !== undefined)
        return {};
    const file = (0,external_node_path_.join)(folder, 'authorities.pem');
    const all = new Set([...(0,external_node_tls_.getCACertificates)('default'), ...(0,external_node_tls_.getCACertificates)('system')]);
    await (0,promises_.writeFile)(file, [...all].join('\n'), { flag: 'wx' });
    return { 'http.sslCAInfo': file };
}
const removed = '000000';
/** `:MODE MODE SHA SHA STATUS\0PATH\0` for each file. */
function parseRaw(raw) {
    let text;
    try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
    }
    catch {
        throw new Error('the patch has a path that is not UTF-8, which GitHub does not take');
    }
    const parts = text.split('\0');
    return parts.flatMap((path, index) => {
        // Patterns do not match across a line break, so a protected path would pass.
        if (index % 2 === 1 && (0,terminal_text/* plainLine */.h0)(path) !== path)
            throw new Error(`the patch has a path with a control character: ${JSON.stringify(path)}`);
        const [formerMode = '', mode = '', , sha = ''] = (parts[index - 1] ?? '').slice(1).split(' ');
        return index % 2 === 0 ? [] : [{ path, mode, formerMode, sha }];
    });
}
async function readSizes(git, files) {
    const input = files.map(({ sha }) => `${sha}\n`).join('');
    const sizes = String(await runGit(git, ['cat-file', '--batch-check=%(objectsize)'], { input })).split('\n');
    return files.map((file, index) => ({ ...file, bytes: file.mode === removed ? 0 : Number(sizes[index]) || 0 }));
}
function isRemoved({ mode }) {
    return mode === removed;
}


/***/ }),

/***/ 2573:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   isOwnMessage: () => (/* binding */ isOwnMessage),
/* harmony export */   printMessage: () => (/* binding */ printMessage),
/* harmony export */   readProposalText: () => (/* binding */ readProposalText),
/* harmony export */   readTitle: () => (/* binding */ readTitle)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _action_text_budget_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5092);
/* harmony import */ var _action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2688);
/* harmony import */ var _action_text_redact_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2160);
/* harmony import */ var _action_text_render_markdown_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5438);
/* harmony import */ var _base_text_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(9199);
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(769);
/* harmony import */ var _border_visible_text_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1043);
/** Title, body and commit message from an agent's answer. They mention, close and skip nothing. */








const titleMax = 120;
/** Throws an Error unless the answer has both. */
function readProposalText({ body, ...rest }, { issue, jobUrl, redact }) {
    if (typeof body !== 'string')
        throw new Error('`body` in the answer must be a string. Ask for it with `output_schema`');
    const parts = [
        ...(issue === undefined ? [] : [`Closes #${issue}`]),
        ...(jobUrl === undefined ? [] : [(0,_action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .link */ .nf)('Log', jobUrl)]),
    ];
    const foot = parts.length === 0 ? '' : `\n\n${parts.join(' · ')}`;
    const room = _action_text_budget_js__WEBPACK_IMPORTED_MODULE_1__/* .budgets */ .RK.comment.max - foot.length;
    // Escapes may make it longer. Then its end is shown.
    const start = (0,_action_text_budget_js__WEBPACK_IMPORTED_MODULE_1__/* .keepHead */ .sc)((0,_action_text_redact_js__WEBPACK_IMPORTED_MODULE_3__/* .redactAll */ .$)(body, redact), { surface: 'comment', room: room / 2 });
    return {
        title: readTitle(rest, redact),
        body: `${(0,_action_text_render_markdown_js__WEBPACK_IMPORTED_MODULE_4__/* .renderMarkdownEnd */ .L)(start, { surface: 'comment', room, redact })}${foot}`,
    };
}
/** Throws an Error without one. */
function readTitle({ title }, redact) {
    if (typeof title !== 'string')
        throw new Error('`title` in the answer must be a string. Ask for it with `output_schema`');
    if (!(0,_border_visible_text_js__WEBPACK_IMPORTED_MODULE_5__/* .isVisible */ .zN)(title))
        throw new Error('`title` in the answer is empty');
    return (0,_base_text_js__WEBPACK_IMPORTED_MODULE_6__/* .ellipsis */ .gO)(printLine((0,_action_text_redact_js__WEBPACK_IMPORTED_MODULE_3__/* .redactAll */ .$)(title, redact)), titleMax);
}
/** A commit message closes issues, mentions people and can skip workflows (`[skip ci]`). */
function printLine(text) {
    return (0,_action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .breakReferences */ .m3)((0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_7__/* .plainLine */ .h0)((0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_7__/* .terminalText */ .eR)(text)).replace(/\s+/g, ' ').trim()).replaceAll('[', `[${_action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .gap */ .rQ}`);
}
/** The last line identifies the job's commits. Amending one changes the hashed values. */
function printMessage({ title, ...facts }) {
    const { tree, parent, key } = facts;
    const hash = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(JSON.stringify([key, title, tree, parent]));
    return `${title}\n\nAgent-Run-Key: ${key} ${hash.digest('hex').slice(0, 16)}\n`;
}
/** Whether the job made the commit, and nobody amended it since. */
function isOwnMessage(message, facts) {
    const [title = ''] = message.split('\n');
    return message.trimEnd() === printMessage({ ...facts, title }).trimEnd();
}


/***/ }),

/***/ 2377:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   proposePull: () => (/* binding */ proposePull)
/* harmony export */ });
/* harmony import */ var _action_github_comments_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6887);
/* harmony import */ var _action_github_github_error_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6361);
/* harmony import */ var _action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2688);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7953);
/* harmony import */ var _make_commit_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6859);
/* harmony import */ var _proposal_text_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2573);
/** The verb `pull_request`: the agent's changes as one commit on a branch of its own, and a pull request for it. */






/** Throws GitHubError, and an Error if the branch has commits of others or the base lacks the commit. */
async function proposePull(given) {
    const { github, tree, text, commit, branch, isDryRun } = given;
    if (tree.files.length === 0)
        return { verb: 'pull_request', deeds: [], notes: ['The patch changes nothing'] };
    const base = await findBase(given);
    if (base === branch)
        throw new Error(`\`pull_request_branch\` and the base are both ${branch}. Choose another branch`);
    const standing = await readBranch(given);
    const open = await findOpen(given);
    const previews = [
        { place: 'the pull request', markdown: `**${(0,_action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .quoteInline */ .Wx)(text.title)}**\n\n${text.body}` },
        { place: 'its files', markdown: tree.files.map(({ path }) => `- ${(0,_action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .quoteInline */ .Wx)(path)}`).join('\n') },
    ];
    const isCurrent = standing?.tree === tree.sha && standing.parent === commit;
    const isSame = open?.title === text.title && (0,_action_github_comments_js__WEBPACK_IMPORTED_MODULE_0__/* .isSameText */ .cZ)(open.body, text.body);
    const isForeign = open !== undefined && open.author?.toLowerCase() !== (await (0,_action_github_comments_js__WEBPACK_IMPORTED_MODULE_0__/* .readOwnLogin */ .UD)(github)).toLowerCase();
    const isEdited = open !== undefined && !isSame && !isForeign;
    const notes = isForeign ? ['Somebody else opened the pull request of this branch, so its text stays as it is'] : [];
    const deeds = [
        ...(isCurrent ? [] : [`1 commit on the branch ${branch}`]),
        ...(open === undefined ? ['a new pull request'] : isEdited ? ['1 edited pull request'] : []),
    ];
    const lacking = open === undefined ? given.inputs : isForeign ? {} : await findLacking(given, open);
    if (open !== undefined && Object.keys(lacking).length > 0)
        deeds.push('labels or reviewers that it lacked');
    const outcome = { verb: 'pull_request', deeds, notes, link: open?.link };
    if (isDryRun)
        return { ...outcome, previews };
    let [done, link] = [0, open?.link];
    try {
        if (!isCurrent) {
            await writeBranch(given, standing);
            done += 1;
        }
        if (isEdited)
            await editPull(given, open.number);
        const pull = open ?? (await openPull(given, base));
        if (open === undefined || isEdited)
            done += 1;
        link = pull.link;
        await completePull(given, pull.number, lacking);
    }
    catch (error) {
        // Report what exists by now.
        return { ...outcome, deeds: deeds.slice(0, done), link, failure: (0,_outcome_js__WEBPACK_IMPORTED_MODULE_5__/* .failureOf */ .g5)(error) };
    }
    return { ...outcome, link };
}
async function editPull({ github, repository, text }, number) {
    await github.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
        ...repository,
        pull_number: number,
        ...text,
    });
}
/** All of a kind, if an earlier run was refused them. A person who removes only some is not opposed. */
async function findLacking({ github, repository, inputs }, { number, hasReviewers }) {
    const { labels, reviewers } = inputs;
    if (labels.length + reviewers.length === 0)
        return {};
    const place = { ...repository, issue_number: number };
    const { data: issue } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', place);
    const present = issue.labels.map(label => (typeof label === 'string' ? label : (label.name ?? '')).toLowerCase());
    const isReviewed = async () => {
        const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews';
        return (hasReviewers || (await github.request(route, { ...repository, pull_number: number, per_page: 1 })).data.length > 0);
    };
    return {
        ...(labels.length > 0 && !labels.some(label => present.includes(label.toLowerCase())) && { labels }),
        ...(reviewers.length > 0 && !(await isReviewed()) && { reviewers }),
    };
}
async function completePull({ github, repository }, number, { labels = [], reviewers = [] }) {
    if (labels.length > 0)
        await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
            ...repository,
            issue_number: number,
            labels: [...labels],
        });
    if (reviewers.length > 0)
        await github.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
            ...repository,
            pull_number: number,
            reviewers: reviewers.filter(name => !name.includes('/')),
            team_reviewers: reviewers.flatMap(name => name.split('/')[1] ?? []),
        });
}
/** The branch that the pull request is for. The agent's commit must be in it, or others' commits would come along. */
async function findBase({ github, repository, commit, ...given }) {
    const base = given.base ?? (await github.request('GET /repos/{owner}/{repo}', { ...repository })).data.default_branch;
    const { data } = await github
        .request('GET /repos/{owner}/{repo}/compare/{basehead}', {
        ...repository,
        basehead: `${base}...${commit}`,
        per_page: 1,
    })
        .catch((error) => {
        if (!(error instanceof _action_github_github_error_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y && error.status === 404))
            throw error;
        throw new Error(`the base branch ${base} does not exist. Set \`pull_request_base\``);
    });
    if (data.status === 'identical' || data.status === 'behind')
        return base;
    throw new Error(`the commit ${commit.slice(0, 7)} that the agent saw is not in the branch ${base}. Set \`pull_request_base\` to the branch that has it`);
}
/** Undefined if there is no such branch. */
async function readBranch({ github, repository, branch, key }) {
    const sha = await github
        .request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...repository, ref: `heads/${branch}` })
        .then(({ data }) => data.object.sha)
        .catch((error) => {
        if (error instanceof _action_github_github_error_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y && error.status === 404)
            return undefined;
        throw error;
    });
    if (sha === undefined)
        return undefined;
    const { data } = await github.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', {
        ...repository,
        commit_sha: sha,
    });
    const [tree, parent = ''] = [data.tree.sha, data.parents[0]?.sha];
    if (data.parents.length > 1 || !(0,_proposal_text_js__WEBPACK_IMPORTED_MODULE_4__.isOwnMessage)(data.message, { tree, parent, key }))
        throw new Error(`the branch ${branch} ends with a commit that this job did not make, or that was amended (${sha.slice(0, 7)}). Delete the branch, or set \`pull_request_branch\` to another`);
    return { sha, tree, parent };
}
async function writeBranch(given, standing) {
    const { github, repository, tree, text, commit, branch, key } = given;
    const message = (0,_proposal_text_js__WEBPACK_IMPORTED_MODULE_4__.printMessage)({ title: text.title, tree: tree.sha, parent: commit, key });
    const sha = await (0,_make_commit_js__WEBPACK_IMPORTED_MODULE_3__/* .makeCommit */ .m)(github, { repository, tree, parent: commit, message });
    // Once more, because the commit took a while. To name the former commit, an update would need GraphQL and a
    // permission that GitHub does not document.
    if (standing !== undefined && (await readBranch(given))?.sha !== standing.sha)
        throw new Error(`the branch ${branch} changed in the meantime. Run this job again`);
    if (standing !== undefined)
        await github.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
            ...repository,
            ref: `heads/${branch}`,
            sha,
            force: true,
        });
    else
        await github.request('POST /repos/{owner}/{repo}/git/refs', { ...repository, ref: `refs/heads/${branch}`, sha });
}
/** A pull request of this branch, which has this job's commits only. */
async function findOpen({ github, repository, branch }) {
    const { data } = await github.request('GET /repos/{owner}/{repo}/pulls', {
        ...repository,
        state: 'open',
        head: `${repository.owner}:${branch}`,
        per_page: 1,
    });
    const [pull] = data;
    if (pull === undefined)
        return undefined;
    const { number, title, body, user, html_url: link, requested_reviewers: people, requested_teams: teams } = pull;
    const hasReviewers = [...(people ?? []), ...(teams ?? [])].length > 0;
    return { number, title, body: body ?? '', author: user?.login, link, hasReviewers };
}
async function openPull(given, base) {
    const { github, repository, inputs, text, branch } = given;
    try {
        const { data } = await github.request('POST /repos/{owner}/{repo}/pulls', {
            ...repository,
            ...text,
            head: branch,
            base,
            draft: inputs.isDraft,
        });
        return { number: data.number, link: data.html_url };
    }
    catch (error) {
        // It may have been opened in spite of the error.
        const found = error instanceof _action_github_github_error_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y && error.mayBeDone ? await findOpen(given) : undefined;
        if (found === undefined)
            throw error;
        return found;
    }
}


/***/ })

};
