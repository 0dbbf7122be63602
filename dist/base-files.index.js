// src/action/github/base-files.ts
// src/action/github/payload.ts
export const id = 126;
export const ids = [126];
export const modules = {

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
