// src/action/report/summary/icons.ts
// src/action/report/summary/summary-artifacts.ts
// src/action/report/summary/summary-facts.ts
// src/action/report/summary/summary.ts
// src/action/text/markdown-inline.ts
// src/action/text/markdown-tree.ts
// src/action/text/render-markdown.ts
// src/base/wording/artifact-words.ts
export const id = 795;
export const ids = [795];
export const modules = {

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
// EXTERNAL MODULE: ./build/js/action/text/render-markdown.js + 2 modules
var render_markdown = __webpack_require__(6237);
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
var summary_facts = __webpack_require__(8742);
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
