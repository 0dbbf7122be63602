// src/action/report/comment.ts
export const id = 589;
export const ids = [589];
export const modules = {

/***/ 3589:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   printComment: () => (/* binding */ printComment)
/* harmony export */ });
/* harmony import */ var _text_budget_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5092);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2688);
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2160);
/* harmony import */ var _text_render_markdown_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5438);
/* harmony import */ var _changed_files_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4018);
/* harmony import */ var _result_words_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(2575);
/* harmony import */ var _summary_heading_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5401);
/* harmony import */ var _summary_icons_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(8545);
/* harmony import */ var _summary_summary_facts_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(6361);
/** Prints every form of the step's comment. The marker and the link are in all of them, whatever is cut. */









const titleRoom = 300;
const sentenceRoom = 4000;
const addressRoom = 2000;
/**
 * Returns Markdown that fits into a comment. The first line is the marker. Foreign text cannot forge another marker.
 */
function printComment({ marker, ...report }, redact) {
    // The marker must stay unchanged to be found again. It has no foreign text.
    const { title, label, run, jobUrl, state } = (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_2__/* .redactAll */ .$)(report, redact);
    const [icon, words] = describeState(state);
    const name = (0,_summary_heading_js__WEBPACK_IMPORTED_MODULE_5__/* .printTitle */ .eH)(title && short(title, titleRoom), label);
    // A run inside the step has no page but the job's.
    const hasRunLink = run !== undefined && run.address !== '' && run.address !== jobUrl;
    const places = [
        ...(run === undefined || run.address === jobUrl ? [] : [`run ${address(run.runId, run.address)}`]),
        ...(jobUrl === undefined ? [] : [address('log and summary', jobUrl)]),
    ];
    const sentence = state.kind === 'running' ? undefined : state.sentence;
    const { facts: known = {} } = state.kind === 'ended' ? state : {};
    const facts = [known.changes === undefined ? '' : (0,_changed_files_js__WEBPACK_IMPORTED_MODULE_4__/* .countChanges */ .xS)(known.changes), (0,_summary_summary_facts_js__WEBPACK_IMPORTED_MODULE_7__/* .printFacts */ .Z)(known)]
        .filter(text => text !== '')
        .join(' · ');
    const head = [
        `${marker}\n### ${icon} ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteInline */ .Wx)(name)}: ${words}`,
        ...(places.length === 0 ? [] : [places.join(' · ')]),
        ...(sentence === undefined ? [] : [(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteInline */ .Wx)(short(sentence, sentenceRoom))]),
        ...(facts === '' ? [] : [facts]),
    ].join('\n\n');
    const result = state.kind === 'ended' ? printResult(state, { taken: head.length, hasRunLink, redact }) : '';
    return `${head}${result}\n`;
}
function printResult({ result, resultFile }, { taken, hasRunLink, redact }) {
    if (result === undefined || result.text.trim() === '')
        return '';
    const { text, isPart } = result;
    const note = isPart ? `*${(0,_result_words_js__WEBPACK_IMPORTED_MODULE_8__/* .noteOnPart */ .M)(result)}*\n\n` : '';
    const room = _text_budget_js__WEBPACK_IMPORTED_MODULE_0__/* .budgets */ .RK.comment.max - taken - note.length - 10;
    const inFile = resultFile ? 'in the file that the output `result_file` of the step names' : undefined;
    // The location of the rest is unknown for the beginning of a result. The job's summary shows no more of it than a
    // comment.
    const where = (0,_result_words_js__WEBPACK_IMPORTED_MODULE_8__/* .describeWhere */ .t)(result, hasRunLink ? 'with the run, linked above' : inFile);
    const cut = isPart ? {} : { missingBytes: result.cut?.leftOutBytes, where };
    return `\n\n${note}${(0,_text_render_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .renderMarkdownEnd */ .L)(text, { surface: 'comment', room, ...cut, redact })}`;
}
function describeState(state) {
    if (state.kind === 'running')
        return ['⏳', 'running'];
    if (state.kind === 'step_cancelled')
        return ['🚫', 'the step was canceled'];
    if (state.kind === 'step_gone')
        return [_summary_icons_js__WEBPACK_IMPORTED_MODULE_6__/* .icons */ .P.lost, 'the step ended before it reported the result of the run'];
    return [_summary_icons_js__WEBPACK_IMPORTED_MODULE_6__/* .icons */ .P[state.conclusion], state.conclusion.replaceAll('_', ' ')];
}
function short(text, room) {
    return (0,_text_budget_js__WEBPACK_IMPORTED_MODULE_0__/* .keepHead */ .sc)(text.replace(/\s+/g, ' ').trim(), { surface: 'comment', room });
}
/** An overlong address is left out rather than cut. */
function address(label, target) {
    return target.length > addressRoom ? (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteInline */ .Wx)(short(label, titleRoom)) : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .link */ .nf)(short(label, titleRoom), target);
}


/***/ })

};
