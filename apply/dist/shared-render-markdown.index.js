// src/action/text/markdown-inline.ts
// src/action/text/markdown-tree.ts
// src/action/text/open-fence.ts
// src/action/text/redact.ts
// src/action/text/render-markdown.ts
// src/border/visible-text.ts
export const id = 383;
export const ids = [383];
export const modules = {

/***/ 2160:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ redactAll)
/* harmony export */ });
/* harmony import */ var _border_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9456);
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(769);
/** Secrets, colors and control characters go before a report's text is cut, escaped or parsed. */


/** Redacts every text in a JSON value, including names. */
function redactAll(value, redact) {
    // A secret with CR line ends matches only the original text. A colored one matches only after the colors are
    // removed.
    return (0,_border_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .redactValue */ .FI)(value, text => redact((0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__/* .terminalText */ .eR)(redact(text))));
}


/***/ }),

/***/ 5438:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  L: () => (/* binding */ renderMarkdownEnd)
});

// EXTERNAL MODULE: ./build/js/border/terminal-text.js
var terminal_text = __webpack_require__(769);
// EXTERNAL MODULE: ./build/js/action/text/budget.js
var budget = __webpack_require__(5092);
// EXTERNAL MODULE: ./build/js/action/text/markdown.js
var markdown = __webpack_require__(2688);
;// CONCATENATED MODULE: ./build/js/action/text/markdown-inline.js
/** Writes text with emphasis, code and links anew. Everything else becomes escaped text. */


function writeLines(nodes) {
    return writeInline(nodes, { inTable: false, within: new Set() })
        .split('\n')
        .map(line => line.trim())
        .filter(line => line !== '')
        .map(markdown/* escapeLineStart */.Kc);
}
/** Returns a single line, for headings and cells. */
function writeLine(nodes, { inTable }) {
    return writeInline(nodes, { inTable, within: new Set() }).replace(/\\?\n/g, ' ').trim();
}
const delimiters = { em: '*', strong: '**', s: '~~' };
function writeInline(nodes, place) {
    const pieces = [];
    for (const node of nodes) {
        const piece = writeNode(node, place);
        // Adjacent delimiters would be read as one.
        if (isDelimiter(pieces.at(-1)?.at(-1)) && isDelimiter(piece[0]))
            pieces.push(markdown/* gap */.rQ);
        if (piece !== '')
            pieces.push(piece);
    }
    return pieces.join('');
}
function isDelimiter(character) {
    return character !== undefined && '*~`'.includes(character);
}
function writeNode(node, place) {
    const { type, token, children } = node;
    switch (type) {
        case 'softbreak':
            return '\n';
        case 'hardbreak':
            return '\\\n';
        case 'code_inline':
            return writeCode(token.content, place);
        case 'link':
            return writeLink({ node, label: writeInline(children, enter(place, 'link')), address: attribute(node, 'href') }, place);
        case 'image': {
            const label = (0,markdown/* escapeText */.X1)(`image: ${plainText(children)}`);
            return writeLink({ node, label, address: attribute(node, 'src') }, place);
        }
        case 'em':
        case 'strong':
        case 's': {
            const inner = writeInline(children, enter(place, type));
            const isWritable = !place.within.has(type) && inner !== '' && inner === inner.trim();
            const delimiter = isWritable ? (delimiters[type] ?? '') : markdown/* gap */.rQ;
            return `${delimiter}${inner}${delimiter}`;
        }
        default:
            return (0,markdown/* escapeText */.X1)(token.content);
    }
}
function enter(place, type) {
    return { ...place, within: new Set([...place.within, type]) };
}
/** Writes a link to the web. Any other becomes its label, with the address as code if it differs. */
function writeLink({ node, label, address }, place) {
    const target = (0,markdown/* readTarget */._E)(address);
    if (target !== undefined && !isReference(address) && !place.within.has('link'))
        return `[${label.trim() === '' ? (0,markdown/* escapeText */.X1)(address) : label}](<${target}>)`;
    const words = plainText(node.children).trim();
    if (isSame(words, address) && node.type === 'link')
        return writeCode(shorten(address), place);
    return address.startsWith('#') || address === '' ? label : `${label} (${writeCode(shorten(address), place)})`;
}
/** True if GitHub would notify an issue, pull request or discussion that this address mentions it. */
function isReference(address) {
    let path = address;
    try {
        path = decodeURIComponent(address);
    }
    catch {
        // Invalid percent-encoding stays as it is.
    }
    return /\/+[^/]+\/+[^/]+\/+(?:issues|pulls?|discussions)\/+\d/i.test(path);
}
function isSame(words, address) {
    if (words === address || `mailto:${words}` === address)
        return true;
    return URL.canParse(words) && URL.canParse(address) && new URL(words).href === new URL(address).href;
}
function shorten(address) {
    return (0,budget/* keepHead */.sc)(address, { surface: 'comment', room: 300 });
}
function writeCode(content, { inTable }) {
    const code = content.replaceAll('\n', ' ');
    // A table cell's code cannot contain a backslash before a pipe.
    if (code === '' || (inTable && code.includes('\\|')))
        return (0,markdown/* escapeText */.X1)(code);
    const bar = '`'.repeat((0,markdown/* longestBackticks */.Ww)(code) + 1);
    const isPadded = /^`|`$/.test(code) || (/^ .* $/.test(code) && code.trim() !== '');
    const inner = isPadded ? ` ${code} ` : code;
    return `${bar}${inTable ? inner.replaceAll('|', '\\|') : inner}${bar}`;
}
function attribute({ token }, name) {
    return String(token.attrGet(name) ?? '');
}
function plainText(nodes) {
    return nodes.map(({ token, children }) => (children.length > 0 ? plainText(children) : token.content)).join('');
}

