// src/apply/changes/git-program.ts
// src/apply/changes/make-commit.ts
// src/apply/changes/patched-tree.ts
// src/apply/changes/pushed-commit.ts
export const id = 654;
export const ids = [654];
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

/***/ 5654:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   pushCommit: () => (/* binding */ pushCommit)
/* harmony export */ });
/* harmony import */ var _action_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2688);
/* harmony import */ var _make_commit_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6859);


/** Throws GitHubError, and an Error for a fork or a pull request that is not open. */
async function pushCommit({ github, target, tree, title, commit, isDryRun }) {
    const { number, ...repository } = target;
    const { data: pull } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
        ...repository,
        pull_number: number,
    });
    const { sha: head, ref: branch, repo } = pull.head;
    if (repo?.full_name.toLowerCase() !== `${repository.owner}/${repository.repo}`.toLowerCase())
        throw new Error(`the branch of #${number} is in another repository, to which \`push\` does not write`);
    if (pull.state !== 'open')
        throw new Error(`#${number} is not open`);
    if (head !== commit)
        return { verb: 'push', deeds: [], notes: [], movedTo: head };
    if (tree.files.length === 0)
        return { verb: 'push', deeds: [], notes: ['The patch changes nothing'] };
    const deeds = [`1 commit on the branch ${branch}`];
    const previews = [{ place: title, markdown: tree.files.map(({ path }) => `- ${(0,_action_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .quoteInline */ .Wx)(path)}`).join('\n') }];
    if (isDryRun)
        return { verb: 'push', deeds, notes: [], previews };
    const sha = await (0,_make_commit_js__WEBPACK_IMPORTED_MODULE_1__/* .makeCommit */ .m)(github, { repository, tree, parent: commit, message: title });
    // Without force: GitHub refuses it if somebody pushed in the meantime.
    await github.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
        ...repository,
        ref: `heads/${branch}`,
        sha,
        force: false,
    });
    return { verb: 'push', deeds, notes: [], link: `${pull.html_url}/commits/${sha}` };
}


/***/ })

};
