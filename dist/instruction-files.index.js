// src/action/embedded/instruction-files.ts
// src/action/github/base-files.ts
// src/action/github/payload.ts
export const id = 838;
export const ids = [838,126];
export const modules = {

/***/ 9838:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   findCheckouts: () => (/* binding */ findCheckouts),
/* harmony export */   listInstructions: () => (/* binding */ listInstructions),
/* harmony export */   replaceFiles: () => (/* binding */ replaceFiles)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1421);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6760);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7975);
/* harmony import */ var _border_files_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5838);
/* harmony import */ var _border_folders_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(9416);
/* harmony import */ var _github_base_files_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2126);
/**
 * Puts other instruction files into a checkout while an agent works in it, and its own files back afterwards. Git does
 * not see the difference: the index skips the files of the checkout, and `info/exclude` has the new ones. So neither a
 * patch nor a commit of the agent contains them.
 */








const entriesMax = 10_000;
const listingBytesMax = 64 * 1024 * 1024;
const excludeBytesMax = 1024 * 1024;
/** The repository that a folder is in, and those directly below it. */
async function findCheckouts(folder, searchPath) {
    const { entries } = await (0,_border_folders_js__WEBPACK_IMPORTED_MODULE_6__/* .readEntries */ .$2)(folder, entriesMax);
    const below = entries
        .filter(entry => entry.isDirectory() && (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.existsSync)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(folder, entry.name, '.git')))
        .map(({ name }) => (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(folder, name));
    const found = await Promise.all([folder, ...below].map(each => openCheckout(each, searchPath)));
    return found.filter(checkout => checkout !== undefined);
}
/** Undefined without git, or if the folder is in no repository with a commit. */
async function openCheckout(folder, searchPath) {
    const at = { root: folder, searchPath };
    try {
        const told = await runGit(at, ['rev-parse', '--show-toplevel', '--absolute-git-dir', 'HEAD']);
        const [root = '', gitDir = '', head = ''] = told.split('\n');
        const origin = await runGit(at, ['config', '--get', 'remote.origin.url']).catch(() => '');
        return { root, gitDir, head, origin: origin.trim(), searchPath };
    }
    catch {
        return undefined;
    }
}
/** The tracked instruction files. Throws git's error. */
async function listInstructions(checkout) {
    const names = [..._github_base_files_js__WEBPACK_IMPORTED_MODULE_7__.instructionFiles, ..._github_base_files_js__WEBPACK_IMPORTED_MODULE_7__.instructionFolders, ..._github_base_files_js__WEBPACK_IMPORTED_MODULE_7__.instructionFolders.map(name => `${name}/**`)];
    const specs = names.map(name => `:(top,icase,glob)**/${name}`);
    const told = await runGit(checkout, ['ls-files', '--stage', '-z', '--full-name', '--', ...specs]);
    return told.split('\0').flatMap(line => {
        const [, mode, sha, path] = /^(\d+) (\w+) \d\t(.+)$/s.exec(line) ?? [];
        return mode && sha && path ? [{ path, mode, sha }] : [];
    });
}
/** `own` are to be replaced by the files of `other`. Throws git's and the file system's errors. */
async function replaceFiles(checkout, own, other) {
    const { root, gitDir } = checkout;
    const aside = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.mkdtemp)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(gitDir, 'agent-run-'));
    const moved = [];
    const written = [];
    const tracked = new Set(own.map(({ path }) => path));
    const exclude = await openExclude(gitDir);
    const undo = async () => {
        const faults = [];
        const attempt = (work) => work.catch((error) => void faults.push(error));
        for (const path of written)
            await attempt(removeFile(root, path));
        for (const { path, to } of moved)
            await attempt(putBack(root, path, to));
        await attempt(skip(checkout, '--no-skip-worktree', moved));
        await attempt(exclude.restore());
        if (faults.length > 0)
            throw faults[0];
        await (0,_border_folders_js__WEBPACK_IMPORTED_MODULE_6__/* .removeTree */ .dM)(aside);
    };
    try {
        for (const [index, { path }] of own.entries()) {
            const to = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(aside, String(index));
            if (await moveFile((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(root, path), to))
                moved.push({ path, to });
        }
        for (const { path } of moved)
            await removeEmptyFolders(root, path);
        await skip(checkout, '--skip-worktree', moved);
        const isMoved = new Set(moved.map(({ path }) => path));
        const wanted = other.filter(({ path }) => isMoved.has(path) || !tracked.has(path));
        await exclude.add(wanted.filter(({ path }) => !tracked.has(path)).map(({ path }) => path));
        for (const file of wanted)
            if (await writeNew(root, file))
                written.push(file.path);
    }
    catch (error) {
        await undo();
        throw error;
    }
    const isWritten = new Set(written);
    return {
        replaced: written.filter(path => tracked.has(path)),
        hidden: moved.map(({ path }) => path).filter(path => !isWritten.has(path)),
        added: written.filter(path => !tracked.has(path)),
        undo,
    };
}
/** False if there is no such file, as in a sparse checkout. */
async function moveFile(from, to) {
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rename)(from, to);
        return true;
    }
    catch (error) {
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
            return false;
        throw error;
    }
}
/** False for a file of an earlier step, and below a link or a file, which could lead elsewhere. */
async function writeNew(root, { path, mode, bytes }) {
    const target = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(root, path);
    try {
        await (0,_border_folders_js__WEBPACK_IMPORTED_MODULE_6__/* .makeFolderWithin */ .K6)(root, (0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(target));
        if (mode === '120000')
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.symlink)(bytes, target);
        else
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.writeFile)(target, bytes, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
        return true;
    }
    catch {
        return false;
    }
}
async function removeFile(root, path) {
    await (0,_border_folders_js__WEBPACK_IMPORTED_MODULE_6__/* .removeTree */ .dM)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(root, path));
    await removeEmptyFolders(root, path);
}
/** An empty folder of settings would still be seen. */
async function removeEmptyFolders(root, path) {
    for (let folder = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path); (0,_github_base_files_js__WEBPACK_IMPORTED_MODULE_7__.isInstruction)(folder); folder = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(folder)) {
        const isRemoved = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rmdir)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(root, folder)).then(() => true, () => false);
        if (!isRemoved)
            return;
    }
}
async function putBack(root, path, from) {
    await (0,_border_folders_js__WEBPACK_IMPORTED_MODULE_6__/* .makeFolderWithin */ .K6)(root, (0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(root, path)));
    await (0,_border_folders_js__WEBPACK_IMPORTED_MODULE_6__/* .removeTree */ .dM)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(root, path));
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rename)(from, (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(root, path));
}
async function skip(checkout, option, files) {
    const stdin = files.map(({ path }) => `${path}\0`).join('');
    if (stdin !== '')
        await runGit(checkout, ['update-index', option, '-z', '--stdin'], stdin);
}
/** The repository's own list of files that git does not add. */
async function openExclude(gitDir) {
    const path = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(gitDir, 'info', 'exclude');
    const before = await (0,_border_files_js__WEBPACK_IMPORTED_MODULE_5__/* .readPlainFile */ .b$)(path, excludeBytesMax);
    let isChanged = false;
    const write = async (text) => {
        await (0,_border_folders_js__WEBPACK_IMPORTED_MODULE_6__/* .removeTree */ .dM)(path);
        if (text !== undefined)
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.writeFile)(path, text, { flag: 'wx' });
    };
    return {
        async add(paths) {
            if (paths.length === 0)
                return;
            isChanged = true;
            await (0,_border_folders_js__WEBPACK_IMPORTED_MODULE_6__/* .makeFolderWithin */ .K6)(gitDir, (0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path));
            const lines = paths.map(added => `/${added.replace(/[\\*?[\]! #]/g, '\\$&')}\n`);
            await write(`${before ?? ''}\n${lines.join('')}`);
        },
        async restore() {
            if (isChanged)
                await write(before);
        },
    };
}
const execute = (0,node_util__WEBPACK_IMPORTED_MODULE_4__.promisify)(node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile);
/** An agent may have changed the repository's settings, so those that name programs are overridden. */
async function runGit({ root, searchPath }, args, stdin = '') {
    const settings = ['safe.directory=*', 'core.fsmonitor=false', 'core.hooksPath=/dev/null'];
    const running = execute('git', [...settings.flatMap(setting => ['-c', setting]), ...args], {
        cwd: root,
        env: { PATH: searchPath, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
        maxBuffer: listingBytesMax,
    });
    // Git may end without reading it.
    running.child.stdin?.on('error', () => { }).end(stdin);
    return (await running).stdout;
}


/***/ }),

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


/***/ })

};