// EXTERNAL MODULE: ./node_modules/markdown-it/dist/markdown-it.mjs + 12 modules
var markdown_it = __webpack_require__(5251);
// EXTERNAL MODULE: ./build/js/action/text/key-words.js
var key_words = __webpack_require__(5618);
;// CONCATENATED MODULE: ./build/js/action/text/markdown-tree.js
/** An agent's text as a tree, built from the parser's flat tokens. */



/** Deeper nesting is not worth its indentation, and the parser drops content below its own limit. */
const deepest = 40;
/** HTML stays text. The writer decides whether an address may be a link. */
const parser = new markdown_it/* default */.A('default', { html: false, linkify: true, maxNesting: deepest + 10 });
parser.validateLink = () => true;
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// The runner finds a key only letter by letter. Reading a part of it as emphasis or strikethrough would remove
// characters.
parser.inline.ruler.before('strikethrough', 'key', state => {
    const [run = ''] = /^(?:_+|~+)/.exec(state.src.slice(state.pos, state.pos + keyUnits)) ?? [];
    if (run === '' || !isWithinKey(state.src, state.pos))
        return false;
    state.pending += run;
    state.pos += run.length;
    return true;
});
/** Units examined on each side of a key. */
const keyUnits = 64;
function isWithinKey(text, at) {
    const [before = ''] = /[\w.+/=~-]*$/.exec(text.slice(Math.max(0, at - keyUnits), at)) ?? [];
    const [after = ''] = /^[\w.+/=~-]*/.exec(text.slice(at, at + keyUnits)) ?? [];
    return (0,key_words/* isKeyLike */.P)(before + after);
}
/** Returns a text's blocks. Undefined if the nesting is too deep. */
function parseMarkdown(text, redact = same) {
    const tokens = parser.parse((0,terminal_text/* terminalText */.eR)(text), {});
    const levels = [tokens, ...tokens.map(({ children }) => children ?? [])];
    for (const token of levels.flat()) {
        // An inline token holds the source of its children.
        if (token.type !== 'inline')
            token.content = redact(token.content);
        for (const name of ['href', 'src']) {
            const address = token.attrGet(name);
            if (address !== null)
                token.attrSet(name, redact(String(address)));
        }
    }
    return levels.every(isFlat) ? nest(tokens) : undefined;
}
const same = text => text;
function isFlat(tokens) {
    let depth = 0;
    return tokens.every(({ nesting }) => {
        depth += nesting;
        return depth <= deepest;
    });
}
function nest(tokens) {
    const top = [];
    const open = [top];
    for (const token of tokens) {
        if (token.nesting < 0) {
            open.pop();
            continue;
        }
        const children = token.children === null ? [] : [...nest(token.children)];
        open.at(-1)?.push({ type: token.type.replace(/_open$/, ''), token, children });
        if (token.nesting > 0)
            open.push(children);
    }
    return top;
}

