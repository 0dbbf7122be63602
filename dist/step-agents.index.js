// src/action/embedded/step-agents.ts
// src/base/network/request-headers.ts
export const id = 51;
export const ids = [51];
export const modules = {

/***/ 3051:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Mp: () => (/* binding */ createMissingKeyError),
/* harmony export */   T4: () => (/* binding */ hasModelKey),
/* harmony export */   b1: () => (/* binding */ findModelAddress),
/* harmony export */   dF: () => (/* binding */ stepAgentKinds),
/* harmony export */   findModelKeys: () => (/* binding */ findModelKeys),
/* harmony export */   pO: () => (/* binding */ prepareAgent),
/* harmony export */   spellKeys: () => (/* binding */ spellKeys)
/* harmony export */ });
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1065);
/* harmony import */ var _base_network_request_headers_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8817);
/* harmony import */ var _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8589);
/** The agents of a step without a server. Their providers define the variables for keys and addresses. */



/** Ordered by priority, for several keys and a model name that matches no provider. */
const providers = [
    {
        api: 'anthropic',
        key: 'ANTHROPIC_API_KEY',
        address: 'ANTHROPIC_BASE_URL',
        root: 'https://api.anthropic.com',
        headers: { variable: 'ANTHROPIC_CUSTOM_HEADERS', separator: /\n/ },
        models: /^claude/i,
    },
    {
        api: 'openai-responses',
        // Gateways and local servers use this API.
        ownApi: 'openai-chat',
        key: 'OPENAI_API_KEY',
        address: 'OPENAI_BASE_URL',
        root: 'https://api.openai.com',
        models: /^(gpt|chatgpt|codex|o\d)/i,
    },
    {
        api: 'gemini',
        key: 'GEMINI_API_KEY',
        address: 'GOOGLE_GEMINI_BASE_URL',
        root: 'https://generativelanguage.googleapis.com',
        headers: { variable: 'GEMINI_CLI_CUSTOM_HEADERS', separator: /,(?=\s*[^,:]+:)/ },
        models: /^gemini/i,
    },
];
const agentApis = {
    builtin: ['anthropic', 'openai-responses', 'openai-chat', 'gemini'],
    claude: ['anthropic'],
    codex: ['openai-responses'],
    gemini: ['gemini'],
    opencode: ['anthropic', 'openai-responses', 'openai-chat', 'gemini'],
};
/** A token of `claude setup-token`, for Claude Code alone. An API key takes precedence, as it does in the program. */
const oauthToken = 'CLAUDE_CODE_OAUTH_TOKEN';
const stepAgentKinds = Object.keys(agentApis);
/** A model key requests an agent, even if the step does not name one. */
function hasModelKey(env) {
    return providers.some(provider => isSet(env[provider.key]));
}
/** Returns the variables that may hold the model's key: one if the model name tells the provider. */
function findModelKeys(modelId) {
    const meant = providers.filter(provider => isMeant(provider, modelId));
    return (meant.length === 0 ? providers : meant).map(({ key }) => key);
}
/** `who` begins the sentence, `more` ends it. */
function createMissingKeyError({ who, keys, more = '' }, env) {
    const isUnset = keys.every(key => env[key] === undefined);
    const lack = `${who} needs ${nameKeys(keys)}, but it is ${isUnset ? 'not set' : 'empty'}`;
    const hint = isSet(env[oauthToken]) ? `. ${oauthToken} works with \`harness: claude\` only` : '';
    return new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .MissingCredentialError */ .ug(lack, { remedy: `${giveKey(keys)}${more}${hint}`, isUnset });
}
function nameKeys(keys) {
    return `${keys.join(' or ')} under \`env:\` of the step`;
}
function giveKey(keys) {
    return `. Set ${keys.length === 1 ? spellKeys(keys) : 'the one of your provider'} there`;
}
/** Returns a line for the workflow for one key, otherwise the names. */
function spellKeys([key = '', ...more]) {
    return more.length === 0 ? `\`${key}: \${{ secrets.${key} }}\`` : [key, ...more].join(' or ');
}
function findModelAddress(env) {
    return providers.find(provider => isSet(env[provider.address]))?.address;
}
/** Throws InputError if the key or the model is missing. */
function prepareAgent(kind, { env, modelId, passedEnv }) {
    const endpoint = findEndpoint(kind, env, modelId);
    const meant = providers.find(provider => isMeant(provider, modelId) && speaks(kind, provider.api));
    if (endpoint === undefined) {
        const able = meant === undefined ? providers.filter(({ api }) => speaks(kind, api)) : [meant];
        const keys = kind === 'claude' && env[oauthToken] !== undefined ? [oauthToken] : able.map(({ key }) => key);
        throw createMissingKeyError({ who: `\`harness\`: ${kind}`, keys }, env);
    }
    if (providers.some(({ root }) => root === endpoint.root)) {
        refusePrefix(modelId);
        // With a key for another provider, the agent would ask that provider for an unknown model.
        if (meant !== undefined && endpoint.keyType === 'api_key' && !isSet(env[meant.key]))
            throw refuseOtherKey(meant.key, modelId, env);
    }
    if (modelId === undefined)
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`model_id\` is missing. Set it to a model for ${kind === 'builtin' ? 'the built-in agent' : (0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(kind)}, such as claude-haiku-4-5`);
    return {
        kind,
        endpoint,
        model: modelId,
        models: undefined,
        program: undefined,
        steps: 200,
        stallMs: 600_000,
        env: passedEnv,
    };
}
function findEndpoint(kind, env, modelId) {
    const inOrder = providers.toSorted((a, b) => Number(isMeant(b, modelId)) - Number(isMeant(a, modelId)));
    for (const { api, ownApi = api, key: usualKey, address, root, headers } of inOrder) {
        const isOAuth = kind === 'claude' && api === 'anthropic' && !isSet(env[usualKey]) && isSet(env[oauthToken]);
        const key = isOAuth ? oauthToken : usualKey;
        const [apiKey, own] = [env[key], env[address]?.trim()];
        const isOwn = isSet(own);
        const spoken = isOwn && speaks(kind, ownApi) ? ownApi : api;
        if (!speaks(kind, spoken) || !(isSet(apiKey) || isOwn))
            continue;
        if (isOwn && !isWebAddress(own))
            throw refuseAddress(address, own);
        const chosen = isOwn ? own : root;
        return {
            api: spoken,
            root: chosen.replace(/\/+$/, '').replace(/\/v1(beta)?$/, ''),
            apiKey: isSet(apiKey) ? apiKey.trim() : undefined,
            keyType: isOAuth ? 'oauth_token' : 'api_key',
            headers: headers && readHeaders(headers, env),
            keyOrigin: `${key} under \`env:\` of the step`,
            addressOrigin: `${address} under \`env:\` of the step`,
        };
    }
    return undefined;
}
function readHeaders({ variable, separator }, env) {
    const text = env[variable];
    try {
        return isSet(text) ? (0,_base_network_request_headers_js__WEBPACK_IMPORTED_MODULE_1__/* .parseHeaders */ .Q)(text, separator) : undefined;
    }
    catch (error) {
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${variable} under \`env:\` of the step: ${(0,_base_cause_js__WEBPACK_IMPORTED_MODULE_2__/* .messageOf */ .bD)(error)}`);
    }
}
function isMeant({ models }, modelId = '') {
    return models.test(modelId);
}
/** Another key is set, so the event has secrets. An unset variable was therefore forgotten. */
function refuseOtherKey(key, modelId = '', env) {
    const who = `\`model_id\` ${(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(modelId)}`;
    return env[key] === undefined
        ? new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${who} needs ${nameKeys([key])}, but it is not set${giveKey([key])}`)
        : createMissingKeyError({ who, keys: [key] }, env);
}
/** Gateways name models `provider/model`. The providers themselves do not accept that. */
function refusePrefix(modelId = '') {
    const [, prefix, name = ''] = /^(anthropic|openai|google|gemini)\/(.+)$/i.exec(modelId) ?? [];
    if (prefix !== undefined)
        throw new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`\`model_id\` ${(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(modelId)} has a prefix that only gateways use. Write it without: ${(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(name)}`);
}
/** An address with a password is not shown at all. */
function refuseAddress(variable, address) {
    const shown = address.includes('@') ? '' : `, not ${(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(address)}`;
    return new _inputs_values_js__WEBPACK_IMPORTED_MODULE_0__/* .InputError */ .dz(`${variable} under \`env:\` of the step must be the http or https URL of the agent's model, such as http://127.0.0.1:11434/v1${shown}`);
}
function speaks(kind, api) {
    const apis = agentApis[kind];
    return apis.includes(api);
}
function isSet(text) {
    return text !== undefined && text.trim() !== '';
}
function isWebAddress(text) {
    return /^https?:\/\//i.test(text) && URL.canParse(text);
}


