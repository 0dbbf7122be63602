// src/action/report/summary/summary-artifacts.ts
// src/action/report/summary/summary.ts
// src/base/wording/artifact-words.ts
export const id = 795;
export const ids = [795];
export const modules = {

/***/ 7795:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  printSummary: () => (/* binding */ printSummary)
});

// EXTERNAL MODULE: ./build/js/action/text/budget.js
var budget = __webpack_require__(5092);
// EXTERNAL MODULE: ./build/js/action/text/markdown.js
var markdown = __webpack_require__(2688);
// EXTERNAL MODULE: ./build/js/action/text/redact.js
var text_redact = __webpack_require__(2160);
// EXTERNAL MODULE: ./build/js/action/text/render-markdown.js + 3 modules
var render_markdown = __webpack_require__(5438);
// EXTERNAL MODULE: ./build/js/action/verdict/verdict.js
var verdict = __webpack_require__(6442);
// EXTERNAL MODULE: ./build/js/action/report/changed-files.js
var changed_files = __webpack_require__(4018);
// EXTERNAL MODULE: ./build/js/action/report/result-words.js
var result_words = __webpack_require__(2575);
// EXTERNAL MODULE: ./build/js/action/report/summary/heading.js
var heading = __webpack_require__(5401);
// EXTERNAL MODULE: ./build/js/action/report/summary/icons.js
var icons = __webpack_require__(8545);
// EXTERNAL MODULE: ./build/js/base/wording/artifact-words.js
var artifact_words = __webpack_require__(2771);
// EXTERNAL MODULE: ./build/js/action/report/saved-patch.js
var saved_patch = __webpack_require__(3592);
;// CONCATENATED MODULE: ./build/js/action/report/summary/summary-artifacts.js
/** The run's artifacts as a list: pull requests and documents are links, files are named. */




const shownMax = 30;
const textBytes = 400;
/** '' without artifacts. `withoutPatch`: the summary already lists the changes. */
function listArtifacts(all, { withoutPatch }) {
    const artifacts = withoutPatch ? all.filter(artifact => !(0,saved_patch/* isPatch */.pQ)(artifact)) : all;
    if (artifacts.length === 0)
        return '';
    const lines = artifacts.slice(0, shownMax).map(artifact => `- ${printArtifact(artifact)}`);
    const more = artifacts.length - shownMax;
    return ['Artifacts:', '', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}
function printArtifact(artifact) {
    const { kind, name, url, details } = (0,artifact_words/* describeArtifact */.Qw)(artifact);
    const what = url === undefined ? (0,markdown/* quoteInline */.Wx)(cut(name)) : (0,markdown/* link */.nf)(cut(name), url);
    return [`${(0,markdown/* quoteInline */.Wx)(cut(kind))}: ${what}`, ...details.map(detail => (0,markdown/* quoteInline */.Wx)(cut(detail)))].join(', ');
}
function cut(text) {
    return (0,budget/* keepHead */.sc)(text, { surface: 'summary', room: textBytes });
}

// EXTERNAL MODULE: ./build/js/action/report/summary/summary-facts.js
var summary_facts = __webpack_require__(6361);
;// CONCATENATED MODULE: ./build/js/action/report/summary/summary.js
/**
 * The step's part of the job's summary, in the order of a reader's questions: the outcome and its reason, the
 * changes, the cost, the agent's result, and the warnings. Every word of it may be hostile.
 */











const cutNote = '*(The summary of this step is full. Parts of this report are left out.)*';
/** Stays within the room of a step's summary. '' if there is none. */
function printSummary(given, redact) {
    const report = (0,text_redact/* redactAll */.$)(given, redact);
    const parts = [];
    const isBad = verdict/* badConclusions */.Ce.has(report.conclusion);
    let isWhole = true;
    let left = (0,budget/* readRoom */.Qo)({ surface: 'summary', room: report.roomBytes }) - (0,budget/* measureText */.kD)(`${cutNote}\n\n`, 'summary');
    const add = (part, at = parts.length) => {
        const bytes = (0,budget/* measureText */.kD)(`${part}\n\n`, 'summary');
        if (part === '')
            return;
        if (part === undefined || bytes > left)
            isWhole = false;
        else {
            parts.splice(at, 0, part);
            left -= bytes;
        }
    };
    add(printHead(report));
    if (!isWhole)
        return '';
    const warnings = report.warnings ?? [];
    add(printWarnings(warnings.filter(text => text === heading/* emptyWorkspaceWarning */.R)));
    add(report.sentence === undefined ? '' : (0,markdown/* quoteInline */.Wx)(endSentence((0,budget/* keepHead */.sc)(report.sentence, { surface: 'annotation' }))));
    add(report.changes === undefined ? '' : (0,changed_files/* printChanges */.FQ)(report.changes));
    add([(0,summary_facts/* printFacts */.Z)(report), printRun(report)].filter(text => text !== '').join(' · '));
    const resultAt = parts.length;
    add(isBad ? printLastLines(report.lastLines ?? []) : '');
    add(listArtifacts(report.run?.artifacts ?? [], { withoutPatch: report.changes !== undefined }));
    add(isBad ? printStates(report.states ?? []) : '');
    add(printWarnings(warnings.filter(text => text !== heading/* emptyWorkspaceWarning */.R)));
    // Gets all the remaining room.
    add(printResult(report, left, redact), resultAt);
    if (!isWhole)
        parts.push(cutNote);
    return parts.map(part => `${part}\n\n`).join('');
}
/** Reasons have no final period, because annotations and outputs are single lines. */
function endSentence(text) {
    return /[.!?…]$/.test(text) ? text : `${text}.`;
}
function printHead({ conclusion, label, run, title: asked }) {
    const title = (0,budget/* keepHead */.sc)(run?.title ?? asked ?? '', { surface: 'summary', room: 800 });
    return `### ${icons/* icons */.P[conclusion]} ${(0,markdown/* quoteInline */.Wx)((0,heading/* printTitle */.eH)(title, label))}: ${(0,markdown/* quoteInline */.Wx)(conclusion.replaceAll('_', ' '))}`;
}
function printRun({ known, isWithinStep = false }) {
    if (known === undefined || isWithinStep)
        return '';
    const { runId, address = '' } = known;
    const name = `Run ${(0,budget/* keepHead */.sc)(runId, { surface: 'summary', room: 200 })}`;
    return address === '' ? (0,markdown/* quoteInline */.Wx)(name) : (0,markdown/* link */.nf)(name, address);
}
function printWarnings(warnings) {
    return warnings.map(text => `- ⚠️ ${(0,markdown/* quoteInline */.Wx)((0,budget/* keepHead */.sc)(text, { surface: 'annotation' }))}`).join('\n');
}
function printLastLines(lines) {
    if (lines.length === 0)
        return '';
    const text = (0,budget/* keepTail */.G9)(lines.join('\n'), { surface: 'lastLines' });
    return `<details open><summary>Last lines of the log</summary>\n\n${(0,markdown/* fence */.EU)(text)}\n\n</details>`;
}
function printStates(states) {
    if (states.length === 0)
        return '';
    const shown = (text) => (0,markdown/* quoteInline */.Wx)((0,budget/* keepHead */.sc)(text, { surface: 'summary', room: 100 }));
    const rows = states.map(({ state, at }) => `| ${shown(state)} | ${shown(textOf(at))} |`);
    return `<details><summary>States</summary>\n\n| state | since |\n|---|---|\n${rows.join('\n')}\n\n</details>`;
}
/** '' if there is no result. Undefined if it does not fit. */
function printResult(report, leftBytes, redact) {
    const result = report.result ?? { text: report.run?.result?.text ?? '', isPart: false };
    const { text, isPart } = result;
    if (text.trim() === '')
        return '';
    const opening = '<details open><summary>Answer</summary>\n\n';
    const closing = '\n\n</details>';
    // The location of the rest is unknown for the beginning of a result.
    const place = report.resultFile || (report.isWithinStep === true ? undefined : report.known?.address) || undefined;
    const cut = isPart
        ? {}
        : { missingBytes: result.cut?.leftOutBytes, where: (0,result_words/* describeWhere */.t)(result, place && `in ${place}`) };
    const note = isPart ? `*${(0,result_words/* noteOnPart */.M)(result)}*\n\n` : '';
    const frameBytes = (0,budget/* measureText */.kD)(`${opening}${note}${closing}\n\n`, 'summary');
    const shown = (0,render_markdown/* renderMarkdownEnd */.L)(text, { surface: 'summaryResult', room: leftBytes - frameBytes, ...cut, redact });
    return shown === '' ? undefined : `${opening}${note}${shown}${closing}`;
}
/** Events of other services may have any value. */
function textOf(value) {
    return typeof value === 'string' ? value : '';
}


/***/ }),

