// src/action/report/comment.ts
// src/action/report/summary/icons.ts
// src/action/report/summary/summary-facts.ts
// src/action/text/markdown-inline.ts
// src/action/text/markdown-tree.ts
// src/action/text/render-markdown.ts
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
/* harmony import */ var _text_render_markdown_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6237);
/* harmony import */ var _changed_files_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4018);
/* harmony import */ var _result_words_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(2575);
/* harmony import */ var _summary_heading_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5401);
/* harmony import */ var _summary_icons_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(8545);
/* harmony import */ var _summary_summary_facts_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(8742);
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
    const review = state.kind === 'ended' ? state.review : undefined;
    const places = [
        ...(review === undefined ? [] : [address(review.title, review.link ?? '')]),
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
/** An overlong address is left out rather than cut. The label remains. */
function address(label, target) {
    return target === '' || target.length > addressRoom
        ? (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteInline */ .Wx)(short(label, titleRoom))
        : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .link */ .nf)(short(label, titleRoom), target);
}


/***/ }),

/***/ 8545:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ icons)
/* harmony export */ });
const icons = {
    succeeded: '✅',
    started: '🚀',
    blocked: '⏸️',
    skipped: '⏭️',
    cancelled: '🚫',
    timed_out: '⏱️',
    failed: '❌',
    rejected: '❌',
    lost: '❌',
    start_failed: '❌',
};


/***/ }),

/***/ 8742:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ printFacts)
/* harmony export */ });
/* unused harmony export printSeconds */
/* harmony import */ var _contract_tables_skill_spec_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9608);
/* harmony import */ var _text_budget_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5092);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2688);



const usageMax = 20;
const valueBytes = 400;
/** A shorter time in the queue is left out. */
const shortSeconds = 1;
/** `**Model** large · **Time** 2 min 4 s · **Tokens** 31,507`. '' if nothing is known. */
function printFacts(facts) {
    return listFacts(facts)
        .map(([name, value]) => `**${name}** ${value}`)
        .join(' · ');
}
/** Values are quoted. Names are ours or quoted. */
function listFacts({ run, durationSeconds, usage }) {
    const config = run?.agent_config;
    const agent = config?.harness?.name ?? config?.harness?.type;
    const queued = secondsBetween(run?.created_at, run?.started_at ?? run?.finished_at) ?? 0;
    const worked = secondsBetween(run?.started_at, run?.finished_at) ?? durationSeconds;
    const { main, others } = listUsage(run?.request_usage ?? usage ?? {});
    return [
        // A program of the step may ask any model, or none.
        ...fact('Model', agent === 'command' ? undefined : (config?.model_id ?? config?.harness?.model_id)),
        ...fact('Time', worked === undefined ? undefined : printSeconds(worked)),
        ...fact('Queued', queued < shortSeconds ? undefined : printSeconds(queued)),
        ...main,
        ...fact('Agent', agent),
        ...fact('Skill', (0,_contract_tables_skill_spec_js__WEBPACK_IMPORTED_MODULE_2__/* .skillOf */ .zk)({ config }) ?? run?.agent_skill?.name),
        ...fact('Environment', run?.environment_name ?? config?.environment_id),
        ...others,
    ];
}
/** Tokens and cost, then the other counters of a service that are not 0. */
function listUsage(usage) {
    const { total_tokens, input_tokens, output_tokens, cost_usd, inference_cost_usd, ...more } = usage;
    const [read, written] = [printNumber(input_tokens), printNumber(output_tokens)];
    const parts = read !== undefined && written !== undefined ? `${read} in, ${written} out` : undefined;
    const total = printNumber(total_tokens);
    const cost = cost_usd ?? inference_cost_usd;
    const others = Object.entries(more)
        .slice(0, usageMax)
        .flatMap(([name, value]) => fact((0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteInline */ .Wx)(cut(capitalize(name.replaceAll('_', ' ')))), printNumber(value)));
    return {
        main: [
            ...fact('Tokens', total !== undefined && parts !== undefined ? `${total} (${parts})` : (total ?? parts)),
            ...(typeof cost === 'number' && cost > 0 ? [['Cost', `\\$${printNumber(cost)}`]] : []),
        ],
        others,
    };
}
function fact(name, value) {
    if (value === undefined || value.trim() === '')
        return [];
    return [[name, (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteInline */ .Wx)(cut(value))]];
}
function printNumber(value) {
    if (typeof value === 'number')
        return value === 0 ? undefined : value.toLocaleString('en-US', { maximumFractionDigits: 4 });
    return typeof value === 'string' ? value : undefined;
}
function capitalize(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
function cut(text) {
    return (0,_text_budget_js__WEBPACK_IMPORTED_MODULE_0__/* .keepHead */ .sc)(text, { surface: 'summary', room: valueBytes });
}
/** Both are server times. Undefined if one is missing. */
function secondsBetween(from, to) {
    if (from == null || to == null)
        return undefined;
    const ms = Date.parse(to) - Date.parse(from);
    return Number.isFinite(ms) ? Math.max(0, ms / 1000) : undefined;
}
/** `4.2 s`, `3 min 20 s`, `2 h 5 min`. */
function printSeconds(seconds) {
    const tenths = Math.round(seconds * 10) / 10;
    if (tenths < 60)
        return `${tenths} s`;
    const whole = Math.round(seconds);
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}


/***/ }),

/***/ 6237:
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

// EXTERNAL MODULE: ./build/js/action/text/open-fence.js
var open_fence = __webpack_require__(6685);
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
    const { code, language, rest } = (0,open_fence/* splitOpenFence */.w)(text, text.length - source.length);
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


/***/ })

};