/***/ }),

/***/ 8817:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ parseHeaders),
/* harmony export */   V: () => (/* binding */ findHeaderFault)
/* harmony export */ });
/** Headers that a user adds to the requests for a model, such as those of a gateway. */
/** Carry the key, which has a setting of its own. */
const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];
/** Completes a sentence that begins with the name of the setting. Undefined for a valid header. Never has the value. */
function findHeaderFault(name, value) {
    // A name may be a secret without its name.
    if (!/^[\w.-]{1,100}$/.test(name))
        return 'the name (not shown) is not the name of a header';
    if (keyHeaders.includes(name.toLowerCase()))
        return `${name} carries the key. Set the key instead`;
    return /^[\t -~]*$/.test(value)
        ? undefined
        : `the value of ${name} (not shown) has characters that no header can carry`;
}
/** Reads `Name: value` pairs. Throws an Error whose message completes a sentence, without any value. */
function parseHeaders(text, separator) {
    const pairs = text.split(separator).map(pair => pair.trim());
    const headers = pairs.flatMap((pair, index) => {
        if (pair === '')
            return [];
        const at = pair.indexOf(':');
        if (at < 1)
            throw new Error(`header ${index + 1} (not shown) has no colon. Write it as \`Name: value\``);
        const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
        const fault = findHeaderFault(name, value);
        if (fault !== undefined)
            throw new Error(`header ${index + 1}: ${fault}`);
        return [[name, value]];
    });
    return Object.fromEntries(headers);
}


/***/ })

};