;// CONCATENATED MODULE: ./build/js/action/text/open-fence.js
/** A text that is cut inside a fenced block. The rest of the block is code, although its opening line is missing. */
/** A line that may open or close a block, including inside quotes and lists. */
const fenceLine = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)$/gm;
/** Splits the text from `at`, which must be the start of a line. */
function splitOpenFence(text, at) {
    let open;
    for (const { index, 0: line, 1: before = '', 2: mark = '', 3: info = '' } of text.matchAll(fenceLine)) {
        if (open === undefined) {
            if (index >= at)
                break;
            if (mark.startsWith('~') || !info.includes('`'))
                open = { indent: before.length, mark, info };
        }
        else if (mark.startsWith(open.mark) && info.trim() === '' && before.length < open.indent + 4) {
            if (index >= at)
                return {
                    code: withoutIndent(text.slice(at, index), open.indent),
                    language: open.info,
                    rest: text.slice(index + line.length),
                };
            open = undefined;
        }
    }
    if (open === undefined)
        return { code: '', language: '', rest: text.slice(at) };
    return { code: withoutIndent(text.slice(at), open.indent), language: open.info, rest: '' };
}
/** Removes the indentation or quote marks of the opening line. */
function withoutIndent(code, indent) {
    return indent === 0 ? code : code.replace(new RegExp(`^[ \\t>]{1,${indent}}`, 'gm'), '');
}
/** Unwraps a text that is a single fenced block, as models write JSON. */
function removeFence(text) {
    const trimmed = text.trim();
    const [opening, mark] = /^(`{3,}|~{3,})[^\n`]*\n/.exec(trimmed) ?? [];
    if (opening === undefined || mark === undefined || !trimmed.endsWith(mark))
        return trimmed;
    return trimmed.slice(opening.length, -mark.length);
}

;// CONCATENATED MODULE: ./build/js/action/text/render-markdown.js






/** An agent's headings go below the step's, `###`. */
const headingShift = 3;
/**
 * Only this many UTF-16 units at the end of a longer text are parsed. A text built to be slow, such as a table of
 * letters, takes half a second at this size, and signals are not handled meanwhile.
 */
const parsedUnits = 64 * 1024;
/**
 * Returns as many of the last blocks as fit, and the end of the block before them, below a line that tells what is
 * left out and where there is more. If nothing fits, returns the end of the plain text.
 */