/***/ 2771:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Qw: () => (/* binding */ describeArtifact)
/* harmony export */ });
/* unused harmony exports printArtifact, printBytes */
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6910);

/** Servers of other versions may send other types or nothing. */
function describeArtifact(artifact) {
    const type = String(artifact.artifact_type ?? 'thing');
    const data = (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(artifact.data) ? artifact.data : {};
    const read = (...names) => names.map(name => textOf(data[name])).find(text => text !== undefined);
    const word = type.toLowerCase().replaceAll('_', ' ');
    const url = read('url');
    const name = read('title', 'filepath', 'filename') ?? url ?? read('description', 'reference_type') ?? word;
    const size = type === 'FILE' && typeof data.size_bytes === 'number' ? [printBytes(data.size_bytes)] : [];
    // The path of a step's copy; null if it has none.
    const copy = data.path === null ? 'not kept' : read('path');
    const more = [read('branch'), read('description'), read('title') === undefined ? undefined : read('filepath'), copy];
    return {
        kind: type === 'EXTERNAL_REFERENCE' ? (read('reference_type') ?? word) : word,
        name,
        url,
        fileUid: type === 'FILE' ? read('artifact_uid') : undefined,
        details: [...size, ...new Set(more.filter(text => text !== undefined && text !== name))],
    };
}
/** `file: report.html, 1.2 KB`, in one line. */
function printArtifact(artifact) {
    const { kind, name, url, details } = describeArtifact(artifact);
    const address = url === undefined || url === name ? [] : [url];
    return [`${kind}: ${name}`, ...address, ...details].join(', ').replace(/\s+/g, ' ');
}
function textOf(value) {
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
const units = ['bytes', 'KB', 'MB', 'GB'];
/** `812 bytes`, `1.5 KB`; 1 KB is 1000 bytes. */
function printBytes(bytes) {
    let [size, unit] = [bytes, 0];
    while (size >= 999.5 && unit < units.length - 1)
        [size, unit] = [size / 1000, unit + 1];
    const shown = unit === 0 || size >= 100 ? Math.round(size) : Math.round(size * 10) / 10;
    return `${shown} ${units[unit]}`;
}


/***/ })

};
