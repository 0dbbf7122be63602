// src/action/embedded/parse-command.ts
export const id = 651;
export const ids = [651];
export const modules = {

/***/ 4651:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   parseCommand: () => (/* binding */ parseCommand)
/* harmony export */ });
/* harmony import */ var _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8589);
/**
 * The input `command`: a list of words in JSON or YAML, or a line that is split at spaces. No shell reads it, so
 * characters with a meaning for a shell are refused rather than passed on.
 */

const spaces = ' \t';
/** In double quotes, a backslash escapes these, as in a shell. */
const escapable = '"\\$`';
const shellWords = 'use ["sh", "-c", "…"] to run a shell command';
/** Throws InputError. Shows only the offending character, because the command may contain a key. */
async function parseCommand(text) {
    const trimmed = text.trim();
    const words = /^(\[|-\s)/.test(trimmed) ? await readList(trimmed) : splitLine(trimmed);
    const [program = '', ...args] = words;
    if (program.trim() === '')
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('`command` must start with a program');
    if (/^[A-Za-z_]\w*=/.test(program))
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('`command` must start with a program, not with a variable; set the variable under `env:` of the step and name it in `pass_env`, or start with the program `env`');
    return [program, ...args];
}
async function readList(text) {
    const list = readJson(text) ?? (await readYaml(text));
    if (isWords(list))
        return list;
    throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('`command`: the list must contain only strings, such as ["my-agent", "--json"]');
}
function readJson(text) {
    try {
        const value = JSON.parse(text);
        return isWords(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
/** In this schema, every scalar is text: `1.0` stays a word. */
async function readYaml(text) {
    const { parse } = await __webpack_require__.e(/* import() */ 815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    try {
        return parse(text, { schema: 'failsafe', prettyErrors: false });
    }
    catch {
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz('`command` starts like a list but is neither JSON nor YAML; use a list such as ["my-agent", "--json"], or one line');
    }
}
function isWords(value) {
    return Array.isArray(value) && value.every(word => typeof word === 'string');
}
function splitLine(line) {
    const words = [];
    let word;
    for (let at = 0; at < line.length;) {
        const sign = line.charAt(at);
        if (spaces.includes(sign)) {
            if (word !== undefined)
                words.push(word);
            word = undefined;
            at += 1;
            continue;
        }
        const piece = sign === "'" || sign === '"' ? readQuoted(line, at) : readBare(line, at, word === undefined);
        word = (word ?? '') + piece.text;
        at = piece.end;
    }
    return word === undefined ? words : [...words, word];
}
function readQuoted(line, start) {
    const quote = line.charAt(start);
    let text = '';
    for (let at = start + 1; at < line.length; at += 1) {
        const sign = line.charAt(at);
        if (sign === quote)
            return { text, end: at + 1 };
        const next = line.charAt(at + 1);
        if (quote === "'")
            text += sign;
        else if (sign === '\\' && next !== '' && escapable.includes(next)) {
            text += next;
            at += 1;
        }
        else if (sign === '`' || (sign === '$' && /[\w{(]/.test(next)))
            throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`command\`: ${sign} in double quotes has no effect, because no shell runs the command; put it in single quotes to pass it literally, or ${shellWords}`);
        else
            text += sign;
    }
    throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`command\`: the quote ${quote} is never closed; close it, or put a backslash before it`);
}
function readBare(line, at, isFirst) {
    const sign = line.charAt(at);
    const next = line.charAt(at + 1);
    if (sign === '\\' && next !== '' && !'\r\n'.includes(next))
        return { text: next, end: at + 2 };
    if ('\r\n'.includes(sign) || sign === '\\')
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`command\` must be one line or a list; or ${shellWords}`);
    if ('|&;<>()$`*?['.includes(sign) || (isFirst && '~#'.includes(sign)))
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`command\`: ${sign === '&' && next === '&' ? '&&' : sign} outside quotes has no effect, because no shell runs the command; put it in single quotes to pass it literally, or ${shellWords}`);
    return { text: sign, end: at + 1 };
}


/***/ })

};