function renderMarkdownEnd(given, { where, missingBytes = 0, redact, ...cut }) {
    const { surface } = cut;
    const text = trimEmptyLines((0,terminal_text/* terminalText */.eR)(given));
    const room = (0,budget/* readRoom */.Qo)(cut);
    const fenced = () => fenceEnd(redact === undefined ? text : redact(text), { where, missingBytes, ...cut });
    if (missingBytes === 0 && isJsonDocument(text)) {
        const code = (0,markdown/* fence */.EU)(redact === undefined ? text : redact(text), 'json');
        return (0,budget/* measureText */.kD)(code, surface) <= room ? code : fenced();
    }
    const sourceMax = Math.min(room, parsedUnits);
    const source = text.length > sourceMax ? text.slice(text.length - sourceMax).replace(/^[^\n]*\n/, '') : text;
    const { code, language, rest } = splitOpenFence(text, text.length - source.length);
    const nodes = parseMarkdown(rest, redact) ?? [];
    const blocks = [
        ...(code === '' ? [] : [codeBlock(redact === undefined ? code : redact(code), readLanguage(language), surface)]),
        ...nodes.map(node => blockOf(node, surface)),
    ].filter(block => block.text !== '');
    const whole = blocks.map(block => block.text).join('\n\n');
    if (missingBytes === 0 && source === text && whole !== '' && (0,budget/* measureText */.kD)(whole, surface) <= room)
        return whole;
    const note = `*(only the end is shown${where === undefined ? '' : `; ${(0,markdown/* quoteInline */.Wx)(where)}`})*`;
    let left = room - (0,budget/* measureText */.kD)(note, surface);
    let first = blocks.length;
    for (; first > 0; first -= 1) {
        const bytes = (0,budget/* measureText */.kD)(`\n\n${blocks[first - 1]?.text}`, surface);
        if (bytes > left)
            break;
        left -= bytes;
    }
    const end = blocks[first - 1]?.cut(left - (0,budget/* measureText */.kD)('\n\n', surface));
    const shown = [...(end === undefined ? [] : [end]), ...blocks.slice(first).map(block => block.text)];
    return shown.length > 0 ? [note, ...shown].join('\n\n') : fenced();
}
function blockOf(node, surface) {
    const { type, token } = node;
    if (type === 'fence')
        return codeBlock(token.content, readLanguage(token.info), surface);
    if (type === 'code_block')
        return codeBlock(token.content, 'text', surface);
    return { text: writeBlock(node), cut: room => cutBlock(node, room, surface) };
}
function codeBlock(code, language, surface) {
    return {
        text: (0,markdown/* fence */.EU)(code, language),
        cut: room => fitFence(inside => (0,markdown/* fence */.EU)((0,budget/* keepEnd */.zf)(code, { surface, room: inside }), language), { surface, room }),
    };
}
/** Returns the last items of a list or blocks of a quote that fit. */
function cutBlock(node, room, surface) {
    const isDivisible = node.type === 'blockquote' || node.type.endsWith('_list');
    const parts = isDivisible ? node.children.length : 0;
    let [from, end] = [1, parts];
    while (from < end) {
        const middle = Math.floor((from + end) / 2);
        if ((0,budget/* measureText */.kD)(writeBlock(node, middle), surface) <= room)
            end = middle;
        else
            from = middle + 1;
    }
    return from < parts ? writeBlock(node, from) : undefined;
}
/** Removes empty lines around the text, which would use up room. The first line keeps its indentation. */
function trimEmptyLines(text) {
    const trimmed = text.trimEnd();
    return trimmed.slice(trimmed.lastIndexOf('\n', Math.max(0, trimmed.search(/\S/))) + 1);
}
/** Returns the end of the text in a fence. '' if there is no room for one. */
function fenceEnd(text, { where, missingBytes, ...cut }) {
    const { surface } = cut;
    return fitFence(room => (0,markdown/* fence */.EU)((0,budget/* keepTail */.G9)(text, { surface, room, where, missingBytes })), cut) ?? '';
}
/** Gives `write` as much room inside its fence as keeps the whole within its limit. */
function fitFence(write, cut) {
    const room = (0,budget/* readRoom */.Qo)(cut);
    for (let inside = room - (0,budget/* measureText */.kD)((0,markdown/* fence */.EU)(''), cut.surface); inside > 0;) {
        const fenced = write(inside);
        const over = (0,budget/* measureText */.kD)(fenced, cut.surface) - room;
        if (over <= 0)
            return fenced;
        inside -= over;
    }
    return undefined;
}
function writeBlocks(nodes) {
    return nodes.map(node => writeBlock(node)).filter(block => block !== '');
}
/** Skips the first `from` items of a list or blocks of a quote. */
function writeBlock(node, from = 0) {
    const { type, token, children } = node;
    switch (type) {
        case 'paragraph':
            return writeLines(inlineOf(node)).join('\n');
        case 'heading': {
            const title = writeLine(inlineOf(node), { inTable: false });
            return title === '' ? '' : `${'#'.repeat(Math.min(6, Number(token.tag.slice(1)) + headingShift))} ${title}`;
        }
        case 'blockquote':
            return indent(writeBlocks(children.slice(from)).join('\n\n'), '> ', '> ');
        case 'bullet_list':
        case 'ordered_list':
            return writeList(node, from);
        case 'fence':
            return (0,markdown/* fence */.EU)(token.content, readLanguage(token.info));
        case 'code_block':
            return (0,markdown/* fence */.EU)(token.content);
        case 'hr':
            // Hyphens would merge a bullet and a rule into one line.
            return '***';
        case 'table':
            return writeTable(node);
        default:
            return writeLines(children).join('\n');
    }
}
function writeList({ type, token, children }, from) {
    const start = Number(token.attrGet('start') ?? 1) + from;
    const items = children.slice(from).map((item, index) => {
        const marker = type === 'bullet_list' ? '- ' : `${Math.min(start + index, 999_999_999)}. `;
        return indent(writeItem(item), marker, ' '.repeat(marker.length));
    });
    const isTight = children.every(item => item.children.every(block => block.type !== 'paragraph' || block.token.hidden));
    return items.join(isTight ? '\n' : '\n\n');
}
/** Writes an item's blocks. Only a block that always interrupts a paragraph follows one without an empty line. */
function writeItem({ children }) {
    let text = '';
    for (const [index, block] of children.entries()) {
        const written = writeBlock(block);
        if (written === '')
            continue;
        const interrupts = block.type === 'fence' || (block.type === 'bullet_list' && /^- [^\n]/.test(written));
        const isTight = children[index - 1]?.token.hidden === true && interrupts;
        text += text === '' ? written : `${isTight ? '\n' : '\n\n'}${written}`;
    }
    return text.replace(/^\\\[([ xX])\\\] /, '[$1] ');
}
function writeTable({ children }) {
    const rows = children.flatMap(part => part.children);
    const cells = rows.map(row => row.children.map(cell => writeLine(inlineOf(cell), { inTable: true })));
    const [head = [], ...body] = cells;
    const rule = (rows[0]?.children ?? []).map(cell => rules[String(cell.token.attrGet('style') ?? '')] ?? '---');
    return [head, rule, ...body].map(row => `| ${row.join(' | ')} |`).join('\n');
}
const rules = {
    'text-align:left': ':--',
    'text-align:center': ':-:',
    'text-align:right': '--:',
};
/** Languages that GitHub renders instead of showing, some with remote images, or treats as a suggested change. */
const drawnLanguages = new Set(['mermaid', 'math', 'geojson', 'topojson', 'stl', 'suggestion']);
function readLanguage(info) {
    const word = /^[A-Za-z0-9+#.-]{1,30}(?=\s|$)/.exec(info.trim())?.[0] ?? 'text';
    return drawnLanguages.has(word.toLowerCase()) ? 'text' : word;
}
function inlineOf({ children }) {
    return children[0]?.children ?? [];
}
function indent(text, first, others) {
    return text
        .split('\n')
        .map((line, index) => `${index === 0 ? first : others}${line}`.trimEnd())
        .join('\n');
}
/** An object or a list, which Markdown would read as words and links. */
function isJsonDocument(text) {
    if (!/^\s*[[{]/.test(text))
        return false;
    try {
        JSON.parse(text);
        return true;
    }
    catch {
        return false;
    }
}


/***/ }),

/***/ 1043:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FN: () => (/* binding */ hasUnseen),
/* harmony export */   zN: () => (/* binding */ isVisible)
/* harmony export */ });
/* unused harmony exports isStartVisible, shownOnGitHub */
/* harmony import */ var _terminal_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(769);
/** Finds the text that a person can see. */

