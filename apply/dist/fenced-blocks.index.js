// src/border/fenced-blocks.ts
export const id = 89;
export const ids = [89];
export const modules = {

/***/ 89:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readFencedBlocks: () => (/* binding */ readFencedBlocks)
/* harmony export */ });
/* harmony import */ var markdown_it__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5251);

/** Parses blocks, not their contents. HTML is parsed too, because a commented-out block does not count. */
const parser = new markdown_it__WEBPACK_IMPORTED_MODULE_0__/* ["default"] */ .A('default', { html: true, maxNesting: 32 });
parser.core.ruler.enableOnly(['normalize', 'block']);
parser.block.ruler.disable(['table', 'reference']);
/** The fenced code blocks of a text by CommonMark's rules, also in list items. Block quotes are skipped. */
function readFencedBlocks(text) {
    let quotes = 0;
    return parser.parse(text.replace(/^\uFEFF/, ''), {}).flatMap(({ type, nesting, info, content, map }) => {
        if (type.startsWith('blockquote'))
            quotes += nesting;
        if (type !== 'fence' || quotes > 0)
            return [];
        const code = content === '' || content.endsWith('\n') ? content : `${content}\n`;
        return [{ language: info.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '', code, line: (map?.[0] ?? 0) + 1 }];
    });
}


/***/ })

};
