// src/apply/changes/proposal-text.ts
export const id = 573;
export const ids = [573];
export const modules = {

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


/***/ })

};
