// src/action/github/base-files.ts
// src/apply/changes/checked-tree.ts
// src/apply/changes/git-program.ts
// src/apply/changes/patched-tree.ts
// src/apply/changes/protected-paths.ts
// src/apply/secret-scan.ts
export const id = 867;
export const ids = [867,975];
export const modules = {

/***/ 4867:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   openCheckedTree: () => (/* binding */ openCheckedTree)
/* harmony export */ });
/* harmony import */ var _secret_scan_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9975);
/* harmony import */ var _patched_tree_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7509);
/* harmony import */ var _protected_paths_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3332);



/** Throws an Error with everything that the workflow does not allow. */
async function openCheckedTree({ host, context, inputs, token, commit, signal, }) {
    const { repositoryUrl, tempDir } = context;
    if (repositoryUrl === undefined)
        throw new Error('GITHUB_SERVER_URL is not set. A GitHub runner sets it');
    const tree = await (0,_patched_tree_js__WEBPACK_IMPORTED_MODULE_1__/* .openPatchedTree */ .W)({
        ...{ tempDir, repositoryUrl, token, commit, signal },
        patch: inputs.patch,
        variables: host.variables(),
    });
    try {
        const refused = (0,_protected_paths_js__WEBPACK_IMPORTED_MODULE_2__/* .findProtected */ .u)(tree.files, inputs);
        if (refused.length > 0)
            throw new Error(`the changes are refused: ${refused.join('; ')}`);
        await (0,_secret_scan_js__WEBPACK_IMPORTED_MODULE_0__.refuseSecrets)('the changes seem', { changes: tree.addedText, paths: tree.files.map(({ path }) => path) });
        return tree;
    }
    catch (error) {
        await tree[Symbol.asyncDispose]();
        throw error;
    }
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

/***/ 9975:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   refuseSecrets: () => (/* binding */ refuseSecrets),
/* harmony export */   scanRequests: () => (/* binding */ scanRequests)
/* harmony export */ });
/* unused harmony export findSecretPlaces */
/* harmony import */ var _secretlint_core__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(198);
/* harmony import */ var _secretlint_secretlint_rule_preset_recommend__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1577);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6910);
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
    const { messages } = await (0,_secretlint_core__WEBPACK_IMPORTED_MODULE_0__/* .lintSource */ .n)({
        source: { filePath: 'answer.txt', content, contentType: 'text' },
        options: {
            noPhysicFilePath: true,
            config: { rules: _secretlint_secretlint_rule_preset_recommend__WEBPACK_IMPORTED_MODULE_1__/* .rules */ .a.filter(({ meta }) => meta.id !== filter).map(rule => ({ id: rule.meta.id, rule })) },
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
    if (!(0,_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv)(value))
        return [];
    return Object.entries(value).flatMap(([name, each]) => [
        { path: path.join('/'), text: name },
        // The agent chose the name.
        ...listTexts(each, [...path, /^[a-z_]{1,20}$/.test(name) ? name : '…']),
    ]);
}


/***/ })

};
