// src/apply/secret-scan.ts
export const id = 975;
export const ids = [975];
export const modules = {

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
