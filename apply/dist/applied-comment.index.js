// src/apply/applied-comment.ts
export const id = 540;
export const ids = [540];
export const modules = {

/***/ 540:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   applyComment: () => (/* binding */ applyComment)
/* harmony export */ });
/* harmony import */ var _action_github_comments_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6887);
/* harmony import */ var _action_text_budget_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5092);
/* harmony import */ var _action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2688);
/* harmony import */ var _action_text_redact_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2160);
/* harmony import */ var _action_text_render_markdown_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5438);
/* harmony import */ var _border_visible_text_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1043);
/** The verb `comment`: one comment on an issue or pull request, edited by later runs. */






/** Throws GitHubError, and an Error if the comment in the answer is not a string. */
async function applyComment({ github, target, answer, printing, isDryRun }) {
    const text = answer.comment ?? '';
    if (typeof text !== 'string')
        throw new Error('`comment` in the answer must be a string');
    if (!(0,_border_visible_text_js__WEBPACK_IMPORTED_MODULE_5__/* .isVisible */ .zN)(text))
        return { verb: 'comment', deeds: [], notes: ['The answer has no comment'] };
    const { marker } = printing;
    const body = printBody(text, printing);
    if (isDryRun)
        return { verb: 'comment', deeds: ['1 comment'], notes: [], previews: [{ place: 'the comment', markdown: body }] };
    const kept = await (0,_action_github_comments_js__WEBPACK_IMPORTED_MODULE_0__/* .upsertComment */ .lB)(github, { ...target, marker, body });
    const deeds = kept === undefined || kept.happened === 'unchanged' ? [] : [`1 ${kept.happened} comment`];
    return { verb: 'comment', deeds, notes: [], link: kept?.link };
}
function printBody(text, { marker, jobUrl, redact }) {
    const foot = jobUrl === undefined ? '' : `\n\n${(0,_action_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .link */ .nf)('Log', jobUrl)}`;
    const room = _action_text_budget_js__WEBPACK_IMPORTED_MODULE_1__/* .budgets */ .RK.comment.max - marker.length - foot.length - 10;
    // Escapes may make it longer. Then its end is shown.
    const start = (0,_action_text_budget_js__WEBPACK_IMPORTED_MODULE_1__/* .keepHead */ .sc)((0,_action_text_redact_js__WEBPACK_IMPORTED_MODULE_3__/* .redactAll */ .$)(text, redact), { surface: 'comment', room: room / 2 });
    return `${marker}\n${(0,_action_text_render_markdown_js__WEBPACK_IMPORTED_MODULE_4__/* .renderMarkdownEnd */ .L)(start, { surface: 'comment', room, redact })}${foot}`;
}


/***/ })

};