/**
 * Text that neither a terminal nor Markdown shows. Each alternative stops where it could begin again, so matching
 * takes linear time.
 */
const invisible = /<!--[\s\S]*?(?:-->|$)|<\/?(?:b|br|div|i|p|span)(?=[\s/>])[^<>]*>|&nbsp;|[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/giu;
/** A visible character is usually found in the first characters, so more is looked at step by step. */
const lookedAt = [256, 4096, 65_536];
/**
 * Whether any text is visible. An agent that answers `<!-- done -->`, or a program that only resets colors, said
 * nothing.
 */
function isVisible(text) {
    // Faster than below, and long output of spaces is not rare.
    if (text.trim() === '')
        return false;
    const isSoonVisible = lookedAt.some(characters => characters < text.length && isStartVisible(text.slice(0, characters)));
    return isSoonVisible || showsAny((0,_terminal_text_js__WEBPACK_IMPORTED_MODULE_0__/* .withoutEscapes */ .Lx)(text));
}
/** Whether the start of a text has a visible character, whatever follows. It may end inside a character. */
function isStartVisible(start) {
    // No escape sequence contains a line end. Half of a character would look like a visible one.
    const whole = start.includes('\x1b')
        ? start.slice(0, start.lastIndexOf('\n') + 1)
        : start.replace(/[\ud800-\udbff\ufffd]$/, '');
    const shown = (0,_terminal_text_js__WEBPACK_IMPORTED_MODULE_0__/* .withoutEscapes */ .Lx)(whole);
    // A tag or an entity may continue after the start.
    const open = Math.max(shown.lastIndexOf('<'), shown.lastIndexOf('&'));
    return showsAny(open < 0 ? shown : shown.slice(0, open));
}
function showsAny(text) {
    return text.replace(invisible, '') !== '';
}
/**
 * Direction marks, tags, joiners, variation selectors, fillers, soft hyphens, private use, lone surrogates, and all
 * control characters except tab and LF, and line separators, which only programs take for line ends.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const unseen = /[\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\0-\x08\x0b-\x1f\x7f-\x9f]/gu;
/** Whether a reader would not see all of a text's characters. */
function hasUnseen(text) {
    return text.search(unseen) >= 0;
}
/** HTML that GitHub never shows. */
const hidden = [
    { end: '-->', closed: /<!--(?:-?>|[\s\S]*?-->)/g, open: /^ {0,3}<!--[\s\S]*/m },
    { end: '?>', closed: /<\?[\s\S]*?\?>/g, open: /^ {0,3}<\?[\s\S]*/m },
    { end: ']]>', closed: /<!\[CDATA\[[\s\S]*?\]\]>/g, open: /^ {0,3}<!\[CDATA\[[\s\S]*/m },
];
/** The text that GitHub shows a person: an agent should not read more than that. Lines end with LF. */
function shownOnGitHub(text) {
    let shown = text.replace(/\r\n|[\r\u0085\u2028\u2029\v\f]/g, '\n').replace(unseen, '');
    for (const { end, closed, open } of hidden) {
        // Nothing after the last end marker is closed, so the search stops there. A space replaces each part to keep its
        // neighbors apart.
        const last = shown.lastIndexOf(end);
        const at = last < 0 ? 0 : last + end.length;
        shown = (shown.slice(0, at).replace(closed, ' ') + shown.slice(at)).replace(open, ' ');
    }
    return shown;
}


/***/ })

};
