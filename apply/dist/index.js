// node_modules/@actions/core
// node_modules/@actions/exec
// node_modules/@actions/http-client
// node_modules/@actions/io
// node_modules/tunnel
// src/action/connect/network.ts
// src/action/connect/no-proxy.ts
// src/action/connect/proxies.ts
// src/action/connect/proxy-faults.ts
// src/action/connect/trust.ts
// src/action/github/comments.ts
// src/action/github/event-details.ts
// src/action/github/event.ts
// src/action/github/github-error.ts
// src/action/github/payload.ts
// src/action/github/rate-limit.ts
// src/action/github/step-github.ts
// src/action/host/annotations.ts
// src/action/host/entry.ts
// src/action/host/host.ts
// src/action/host/kept-files.ts
// src/action/host/masks.ts
// src/action/host/runner-files.ts
// src/action/host/stop-signals.ts
// src/action/inputs/file-inputs.ts
// src/action/inputs/input-names.ts
// src/action/inputs/step-context.ts
// src/action/inputs/stray-inputs.ts
// src/action/inputs/values.ts
// src/action/text/budget.ts
// src/action/text/key-words.ts
// src/action/text/markdown.ts
// src/apply/answer-members.ts
// src/apply/apply-answer.ts
// src/apply/apply-inputs.ts
// src/apply/index.ts
// src/apply/labels.ts
// src/apply/outcome.ts
// src/apply/report-ending.ts
// src/apply/target.ts
// src/base/cause.ts
// src/base/clock.ts
// src/base/deferred.ts
// src/base/document.ts
// src/base/json.ts
// src/base/network/loopback.ts
// src/base/network/slow-addresses.ts
// src/base/process/debugger-door.ts
// src/base/process/shortage.ts
// src/base/text.ts
// src/base/wording/nearest.ts
// src/border/answers.ts
// src/border/files.ts
// src/border/folders.ts
// src/border/last-document.ts
// src/border/log-text.ts
// src/border/secrets.ts
// src/border/terminal-text.ts
// src/client/agent.ts
// src/client/client.ts
// src/client/errors/answer-errors.ts
// src/client/errors/errors.ts
// src/client/errors/problem-fields.ts
// src/client/errors/run-errors.ts
// src/client/following/event-iteration.ts
// src/client/following/event-reader.ts
// src/client/following/event-watch.ts
// src/client/following/features.ts
// src/client/following/follow-limits.ts
// src/client/following/follow.ts
// src/client/following/patience.ts
// src/client/following/stream-reader.ts
// src/client/http/answer.ts
// src/client/http/api-promise.ts
// src/client/http/connection-failure.ts
// src/client/http/deadline.ts
// src/client/http/request-url.ts
// src/client/http/request.ts
// src/client/http/retry-rules.ts
// src/client/http/runs-page.ts
// src/client/http/shape.ts
// src/client/http/transport.ts
// src/client/index.ts
// src/client/options/credentials.ts
// src/client/options/key-source.ts
// src/client/options/known-keys.ts
// src/client/options/logger.ts
// src/client/options/options.ts
// src/client/options/settings.ts
// src/client/runs.ts
// src/client/start/run-search.ts
// src/client/start/start.ts
// src/contract/tables/headers.ts
// src/contract/tables/review-schema.ts
// src/contract/tables/routes.ts
// src/contract/tables/sizes.ts
// src/contract/tables/state.ts
import * as __WEBPACK_EXTERNAL_MODULE__unused_js_de615f04__ from "./unused.js";
import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 770:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

module.exports = __nccwpck_require__(218);


/***/ }),

/***/ 218:
/***/ ((__unused_webpack_module, exports, __nccwpck_require__) => {



var net = __nccwpck_require__(9278);
var tls = __nccwpck_require__(4756);
var http = __nccwpck_require__(8611);
var https = __nccwpck_require__(5692);
var events = __nccwpck_require__(4434);
var assert = __nccwpck_require__(2613);
var util = __nccwpck_require__(9023);


exports.httpOverHttp = httpOverHttp;
exports.httpsOverHttp = httpsOverHttp;
exports.httpOverHttps = httpOverHttps;
exports.httpsOverHttps = httpsOverHttps;


function httpOverHttp(options) {
  var agent = new TunnelingAgent(options);
  agent.request = http.request;
  return agent;
}

function httpsOverHttp(options) {
  var agent = new TunnelingAgent(options);
  agent.request = http.request;
  agent.createSocket = createSecureSocket;
  agent.defaultPort = 443;
  return agent;
}

function httpOverHttps(options) {
  var agent = new TunnelingAgent(options);
  agent.request = https.request;
  return agent;
}

function httpsOverHttps(options) {
  var agent = new TunnelingAgent(options);
  agent.request = https.request;
  agent.createSocket = createSecureSocket;
  agent.defaultPort = 443;
  return agent;
}


function TunnelingAgent(options) {
  var self = this;
  self.options = options || {};
  self.proxyOptions = self.options.proxy || {};
  self.maxSockets = self.options.maxSockets || http.Agent.defaultMaxSockets;
  self.requests = [];
  self.sockets = [];

  self.on('free', function onFree(socket, host, port, localAddress) {
    var options = toOptions(host, port, localAddress);
    for (var i = 0, len = self.requests.length; i < len; ++i) {
      var pending = self.requests[i];
      if (pending.host === options.host && pending.port === options.port) {
        // Detect the request to connect same origin server,
        // reuse the connection.
        self.requests.splice(i, 1);
        pending.request.onSocket(socket);
        return;
      }
    }
    socket.destroy();
    self.removeSocket(socket);
  });
}
util.inherits(TunnelingAgent, events.EventEmitter);

TunnelingAgent.prototype.addRequest = function addRequest(req, host, port, localAddress) {
  var self = this;
  var options = mergeOptions({request: req}, self.options, toOptions(host, port, localAddress));

  if (self.sockets.length >= this.maxSockets) {
    // We are over limit so we'll add it to the queue.
    self.requests.push(options);
    return;
  }

  // If we are under maxSockets create a new one.
  self.createSocket(options, function(socket) {
    socket.on('free', onFree);
    socket.on('close', onCloseOrRemove);
    socket.on('agentRemove', onCloseOrRemove);
    req.onSocket(socket);

    function onFree() {
      self.emit('free', socket, options);
    }

    function onCloseOrRemove(err) {
      self.removeSocket(socket);
      socket.removeListener('free', onFree);
      socket.removeListener('close', onCloseOrRemove);
      socket.removeListener('agentRemove', onCloseOrRemove);
    }
  });
};

TunnelingAgent.prototype.createSocket = function createSocket(options, cb) {
  var self = this;
  var placeholder = {};
  self.sockets.push(placeholder);

  var connectOptions = mergeOptions({}, self.proxyOptions, {
    method: 'CONNECT',
    path: options.host + ':' + options.port,
    agent: false,
    headers: {
      host: options.host + ':' + options.port
    }
  });
  if (options.localAddress) {
    connectOptions.localAddress = options.localAddress;
  }
  if (connectOptions.proxyAuth) {
    connectOptions.headers = connectOptions.headers || {};
    connectOptions.headers['Proxy-Authorization'] = 'Basic ' +
        new Buffer(connectOptions.proxyAuth).toString('base64');
  }

  debug('making CONNECT request');
  var connectReq = self.request(connectOptions);
  connectReq.useChunkedEncodingByDefault = false; // for v0.6
  connectReq.once('response', onResponse); // for v0.6
  connectReq.once('upgrade', onUpgrade);   // for v0.6
  connectReq.once('connect', onConnect);   // for v0.7 or later
  connectReq.once('error', onError);
  connectReq.end();

  function onResponse(res) {
    // Very hacky. This is necessary to avoid http-parser leaks.
    res.upgrade = true;
  }

  function onUpgrade(res, socket, head) {
    // Hacky.
    process.nextTick(function() {
      onConnect(res, socket, head);
    });
  }

  function onConnect(res, socket, head) {
    connectReq.removeAllListeners();
    socket.removeAllListeners();

    if (res.statusCode !== 200) {
      debug('tunneling socket could not be established, statusCode=%d',
        res.statusCode);
      socket.destroy();
      var error = new Error('tunneling socket could not be established, ' +
        'statusCode=' + res.statusCode);
      error.code = 'ECONNRESET';
      options.request.emit('error', error);
      self.removeSocket(placeholder);
      return;
    }
    if (head.length > 0) {
      debug('got illegal response body from proxy');
      socket.destroy();
      var error = new Error('got illegal response body from proxy');
      error.code = 'ECONNRESET';
      options.request.emit('error', error);
      self.removeSocket(placeholder);
      return;
    }
    debug('tunneling connection has established');
    self.sockets[self.sockets.indexOf(placeholder)] = socket;
    return cb(socket);
  }

  function onError(cause) {
    connectReq.removeAllListeners();

    debug('tunneling socket could not be established, cause=%s\n',
          cause.message, cause.stack);
    var error = new Error('tunneling socket could not be established, ' +
                          'cause=' + cause.message);
    error.code = 'ECONNRESET';
    options.request.emit('error', error);
    self.removeSocket(placeholder);
  }
};

TunnelingAgent.prototype.removeSocket = function removeSocket(socket) {
  var pos = this.sockets.indexOf(socket)
  if (pos === -1) {
    return;
  }
  this.sockets.splice(pos, 1);

  var pending = this.requests.shift();
  if (pending) {
    // If we have pending requests and a socket gets closed a new one
    // needs to be created to take over in the pool for the one that closed.
    this.createSocket(pending, function(socket) {
      pending.request.onSocket(socket);
    });
  }
};

function createSecureSocket(options, cb) {
  var self = this;
  TunnelingAgent.prototype.createSocket.call(self, options, function(socket) {
    var hostHeader = options.request.getHeader('host');
    var tlsOptions = mergeOptions({}, self.options, {
      socket: socket,
      servername: hostHeader ? hostHeader.replace(/:.*$/, '') : options.host
    });

    // 0 is dummy port for v0.6
    var secureSocket = tls.connect(0, tlsOptions);
    self.sockets[self.sockets.indexOf(socket)] = secureSocket;
    cb(secureSocket);
  });
}


function toOptions(host, port, localAddress) {
  if (typeof host === 'string') { // since v0.10
    return {
      host: host,
      port: port,
      localAddress: localAddress
    };
  }
  return host; // for v0.11 or later
}

function mergeOptions(target) {
  for (var i = 1, len = arguments.length; i < len; ++i) {
    var overrides = arguments[i];
    if (typeof overrides === 'object') {
      var keys = Object.keys(overrides);
      for (var j = 0, keyLen = keys.length; j < keyLen; ++j) {
        var k = keys[j];
        if (overrides[k] !== undefined) {
          target[k] = overrides[k];
        }
      }
    }
  }
  return target;
}


var debug;
if (process.env.NODE_DEBUG && /\btunnel\b/.test(process.env.NODE_DEBUG)) {
  debug = function() {
    var args = Array.prototype.slice.call(arguments);
    if (typeof args[0] === 'string') {
      args[0] = 'TUNNEL: ' + args[0];
    } else {
      args.unshift('TUNNEL:');
    }
    console.error.apply(console, args);
  }
} else {
  debug = function() {};
}
exports.debug = debug; // for test


/***/ }),

/***/ 5696:
/***/ ((module, __unused_webpack_exports, __nccwpck_require__) => {

var x = (y) => {
	var x = {}; __nccwpck_require__.d(x, y); return x
} 
var y = (x) => (() => (x))
module.exports = x({ ["ProxyAgent"]: () => (__WEBPACK_EXTERNAL_MODULE__unused_js_de615f04__.ProxyAgent), ["default"]: () => (__WEBPACK_EXTERNAL_MODULE__unused_js_de615f04__["default"]), ["fetch"]: () => (__WEBPACK_EXTERNAL_MODULE__unused_js_de615f04__.fetch) });

/***/ }),

/***/ 795:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("./unused.js");

/***/ }),

/***/ 2613:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("assert");

/***/ }),

/***/ 181:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("buffer");

/***/ }),

/***/ 4434:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("events");

/***/ }),

/***/ 9896:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs");

/***/ }),

/***/ 8611:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("http");

/***/ }),

/***/ 5692:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("https");

/***/ }),

/***/ 9278:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("net");

/***/ }),

/***/ 4589:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:assert");

/***/ }),

/***/ 6698:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:async_hooks");

/***/ }),

/***/ 4573:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:buffer");

/***/ }),

/***/ 1421:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:child_process");

/***/ }),

/***/ 7540:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:console");

/***/ }),

/***/ 7598:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");

/***/ }),

/***/ 3053:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:diagnostics_channel");

/***/ }),

/***/ 610:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:dns");

/***/ }),

/***/ 8474:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:events");

/***/ }),

/***/ 3024:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");

/***/ }),

/***/ 1455:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs/promises");

/***/ }),

/***/ 7067:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:http");

/***/ }),

/***/ 2467:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:http2");

/***/ }),

/***/ 7030:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:net");

/***/ }),

/***/ 8161:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");

/***/ }),

/***/ 6760:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");

/***/ }),

/***/ 643:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:perf_hooks");

/***/ }),

/***/ 1792:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:querystring");

/***/ }),

/***/ 7075:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream");

/***/ }),

/***/ 1692:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:tls");

/***/ }),

/***/ 3136:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:url");

/***/ }),

/***/ 7975:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util");

/***/ }),

/***/ 3429:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util/types");

/***/ }),

/***/ 5919:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:worker_threads");

/***/ }),

/***/ 8522:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:zlib");

/***/ }),

/***/ 857:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("os");

/***/ }),

/***/ 932:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("process");

/***/ }),

/***/ 3193:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("string_decoder");

/***/ }),

/***/ 4756:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("tls");

/***/ }),

/***/ 9023:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("util");

/***/ }),

/***/ 6887:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   ED: () => (/* binding */ carries),
/* harmony export */   UD: () => (/* binding */ readOwnLogin),
/* harmony export */   cZ: () => (/* binding */ isSameText),
/* harmony export */   lB: () => (/* binding */ upsertComment),
/* harmony export */   we: () => (/* binding */ markerOf)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7598);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(6910);
/* harmony import */ var _github_error_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(6361);
/**
 * A step's single comment. It is found by a hidden marker and its author, across all pages. Comments of others with
 * the same marker are left alone.
 */



/** Author of comments made with a workflow's own token. */
const usualAuthor = 'github-actions[bot]';
const maxCreates = 4;
/** GitHub's maximum. */
const pageSize = 100;
const maxPages = 100;
/** `<!-- agent-run:KEY -->`. Different keys have different markers, and no key can close the HTML comment. */
function markerOf(key) {
    const safe = key
        .replace(/[^A-Za-z0-9._/]+/g, '-')
        .replace(/-+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 80);
    const isSame = safe === key && safe !== '';
    // After replacing or cutting, two keys could be equal.
    const tail = isSame ? '' : `.${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(key).digest('hex').slice(0, 12)}`;
    return `<!-- agent-run:${safe}${tail} -->`;
}
/**
 * Creates the comment, or edits it in place if its text differs. The first line of `body` is the marker.
 * `author` is the token's login, if known. Returns undefined if there is no comment and `creates` is false. Throws
 * GitHubError.
 */
async function upsertComment(github, { marker, body, author, creates = true, ...place }) {
    if (!carries(body, marker))
        throw new TypeError(`The first line of the body is not the marker ${marker}`);
    for (let attempt = 0;; attempt += 1) {
        const own = await findOwn(github, { ...place, marker, author });
        if (own !== undefined)
            return await edit(github, place, own, body);
        if (!creates)
            return undefined;
        try {
            const { data } = await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
                ...addressOf(place),
                body,
            });
            return { id: Number(data.id), link: data.html_url, author: data.user?.login, happened: 'created' };
        }
        catch (error) {
            // The comment may exist in spite of the error. Looking for the marker tells.
            const mayRepeat = error instanceof _github_error_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y && error.mayBeDone && attempt + 1 < maxCreates;
            if (!mayRepeat || !(await github.pause(attempt)))
                throw error;
        }
    }
}
async function edit(github, { owner, repo }, own, body) {
    const kept = { id: own.id, link: own.html_url, author: own.user?.login };
    // GitHub may store lines with CR LF.
    if (isSameText(own.body ?? '', body))
        return { ...kept, happened: 'unchanged' };
    await github.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
        owner,
        repo,
        comment_id: own.id,
        body,
    });
    return { ...kept, happened: 'edited' };
}
/**
 * Returns the oldest comment, if an accident created two. For services without a link to the next page, a full page
 * means that there is another. Throws GitHubError above the page limit, because an unread page may have the comment.
 */
async function findOwn(github, { marker, author, ...place }) {
    let login = author?.toLowerCase();
    for (let page = 1; page <= maxPages; page += 1) {
        const { data, headers } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            ...addressOf(place),
            per_page: pageSize,
            page,
        });
        const listed = data;
        if (!Array.isArray(listed) || !listed.every(_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv))
            throw new _github_error_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y(`GitHub did not answer with a list of the comments of #${place.number}`, {});
        const marked = data.filter(({ body }) => carries(body ?? '', marker));
        if (marked.length > 0)
            login ??= (await readOwnLogin(github)).toLowerCase();
        const own = marked.find(({ user }) => user !== null && user.login.toLowerCase() === login);
        if (own !== undefined)
            return { ...own, id: Number(own.id) };
        const hasNext = headers.link === undefined ? data.length >= pageSize : headers.link.includes('rel="next"');
        if (!hasNext || data.length === 0)
            return undefined;
    }
    const most = (maxPages * pageSize).toLocaleString('en');
    throw new _github_error_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y(`#${place.number} has more than ${most} comments (${maxPages} pages), and this step found no comment of its own among the first ones, so it writes none. Comment on a newer issue or set \`comment: off\``, {});
}
/**
 * Returns the token's login. `viewer` works for every token, including a workflow's, for which `GET /user` is
 * forbidden. Servers like GitHub only have `GET /user`.
 */
async function readOwnLogin(github) {
    const asks = [
        async () => (await github.graphql('query { viewer { login } }')).viewer?.login,
        async () => (await github.request('GET /user')).data.login,
    ];
    for (const ask of asks) {
        try {
            const login = await ask();
            if (typeof login === 'string' && login !== '')
                return login;
        }
        catch (error) {
            // A refusal means that this token or server lacks the query. A network fault means nothing, and a guess could
            // create a second comment.
            if (error instanceof _github_error_js__WEBPACK_IMPORTED_MODULE_1__/* .GitHubError */ .y && !error.isRefusal)
                throw error;
        }
    }
    return usualAuthor;
}
/** GitHub may store other line ends. */
function isSameText(stored, text) {
    return stored.replaceAll('\r\n', '\n').trimEnd() === text.trimEnd();
}
/** Only the first line counts: others may quote a stranger, who can write any marker. */
function carries(body, marker) {
    return (body
        .trimStart()
        .split(/[\r\n]/, 1)[0]
        ?.trim() === marker);
}
function addressOf({ owner, repo, number }) {
    return { owner, repo, issue_number: number };
}


/***/ }),

/***/ 6361:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ explainFailure),
/* harmony export */   y: () => (/* binding */ GitHubError)
/* harmony export */ });
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(1065);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(6910);
/* harmony import */ var _base_text_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(9199);
/* harmony import */ var _border_answers_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(654);
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(769);
/* harmony import */ var _rate_limit_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(5153);
/** Explains failures of GitHub's API: the operation, GitHub's message, and the missing permission. */






class GitHubError extends Error {
    name = 'GitHubError';
    /** Undefined without a complete response. */
    status;
    /** True if the request may have been carried out in spite of the error. */
    mayBeDone;
    /**
     * True if GitHub permanently refuses the request or does not know the target. False for limits and network faults.
     */
    isRefusal;
    constructor(message, facts, options) {
        super(message, options);
        this.status = facts.status;
        this.mayBeDone = facts.mayBeDone ?? false;
        this.isRefusal = facts.isRefusal ?? false;
    }
}
/** `stopped` is the reason if the request was aborted from outside. */
function explainFailure(error, operation, stopped) {
    const { response, message } = error;
    const cause = { cause: error };
    if (response === undefined) {
        const why = stopped ?? describeFault(error);
        return new GitHubError(`GitHub did not answer ${operation}: ${why}`, { mayBeDone: true }, cause);
    }
    const { data, headers } = response;
    const status = error.status ?? response.status;
    if (message === _rate_limit_js__WEBPACK_IMPORTED_MODULE_1__/* .limitWords */ .v) {
        const seconds = Math.ceil(((0,_border_answers_js__WEBPACK_IMPORTED_MODULE_0__/* .readRetryAfterMs */ .jR)(name => headers[name]?.toString(), Date.now()) ?? 0) / 1000);
        const wait = seconds > 0 ? ` It asks to wait ${seconds} s, which is longer than the step waits.` : '';
        return new GitHubError(`GitHub limits the rate of ${operation} (${status}).${wait}`, { status }, cause);
    }
    // Octokit's message contains the URL. GitHub's own message is in the data.
    const words = (0,_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv)(data) && typeof data.message === 'string' ? [data.message, ...listReasons(data)].join(': ') : '';
    const said = words || (typeof data === 'string' ? '' : message);
    const accepted = headers['x-accepted-github-permissions']?.toString();
    const sentence = explainAnswer(operation, { status, said, accepted });
    return new GitHubError(sentence, { status, mayBeDone: status >= 500, isRefusal: status < 500 }, cause);
}
/** What is wrong with an unprocessable request, as sentences or objects with one. */
function listReasons({ errors }) {
    const reasons = Array.isArray(errors) ? errors : [];
    return reasons
        .map(reason => ((0,_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv)(reason) ? reason.message : reason))
        .filter(reason => typeof reason === 'string');
}
/** For faults below HTTP, the innermost message is the specific one. */
function describeFault(error) {
    const inner = (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_3__/* .findCause */ .lO)(error);
    return inner instanceof Error && inner.name === 'TimeoutError' ? 'no answer in time' : (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_3__/* .describeCause */ .V$)(inner);
}
const permissions = [
    // Also for reading: a token that can only read fails at the next request.
    { route: /\/pulls\//, needs: '`pull-requests: write`' },
    { route: /\/comments\b/, needs: '`issues: write`, or `pull-requests: write` on a pull request' },
];
// GitHub names `metadata: read`, which a workflow cannot grant.
const whoMayAsk = "the job's token can with `contents: read` under `permissions:`, any other token with access to the repository (permission Metadata)";
/** Explains an unsuccessful response. `said` is GitHub's own message. */
function explainAnswer(operation, { status, said, accepted }) {
    const words = (0,_base_text_js__WEBPACK_IMPORTED_MODULE_4__/* .ellipsis */ .gO)((0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_5__/* .plainLine */ .h0)(said).trim(), 200);
    const opening = `GitHub answered ${status} to ${operation}${words === '' ? '' : `: ${words}`}`;
    if (status === 401)
        return `${opening}. \`github_token\` is not valid here or has expired`;
    if (status !== 403 && status !== 404)
        return opening;
    if (operation.includes('/collaborators/'))
        return `${opening}. ${status === 403 ? 'The token may not read this' : 'It does not exist, or the token cannot see it'}: ${whoMayAsk}`;
    const needs = readAccepted(accepted) ?? permissions.find(({ route }) => route.test(operation))?.needs;
    if (needs === undefined)
        return opening;
    const where = 'grant it under `permissions:` of the job';
    return status === 403
        ? `${opening}. The token lacks a permission. This requires ${needs}: ${where}. On a pull request from a fork the token is always read-only`
        : `${opening}. It does not exist, or the token cannot see it. This requires ${needs}: ${where}`;
}
/**
 * Rewrites `issues=write; pull_requests=write` for a workflow. Semicolons separate alternatives. Commas join
 * permissions that are needed together.
 */
function readAccepted(header) {
    const alternatives = (header ?? '')
        .split(';')
        .map(part => [...part.matchAll(/([a-z_]+)=(read|write|admin)/g)].map(([, name = '', level]) => `\`${name.replaceAll('_', '-')}: ${level}\``))
        .filter(names => names.length > 0);
    return alternatives.length === 0 ? undefined : alternatives.map(names => names.join(' and ')).join(', or ');
}


/***/ }),

/***/ 5153:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   v: () => (/* binding */ limitWords),
/* harmony export */   x: () => (/* binding */ markLimit)
/* harmony export */ });
/* harmony import */ var _border_answers_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(654);

/** Text by which plugin-throttling recognizes a limit. */
const limitWords = 'secondary rate limit';
/**
 * Rewrites GitHub's rate limits for plugin-throttling. The plugin recognizes only limits with these words, and
 * neither dates nor times by GitHub's clock.
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
function markLimit(error, now) {
    const { status, message, response: { headers } = {} } = error;
    // The plugin's errors for GraphQL responses have no status.
    if (headers === undefined || ![undefined, 403, 429].includes(status))
        return;
    const reset = headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset']) : Number.NaN;
    const told = { 'retry-after': new Date(reset * 1000).toUTCString(), ...headers };
    const waitMs = (0,_border_answers_js__WEBPACK_IMPORTED_MODULE_0__/* .readRetryAfterMs */ .jR)(name => told[name]?.toString(), now);
    if (status === 403 && waitMs === undefined && !/rate limit/i.test(message))
        return;
    error.message = limitWords;
    if (waitMs !== undefined)
        headers['retry-after'] = String(Math.max(waitMs, 100) / 1000);
}


/***/ }),

/***/ 5092:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   G9: () => (/* binding */ keepTail),
/* harmony export */   Qo: () => (/* binding */ readRoom),
/* harmony export */   RK: () => (/* binding */ budgets),
/* harmony export */   kD: () => (/* binding */ measureText),
/* harmony export */   sc: () => (/* binding */ keepHead),
/* harmony export */   zf: () => (/* binding */ keepEnd)
/* harmony export */ });
/* unused harmony export lineBudgets */
/* harmony import */ var _base_text_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(9199);
/**
 * Text limits of GitHub's surfaces, and our share of each. GitHub does not cut longer text but refuses or drops all
 * of it. Long text is therefore cut here, at code points, with a note.
 */

/**
 * Sources: https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax (outputs),
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands (summary),
 * https://github.com/peter-evans/create-or-update-comment/pull/182 (comment).
 */
const budgets = {
    /** The next step often gets it as a variable, limited to 128 KiB by Linux. Bytes bound UTF-16 units. */
    result: { unit: 'utf8', limit: 128 * 1024, max: 64 * 1024 },
    /** `result_json`, which has the same use. */
    resultJson: { unit: 'utf8', limit: 128 * 1024, max: 64 * 1024 },
    /** Each of `artifacts` and `usage`. */
    list: { unit: 'utf8', limit: 128 * 1024, max: 32 * 1024 },
    /** Each output with the server's words. */
    words: { unit: 'utf8', limit: 128 * 1024, max: 8 * 1024 },
    /**
     * All outputs together. A job has 1 MB, counted as UTF-16 with two bytes a unit, and needs some for other steps.
     */
    outputs: { unit: 'utf16', limit: 500_000, max: 300_000 },
    /** 1 MiB per step, including what its file already has. GitHub shows nothing above that. */
    summary: { unit: 'utf8', limit: 1024 * 1024, max: 900 * 1024 },
    /** The result in the summary. A longer one is of no use to a reader. */
    summaryResult: { unit: 'utf8', limit: 1024 * 1024, max: 64 * 1024 },
    comment: { unit: 'utf16', limit: 65_536, max: 60_000 },
    annotation: { unit: 'utf16', limit: 4096, max: 3000 },
    /** One line of the log. The limit is the longest line that we keep in memory. */
    logLine: { unit: 'utf16', limit: 64 * 1024, max: 8 * 1024 },
    /** An agent's output at `log: normal`. Above the limit, GitHub's page stops being usable. */
    log: { unit: 'utf8', limit: 4 * 1024 * 1024, max: 1024 * 1024 },
    /** The last lines next to the reason. */
    lastLines: { unit: 'utf8', limit: 64 * 1024, max: 8 * 1024 },
};
/** Lines of an agent: shown at `log: normal`, shown at the end if more came, and next to the reason. */
const lineBudgets = { log: 4000, logEnd: 50, lastLines: 40 };
function measureText(text, surface) {
    return sizeOf(text, budgets[surface].unit);
}
function readRoom({ surface, room = Number.POSITIVE_INFINITY }) {
    return Math.max(0, Math.min(room, budgets[surface].max));
}
/** Fits a text by cutting its end and adding an ellipsis. For single lines. */
function keepHead(text, room) {
    const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
    if (sizeOf(text, unit) <= max)
        return text;
    const mark = sizeOf('…', unit);
    return max < mark ? '' : `${cutHead(text, max - mark, unit)}…`;
}
/** For logs and results, whose end matters. A first line tells how much is left out. */
function keepTail(text, { where, missingBytes = 0, ...room }) {
    const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
    if (missingBytes === 0 && sizeOf(text, unit) <= max)
        return text;
    const counted = missingBytes === 0 ? unit : 'utf8';
    const whole = missingBytes + sizeOf(text, counted);
    // No number is longer than that of the whole text, so the final note fits too.
    const reserve = sizeOf(describeCut(whole, counted, where), unit);
    if (reserve >= max)
        return cutTail(text, max, unit);
    const end = cutTail(text, max - reserve, unit);
    const tail = end === text ? text : fromLineStart(end);
    return `${describeCut(whole - sizeOf(tail, counted), counted, where)}${tail}`;
}
/** Returns the end of a text, from the start of a line if that loses little. */
function keepEnd(text, room) {
    const [unit, max] = [budgets[room.surface].unit, readRoom(room)];
    return sizeOf(text, unit) <= max ? text : fromLineStart(cutTail(text, max, unit));
}
function sizeOf(text, unit) {
    return unit === 'utf16' ? text.length : Buffer.byteLength(text);
}
function describeCut(count, unit, where) {
    const rest = where === undefined ? '' : `; ${where}`;
    return `(the first ${count} ${unit === 'utf8' ? 'bytes' : 'characters'} are left out${rest})\n`;
}
/** Drops a partial first line if that loses little. */
function fromLineStart(tail) {
    const end = tail.indexOf('\n');
    return end >= 0 && end < tail.length / 10 ? tail.slice(end + 1) : tail;
}
function cutHead(text, max, unit) {
    if (unit === 'utf8')
        return (0,_base_text_js__WEBPACK_IMPORTED_MODULE_0__/* .headOfUtf8 */ .$n)(text, max);
    const splitsPair = isHighSurrogate(text.charCodeAt(max - 1)) && isLowSurrogate(text.charCodeAt(max));
    return text.slice(0, splitsPair ? max - 1 : max);
}
function cutTail(text, max, unit) {
    if (sizeOf(text, unit) <= max)
        return text;
    if (unit === 'utf8')
        return (0,_base_text_js__WEBPACK_IMPORTED_MODULE_0__/* .tailOfUtf8 */ .ff)(text, max);
    const start = text.length - max;
    const splitsPair = isHighSurrogate(text.charCodeAt(start - 1)) && isLowSurrogate(text.charCodeAt(start));
    return text.slice(splitsPair ? start + 1 : start);
}
function isHighSurrogate(unit) {
    return unit >= 0xd800 && unit < 0xdc00;
}
function isLowSurrogate(unit) {
    return unit >= 0xdc00 && unit < 0xe000;
}


/***/ }),

/***/ 5618:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ isKeyLike),
/* harmony export */   V: () => (/* binding */ keyWords)
/* harmony export */ });
/** Words that may be keys. The runner masks the job's secrets in a summary only if they appear letter by letter. */
/** Characters of base64, base64url and JWTs. Unbounded, because a counted repetition needs stack. */
const keyWords = /[\w.+/=~-]+/g;
/** True if a run of such characters has digits or mixed case, unlike a long word or a path. */
function isKeyLike(word) {
    return word.length >= 16 && /\d|[a-z][A-Z]/.test(word);
}


/***/ }),

/***/ 2688:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   EU: () => (/* binding */ fence),
/* harmony export */   Kc: () => (/* binding */ escapeLineStart),
/* harmony export */   Ww: () => (/* binding */ longestBackticks),
/* harmony export */   Wx: () => (/* binding */ quoteInline),
/* harmony export */   X1: () => (/* binding */ escapeText),
/* harmony export */   _E: () => (/* binding */ readTarget),
/* harmony export */   m3: () => (/* binding */ breakReferences),
/* harmony export */   nf: () => (/* binding */ link),
/* harmony export */   rQ: () => (/* binding */ gap)
/* harmony export */ });
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(769);
/* harmony import */ var _budget_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(5092);
/* harmony import */ var _key_words_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(5618);
/**
 * The Markdown of summary and comment. Foreign text keeps its words and does nothing: it contains no markup or HTML
 * and loads nothing. A zero-width character breaks what GitHub detects in text (mentions, issues, addresses).
 */



/** Keeps two characters from being read as one token. */
const gap = '\u200b';
/** Quotes foreign text in one line, for a table cell or a sentence: no markup, mentions or links. */
function quoteInline(text) {
    return escapeLineStart(escapeText((0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__/* .terminalText */ .eR)(text).trim()));
}
/** No line of the text can close the fence. `language` must be a word of our own. */
function fence(text, language = 'text') {
    const shown = (0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__/* .terminalText */ .eR)(text).replace(/\n$/, '');
    const bar = '`'.repeat(Math.max(3, longestBackticks(shown) + 1));
    return `${bar}${language}\n${shown}\n${bar}`;
}
/**
 * Links an address with foreign text as its label. Anything but http and https stays text. In a comment, GitHub
 * notifies an issue that is linked like this, so use it only for our own or requested addresses.
 */
function link(label, address) {
    const target = readTarget(address);
    return target === undefined
        ? quoteInline((0,_budget_js__WEBPACK_IMPORTED_MODULE_0__/* .keepHead */ .sc)(address, { surface: 'logLine', room: shownUnits }))
        : `[${quoteInline(label)}](<${target}>)`;
}
/** Returns a link's target, `[label](<target>)`. Undefined for anything but a plain http or https address. */
function readTarget(address) {
    if (!/^https?:\/\//i.test(address) || address.length > targetUnits || !URL.canParse(address))
        return undefined;
    const { href, username, password } = new URL(address);
    // Text before an @ looks like the host to a reader.
    if (username !== '' || password !== '')
        return undefined;
    return href.replace(/[\\|<>`&]/g, character => character === '&' ? '&amp;' : `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
const targetUnits = 2048;
/** Limit for an address that is not a link. */
const shownUnits = 300;
/**
 * Escapes a text within a line so that every character is shown. Line ends become spaces. Words that may be keys stay
 * unchanged, because the runner masks them in the summary only letter by letter. If such a word would need escaping,
 * it becomes code.
 */
function escapeText(text) {
    const line = text.replace(/\s+/g, blank => (/[^ \u00a0]/.test(blank) ? ' ' : blank));
    let escaped = '';
    let end = 0;
    for (const { 0: word, index } of line.matchAll(_key_words_js__WEBPACK_IMPORTED_MODULE_2__/* .keyWords */ .V)) {
        if (!(0,_key_words_js__WEBPACK_IMPORTED_MODULE_2__/* .isKeyLike */ .P)(word) || escapePlain(word) === word)
            continue;
        escaped += `${escapePlain(line.slice(end, index))}\`${word}\``;
        end = index + word.length;
    }
    return escaped + escapePlain(line.slice(end));
}
/** Breaks what GitHub detects in any text: mentions, issues and addresses. */
function breakReferences(text) {
    return text.replace(/[@＠﹫]|(?:#|GH-)(?=\d|$)|:(?=\/\/)|www(?=\.)/gi, `$&${gap}`);
}
function escapePlain(text) {
    return (breakReferences(text)
        // Next to code it would become a formula.
        .replace(/^\$|\$$/g, `${gap}$&${gap}`)
        .replace(/[\\`*[\]~!$#]/g, '\\$&')
        // Inside a word it is not emphasis.
        .replace(/_+/g, (run, at, whole) => isWithinWord(whole, at, run) ? run : run.replaceAll('_', '\\_'))
        .replace(/[&<>|]/g, character => entities[character] ?? ''));
}
function isWithinWord(text, at, run) {
    return (/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
        /^[\p{L}\p{N}]/u.test(text.slice(at + run.length, at + run.length + 2)));
}
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '|': '&#124;' };
/** Escapes the start of a line, so that it begins no block and no command for another program that reads comments. */
function escapeLineStart(line) {
    return line
        .replace(/^(?:[-+](?=\s|$)|[=:]|-(?=[-:=\s]*$))/, '\\$&')
        .replace(/^(\/[\w.+/=~-]*)(`?)/, (_, word, bar) => (0,_key_words_js__WEBPACK_IMPORTED_MODULE_2__/* .isKeyLike */ .P)(word) ? `\`${word}\`${bar === '' ? '' : gap + bar}` : `\\${word}${bar}`)
        .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
function longestBackticks(text) {
    let longest = 0;
    for (const [run] of text.matchAll(/`+/g))
        longest = Math.max(longest, run.length);
    return longest;
}


/***/ }),

/***/ 7953:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   g5: () => (/* binding */ failureOf),
/* harmony export */   is: () => (/* binding */ printOutcome),
/* harmony export */   qz: () => (/* binding */ tell)
/* harmony export */ });
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(1065);

/** Names the setting behind a refusal that GitHub does not explain. */
function failureOf(error) {
    return (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error).replace(/(is not permitted to (?:create|approve)[\w ]* pull requests).*/s, '$1. Allow it under Settings > Actions > General > Allow GitHub Actions to create and approve pull requests');
}
/** In the step's log. */
function printOutcome(host, outcome) {
    const { verb, notes, refused = [], movedTo, link } = outcome;
    const told = `${verb}: ${tell(outcome)}`;
    if (movedTo === undefined)
        host.print(`${told}${link === undefined ? '' : ` (${link})`}`);
    else
        host.warn(told);
    for (const note of notes)
        host.print(`${verb}: ${note}`);
    for (const what of refused)
        host.warn(`${verb}: ${what}`);
}
/** What was done, without the verb. */
function tell({ deeds, failure, movedTo }) {
    if (movedTo !== undefined)
        return `the head of the pull request is ${movedTo}, which is not the commit that the agent saw. Nothing was changed`;
    if (deeds.length > 0)
        return deeds.join(', ');
    return failure === undefined ? 'nothing to change' : 'nothing was done';
}


/***/ }),

/***/ 1065:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   M8: () => (/* binding */ describeParts),
/* harmony export */   V$: () => (/* binding */ describeCause),
/* harmony export */   bD: () => (/* binding */ messageOf),
/* harmony export */   lO: () => (/* binding */ findCause)
/* harmony export */ });
/* unused harmony export explainCode */
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6910);
/** Finds the cause of an error, because `fetch failed` alone explains nothing. */

/** The message of anything thrown, including values that are not errors. */
function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
}
/** The text in `reasons` for the code of an error, otherwise its message. */
function explainCode(error, reasons) {
    const code = isObject(error) && typeof error.code === 'string' ? error.code : '';
    return reasons[code] ?? messageOf(error);
}
/** The innermost cause. */
function findCause(error) {
    let inner = error;
    for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth += 1)
        inner = inner.cause;
    return inner;
}
function describeCause(error) {
    const inner = findCause(error);
    return describeParts(inner) ?? messageOf(inner);
}
/** The messages of an AggregateError's parts, such as the attempts at each address; undefined for other errors. */
function describeParts(error) {
    if (!(0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(error) || !Array.isArray(error.errors) || error.errors.length === 0)
        return undefined;
    return error.errors.slice(0, 8).map(describeCause).join('; ');
}


/***/ }),

/***/ 972:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  m: () => (/* binding */ systemClock)
});

// UNUSED EXPORTS: longestTimerMs

;// CONCATENATED MODULE: ./build/js/base/deferred.js
/** `Promise.withResolvers`, which Node 20 does not have. */
function createDeferred() {
    const deferred = {};
    deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
    return deferred;
}

;// CONCATENATED MODULE: ./build/js/base/clock.js

/** The longest delay of a timer, about 24.8 days. Timers fire at once for longer ones. */
const longestTimerMs = 2 ** 31 - 1;
const systemClock = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
        signal?.throwIfAborted();
        const { promise, resolve, reject } = createDeferred();
        const stop = () => reject(signal?.reason);
        // Before the timer starts, because an invalid signal throws.
        signal?.addEventListener('abort', stop, { once: true });
        const timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
        try {
            await promise;
        }
        finally {
            clearTimeout(timer);
            signal?.removeEventListener('abort', stop);
        }
    },
};


/***/ }),

/***/ 6910:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   Jc: () => (/* binding */ isNestedBeyond)
/* harmony export */ });
/* unused harmony exports canonicalJson, printJsonLine */
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** JSON with sorted keys, so that equal bodies give equal text. */
function canonicalJson(value) {
    return JSON.stringify(value, (_key, member) => isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member);
}
/** Whether arrays and objects nest deeper than `levels`, which bounds the recursion. */
function isNestedBeyond(value, levels) {
    if (typeof value !== 'object' || value === null)
        return false;
    return levels === 0 || Object.values(value).some(member => isNestedBeyond(member, levels - 1));
}
/** One line for a reader that splits at line ends. JSON keeps two characters that readline takes for those. */
function printJsonLine(value) {
    return `${JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}


/***/ }),

/***/ 6199:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ findShortage)
/* harmony export */ });
/** The process, user or machine ran out of open files, processes or memory. */
const codes = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ERR_WORKER_INIT_FAILED']);
/** The code of an error or its cause if that is a temporary shortage, so a later attempt may succeed. */
function findShortage(error) {
    if (!(error instanceof Error))
        return undefined;
    return 'code' in error && codes.has(error.code) ? String(error.code) : findShortage(error.cause);
}


/***/ }),

/***/ 9199:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $n: () => (/* binding */ headOfUtf8),
/* harmony export */   ff: () => (/* binding */ tailOfUtf8),
/* harmony export */   gO: () => (/* binding */ ellipsis),
/* harmony export */   hS: () => (/* binding */ counted)
/* harmony export */ });
/* unused harmony exports firstLine, lastLines */
/** The longest start of `text` that fits in `maxBytes` of UTF-8. Never splits a character. */
function headOfUtf8(text, maxBytes) {
    // A UTF-16 unit takes at most three bytes.
    if (3 * text.length <= maxBytes)
        return text;
    return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}
/** The longest end of `text` that fits in `maxBytes` of UTF-8. Never splits a character. */
function tailOfUtf8(text, maxBytes) {
    // A UTF-16 unit takes at least one byte, so an earlier one is never part of the end.
    const bytes = new TextEncoder().encode(text.slice(Math.max(0, text.length - maxBytes)));
    if (bytes.length <= maxBytes)
        return text.slice(Math.max(0, text.length - maxBytes));
    let start = bytes.length - maxBytes;
    while (start < bytes.length && isContinuation(bytes[start]))
        start += 1;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start));
}
/** At most `max` code points of `text`, with an ellipsis for what was cut. */
function ellipsis(text, max) {
    // A code point has at most two UTF-16 units.
    const points = Array.from(text.slice(0, 2 * max + 1));
    return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}
/** The first line of `text` with visible characters, trimmed; '' if there is none. */
function firstLine(text) {
    for (const line of text.split(/\r\n|\r|\n/))
        if (line.trim() !== '')
            return line.trim();
    return '';
}
/** The last `count` lines of `text` that are not empty. */
function lastLines(text, count) {
    return text
        .split(/\r\n|\r|\n/)
        .filter(line => line.trim() !== '')
        .slice(-count);
}
/** `1 run`, `2 runs`. */
function counted(count, noun) {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
function isContinuation(byte) {
    return byte !== undefined && (byte & 0xc0) === 0x80;
}


/***/ }),

/***/ 654:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   jR: () => (/* binding */ readRetryAfterMs),
/* harmony export */   tE: () => (/* binding */ bufferAnswer),
/* harmony export */   xz: () => (/* binding */ BodyTooLongError)
/* harmony export */ });
/* unused harmony exports smallBytes, findStream, readBytes, readChunks, watchAnswer, cancelBody, answerUnlessAborted, parseJson, findTarget, RedirectError, refuseRedirect, findRedirect */
/**
 * The only place that reads network messages: bodies up to a limit, JSON, retry delays, and redirects, which are not
 * followed. It runs in every runtime of the client.
 */


class BodyTooLongError extends Error {
    name = 'BodyTooLongError';
    constructor(bytesMax) {
        super(`the body is longer than ${bytesMax} bytes`);
    }
}
/** Up to this length, a body is read at once. */
const smallBytes = 1024 * 1024;
/**
 * The body as a stream. Some runtimes (React Native) have no body streams, and some packages (node-fetch) have
 * streams of another kind.
 */
function findStream({ body }) {
    return typeof body?.getReader === 'function' ? body : undefined;
}
/** The whole body. Throws BodyTooLongError, and connection errors. */
async function readBytes(message, bytesMax) {
    const { headers } = message;
    // Reading all at once is several times faster. It is safe if the final length is known.
    const length = headers.has('content-encoding') ? Number.NaN : Number(headers.get('content-length') ?? Number.NaN);
    if (length <= smallBytes || findStream(message) === undefined) {
        if (length > bytesMax)
            throw new BodyTooLongError(bytesMax);
        const whole = new Uint8Array(await message.arrayBuffer());
        if (whole.length > bytesMax)
            throw new BodyTooLongError(bytesMax);
        return whole;
    }
    const chunks = [];
    let bytes = 0;
    for await (const chunk of readChunks(message, bytesMax)) {
        chunks.push(chunk);
        bytes += chunk.length;
    }
    const whole = new Uint8Array(bytes);
    let at = 0;
    for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.length;
    }
    return whole;
}
/** The body in chunks. Throws like `readBytes`. Cancels a body that is not read to its end. */
async function* readChunks(message, bytesMax) {
    const stream = findStream(message);
    if (stream === undefined)
        return void (yield await readBytes(message, bytesMax));
    // Some streams (Safari before 2026) are not iterable.
    const reader = stream.getReader();
    let bytes = 0;
    try {
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
            bytes += read.value.length;
            if (bytes > bytesMax)
                throw new BodyTooLongError(bytesMax);
            yield read.value;
        }
    }
    finally {
        // Has no effect at the end of a body, and rejects for a broken one.
        reader.cancel().catch(() => { });
    }
}
/** The same response with its whole body in memory. Throws like `readBytes`. */
async function bufferAnswer(answer, bytesMax) {
    if (answer.body === null)
        return answer;
    const { status, statusText, headers } = answer;
    return new Response(await readBytes(answer, bytesMax), { status, statusText, headers: [...headers] });
}
/** The same response, still a stream. */
function watchAnswer(answer, { onChunk, onEnd, ...options }) {
    if (answer.body === null) {
        onEnd?.();
        return answer;
    }
    const { readable, writable } = new TransformStream({
        transform(chunk, to) {
            onChunk?.();
            to.enqueue(chunk);
        },
    });
    // The reader of the stream gets the error.
    answer.body
        .pipeTo(writable, options)
        .catch(() => { })
        .finally(onEnd);
    return new Response(readable, answer);
}
/** Cancels a body that is not needed. */
async function cancelBody(message) {
    await findStream(message)?.cancel();
}
/**
 * The response of a server that is called without a socket. Rejects with the signal's reason, and cancels a later
 * response.
 */
async function answerUnlessAborted(answer, signal) {
    try {
        return await unlessAborted(answer, signal);
    }
    catch (error) {
        answer.then(cancelBody).catch(() => { });
        throw error;
    }
}
/** Undefined for text that is not JSON, such as a proxy's page. */
function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/**
 * The wait that a response asks for, in ms, from `retry-after-ms` or `Retry-After` (seconds or a date); undefined if
 * it has none that can be read. `nowMs` is for a response without a `Date`.
 */
function readRetryAfterMs(get, nowMs) {
    const ms = readNumber(get('retry-after-ms'));
    if (ms !== undefined)
        return ms;
    const text = get('retry-after') ?? '';
    const seconds = readNumber(text);
    if (seconds !== undefined)
        return seconds * 1000;
    // Date.parse accepts almost anything. An HTTP date begins with the day of the week.
    const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(at))
        return undefined;
    // Both dates are by the server's clock.
    const sent = Date.parse(get('date') ?? '');
    return at - (Number.isNaN(sent) ? nowMs : sent);
}
function readNumber(text) {
    return /^\d+(\.\d+)?$/.test(text?.trim() ?? '') ? Number(text) : undefined;
}
/** The origin of a redirect's target. The rest may contain a token. Undefined without a valid address. */
function findTarget({ headers, url }) {
    const location = headers.get('location');
    const target = location === null ? null : parseUrl(location, url === '' ? undefined : url);
    return target?.origin === 'null' ? target.protocol : target?.origin;
}
/** A server redirects. Following it could send a token to another host. */
class RedirectError extends (/* unused pure expression or super */ null && (Error)) {
    name = 'RedirectError';
}
/** Throws RedirectError for a redirect: `it redirects to https://example.com (status 302), REST`. */
async function refuseRedirect(answer, rest) {
    const { status, headers } = answer;
    if (status < 300 || status >= 400 || !headers.has('location'))
        return;
    await cancelBody(answer);
    const target = findTarget(answer);
    throw new RedirectError(`it redirects${target === undefined ? '' : ` to ${target}`} (status ${status}), ${rest}`);
}
/** The RedirectError among an error and its causes. */
function findRedirect(error) {
    let inner = error;
    for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
        if (inner instanceof RedirectError)
            return inner;
        inner = inner.cause;
    }
    return undefined;
}


/***/ }),

/***/ 9416:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   dM: () => (/* binding */ removeTree),
/* harmony export */   fc: () => (/* binding */ makeFolder)
/* harmony export */ });
/* unused harmony exports readEntries, isRealFolder, makeRealFolder, makeFolderWithin */
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(1421);
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(8474);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(6760);
/* harmony import */ var _base_process_shortage_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(6199);
/** Handles folders that an agent may have filled without limit, locked or replaced with links. */





/**
 * At most `max` entries of a folder, sorted by name. `isWhole` is true if these are all. A folder that cannot be read
 * has none. Of a larger folder, any `max` entries do.
 */
async function readEntries(folder, max) {
    const entries = [];
    let isWhole = true;
    try {
        for await (const entry of await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.opendir)(folder, { bufferSize: 128 })) {
            isWhole = entries.length < max;
            if (!isWhole)
                break;
            entries.push(entry);
        }
    }
    catch (error) {
        // Otherwise the folder is gone or cannot be read.
        if ((0,_base_process_shortage_js__WEBPACK_IMPORTED_MODULE_4__/* .findShortage */ .J)(error) !== undefined)
            throw error;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { entries, isWhole };
}
/**
 * Creates a folder and its missing parents. Node's own `recursive` option retries forever if a link leads to where
 * nothing can be created, such as /proc.
 */
async function makeFolder(path) {
    const info = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.stat)(path).catch(() => undefined);
    if (info?.isDirectory() === true)
        return;
    if ((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path) !== path)
        await makeFolder((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path));
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.mkdir)(path);
}
/**
 * Whether each part of `path` below `root` is a folder and not a link, so that operations stay inside. `root` itself
 * is trusted.
 */
async function isRealFolder(root, path) {
    for (const folder of listFolders(root, path))
        if (!(await isFolder(folder)))
            return false;
    return true;
}
/**
 * Creates those folders, accessible only to their owner. Removes other files in their place; of a link, the link
 * itself.
 */
async function makeRealFolder(root, path) {
    for (const folder of listFolders(root, path)) {
        if (await isFolder(folder))
            continue;
        await rm(folder, { force: true });
        await mkdir(folder, { mode: 0o700 });
    }
}
/**
 * Creates the missing folders of `path` below `root`, and `root` itself. Throws for a part that is a link or a file, so
 * that nothing is written outside.
 */
async function makeFolderWithin(root, path) {
    await mkdir(root, { recursive: true });
    for (const folder of listFolders(root, path)) {
        await mkdir(folder).catch(() => { });
        if (!(await isFolder(folder)))
            throw new Error(`${folder} is not a folder`);
    }
}
function listFolders(root, path) {
    const parts = relative(root, path)
        .split(sep)
        .filter(part => part !== '');
    return parts.map((_, index) => join(root, ...parts.slice(0, index + 1)));
}
async function isFolder(path) {
    return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
/** A run without files has about ten. Removing these takes less time than starting a program that does it. */
const smallTree = { entries: 200, depth: 8 };
/**
 * Removes a file or folder in any condition: without permissions, nested deeper than a path can be, or with so many
 * files that Node would block for seconds (150,000). A child process removes what is not small and simple. Links are
 * not followed, if no process is working in the folder.
 */
async function removeTree(path, searchPath = '/usr/bin:/bin') {
    const info = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.lstat)(path).catch((error) => {
        if (error.code === 'ENOENT')
            return undefined;
        throw error;
    });
    if (info === undefined)
        return;
    if (!info.isDirectory())
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rm)(path, { force: true });
    // What it leaves, for any reason, is removed and reported below.
    if (await removeSmallTree(path, { ...smallTree }).catch(() => false))
        return;
    const remove = async () => {
        await run('rm', ['-rf', '--', path], searchPath).catch(async (error) => {
            // Some systems keep their programs elsewhere.
            if (error.code !== 'ENOENT')
                throw error;
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rm)(path, { recursive: true, force: true });
        });
    };
    try {
        await remove();
    }
    catch {
        await run('chmod', ['-R', 'u+rwx', '--', path], searchPath).catch(() => { });
        await remove();
    }
}
/** False, with a part of it removed, if it has more entries. Throws if something in it cannot be removed. */
async function removeSmallTree(folder, room) {
    const { entries, isWhole } = await readEntries(folder, room.entries);
    room.entries -= entries.length;
    if (!isWhole || room.depth === 0)
        return false;
    for (const entry of entries) {
        const path = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(folder, entry.name);
        if (!entry.isDirectory())
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.unlink)(path);
        else {
            const below = { entries: room.entries, depth: room.depth - 1 };
            if (!(await removeSmallTree(path, below)))
                return false;
            room.entries = below.entries;
        }
    }
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rmdir)(folder);
    return true;
}
const complaintUnits = 1000;
/**
 * Rejects with the start of the program's error output. `rm` prints the whole path of every file that it cannot remove.
 */
async function run(program, args, searchPath) {
    const child = (0,node_child_process__WEBPACK_IMPORTED_MODULE_0__.spawn)(program, args, { env: { PATH: searchPath }, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    // Node creates no streams if the process is out of file descriptors.
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
        if (complaint.length < complaintUnits)
            complaint = (complaint + chunk).slice(0, complaintUnits);
    });
    const [code] = await (0,node_events__WEBPACK_IMPORTED_MODULE_1__.once)(child, 'close');
    if (code !== 0)
        throw new Error(complaint.trim() || `${program} failed with exit code ${code}`);
}


/***/ }),

/***/ 9456:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   FI: () => (/* binding */ redactValue),
/* harmony export */   XP: () => (/* binding */ formsOf),
/* harmony export */   lY: () => (/* binding */ createRedactor)
/* harmony export */ });
/* unused harmony exports usefulLength, pieceLength, noSecrets, redactLiterals, redactWebTokens */
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6910);
/**
 * The only place that redacts secrets. Each run, step or client creates one redactor from the secrets that it knows.
 * A redactor also finds the encodings in which programs and servers usually repeat secrets. It prevents accidents: a
 * program that wants to leak a secret can spell it differently.
 */

const mask = '***';
/**
 * Shorter parts of a secret, such as a brace of a JSON key, reveal nothing, and redacting them would make a log
 * unreadable.
 */
const usefulLength = 8;
/**
 * Longer forms are searched in pieces of this length. This bounds the time per character and the text that a stream
 * holds back.
 */
const pieceLength = 256;
/**
 * The pattern has only the starts of forms, of this length. With whole forms, it compares each place of a text with all
 * that begin alike, one character at a time: 0.2 s for 64 KiB of one letter if hundreds of secrets begin with it.
 */
const headLength = 16;
/** Redacts nothing. */
const noSecrets = {
    redact: text => text,
    openStream: () => ({ push: chunk => chunk, end: (chunk = '') => chunk }),
};
function createRedactor(secrets, spell = formsOf) {
    const forms = [...new Set([...secrets].flatMap(spell).flatMap(cutForm))];
    if (forms.length === 0)
        return noSecrets;
    const { find, findBegun } = searchForms(forms);
    const openStream = () => {
        let held = '';
        /** The length of `held` that the last `***` covers, if nothing was output after it. */
        let covered;
        const show = (end) => {
            let shown = '';
            let at = covered ?? 0;
            let isMasked = covered !== undefined;
            // The next match may overlap the last one.
            for (let form = find(held, 0); form !== undefined && form.start < end; form = find(held, form.start + 1)) {
                if (form.start > at || !isMasked)
                    shown += held.slice(at, form.start) + mask;
                isMasked = true;
                at = Math.max(at, form.end);
            }
            if (at < end) {
                shown += held.slice(at, end);
                isMasked = false;
            }
            covered = isMasked ? Math.max(0, at - end) : undefined;
            held = held.slice(end);
            return shown;
        };
        return {
            push(chunk) {
                held += chunk;
                return show(findBegun(held));
            },
            end(chunk = '') {
                held += chunk;
                const rest = show(held.length);
                covered = undefined;
                return rest;
            },
        };
    };
    return { redact: text => openStream().end(text), openStream };
}
/**
 * Replaces each secret with `***` in its literal spelling only. For bundles that should not include the whole
 * redactor, such as a web page's.
 */
function redactLiterals(text, secrets) {
    const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, mask), text);
}
/** Redacts JSON Web Tokens, which libraries create, so their values are not known. */
const redactWebTokens = text => text.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, mask);
/** Redacts every string in a JSON value, including member names. */
function redactValue(value, redact) {
    const walk = (member) => {
        if (typeof member === 'string')
            return redact(member);
        if (Array.isArray(member))
            return member.map(walk);
        if (!(0,_base_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(member))
            return member;
        return Object.fromEntries(Object.entries(member).map(([name, each]) => [redact(name), walk(each)]));
    };
    return walk(value);
}
/** A secret, its lines and its encodings. Empty for a secret of spaces only. */
function formsOf(secret) {
    if (secret.trim() === '')
        return [];
    const wholes = [secret, secret.trim()];
    const lines = secret.split(/[\r\n]+/).map(line => line.trim());
    const inHtml = lines.map(encodeHtml);
    // HTML inside a JSON string is found before the JSON is parsed.
    const parts = [...lines, ...inHtml, ...inHtml.map(encodeJson), ...wholes.flatMap(encode)];
    return [...new Set([...wholes, ...parts.filter(part => part.length >= usefulLength)])];
}
function encode(secret) {
    const bytes = new TextEncoder().encode(secret);
    const binary = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
    const base64 = [btoa(binary).replace(/=+$/, ''), ...encodeWithin(binary)];
    const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
    const json = encodeJson(secret);
    return [
        ...base64,
        ...base64.map(form => form.replaceAll('+', '-').replaceAll('/', '_')),
        hex,
        hex.toUpperCase(),
        // A lone surrogate cannot be encoded.
        encodeURIComponent(new TextDecoder().decode(bytes)),
        new URLSearchParams({ '': secret }).toString().slice(1),
        json,
        // JSON inside a JSON string.
        encodeJson(json),
    ];
}
/**
 * The base64 of bytes within a longer text, such as `user:secret`: one form for each offset in a group of three
 * bytes. The first and last characters depend on the neighbors, so they are omitted.
 */
function encodeWithin(binary) {
    return [0, 1, 2].map(offset => btoa('\0'.repeat(offset) + binary).slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + binary.length) * 4) / 3)));
}
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
function encodeHtml(text) {
    return text.replace(/[&<>"]/g, character => entities[character] ?? '');
}
function encodeJson(text) {
    return JSON.stringify(text).slice(1, -1);
}
/** The last piece overlaps the one before, so that all have the same length. */
function cutForm(form) {
    const last = Math.max(0, form.length - pieceLength);
    return Array.from({ length: Math.ceil(form.length / pieceLength) }, (_, index) => {
        const start = Math.min(index * pieceLength, last);
        return form.slice(start, start + pieceLength);
    });
}
function searchForms(unsorted) {
    const forms = unsorted.toSorted();
    const longest = Math.max(...forms.map(form => form.length));
    const heads = [...new Set(forms.map(form => form.slice(0, headLength)))];
    const pattern = new RegExp(heads.map(escapePattern).join('|'), 'g');
    // V8 compiles a pattern at once only for long input. Compiling it on short texts takes 20 times as long.
    pattern.test(' '.repeat(2000));
    /** How many forms are not after the text in their order. */
    const countUpTo = (text) => {
        let low = 0;
        let high = forms.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((forms[middle] ?? '') <= text)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    /** For each form, the index of the longest other one that it begins with, or -1. */
    const inner = [];
    /** The longest of the form at `index` and its inner ones that the text begins with. */
    const findWithin = (index, text) => {
        const common = countCommon(forms[index] ?? '', text);
        let found = index;
        while (found >= 0 && (forms[found] ?? '').length > common)
            found = inner[found] ?? -1;
        return found;
    };
    for (const [index, form] of forms.entries())
        inner.push(findWithin(index - 1, form));
    const firsts = new Set(forms.map(form => form.charAt(0)));
    return {
        find(text, from) {
            pattern.lastIndex = from;
            for (let head = pattern.exec(text); head !== null; head = pattern.exec(text)) {
                const start = head.index;
                const place = text.slice(start, start + longest);
                const form = forms[findWithin(countUpTo(place) - 1, place)];
                if (form !== undefined)
                    return { start, end: start + form.length };
                pattern.lastIndex = start + 1;
            }
            return undefined;
        },
        findBegun(text) {
            for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
                if (!firsts.has(text.charAt(at)))
                    continue;
                const tail = text.slice(at);
                if (forms[countUpTo(tail)]?.startsWith(tail))
                    return at;
            }
            return text.length;
        },
    };
}
/** How many characters both texts begin with. */
function countCommon(form, text) {
    if (text.slice(0, form.length) === form)
        return form.length;
    let count = 0;
    while (form.charCodeAt(count) === text.charCodeAt(count))
        count += 1;
    return count;
}
function escapePattern(text) {
    return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}


/***/ }),

/***/ 769:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Lx: () => (/* binding */ withoutEscapes),
/* harmony export */   ai: () => (/* binding */ drawnText),
/* harmony export */   eR: () => (/* binding */ terminalText),
/* harmony export */   h0: () => (/* binding */ plainLine)
/* harmony export */ });
/* unused harmony exports terminalLine, revealControls, terminalJson */
/**
 * Makes untrusted text safe for a terminal, a page or a line. Terminals obey escape sequences, which set titles,
 * write the clipboard or fake input. Control and direction characters hide or reverse nearby text. All of them are
 * removed.
 */
/**
 * CSI sequences; OSC and other strings up to their end in the same line; all other sequences. Each alternative stops
 * at the next ESC, so matching takes linear time.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const escapeSequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;
/** All except tab and LF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
/** Node's own stripVTControlCharacters takes seconds for 64 KiB of unterminated sequences. */
function withoutEscapes(text) {
    return text.replace(escapeSequences, '');
}
/** Terminal output as it would look: without escape sequences, and with the last version of each redrawn line. */
function drawnText(text) {
    return withoutEscapes(text).split('\n').map(keepLastDrawing).join('\n');
}
/** The drawn text with tabs and line breaks but no other control characters. */
function terminalText(text) {
    return drawnText(text.toWellFormed()).replace(controls, '');
}
/** The text in one line of this project's output. Line breaks become spaces. */
function terminalLine(text) {
    return terminalText(text.replace(/(?<![\r\n])[\r\n]+$/, '').replace(/[\r\n\u2028\u2029]+/g, ' '));
}
/**
 * Foreign text within a line of this project's output. Spaces replace control characters; everything else stays,
 * because an error shows what arrived.
 */
function plainLine(text) {
    return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
/** A person's text in full. Control and direction characters become Unicode pictures or numbers (`␛`, `[U+202E]`). */
function revealControls(text) {
    return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(controls, printControl);
}
/** Equivalent JSON that is safe for a terminal. JSON itself escapes only the control characters below U+0020. */
function terminalJson(value) {
    return JSON.stringify(value).replace(controls, character => `\\u${hexOf(character).padStart(4, '0')}`);
}
function printControl(character) {
    const code = character.charCodeAt(0);
    if (code < 0x20)
        return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : `[U+${hexOf(character).toUpperCase().padStart(4, '0')}]`;
}
function hexOf(character) {
    return character.charCodeAt(0).toString(16);
}
/** CRLF counts as one line break. */
function keepLastDrawing(drawings) {
    const line = drawings.replace(/\r$/, '');
    return line.includes('\r') ? (line.split('\r').findLast(drawing => drawing !== '') ?? '') : line;
}


/***/ }),

/***/ 3323:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Yg: () => (/* binding */ reviewSchema),
/* harmony export */   gO: () => (/* binding */ severities),
/* harmony export */   h$: () => (/* binding */ reviewVerdicts)
/* harmony export */ });
/**
 * The form of a review, as an agent writes it and the action `apply` reads it. Agents read the descriptions. It has
 * only keywords that every provider's structured output knows.
 */
const severities = ['critical', 'high', 'medium', 'low'];
const reviewVerdicts = ['approve', 'comment', 'request_changes'];
const reviewSchema = {
    type: 'object',
    required: ['summary', 'verdict', 'findings'],
    properties: {
        summary: { type: 'string', description: 'What the change does and what you think of it, in a few sentences.' },
        verdict: {
            enum: reviewVerdicts,
            description: '`request_changes` if a finding has to be fixed before the change is merged, otherwise `comment` or `approve`.',
        },
        findings: {
            type: 'array',
            description: 'The problems that you found, one entry each. Empty if there are none.',
            items: {
                type: 'object',
                required: ['path', 'line', 'severity', 'text'],
                properties: {
                    path: {
                        type: 'string',
                        description: 'Path of the file from the root of the repository, such as src/main.c.',
                    },
                    line: { type: 'integer', minimum: 1, description: 'The first line, counted from 1.' },
                    end_line: { type: ['integer', 'null'], description: 'The last line, if there is more than one.' },
                    side: {
                        enum: ['RIGHT', 'LEFT', null],
                        description: '`LEFT` if the lines are numbered as before the change, for deleted lines. Otherwise `RIGHT`.',
                    },
                    severity: { enum: severities, description: 'How bad the problem is.' },
                    text: { type: 'string', description: 'What is wrong, what it causes and how to fix it, in Markdown.' },
                    suggestion: {
                        type: ['string', 'null'],
                        description: 'New text for all lines from `line` to `end_line`, complete and with its indentation, only if it fixes the problem by itself.',
                    },
                },
            },
        },
    },
};


/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		// no module.id needed
/******/ 		// no module.loaded needed
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId].call(module.exports, module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/******/ // expose the modules object (__webpack_modules__)
/******/ __nccwpck_require__.m = __webpack_modules__;
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/create fake namespace object */
/******/ (() => {
/******/ 	var getProto = Object.getPrototypeOf ? (obj) => (Object.getPrototypeOf(obj)) : (obj) => (obj.__proto__);
/******/ 	var leafPrototypes;
/******/ 	// create a fake namespace object
/******/ 	// mode & 1: value is a module id, require it
/******/ 	// mode & 2: merge all properties of value into the ns
/******/ 	// mode & 4: return value when already ns object
/******/ 	// mode & 16: return value when it's Promise-like
/******/ 	// mode & 8|1: behave like require
/******/ 	__nccwpck_require__.t = function(value, mode) {
/******/ 		if(mode & 1) value = this(value);
/******/ 		if(mode & 8) return value;
/******/ 		if(typeof value === 'object' && value) {
/******/ 			if((mode & 4) && value.__esModule) return value;
/******/ 			if((mode & 16) && typeof value.then === 'function') return value;
/******/ 		}
/******/ 		var ns = Object.create(null);
/******/ 		__nccwpck_require__.r(ns);
/******/ 		var def = {};
/******/ 		leafPrototypes = leafPrototypes || [null, getProto({}), getProto([]), getProto(getProto)];
/******/ 		for(var current = mode & 2 && value; typeof current == 'object' && !~leafPrototypes.indexOf(current); current = getProto(current)) {
/******/ 			Object.getOwnPropertyNames(current).forEach((key) => (def[key] = () => (value[key])));
/******/ 		}
/******/ 		def['default'] = () => (value);
/******/ 		__nccwpck_require__.d(ns, def);
/******/ 		return ns;
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/ensure chunk */
/******/ (() => {
/******/ 	__nccwpck_require__.f = {};
/******/ 	// This file contains only the entry chunk.
/******/ 	// The chunk loading function for additional chunks
/******/ 	__nccwpck_require__.e = (chunkId) => {
/******/ 		return Promise.all(Object.keys(__nccwpck_require__.f).reduce((promises, key) => {
/******/ 			__nccwpck_require__.f[key](chunkId, promises);
/******/ 			return promises;
/******/ 		}, []));
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/get javascript chunk filename */
/******/ (() => {
/******/ 	// This function allow to reference async chunks
/******/ 	__nccwpck_require__.u = (chunkId) => {
/******/ 		// return url for filenames based on template
/******/ 		return {"6":"shared-picomatch","89":"fenced-blocks","113":"review","239":"shared-actions-github","251":"shared-markdown-it","377":"proposed-pull","383":"shared-render-markdown","463":"shared-fast-uri","540":"applied-comment","570":"shared-secretlint-secretlint-rule-preset-recommend","573":"proposal-text","598":"dispatchers","654":"pushed-commit","752":"shared-undici","815":"yaml","867":"checked-tree","975":"secret-scan","994":"github"}[chunkId] + ".index.js";
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/******/ /* webpack/runtime/make namespace object */
/******/ (() => {
/******/ 	// define __esModule on exports
/******/ 	__nccwpck_require__.r = (exports) => {
/******/ 		if(typeof Symbol !== 'undefined' && Symbol.toStringTag) {
/******/ 			Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });
/******/ 		}
/******/ 		Object.defineProperty(exports, '__esModule', { value: true });
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/import chunk loading */
/******/ (() => {
/******/ 	// no baseURI
/******/ 	
/******/ 	// object to store loaded and loading chunks
/******/ 	// undefined = chunk not loaded, null = chunk preloaded/prefetched
/******/ 	// [resolve, Promise] = chunk loading, 0 = chunk loaded
/******/ 	var installedChunks = {
/******/ 		792: 0
/******/ 	};
/******/ 	
/******/ 	var installChunk = (data) => {
/******/ 		var {ids, modules, runtime} = data;
/******/ 		// add "modules" to the modules object,
/******/ 		// then flag all "ids" as loaded and fire callback
/******/ 		var moduleId, chunkId, i = 0;
/******/ 		for(moduleId in modules) {
/******/ 			if(__nccwpck_require__.o(modules, moduleId)) {
/******/ 				__nccwpck_require__.m[moduleId] = modules[moduleId];
/******/ 			}
/******/ 		}
/******/ 		if(runtime) runtime(__nccwpck_require__);
/******/ 		for(;i < ids.length; i++) {
/******/ 			chunkId = ids[i];
/******/ 			if(__nccwpck_require__.o(installedChunks, chunkId) && installedChunks[chunkId]) {
/******/ 				installedChunks[chunkId][0]();
/******/ 			}
/******/ 			installedChunks[ids[i]] = 0;
/******/ 		}
/******/ 	
/******/ 	}
/******/ 	
/******/ 	__nccwpck_require__.f.j = (chunkId, promises) => {
/******/ 			// import() chunk loading for javascript
/******/ 			var installedChunkData = __nccwpck_require__.o(installedChunks, chunkId) ? installedChunks[chunkId] : undefined;
/******/ 			if(installedChunkData !== 0) { // 0 means "already installed".
/******/ 	
/******/ 				// a Promise means "currently loading".
/******/ 				if(installedChunkData) {
/******/ 					promises.push(installedChunkData[1]);
/******/ 				} else {
/******/ 					if(true) { // all chunks have JS
/******/ 						// setup Promise in chunk cache
/******/ 						var promise = import("./" + __nccwpck_require__.u(chunkId)).then(installChunk, (e) => {
/******/ 							if(installedChunks[chunkId] !== 0) installedChunks[chunkId] = undefined;
/******/ 							throw e;
/******/ 						});
/******/ 						var promise = Promise.race([promise, new Promise((resolve) => (installedChunkData = installedChunks[chunkId] = [resolve]))])
/******/ 						promises.push(installedChunkData[1] = promise);
/******/ 					}
/******/ 				}
/******/ 			}
/******/ 	};
/******/ 	
/******/ 	// no prefetching
/******/ 	
/******/ 	// no preloaded
/******/ 	
/******/ 	// no external install chunk
/******/ 	
/******/ 	// no on chunks loaded
/******/ })();
/******/ 
/************************************************************************/
var __webpack_exports__ = {};

// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  e: () => (/* binding */ run),
  O: () => (/* binding */ run)
});

// NAMESPACE OBJECT: ./node_modules/@actions/core/lib/platform.js
var platform_namespaceObject = {};
__nccwpck_require__.r(platform_namespaceObject);
__nccwpck_require__.d(platform_namespaceObject, {
  arch: () => (arch),
  getDetails: () => (getDetails),
  isLinux: () => (isLinux),
  isMacOS: () => (isMacOS),
  isWindows: () => (isWindows),
  platform: () => (platform)
});

// NAMESPACE OBJECT: ./node_modules/@actions/core/lib/core.js
var core_namespaceObject = {};
__nccwpck_require__.r(core_namespaceObject);
__nccwpck_require__.d(core_namespaceObject, {
  ExitCode: () => (ExitCode),
  addPath: () => (addPath),
  debug: () => (debug),
  endGroup: () => (endGroup),
  error: () => (error),
  exportVariable: () => (exportVariable),
  getBooleanInput: () => (getBooleanInput),
  getIDToken: () => (getIDToken),
  getInput: () => (getInput),
  getMultilineInput: () => (getMultilineInput),
  getState: () => (getState),
  group: () => (group),
  info: () => (info),
  isDebug: () => (isDebug),
  markdownSummary: () => (markdownSummary),
  notice: () => (notice),
  platform: () => (platform_namespaceObject),
  saveState: () => (saveState),
  setCommandEcho: () => (setCommandEcho),
  setFailed: () => (setFailed),
  setOutput: () => (setOutput),
  setSecret: () => (setSecret),
  startGroup: () => (startGroup),
  summary: () => (summary),
  toPlatformPath: () => (toPlatformPath),
  toPosixPath: () => (toPosixPath),
  toWin32Path: () => (toWin32Path),
  warning: () => (warning)
});

// EXTERNAL MODULE: ./build/js/base/cause.js
var cause = __nccwpck_require__(1065);
// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __nccwpck_require__(7030);
;// CONCATENATED MODULE: ./build/js/base/network/slow-addresses.js

/**
 * Long enough for a satellite link with one lost packet, short enough to try a second address within undici's ten
 * seconds.
 */
const addressAttemptMs = 2500;
/**
 * Gives each address of a host this long to answer before the next one is tried. With Node's default of 250 ms, all
 * of them fail on a slow link (https://github.com/nodejs/node/issues/54359). Each program that makes connections
 * calls this once.
 */
function slow_addresses_waitForSlowAddresses() {
    (0,external_node_net_.setDefaultAutoSelectFamilyAttemptTimeout)(addressAttemptMs);
}

;// CONCATENATED MODULE: ./build/js/base/process/debugger-door.js
/**
 * Stops Node from opening its debugger on SIGUSR1. The debugger's loopback port would give every program of the user
 * full access to this process. Call this before starting any such program; it cannot be undone.
 */
function debugger_door_closeDebuggerDoor() {
    // Node's own handler runs only without other listeners. Windows does not have the signal.
    if (process.platform !== 'win32')
        process.on('SIGUSR1', () => { });
}

// EXTERNAL MODULE: external "os"
var external_os_ = __nccwpck_require__(857);
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/utils.js
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */
/**
 * Sanitizes an input into a string so it can be passed into issueCommand safely
 * @param input input to sanitize into a string
 */
function toCommandValue(input) {
    if (input === null || input === undefined) {
        return '';
    }
    else if (typeof input === 'string' || input instanceof String) {
        return input;
    }
    return JSON.stringify(input);
}
/**
 *
 * @param annotationProperties
 * @returns The command properties to send with the actual annotation command
 * See IssueCommandProperties: https://github.com/actions/runner/blob/main/src/Runner.Worker/ActionCommandManager.cs#L646
 */
function toCommandProperties(annotationProperties) {
    if (!Object.keys(annotationProperties).length) {
        return {};
    }
    return {
        title: annotationProperties.title,
        file: annotationProperties.file,
        line: annotationProperties.startLine,
        endLine: annotationProperties.endLine,
        col: annotationProperties.startColumn,
        endColumn: annotationProperties.endColumn
    };
}
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/command.js


/**
 * Issues a command to the GitHub Actions runner
 *
 * @param command - The command name to issue
 * @param properties - Additional properties for the command (key-value pairs)
 * @param message - The message to include with the command
 * @remarks
 * This function outputs a specially formatted string to stdout that the Actions
 * runner interprets as a command. These commands can control workflow behavior,
 * set outputs, create annotations, mask values, and more.
 *
 * Command Format:
 *   ::name key=value,key=value::message
 *
 * @example
 * ```typescript
 * // Issue a warning annotation
 * issueCommand('warning', {}, 'This is a warning message');
 * // Output: ::warning::This is a warning message
 *
 * // Set an environment variable
 * issueCommand('set-env', { name: 'MY_VAR' }, 'some value');
 * // Output: ::set-env name=MY_VAR::some value
 *
 * // Add a secret mask
 * issueCommand('add-mask', {}, 'secretValue123');
 * // Output: ::add-mask::secretValue123
 * ```
 *
 * @internal
 * This is an internal utility function that powers the public API functions
 * such as setSecret, warning, error, and exportVariable.
 */
function issueCommand(command, properties, message) {
    const cmd = new Command(command, properties, message);
    process.stdout.write(cmd.toString() + external_os_.EOL);
}
function issue(name, message = '') {
    issueCommand(name, {}, message);
}
const CMD_STRING = '::';
class Command {
    constructor(command, properties, message) {
        if (!command) {
            command = 'missing.command';
        }
        this.command = command;
        this.properties = properties;
        this.message = message;
    }
    toString() {
        let cmdStr = CMD_STRING + this.command;
        if (this.properties && Object.keys(this.properties).length > 0) {
            cmdStr += ' ';
            let first = true;
            for (const key in this.properties) {
                if (this.properties.hasOwnProperty(key)) {
                    const val = this.properties[key];
                    if (val) {
                        if (first) {
                            first = false;
                        }
                        else {
                            cmdStr += ',';
                        }
                        cmdStr += `${key}=${escapeProperty(val)}`;
                    }
                }
            }
        }
        cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
        return cmdStr;
    }
}
function escapeData(s) {
    return toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A');
}
function escapeProperty(s) {
    return toCommandValue(s)
        .replace(/%/g, '%25')
        .replace(/\r/g, '%0D')
        .replace(/\n/g, '%0A')
        .replace(/:/g, '%3A')
        .replace(/,/g, '%2C');
}
;// CONCATENATED MODULE: external "crypto"
const external_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("crypto");
// EXTERNAL MODULE: external "fs"
var external_fs_ = __nccwpck_require__(9896);
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/file-command.js
// For internal use, subject to change.
// We use any as a valid input type
/* eslint-disable @typescript-eslint/no-explicit-any */




function issueFileCommand(command, message) {
    const filePath = process.env[`GITHUB_${command}`];
    if (!filePath) {
        throw new Error(`Unable to find environment variable for file command ${command}`);
    }
    if (!external_fs_.existsSync(filePath)) {
        throw new Error(`Missing file at path: ${filePath}`);
    }
    external_fs_.appendFileSync(filePath, `${toCommandValue(message)}${external_os_.EOL}`, {
        encoding: 'utf8'
    });
}
function prepareKeyValueMessage(key, value) {
    const delimiter = `ghadelimiter_${external_crypto_namespaceObject.randomUUID()}`;
    const convertedValue = toCommandValue(value);
    // These should realistically never happen, but just in case someone finds a
    // way to exploit uuid generation let's not allow keys or values that contain
    // the delimiter.
    if (key.includes(delimiter)) {
        throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
    }
    if (convertedValue.includes(delimiter)) {
        throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
    }
    return `${key}<<${delimiter}${external_os_.EOL}${convertedValue}${external_os_.EOL}${delimiter}`;
}
;// CONCATENATED MODULE: external "path"
const external_path_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("path");
// EXTERNAL MODULE: external "http"
var external_http_ = __nccwpck_require__(8611);
var external_http_namespaceObject = /*#__PURE__*/__nccwpck_require__.t(external_http_, 2);
// EXTERNAL MODULE: external "https"
var external_https_ = __nccwpck_require__(5692);
var external_https_namespaceObject = /*#__PURE__*/__nccwpck_require__.t(external_https_, 2);
;// CONCATENATED MODULE: ./node_modules/@actions/http-client/lib/proxy.js
function getProxyUrl(reqUrl) {
    const usingSsl = reqUrl.protocol === 'https:';
    if (checkBypass(reqUrl)) {
        return undefined;
    }
    const proxyVar = (() => {
        if (usingSsl) {
            return process.env['https_proxy'] || process.env['HTTPS_PROXY'];
        }
        else {
            return process.env['http_proxy'] || process.env['HTTP_PROXY'];
        }
    })();
    if (proxyVar) {
        try {
            return new DecodedURL(proxyVar);
        }
        catch (_a) {
            if (!proxyVar.startsWith('http://') && !proxyVar.startsWith('https://'))
                return new DecodedURL(`http://${proxyVar}`);
        }
    }
    else {
        return undefined;
    }
}
function checkBypass(reqUrl) {
    if (!reqUrl.hostname) {
        return false;
    }
    const reqHost = reqUrl.hostname;
    if (isLoopbackAddress(reqHost)) {
        return true;
    }
    const noProxy = process.env['no_proxy'] || process.env['NO_PROXY'] || '';
    if (!noProxy) {
        return false;
    }
    // Determine the request port
    let reqPort;
    if (reqUrl.port) {
        reqPort = Number(reqUrl.port);
    }
    else if (reqUrl.protocol === 'http:') {
        reqPort = 80;
    }
    else if (reqUrl.protocol === 'https:') {
        reqPort = 443;
    }
    // Format the request hostname and hostname with port
    const upperReqHosts = [reqUrl.hostname.toUpperCase()];
    if (typeof reqPort === 'number') {
        upperReqHosts.push(`${upperReqHosts[0]}:${reqPort}`);
    }
    // Compare request host against noproxy
    for (const upperNoProxyItem of noProxy
        .split(',')
        .map(x => x.trim().toUpperCase())
        .filter(x => x)) {
        if (upperNoProxyItem === '*' ||
            upperReqHosts.some(x => x === upperNoProxyItem ||
                x.endsWith(`.${upperNoProxyItem}`) ||
                (upperNoProxyItem.startsWith('.') &&
                    x.endsWith(`${upperNoProxyItem}`)))) {
            return true;
        }
    }
    return false;
}
function isLoopbackAddress(host) {
    const hostLower = host.toLowerCase();
    return (hostLower === 'localhost' ||
        hostLower.startsWith('127.') ||
        hostLower.startsWith('[::1]') ||
        hostLower.startsWith('[0:0:0:0:0:0:0:1]'));
}
class DecodedURL extends URL {
    constructor(url, base) {
        super(url, base);
        this._decodedUsername = decodeURIComponent(super.username);
        this._decodedPassword = decodeURIComponent(super.password);
    }
    get username() {
        return this._decodedUsername;
    }
    get password() {
        return this._decodedPassword;
    }
}
// EXTERNAL MODULE: ./node_modules/tunnel/index.js
var tunnel = __nccwpck_require__(770);
// EXTERNAL MODULE: external "./unused.js"
var external_unused_js_ = __nccwpck_require__(5696);
;// CONCATENATED MODULE: ./node_modules/@actions/http-client/lib/index.js
/* eslint-disable @typescript-eslint/no-explicit-any */
var __awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};





var HttpCodes;
(function (HttpCodes) {
    HttpCodes[HttpCodes["OK"] = 200] = "OK";
    HttpCodes[HttpCodes["MultipleChoices"] = 300] = "MultipleChoices";
    HttpCodes[HttpCodes["MovedPermanently"] = 301] = "MovedPermanently";
    HttpCodes[HttpCodes["ResourceMoved"] = 302] = "ResourceMoved";
    HttpCodes[HttpCodes["SeeOther"] = 303] = "SeeOther";
    HttpCodes[HttpCodes["NotModified"] = 304] = "NotModified";
    HttpCodes[HttpCodes["UseProxy"] = 305] = "UseProxy";
    HttpCodes[HttpCodes["SwitchProxy"] = 306] = "SwitchProxy";
    HttpCodes[HttpCodes["TemporaryRedirect"] = 307] = "TemporaryRedirect";
    HttpCodes[HttpCodes["PermanentRedirect"] = 308] = "PermanentRedirect";
    HttpCodes[HttpCodes["BadRequest"] = 400] = "BadRequest";
    HttpCodes[HttpCodes["Unauthorized"] = 401] = "Unauthorized";
    HttpCodes[HttpCodes["PaymentRequired"] = 402] = "PaymentRequired";
    HttpCodes[HttpCodes["Forbidden"] = 403] = "Forbidden";
    HttpCodes[HttpCodes["NotFound"] = 404] = "NotFound";
    HttpCodes[HttpCodes["MethodNotAllowed"] = 405] = "MethodNotAllowed";
    HttpCodes[HttpCodes["NotAcceptable"] = 406] = "NotAcceptable";
    HttpCodes[HttpCodes["ProxyAuthenticationRequired"] = 407] = "ProxyAuthenticationRequired";
    HttpCodes[HttpCodes["RequestTimeout"] = 408] = "RequestTimeout";
    HttpCodes[HttpCodes["Conflict"] = 409] = "Conflict";
    HttpCodes[HttpCodes["Gone"] = 410] = "Gone";
    HttpCodes[HttpCodes["TooManyRequests"] = 429] = "TooManyRequests";
    HttpCodes[HttpCodes["InternalServerError"] = 500] = "InternalServerError";
    HttpCodes[HttpCodes["NotImplemented"] = 501] = "NotImplemented";
    HttpCodes[HttpCodes["BadGateway"] = 502] = "BadGateway";
    HttpCodes[HttpCodes["ServiceUnavailable"] = 503] = "ServiceUnavailable";
    HttpCodes[HttpCodes["GatewayTimeout"] = 504] = "GatewayTimeout";
})(HttpCodes || (HttpCodes = {}));
var lib_Headers;
(function (Headers) {
    Headers["Accept"] = "accept";
    Headers["ContentType"] = "content-type";
})(lib_Headers || (lib_Headers = {}));
var MediaTypes;
(function (MediaTypes) {
    MediaTypes["ApplicationJson"] = "application/json";
})(MediaTypes || (MediaTypes = {}));
/**
 * Returns the proxy URL, depending upon the supplied url and proxy environment variables.
 * @param serverUrl  The server URL where the request will be sent. For example, https://api.github.com
 */
function lib_getProxyUrl(serverUrl) {
    const proxyUrl = pm.getProxyUrl(new URL(serverUrl));
    return proxyUrl ? proxyUrl.href : '';
}
const HttpRedirectCodes = [
    HttpCodes.MovedPermanently,
    HttpCodes.ResourceMoved,
    HttpCodes.SeeOther,
    HttpCodes.TemporaryRedirect,
    HttpCodes.PermanentRedirect
];
const HttpResponseRetryCodes = [
    HttpCodes.BadGateway,
    HttpCodes.ServiceUnavailable,
    HttpCodes.GatewayTimeout
];
const RetryableHttpVerbs = ['OPTIONS', 'GET', 'DELETE', 'HEAD'];
const ExponentialBackoffCeiling = 10;
const ExponentialBackoffTimeSlice = 5;
class HttpClientError extends Error {
    constructor(message, statusCode) {
        super(message);
        this.name = 'HttpClientError';
        this.statusCode = statusCode;
        Object.setPrototypeOf(this, HttpClientError.prototype);
    }
}
class HttpClientResponse {
    constructor(message) {
        this.message = message;
    }
    readBody() {
        return __awaiter(this, void 0, void 0, function* () {
            return new Promise((resolve) => __awaiter(this, void 0, void 0, function* () {
                let output = Buffer.alloc(0);
                this.message.on('data', (chunk) => {
                    output = Buffer.concat([output, chunk]);
                });
                this.message.on('end', () => {
                    resolve(output.toString());
                });
            }));
        });
    }
    readBodyBuffer() {
        return __awaiter(this, void 0, void 0, function* () {
            return new Promise((resolve) => __awaiter(this, void 0, void 0, function* () {
                const chunks = [];
                this.message.on('data', (chunk) => {
                    chunks.push(chunk);
                });
                this.message.on('end', () => {
                    resolve(Buffer.concat(chunks));
                });
            }));
        });
    }
}
function isHttps(requestUrl) {
    const parsedUrl = new URL(requestUrl);
    return parsedUrl.protocol === 'https:';
}
class HttpClient {
    constructor(userAgent, handlers, requestOptions) {
        this._ignoreSslError = false;
        this._allowRedirects = true;
        this._allowRedirectDowngrade = false;
        this._maxRedirects = 50;
        this._allowRetries = false;
        this._maxRetries = 1;
        this._keepAlive = false;
        this._disposed = false;
        this.userAgent = this._getUserAgentWithOrchestrationId(userAgent);
        this.handlers = handlers || [];
        this.requestOptions = requestOptions;
        if (requestOptions) {
            if (requestOptions.ignoreSslError != null) {
                this._ignoreSslError = requestOptions.ignoreSslError;
            }
            this._socketTimeout = requestOptions.socketTimeout;
            if (requestOptions.allowRedirects != null) {
                this._allowRedirects = requestOptions.allowRedirects;
            }
            if (requestOptions.allowRedirectDowngrade != null) {
                this._allowRedirectDowngrade = requestOptions.allowRedirectDowngrade;
            }
            if (requestOptions.maxRedirects != null) {
                this._maxRedirects = Math.max(requestOptions.maxRedirects, 0);
            }
            if (requestOptions.keepAlive != null) {
                this._keepAlive = requestOptions.keepAlive;
            }
            if (requestOptions.allowRetries != null) {
                this._allowRetries = requestOptions.allowRetries;
            }
            if (requestOptions.maxRetries != null) {
                this._maxRetries = requestOptions.maxRetries;
            }
        }
    }
    options(requestUrl, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('OPTIONS', requestUrl, null, additionalHeaders || {});
        });
    }
    get(requestUrl, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('GET', requestUrl, null, additionalHeaders || {});
        });
    }
    del(requestUrl, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('DELETE', requestUrl, null, additionalHeaders || {});
        });
    }
    post(requestUrl, data, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('POST', requestUrl, data, additionalHeaders || {});
        });
    }
    patch(requestUrl, data, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('PATCH', requestUrl, data, additionalHeaders || {});
        });
    }
    put(requestUrl, data, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('PUT', requestUrl, data, additionalHeaders || {});
        });
    }
    head(requestUrl, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request('HEAD', requestUrl, null, additionalHeaders || {});
        });
    }
    sendStream(verb, requestUrl, stream, additionalHeaders) {
        return __awaiter(this, void 0, void 0, function* () {
            return this.request(verb, requestUrl, stream, additionalHeaders);
        });
    }
    /**
     * Gets a typed object from an endpoint
     * Be aware that not found returns a null.  Other errors (4xx, 5xx) reject the promise
     */
    getJson(requestUrl_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, additionalHeaders = {}) {
            additionalHeaders[lib_Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, lib_Headers.Accept, MediaTypes.ApplicationJson);
            const res = yield this.get(requestUrl, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    postJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[lib_Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, lib_Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[lib_Headers.ContentType] =
                this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
            const res = yield this.post(requestUrl, data, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    putJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[lib_Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, lib_Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[lib_Headers.ContentType] =
                this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
            const res = yield this.put(requestUrl, data, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    patchJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[lib_Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, lib_Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[lib_Headers.ContentType] =
                this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
            const res = yield this.patch(requestUrl, data, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    /**
     * Makes a raw http request.
     * All other methods such as get, post, patch, and request ultimately call this.
     * Prefer get, del, post and patch
     */
    request(verb, requestUrl, data, headers) {
        return __awaiter(this, void 0, void 0, function* () {
            if (this._disposed) {
                throw new Error('Client has already been disposed.');
            }
            const parsedUrl = new URL(requestUrl);
            let info = this._prepareRequest(verb, parsedUrl, headers);
            // Only perform retries on reads since writes may not be idempotent.
            const maxTries = this._allowRetries && RetryableHttpVerbs.includes(verb)
                ? this._maxRetries + 1
                : 1;
            let numTries = 0;
            let response;
            do {
                response = yield this.requestRaw(info, data);
                // Check if it's an authentication challenge
                if (response &&
                    response.message &&
                    response.message.statusCode === HttpCodes.Unauthorized) {
                    let authenticationHandler;
                    for (const handler of this.handlers) {
                        if (handler.canHandleAuthentication(response)) {
                            authenticationHandler = handler;
                            break;
                        }
                    }
                    if (authenticationHandler) {
                        return authenticationHandler.handleAuthentication(this, info, data);
                    }
                    else {
                        // We have received an unauthorized response but have no handlers to handle it.
                        // Let the response return to the caller.
                        return response;
                    }
                }
                let redirectsRemaining = this._maxRedirects;
                while (response.message.statusCode &&
                    HttpRedirectCodes.includes(response.message.statusCode) &&
                    this._allowRedirects &&
                    redirectsRemaining > 0) {
                    const redirectUrl = response.message.headers['location'];
                    if (!redirectUrl) {
                        // if there's no location to redirect to, we won't
                        break;
                    }
                    const parsedRedirectUrl = new URL(redirectUrl);
                    if (parsedUrl.protocol === 'https:' &&
                        parsedUrl.protocol !== parsedRedirectUrl.protocol &&
                        !this._allowRedirectDowngrade) {
                        throw new Error('Redirect from HTTPS to HTTP protocol. This downgrade is not allowed for security reasons. If you want to allow this behavior, set the allowRedirectDowngrade option to true.');
                    }
                    // we need to finish reading the response before reassigning response
                    // which will leak the open socket.
                    yield response.readBody();
                    // strip authorization header if redirected to a different hostname
                    if (parsedRedirectUrl.hostname !== parsedUrl.hostname) {
                        for (const header in headers) {
                            // header names are case insensitive
                            if (header.toLowerCase() === 'authorization') {
                                delete headers[header];
                            }
                        }
                    }
                    // let's make the request with the new redirectUrl
                    info = this._prepareRequest(verb, parsedRedirectUrl, headers);
                    response = yield this.requestRaw(info, data);
                    redirectsRemaining--;
                }
                if (!response.message.statusCode ||
                    !HttpResponseRetryCodes.includes(response.message.statusCode)) {
                    // If not a retry code, return immediately instead of retrying
                    return response;
                }
                numTries += 1;
                if (numTries < maxTries) {
                    yield response.readBody();
                    yield this._performExponentialBackoff(numTries);
                }
            } while (numTries < maxTries);
            return response;
        });
    }
    /**
     * Needs to be called if keepAlive is set to true in request options.
     */
    dispose() {
        if (this._agent) {
            this._agent.destroy();
        }
        this._disposed = true;
    }
    /**
     * Raw request.
     * @param info
     * @param data
     */
    requestRaw(info, data) {
        return __awaiter(this, void 0, void 0, function* () {
            return new Promise((resolve, reject) => {
                function callbackForResult(err, res) {
                    if (err) {
                        reject(err);
                    }
                    else if (!res) {
                        // If `err` is not passed, then `res` must be passed.
                        reject(new Error('Unknown error'));
                    }
                    else {
                        resolve(res);
                    }
                }
                this.requestRawWithCallback(info, data, callbackForResult);
            });
        });
    }
    /**
     * Raw request with callback.
     * @param info
     * @param data
     * @param onResult
     */
    requestRawWithCallback(info, data, onResult) {
        if (typeof data === 'string') {
            if (!info.options.headers) {
                info.options.headers = {};
            }
            info.options.headers['Content-Length'] = Buffer.byteLength(data, 'utf8');
        }
        let callbackCalled = false;
        function handleResult(err, res) {
            if (!callbackCalled) {
                callbackCalled = true;
                onResult(err, res);
            }
        }
        const req = info.httpModule.request(info.options, (msg) => {
            const res = new HttpClientResponse(msg);
            handleResult(undefined, res);
        });
        let socket;
        req.on('socket', sock => {
            socket = sock;
        });
        // If we ever get disconnected, we want the socket to timeout eventually
        req.setTimeout(this._socketTimeout || 3 * 60000, () => {
            if (socket) {
                socket.end();
            }
            handleResult(new Error(`Request timeout: ${info.options.path}`));
        });
        req.on('error', function (err) {
            // err has statusCode property
            // res should have headers
            handleResult(err);
        });
        if (data && typeof data === 'string') {
            req.write(data, 'utf8');
        }
        if (data && typeof data !== 'string') {
            data.on('close', function () {
                req.end();
            });
            data.pipe(req);
        }
        else {
            req.end();
        }
    }
    /**
     * Gets an http agent. This function is useful when you need an http agent that handles
     * routing through a proxy server - depending upon the url and proxy environment variables.
     * @param serverUrl  The server URL where the request will be sent. For example, https://api.github.com
     */
    getAgent(serverUrl) {
        const parsedUrl = new URL(serverUrl);
        return this._getAgent(parsedUrl);
    }
    getAgentDispatcher(serverUrl) {
        const parsedUrl = new URL(serverUrl);
        const proxyUrl = getProxyUrl(parsedUrl);
        const useProxy = proxyUrl && proxyUrl.hostname;
        if (!useProxy) {
            return;
        }
        return this._getProxyAgentDispatcher(parsedUrl, proxyUrl);
    }
    _prepareRequest(method, requestUrl, headers) {
        const info = {};
        info.parsedUrl = requestUrl;
        const usingSsl = info.parsedUrl.protocol === 'https:';
        info.httpModule = usingSsl ? external_https_namespaceObject : external_http_namespaceObject;
        const defaultPort = usingSsl ? 443 : 80;
        info.options = {};
        info.options.host = info.parsedUrl.hostname;
        info.options.port = info.parsedUrl.port
            ? parseInt(info.parsedUrl.port)
            : defaultPort;
        info.options.path =
            (info.parsedUrl.pathname || '') + (info.parsedUrl.search || '');
        info.options.method = method;
        info.options.headers = this._mergeHeaders(headers);
        if (this.userAgent != null) {
            info.options.headers['user-agent'] = this.userAgent;
        }
        info.options.agent = this._getAgent(info.parsedUrl);
        // gives handlers an opportunity to participate
        if (this.handlers) {
            for (const handler of this.handlers) {
                handler.prepareRequest(info.options);
            }
        }
        return info;
    }
    _mergeHeaders(headers) {
        if (this.requestOptions && this.requestOptions.headers) {
            return Object.assign({}, lowercaseKeys(this.requestOptions.headers), lowercaseKeys(headers || {}));
        }
        return lowercaseKeys(headers || {});
    }
    /**
     * Gets an existing header value or returns a default.
     * Handles converting number header values to strings since HTTP headers must be strings.
     * Note: This returns string | string[] since some headers can have multiple values.
     * For headers that must always be a single string (like Content-Type), use the
     * specialized _getExistingOrDefaultContentTypeHeader method instead.
     */
    _getExistingOrDefaultHeader(additionalHeaders, header, _default) {
        let clientHeader;
        if (this.requestOptions && this.requestOptions.headers) {
            const headerValue = lowercaseKeys(this.requestOptions.headers)[header];
            if (headerValue) {
                clientHeader =
                    typeof headerValue === 'number' ? headerValue.toString() : headerValue;
            }
        }
        const additionalValue = additionalHeaders[header];
        if (additionalValue !== undefined) {
            return typeof additionalValue === 'number'
                ? additionalValue.toString()
                : additionalValue;
        }
        if (clientHeader !== undefined) {
            return clientHeader;
        }
        return _default;
    }
    /**
     * Specialized version of _getExistingOrDefaultHeader for Content-Type header.
     * Always returns a single string (not an array) since Content-Type should be a single value.
     * Converts arrays to comma-separated strings and numbers to strings to ensure type safety.
     * This was split from _getExistingOrDefaultHeader to provide stricter typing for callers
     * that assign the result to places expecting a string (e.g., additionalHeaders[Headers.ContentType]).
     */
    _getExistingOrDefaultContentTypeHeader(additionalHeaders, _default) {
        let clientHeader;
        if (this.requestOptions && this.requestOptions.headers) {
            const headerValue = lowercaseKeys(this.requestOptions.headers)[lib_Headers.ContentType];
            if (headerValue) {
                if (typeof headerValue === 'number') {
                    clientHeader = String(headerValue);
                }
                else if (Array.isArray(headerValue)) {
                    clientHeader = headerValue.join(', ');
                }
                else {
                    clientHeader = headerValue;
                }
            }
        }
        const additionalValue = additionalHeaders[lib_Headers.ContentType];
        // Return the first non-undefined value, converting numbers or arrays to strings if necessary
        if (additionalValue !== undefined) {
            if (typeof additionalValue === 'number') {
                return String(additionalValue);
            }
            else if (Array.isArray(additionalValue)) {
                return additionalValue.join(', ');
            }
            else {
                return additionalValue;
            }
        }
        if (clientHeader !== undefined) {
            return clientHeader;
        }
        return _default;
    }
    _getAgent(parsedUrl) {
        let agent;
        const proxyUrl = getProxyUrl(parsedUrl);
        const useProxy = proxyUrl && proxyUrl.hostname;
        if (this._keepAlive && useProxy) {
            agent = this._proxyAgent;
        }
        if (!useProxy) {
            agent = this._agent;
        }
        // if agent is already assigned use that agent.
        if (agent) {
            return agent;
        }
        const usingSsl = parsedUrl.protocol === 'https:';
        let maxSockets = 100;
        if (this.requestOptions) {
            maxSockets = this.requestOptions.maxSockets || external_http_.globalAgent.maxSockets;
        }
        // This is `useProxy` again, but we need to check `proxyURl` directly for TypeScripts's flow analysis.
        if (proxyUrl && proxyUrl.hostname) {
            const agentOptions = {
                maxSockets,
                keepAlive: this._keepAlive,
                proxy: Object.assign(Object.assign({}, ((proxyUrl.username || proxyUrl.password) && {
                    proxyAuth: `${proxyUrl.username}:${proxyUrl.password}`
                })), { host: proxyUrl.hostname, port: proxyUrl.port })
            };
            let tunnelAgent;
            const overHttps = proxyUrl.protocol === 'https:';
            if (usingSsl) {
                tunnelAgent = overHttps ? tunnel.httpsOverHttps : tunnel.httpsOverHttp;
            }
            else {
                tunnelAgent = overHttps ? tunnel.httpOverHttps : tunnel.httpOverHttp;
            }
            agent = tunnelAgent(agentOptions);
            this._proxyAgent = agent;
        }
        // if tunneling agent isn't assigned create a new agent
        if (!agent) {
            const options = { keepAlive: this._keepAlive, maxSockets };
            agent = usingSsl ? new external_https_.Agent(options) : new external_http_.Agent(options);
            this._agent = agent;
        }
        if (usingSsl && this._ignoreSslError) {
            // we don't want to set NODE_TLS_REJECT_UNAUTHORIZED=0 since that will affect request for entire process
            // http.RequestOptions doesn't expose a way to modify RequestOptions.agent.options
            // we have to cast it to any and change it directly
            agent.options = Object.assign(agent.options || {}, {
                rejectUnauthorized: false
            });
        }
        return agent;
    }
    _getProxyAgentDispatcher(parsedUrl, proxyUrl) {
        let proxyAgent;
        if (this._keepAlive) {
            proxyAgent = this._proxyAgentDispatcher;
        }
        // if agent is already assigned use that agent.
        if (proxyAgent) {
            return proxyAgent;
        }
        const usingSsl = parsedUrl.protocol === 'https:';
        proxyAgent = new external_unused_js_.ProxyAgent(Object.assign({ uri: proxyUrl.href, pipelining: !this._keepAlive ? 0 : 1 }, ((proxyUrl.username || proxyUrl.password) && {
            token: `Basic ${Buffer.from(`${proxyUrl.username}:${proxyUrl.password}`).toString('base64')}`
        })));
        this._proxyAgentDispatcher = proxyAgent;
        if (usingSsl && this._ignoreSslError) {
            // we don't want to set NODE_TLS_REJECT_UNAUTHORIZED=0 since that will affect request for entire process
            // http.RequestOptions doesn't expose a way to modify RequestOptions.agent.options
            // we have to cast it to any and change it directly
            proxyAgent.options = Object.assign(proxyAgent.options.requestTls || {}, {
                rejectUnauthorized: false
            });
        }
        return proxyAgent;
    }
    _getUserAgentWithOrchestrationId(userAgent) {
        const baseUserAgent = userAgent || 'actions/http-client';
        const orchId = process.env['ACTIONS_ORCHESTRATION_ID'];
        if (orchId) {
            // Sanitize the orchestration ID to ensure it contains only valid characters
            // Valid characters: 0-9, a-z, _, -, .
            const sanitizedId = orchId.replace(/[^a-z0-9_.-]/gi, '_');
            return `${baseUserAgent} actions_orchestration_id/${sanitizedId}`;
        }
        return baseUserAgent;
    }
    _performExponentialBackoff(retryNumber) {
        return __awaiter(this, void 0, void 0, function* () {
            retryNumber = Math.min(ExponentialBackoffCeiling, retryNumber);
            const ms = ExponentialBackoffTimeSlice * Math.pow(2, retryNumber);
            return new Promise(resolve => setTimeout(() => resolve(), ms));
        });
    }
    _processResponse(res, options) {
        return __awaiter(this, void 0, void 0, function* () {
            return new Promise((resolve, reject) => __awaiter(this, void 0, void 0, function* () {
                const statusCode = res.message.statusCode || 0;
                const response = {
                    statusCode,
                    result: null,
                    headers: {}
                };
                // not found leads to null obj returned
                if (statusCode === HttpCodes.NotFound) {
                    resolve(response);
                }
                // get the result from the body
                function dateTimeDeserializer(key, value) {
                    if (typeof value === 'string') {
                        const a = new Date(value);
                        if (!isNaN(a.valueOf())) {
                            return a;
                        }
                    }
                    return value;
                }
                let obj;
                let contents;
                try {
                    contents = yield res.readBody();
                    if (contents && contents.length > 0) {
                        if (options && options.deserializeDates) {
                            obj = JSON.parse(contents, dateTimeDeserializer);
                        }
                        else {
                            obj = JSON.parse(contents);
                        }
                        response.result = obj;
                    }
                    response.headers = res.message.headers;
                }
                catch (err) {
                    // Invalid resource (contents not json);  leaving result obj null
                }
                // note that 3xx redirects are handled by the http layer.
                if (statusCode > 299) {
                    let msg;
                    // if exception/error in body, attempt to get better error
                    if (obj && obj.message) {
                        msg = obj.message;
                    }
                    else if (contents && contents.length > 0) {
                        // it may be the case that the exception is in the body message as string
                        msg = contents;
                    }
                    else {
                        msg = `Failed request: (${statusCode})`;
                    }
                    const err = new HttpClientError(msg, statusCode);
                    err.result = response.result;
                    reject(err);
                }
                else {
                    resolve(response);
                }
            }));
        });
    }
}
const lowercaseKeys = (obj) => Object.keys(obj).reduce((c, k) => ((c[k.toLowerCase()] = obj[k]), c), {});
;// CONCATENATED MODULE: ./node_modules/@actions/http-client/lib/auth.js
var auth_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
class BasicCredentialHandler {
    constructor(username, password) {
        this.username = username;
        this.password = password;
    }
    prepareRequest(options) {
        if (!options.headers) {
            throw Error('The request has no headers');
        }
        options.headers['Authorization'] = `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`;
    }
    // This handler cannot handle 401
    canHandleAuthentication() {
        return false;
    }
    handleAuthentication() {
        return auth_awaiter(this, void 0, void 0, function* () {
            throw new Error('not implemented');
        });
    }
}
class BearerCredentialHandler {
    constructor(token) {
        this.token = token;
    }
    // currently implements pre-authorization
    // TODO: support preAuth = false where it hooks on 401
    prepareRequest(options) {
        if (!options.headers) {
            throw Error('The request has no headers');
        }
        options.headers['Authorization'] = `Bearer ${this.token}`;
    }
    // This handler cannot handle 401
    canHandleAuthentication() {
        return false;
    }
    handleAuthentication() {
        return auth_awaiter(this, void 0, void 0, function* () {
            throw new Error('not implemented');
        });
    }
}
class PersonalAccessTokenCredentialHandler {
    constructor(token) {
        this.token = token;
    }
    // currently implements pre-authorization
    // TODO: support preAuth = false where it hooks on 401
    prepareRequest(options) {
        if (!options.headers) {
            throw Error('The request has no headers');
        }
        options.headers['Authorization'] = `Basic ${Buffer.from(`PAT:${this.token}`).toString('base64')}`;
    }
    // This handler cannot handle 401
    canHandleAuthentication() {
        return false;
    }
    handleAuthentication() {
        return auth_awaiter(this, void 0, void 0, function* () {
            throw new Error('not implemented');
        });
    }
}
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/oidc-utils.js
var oidc_utils_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};



class OidcClient {
    static createHttpClient(allowRetry = true, maxRetry = 10) {
        const requestOptions = {
            allowRetries: allowRetry,
            maxRetries: maxRetry
        };
        return new HttpClient('actions/oidc-client', [new BearerCredentialHandler(OidcClient.getRequestToken())], requestOptions);
    }
    static getRequestToken() {
        const token = process.env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
        if (!token) {
            throw new Error('Unable to get ACTIONS_ID_TOKEN_REQUEST_TOKEN env variable');
        }
        return token;
    }
    static getIDTokenUrl() {
        const runtimeUrl = process.env['ACTIONS_ID_TOKEN_REQUEST_URL'];
        if (!runtimeUrl) {
            throw new Error('Unable to get ACTIONS_ID_TOKEN_REQUEST_URL env variable');
        }
        return runtimeUrl;
    }
    static getCall(id_token_url) {
        return oidc_utils_awaiter(this, void 0, void 0, function* () {
            var _a;
            const httpclient = OidcClient.createHttpClient();
            const res = yield httpclient
                .getJson(id_token_url)
                .catch(error => {
                throw new Error(`Failed to get ID Token. \n 
        Error Code : ${error.statusCode}\n 
        Error Message: ${error.message}`);
            });
            const id_token = (_a = res.result) === null || _a === void 0 ? void 0 : _a.value;
            if (!id_token) {
                throw new Error('Response json body do not have ID Token field');
            }
            return id_token;
        });
    }
    static getIDToken(audience) {
        return oidc_utils_awaiter(this, void 0, void 0, function* () {
            try {
                // New ID Token is requested from action service
                let id_token_url = OidcClient.getIDTokenUrl();
                if (audience) {
                    const encodedAudience = encodeURIComponent(audience);
                    id_token_url = `${id_token_url}&audience=${encodedAudience}`;
                }
                debug(`ID token url is ${id_token_url}`);
                const id_token = yield OidcClient.getCall(id_token_url);
                setSecret(id_token);
                return id_token;
            }
            catch (error) {
                throw new Error(`Error message: ${error.message}`);
            }
        });
    }
}
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/summary.js
var summary_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


const { access, appendFile, writeFile } = external_fs_.promises;
const SUMMARY_ENV_VAR = 'GITHUB_STEP_SUMMARY';
const SUMMARY_DOCS_URL = 'https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#adding-a-job-summary';
class Summary {
    constructor() {
        this._buffer = '';
    }
    /**
     * Finds the summary file path from the environment, rejects if env var is not found or file does not exist
     * Also checks r/w permissions.
     *
     * @returns step summary file path
     */
    filePath() {
        return summary_awaiter(this, void 0, void 0, function* () {
            if (this._filePath) {
                return this._filePath;
            }
            const pathFromEnv = process.env[SUMMARY_ENV_VAR];
            if (!pathFromEnv) {
                throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
            }
            try {
                yield access(pathFromEnv, external_fs_.constants.R_OK | external_fs_.constants.W_OK);
            }
            catch (_a) {
                throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
            }
            this._filePath = pathFromEnv;
            return this._filePath;
        });
    }
    /**
     * Wraps content in an HTML tag, adding any HTML attributes
     *
     * @param {string} tag HTML tag to wrap
     * @param {string | null} content content within the tag
     * @param {[attribute: string]: string} attrs key-value list of HTML attributes to add
     *
     * @returns {string} content wrapped in HTML element
     */
    wrap(tag, content, attrs = {}) {
        const htmlAttrs = Object.entries(attrs)
            .map(([key, value]) => ` ${key}="${value}"`)
            .join('');
        if (!content) {
            return `<${tag}${htmlAttrs}>`;
        }
        return `<${tag}${htmlAttrs}>${content}</${tag}>`;
    }
    /**
     * Writes text in the buffer to the summary buffer file and empties buffer. Will append by default.
     *
     * @param {SummaryWriteOptions} [options] (optional) options for write operation
     *
     * @returns {Promise<Summary>} summary instance
     */
    write(options) {
        return summary_awaiter(this, void 0, void 0, function* () {
            const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
            const filePath = yield this.filePath();
            const writeFunc = overwrite ? writeFile : appendFile;
            yield writeFunc(filePath, this._buffer, { encoding: 'utf8' });
            return this.emptyBuffer();
        });
    }
    /**
     * Clears the summary buffer and wipes the summary file
     *
     * @returns {Summary} summary instance
     */
    clear() {
        return summary_awaiter(this, void 0, void 0, function* () {
            return this.emptyBuffer().write({ overwrite: true });
        });
    }
    /**
     * Returns the current summary buffer as a string
     *
     * @returns {string} string of summary buffer
     */
    stringify() {
        return this._buffer;
    }
    /**
     * If the summary buffer is empty
     *
     * @returns {boolen} true if the buffer is empty
     */
    isEmptyBuffer() {
        return this._buffer.length === 0;
    }
    /**
     * Resets the summary buffer without writing to summary file
     *
     * @returns {Summary} summary instance
     */
    emptyBuffer() {
        this._buffer = '';
        return this;
    }
    /**
     * Adds raw text to the summary buffer
     *
     * @param {string} text content to add
     * @param {boolean} [addEOL=false] (optional) append an EOL to the raw text (default: false)
     *
     * @returns {Summary} summary instance
     */
    addRaw(text, addEOL = false) {
        this._buffer += text;
        return addEOL ? this.addEOL() : this;
    }
    /**
     * Adds the operating system-specific end-of-line marker to the buffer
     *
     * @returns {Summary} summary instance
     */
    addEOL() {
        return this.addRaw(external_os_.EOL);
    }
    /**
     * Adds an HTML codeblock to the summary buffer
     *
     * @param {string} code content to render within fenced code block
     * @param {string} lang (optional) language to syntax highlight code
     *
     * @returns {Summary} summary instance
     */
    addCodeBlock(code, lang) {
        const attrs = Object.assign({}, (lang && { lang }));
        const element = this.wrap('pre', this.wrap('code', code), attrs);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML list to the summary buffer
     *
     * @param {string[]} items list of items to render
     * @param {boolean} [ordered=false] (optional) if the rendered list should be ordered or not (default: false)
     *
     * @returns {Summary} summary instance
     */
    addList(items, ordered = false) {
        const tag = ordered ? 'ol' : 'ul';
        const listItems = items.map(item => this.wrap('li', item)).join('');
        const element = this.wrap(tag, listItems);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML table to the summary buffer
     *
     * @param {SummaryTableCell[]} rows table rows
     *
     * @returns {Summary} summary instance
     */
    addTable(rows) {
        const tableBody = rows
            .map(row => {
            const cells = row
                .map(cell => {
                if (typeof cell === 'string') {
                    return this.wrap('td', cell);
                }
                const { header, data, colspan, rowspan } = cell;
                const tag = header ? 'th' : 'td';
                const attrs = Object.assign(Object.assign({}, (colspan && { colspan })), (rowspan && { rowspan }));
                return this.wrap(tag, data, attrs);
            })
                .join('');
            return this.wrap('tr', cells);
        })
            .join('');
        const element = this.wrap('table', tableBody);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds a collapsable HTML details element to the summary buffer
     *
     * @param {string} label text for the closed state
     * @param {string} content collapsable content
     *
     * @returns {Summary} summary instance
     */
    addDetails(label, content) {
        const element = this.wrap('details', this.wrap('summary', label) + content);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML image tag to the summary buffer
     *
     * @param {string} src path to the image you to embed
     * @param {string} alt text description of the image
     * @param {SummaryImageOptions} options (optional) addition image attributes
     *
     * @returns {Summary} summary instance
     */
    addImage(src, alt, options) {
        const { width, height } = options || {};
        const attrs = Object.assign(Object.assign({}, (width && { width })), (height && { height }));
        const element = this.wrap('img', null, Object.assign({ src, alt }, attrs));
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML section heading element
     *
     * @param {string} text heading text
     * @param {number | string} [level=1] (optional) the heading level, default: 1
     *
     * @returns {Summary} summary instance
     */
    addHeading(text, level) {
        const tag = `h${level}`;
        const allowedTag = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].includes(tag)
            ? tag
            : 'h1';
        const element = this.wrap(allowedTag, text);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML thematic break (<hr>) to the summary buffer
     *
     * @returns {Summary} summary instance
     */
    addSeparator() {
        const element = this.wrap('hr', null);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML line break (<br>) to the summary buffer
     *
     * @returns {Summary} summary instance
     */
    addBreak() {
        const element = this.wrap('br', null);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML blockquote to the summary buffer
     *
     * @param {string} text quote text
     * @param {string} cite (optional) citation url
     *
     * @returns {Summary} summary instance
     */
    addQuote(text, cite) {
        const attrs = Object.assign({}, (cite && { cite }));
        const element = this.wrap('blockquote', text, attrs);
        return this.addRaw(element).addEOL();
    }
    /**
     * Adds an HTML anchor tag to the summary buffer
     *
     * @param {string} text link text/content
     * @param {string} href hyperlink
     *
     * @returns {Summary} summary instance
     */
    addLink(text, href) {
        const element = this.wrap('a', text, { href });
        return this.addRaw(element).addEOL();
    }
}
const _summary = new Summary();
/**
 * @deprecated use `core.summary`
 */
const markdownSummary = _summary;
const summary = _summary;
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/path-utils.js

/**
 * toPosixPath converts the given path to the posix form. On Windows, \\ will be
 * replaced with /.
 *
 * @param pth. Path to transform.
 * @return string Posix path.
 */
function toPosixPath(pth) {
    return pth.replace(/[\\]/g, '/');
}
/**
 * toWin32Path converts the given path to the win32 form. On Linux, / will be
 * replaced with \\.
 *
 * @param pth. Path to transform.
 * @return string Win32 path.
 */
function toWin32Path(pth) {
    return pth.replace(/[/]/g, '\\');
}
/**
 * toPlatformPath converts the given path to a platform-specific path. It does
 * this by replacing instances of / and \ with the platform-specific path
 * separator.
 *
 * @param pth The path to platformize.
 * @return string The platform-specific path.
 */
function toPlatformPath(pth) {
    return pth.replace(/[/\\]/g, external_path_namespaceObject.sep);
}
// EXTERNAL MODULE: external "string_decoder"
var external_string_decoder_ = __nccwpck_require__(3193);
// EXTERNAL MODULE: external "events"
var external_events_ = __nccwpck_require__(4434);
;// CONCATENATED MODULE: external "child_process"
const external_child_process_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("child_process");
// EXTERNAL MODULE: external "assert"
var external_assert_ = __nccwpck_require__(2613);
;// CONCATENATED MODULE: ./node_modules/@actions/io/lib/io-util.js
var io_util_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


const { chmod: io_util_chmod, copyFile, lstat: apply_lstat, mkdir: apply_mkdir, open: io_util_open, readdir, rename, rm: apply_rm, rmdir, stat, symlink, unlink } = external_fs_.promises;
// export const {open} = 'fs'
const IS_WINDOWS = process.platform === 'win32';
/**
 * Custom implementation of readlink to ensure Windows junctions
 * maintain trailing backslash for backward compatibility with Node.js < 24
 *
 * In Node.js 20, Windows junctions (directory symlinks) always returned paths
 * with trailing backslashes. Node.js 24 removed this behavior, which breaks
 * code that relied on this format for path operations.
 *
 * This implementation restores the Node 20 behavior by adding a trailing
 * backslash to all junction results on Windows.
 */
function readlink(fsPath) {
    return io_util_awaiter(this, void 0, void 0, function* () {
        const result = yield fs.promises.readlink(fsPath);
        // On Windows, restore Node 20 behavior: add trailing backslash to all results
        // since junctions on Windows are always directory links
        if (IS_WINDOWS && !result.endsWith('\\')) {
            return `${result}\\`;
        }
        return result;
    });
}
// See https://github.com/nodejs/node/blob/d0153aee367422d0858105abec186da4dff0a0c5/deps/uv/include/uv/win.h#L691
const UV_FS_O_EXLOCK = 0x10000000;
const READONLY = external_fs_.constants.O_RDONLY;
function exists(fsPath) {
    return io_util_awaiter(this, void 0, void 0, function* () {
        try {
            yield stat(fsPath);
        }
        catch (err) {
            if (err.code === 'ENOENT') {
                return false;
            }
            throw err;
        }
        return true;
    });
}
function isDirectory(fsPath_1) {
    return io_util_awaiter(this, arguments, void 0, function* (fsPath, useStat = false) {
        const stats = useStat ? yield stat(fsPath) : yield apply_lstat(fsPath);
        return stats.isDirectory();
    });
}
/**
 * On OSX/Linux, true if path starts with '/'. On Windows, true for paths like:
 * \, \hello, \\hello\share, C:, and C:\hello (and corresponding alternate separator cases).
 */
function isRooted(p) {
    p = normalizeSeparators(p);
    if (!p) {
        throw new Error('isRooted() parameter "p" cannot be empty');
    }
    if (IS_WINDOWS) {
        return (p.startsWith('\\') || /^[A-Z]:/i.test(p) // e.g. \ or \hello or \\hello
        ); // e.g. C: or C:\hello
    }
    return p.startsWith('/');
}
/**
 * Best effort attempt to determine whether a file exists and is executable.
 * @param filePath    file path to check
 * @param extensions  additional file extensions to try
 * @return if file exists and is executable, returns the file path. otherwise empty string.
 */
function tryGetExecutablePath(filePath, extensions) {
    return io_util_awaiter(this, void 0, void 0, function* () {
        let stats = undefined;
        try {
            // test file exists
            stats = yield stat(filePath);
        }
        catch (err) {
            if (err.code !== 'ENOENT') {
                // eslint-disable-next-line no-console
                console.log(`Unexpected error attempting to determine if executable file exists '${filePath}': ${err}`);
            }
        }
        if (stats && stats.isFile()) {
            if (IS_WINDOWS) {
                // on Windows, test for valid extension
                const upperExt = external_path_namespaceObject.extname(filePath).toUpperCase();
                if (extensions.some(validExt => validExt.toUpperCase() === upperExt)) {
                    return filePath;
                }
            }
            else {
                if (isUnixExecutable(stats)) {
                    return filePath;
                }
            }
        }
        // try each extension
        const originalFilePath = filePath;
        for (const extension of extensions) {
            filePath = originalFilePath + extension;
            stats = undefined;
            try {
                stats = yield stat(filePath);
            }
            catch (err) {
                if (err.code !== 'ENOENT') {
                    // eslint-disable-next-line no-console
                    console.log(`Unexpected error attempting to determine if executable file exists '${filePath}': ${err}`);
                }
            }
            if (stats && stats.isFile()) {
                if (IS_WINDOWS) {
                    // preserve the case of the actual file (since an extension was appended)
                    try {
                        const directory = external_path_namespaceObject.dirname(filePath);
                        const upperName = external_path_namespaceObject.basename(filePath).toUpperCase();
                        for (const actualName of yield readdir(directory)) {
                            if (upperName === actualName.toUpperCase()) {
                                filePath = external_path_namespaceObject.join(directory, actualName);
                                break;
                            }
                        }
                    }
                    catch (err) {
                        // eslint-disable-next-line no-console
                        console.log(`Unexpected error attempting to determine the actual case of the file '${filePath}': ${err}`);
                    }
                    return filePath;
                }
                else {
                    if (isUnixExecutable(stats)) {
                        return filePath;
                    }
                }
            }
        }
        return '';
    });
}
function normalizeSeparators(p) {
    p = p || '';
    if (IS_WINDOWS) {
        // convert slashes on Windows
        p = p.replace(/\//g, '\\');
        // remove redundant slashes
        return p.replace(/\\\\+/g, '\\');
    }
    // remove redundant slashes
    return p.replace(/\/\/+/g, '/');
}
// on Mac/Linux, test the execute bit
//     R   W  X  R  W X R W X
//   256 128 64 32 16 8 4 2 1
function isUnixExecutable(stats) {
    return ((stats.mode & 1) > 0 ||
        ((stats.mode & 8) > 0 &&
            process.getgid !== undefined &&
            stats.gid === process.getgid()) ||
        ((stats.mode & 64) > 0 &&
            process.getuid !== undefined &&
            stats.uid === process.getuid()));
}
// Get the path of cmd.exe in windows
function getCmdPath() {
    var _a;
    return (_a = process.env['COMSPEC']) !== null && _a !== void 0 ? _a : `cmd.exe`;
}
;// CONCATENATED MODULE: ./node_modules/@actions/io/lib/io.js
var io_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};



/**
 * Copies a file or folder.
 * Based off of shelljs - https://github.com/shelljs/shelljs/blob/9237f66c52e5daa40458f94f9565e18e8132f5a6/src/cp.js
 *
 * @param     source    source path
 * @param     dest      destination path
 * @param     options   optional. See CopyOptions.
 */
function cp(source_1, dest_1) {
    return io_awaiter(this, arguments, void 0, function* (source, dest, options = {}) {
        const { force, recursive, copySourceDirectory } = readCopyOptions(options);
        const destStat = (yield ioUtil.exists(dest)) ? yield ioUtil.stat(dest) : null;
        // Dest is an existing file, but not forcing
        if (destStat && destStat.isFile() && !force) {
            return;
        }
        // If dest is an existing directory, should copy inside.
        const newDest = destStat && destStat.isDirectory() && copySourceDirectory
            ? path.join(dest, path.basename(source))
            : dest;
        if (!(yield ioUtil.exists(source))) {
            throw new Error(`no such file or directory: ${source}`);
        }
        const sourceStat = yield ioUtil.stat(source);
        if (sourceStat.isDirectory()) {
            if (!recursive) {
                throw new Error(`Failed to copy. ${source} is a directory, but tried to copy without recursive flag.`);
            }
            else {
                yield cpDirRecursive(source, newDest, 0, force);
            }
        }
        else {
            if (path.relative(source, newDest) === '') {
                // a file cannot be copied to itself
                throw new Error(`'${newDest}' and '${source}' are the same file`);
            }
            yield io_copyFile(source, newDest, force);
        }
    });
}
/**
 * Moves a path.
 *
 * @param     source    source path
 * @param     dest      destination path
 * @param     options   optional. See MoveOptions.
 */
function mv(source_1, dest_1) {
    return io_awaiter(this, arguments, void 0, function* (source, dest, options = {}) {
        if (yield ioUtil.exists(dest)) {
            let destExists = true;
            if (yield ioUtil.isDirectory(dest)) {
                // If dest is directory copy src into dest
                dest = path.join(dest, path.basename(source));
                destExists = yield ioUtil.exists(dest);
            }
            if (destExists) {
                if (options.force == null || options.force) {
                    yield rmRF(dest);
                }
                else {
                    throw new Error('Destination already exists');
                }
            }
        }
        yield mkdirP(path.dirname(dest));
        yield ioUtil.rename(source, dest);
    });
}
/**
 * Remove a path recursively with force
 *
 * @param inputPath path to remove
 */
function rmRF(inputPath) {
    return io_awaiter(this, void 0, void 0, function* () {
        if (ioUtil.IS_WINDOWS) {
            // Check for invalid characters
            // https://docs.microsoft.com/en-us/windows/win32/fileio/naming-a-file
            if (/[*"<>|]/.test(inputPath)) {
                throw new Error('File path must not contain `*`, `"`, `<`, `>` or `|` on Windows');
            }
        }
        try {
            // note if path does not exist, error is silent
            yield ioUtil.rm(inputPath, {
                force: true,
                maxRetries: 3,
                recursive: true,
                retryDelay: 300
            });
        }
        catch (err) {
            throw new Error(`File was unable to be removed ${err}`);
        }
    });
}
/**
 * Make a directory.  Creates the full path with folders in between
 * Will throw if it fails
 *
 * @param   fsPath        path to create
 * @returns Promise<void>
 */
function mkdirP(fsPath) {
    return io_awaiter(this, void 0, void 0, function* () {
        ok(fsPath, 'a path argument must be provided');
        yield ioUtil.mkdir(fsPath, { recursive: true });
    });
}
/**
 * Returns path of a tool had the tool actually been invoked.  Resolves via paths.
 * If you check and the tool does not exist, it will throw.
 *
 * @param     tool              name of the tool
 * @param     check             whether to check if tool exists
 * @returns   Promise<string>   path to tool
 */
function which(tool, check) {
    return io_awaiter(this, void 0, void 0, function* () {
        if (!tool) {
            throw new Error("parameter 'tool' is required");
        }
        // recursive when check=true
        if (check) {
            const result = yield which(tool, false);
            if (!result) {
                if (IS_WINDOWS) {
                    throw new Error(`Unable to locate executable file: ${tool}. Please verify either the file path exists or the file can be found within a directory specified by the PATH environment variable. Also verify the file has a valid extension for an executable file.`);
                }
                else {
                    throw new Error(`Unable to locate executable file: ${tool}. Please verify either the file path exists or the file can be found within a directory specified by the PATH environment variable. Also check the file mode to verify the file is executable.`);
                }
            }
            return result;
        }
        const matches = yield findInPath(tool);
        if (matches && matches.length > 0) {
            return matches[0];
        }
        return '';
    });
}
/**
 * Returns a list of all occurrences of the given tool on the system path.
 *
 * @returns   Promise<string[]>  the paths of the tool
 */
function findInPath(tool) {
    return io_awaiter(this, void 0, void 0, function* () {
        if (!tool) {
            throw new Error("parameter 'tool' is required");
        }
        // build the list of extensions to try
        const extensions = [];
        if (IS_WINDOWS && process.env['PATHEXT']) {
            for (const extension of process.env['PATHEXT'].split(external_path_namespaceObject.delimiter)) {
                if (extension) {
                    extensions.push(extension);
                }
            }
        }
        // if it's rooted, return it if exists. otherwise return empty.
        if (isRooted(tool)) {
            const filePath = yield tryGetExecutablePath(tool, extensions);
            if (filePath) {
                return [filePath];
            }
            return [];
        }
        // if any path separators, return empty
        if (tool.includes(external_path_namespaceObject.sep)) {
            return [];
        }
        // build the list of directories
        //
        // Note, technically "where" checks the current directory on Windows. From a toolkit perspective,
        // it feels like we should not do this. Checking the current directory seems like more of a use
        // case of a shell, and the which() function exposed by the toolkit should strive for consistency
        // across platforms.
        const directories = [];
        if (process.env.PATH) {
            for (const p of process.env.PATH.split(external_path_namespaceObject.delimiter)) {
                if (p) {
                    directories.push(p);
                }
            }
        }
        // find all matches
        const matches = [];
        for (const directory of directories) {
            const filePath = yield tryGetExecutablePath(external_path_namespaceObject.join(directory, tool), extensions);
            if (filePath) {
                matches.push(filePath);
            }
        }
        return matches;
    });
}
function readCopyOptions(options) {
    const force = options.force == null ? true : options.force;
    const recursive = Boolean(options.recursive);
    const copySourceDirectory = options.copySourceDirectory == null
        ? true
        : Boolean(options.copySourceDirectory);
    return { force, recursive, copySourceDirectory };
}
function cpDirRecursive(sourceDir, destDir, currentDepth, force) {
    return io_awaiter(this, void 0, void 0, function* () {
        // Ensure there is not a run away recursive copy
        if (currentDepth >= 255)
            return;
        currentDepth++;
        yield mkdirP(destDir);
        const files = yield ioUtil.readdir(sourceDir);
        for (const fileName of files) {
            const srcFile = `${sourceDir}/${fileName}`;
            const destFile = `${destDir}/${fileName}`;
            const srcFileStat = yield ioUtil.lstat(srcFile);
            if (srcFileStat.isDirectory()) {
                // Recurse
                yield cpDirRecursive(srcFile, destFile, currentDepth, force);
            }
            else {
                yield io_copyFile(srcFile, destFile, force);
            }
        }
        // Change the mode for the newly created directory
        yield ioUtil.chmod(destDir, (yield ioUtil.stat(sourceDir)).mode);
    });
}
// Buffered file copy
function io_copyFile(srcFile, destFile, force) {
    return io_awaiter(this, void 0, void 0, function* () {
        if ((yield ioUtil.lstat(srcFile)).isSymbolicLink()) {
            // unlink/re-link it
            try {
                yield ioUtil.lstat(destFile);
                yield ioUtil.unlink(destFile);
            }
            catch (e) {
                // Try to override file permission
                if (e.code === 'EPERM') {
                    yield ioUtil.chmod(destFile, '0666');
                    yield ioUtil.unlink(destFile);
                }
                // other errors = it doesn't exist, no work to do
            }
            // Copy over symlink
            const symlinkFull = yield ioUtil.readlink(srcFile);
            yield ioUtil.symlink(symlinkFull, destFile, ioUtil.IS_WINDOWS ? 'junction' : null);
        }
        else if (!(yield ioUtil.exists(destFile)) || force) {
            yield ioUtil.copyFile(srcFile, destFile);
        }
    });
}
;// CONCATENATED MODULE: external "timers"
const external_timers_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("timers");
;// CONCATENATED MODULE: ./node_modules/@actions/exec/lib/toolrunner.js
var toolrunner_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};







/* eslint-disable @typescript-eslint/unbound-method */
const toolrunner_IS_WINDOWS = process.platform === 'win32';
/*
 * Class for running command line tools. Handles quoting and arg parsing in a platform agnostic way.
 */
class ToolRunner extends external_events_.EventEmitter {
    constructor(toolPath, args, options) {
        super();
        if (!toolPath) {
            throw new Error("Parameter 'toolPath' cannot be null or empty.");
        }
        this.toolPath = toolPath;
        this.args = args || [];
        this.options = options || {};
    }
    _debug(message) {
        if (this.options.listeners && this.options.listeners.debug) {
            this.options.listeners.debug(message);
        }
    }
    _getCommandString(options, noPrefix) {
        const toolPath = this._getSpawnFileName();
        const args = this._getSpawnArgs(options);
        let cmd = noPrefix ? '' : '[command]'; // omit prefix when piped to a second tool
        if (toolrunner_IS_WINDOWS) {
            // Windows + cmd file
            if (this._isCmdFile()) {
                cmd += toolPath;
                for (const a of args) {
                    cmd += ` ${a}`;
                }
            }
            // Windows + verbatim
            else if (options.windowsVerbatimArguments) {
                cmd += `"${toolPath}"`;
                for (const a of args) {
                    cmd += ` ${a}`;
                }
            }
            // Windows (regular)
            else {
                cmd += this._windowsQuoteCmdArg(toolPath);
                for (const a of args) {
                    cmd += ` ${this._windowsQuoteCmdArg(a)}`;
                }
            }
        }
        else {
            // OSX/Linux - this can likely be improved with some form of quoting.
            // creating processes on Unix is fundamentally different than Windows.
            // on Unix, execvp() takes an arg array.
            cmd += toolPath;
            for (const a of args) {
                cmd += ` ${a}`;
            }
        }
        return cmd;
    }
    _processLineBuffer(data, strBuffer, onLine) {
        try {
            let s = strBuffer + data.toString();
            let n = s.indexOf(external_os_.EOL);
            while (n > -1) {
                const line = s.substring(0, n);
                onLine(line);
                // the rest of the string ...
                s = s.substring(n + external_os_.EOL.length);
                n = s.indexOf(external_os_.EOL);
            }
            return s;
        }
        catch (err) {
            // streaming lines to console is best effort.  Don't fail a build.
            this._debug(`error processing line. Failed with error ${err}`);
            return '';
        }
    }
    _getSpawnFileName() {
        if (toolrunner_IS_WINDOWS) {
            if (this._isCmdFile()) {
                return process.env['COMSPEC'] || 'cmd.exe';
            }
        }
        return this.toolPath;
    }
    _getSpawnArgs(options) {
        if (toolrunner_IS_WINDOWS) {
            if (this._isCmdFile()) {
                let argline = `/D /S /C "${this._windowsQuoteCmdArg(this.toolPath)}`;
                for (const a of this.args) {
                    argline += ' ';
                    argline += options.windowsVerbatimArguments
                        ? a
                        : this._windowsQuoteCmdArg(a);
                }
                argline += '"';
                return [argline];
            }
        }
        return this.args;
    }
    _endsWith(str, end) {
        return str.endsWith(end);
    }
    _isCmdFile() {
        const upperToolPath = this.toolPath.toUpperCase();
        return (this._endsWith(upperToolPath, '.CMD') ||
            this._endsWith(upperToolPath, '.BAT'));
    }
    _windowsQuoteCmdArg(arg) {
        // for .exe, apply the normal quoting rules that libuv applies
        if (!this._isCmdFile()) {
            return this._uvQuoteCmdArg(arg);
        }
        // otherwise apply quoting rules specific to the cmd.exe command line parser.
        // the libuv rules are generic and are not designed specifically for cmd.exe
        // command line parser.
        //
        // for a detailed description of the cmd.exe command line parser, refer to
        // http://stackoverflow.com/questions/4094699/how-does-the-windows-command-interpreter-cmd-exe-parse-scripts/7970912#7970912
        // need quotes for empty arg
        if (!arg) {
            return '""';
        }
        // determine whether the arg needs to be quoted
        const cmdSpecialChars = [
            ' ',
            '\t',
            '&',
            '(',
            ')',
            '[',
            ']',
            '{',
            '}',
            '^',
            '=',
            ';',
            '!',
            "'",
            '+',
            ',',
            '`',
            '~',
            '|',
            '<',
            '>',
            '"'
        ];
        let needsQuotes = false;
        for (const char of arg) {
            if (cmdSpecialChars.some(x => x === char)) {
                needsQuotes = true;
                break;
            }
        }
        // short-circuit if quotes not needed
        if (!needsQuotes) {
            return arg;
        }
        // the following quoting rules are very similar to the rules that by libuv applies.
        //
        // 1) wrap the string in quotes
        //
        // 2) double-up quotes - i.e. " => ""
        //
        //    this is different from the libuv quoting rules. libuv replaces " with \", which unfortunately
        //    doesn't work well with a cmd.exe command line.
        //
        //    note, replacing " with "" also works well if the arg is passed to a downstream .NET console app.
        //    for example, the command line:
        //          foo.exe "myarg:""my val"""
        //    is parsed by a .NET console app into an arg array:
        //          [ "myarg:\"my val\"" ]
        //    which is the same end result when applying libuv quoting rules. although the actual
        //    command line from libuv quoting rules would look like:
        //          foo.exe "myarg:\"my val\""
        //
        // 3) double-up slashes that precede a quote,
        //    e.g.  hello \world    => "hello \world"
        //          hello\"world    => "hello\\""world"
        //          hello\\"world   => "hello\\\\""world"
        //          hello world\    => "hello world\\"
        //
        //    technically this is not required for a cmd.exe command line, or the batch argument parser.
        //    the reasons for including this as a .cmd quoting rule are:
        //
        //    a) this is optimized for the scenario where the argument is passed from the .cmd file to an
        //       external program. many programs (e.g. .NET console apps) rely on the slash-doubling rule.
        //
        //    b) it's what we've been doing previously (by deferring to node default behavior) and we
        //       haven't heard any complaints about that aspect.
        //
        // note, a weakness of the quoting rules chosen here, is that % is not escaped. in fact, % cannot be
        // escaped when used on the command line directly - even though within a .cmd file % can be escaped
        // by using %%.
        //
        // the saving grace is, on the command line, %var% is left as-is if var is not defined. this contrasts
        // the line parsing rules within a .cmd file, where if var is not defined it is replaced with nothing.
        //
        // one option that was explored was replacing % with ^% - i.e. %var% => ^%var^%. this hack would
        // often work, since it is unlikely that var^ would exist, and the ^ character is removed when the
        // variable is used. the problem, however, is that ^ is not removed when %* is used to pass the args
        // to an external program.
        //
        // an unexplored potential solution for the % escaping problem, is to create a wrapper .cmd file.
        // % can be escaped within a .cmd file.
        let reverse = '"';
        let quoteHit = true;
        for (let i = arg.length; i > 0; i--) {
            // walk the string in reverse
            reverse += arg[i - 1];
            if (quoteHit && arg[i - 1] === '\\') {
                reverse += '\\'; // double the slash
            }
            else if (arg[i - 1] === '"') {
                quoteHit = true;
                reverse += '"'; // double the quote
            }
            else {
                quoteHit = false;
            }
        }
        reverse += '"';
        return reverse.split('').reverse().join('');
    }
    _uvQuoteCmdArg(arg) {
        // Tool runner wraps child_process.spawn() and needs to apply the same quoting as
        // Node in certain cases where the undocumented spawn option windowsVerbatimArguments
        // is used.
        //
        // Since this function is a port of quote_cmd_arg from Node 4.x (technically, lib UV,
        // see https://github.com/nodejs/node/blob/v4.x/deps/uv/src/win/process.c for details),
        // pasting copyright notice from Node within this function:
        //
        //      Copyright Joyent, Inc. and other Node contributors. All rights reserved.
        //
        //      Permission is hereby granted, free of charge, to any person obtaining a copy
        //      of this software and associated documentation files (the "Software"), to
        //      deal in the Software without restriction, including without limitation the
        //      rights to use, copy, modify, merge, publish, distribute, sublicense, and/or
        //      sell copies of the Software, and to permit persons to whom the Software is
        //      furnished to do so, subject to the following conditions:
        //
        //      The above copyright notice and this permission notice shall be included in
        //      all copies or substantial portions of the Software.
        //
        //      THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
        //      IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
        //      FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
        //      AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
        //      LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
        //      FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
        //      IN THE SOFTWARE.
        if (!arg) {
            // Need double quotation for empty argument
            return '""';
        }
        if (!arg.includes(' ') && !arg.includes('\t') && !arg.includes('"')) {
            // No quotation needed
            return arg;
        }
        if (!arg.includes('"') && !arg.includes('\\')) {
            // No embedded double quotes or backslashes, so I can just wrap
            // quote marks around the whole thing.
            return `"${arg}"`;
        }
        // Expected input/output:
        //   input : hello"world
        //   output: "hello\"world"
        //   input : hello""world
        //   output: "hello\"\"world"
        //   input : hello\world
        //   output: hello\world
        //   input : hello\\world
        //   output: hello\\world
        //   input : hello\"world
        //   output: "hello\\\"world"
        //   input : hello\\"world
        //   output: "hello\\\\\"world"
        //   input : hello world\
        //   output: "hello world\\" - note the comment in libuv actually reads "hello world\"
        //                             but it appears the comment is wrong, it should be "hello world\\"
        let reverse = '"';
        let quoteHit = true;
        for (let i = arg.length; i > 0; i--) {
            // walk the string in reverse
            reverse += arg[i - 1];
            if (quoteHit && arg[i - 1] === '\\') {
                reverse += '\\';
            }
            else if (arg[i - 1] === '"') {
                quoteHit = true;
                reverse += '\\';
            }
            else {
                quoteHit = false;
            }
        }
        reverse += '"';
        return reverse.split('').reverse().join('');
    }
    _cloneExecOptions(options) {
        options = options || {};
        const result = {
            cwd: options.cwd || process.cwd(),
            env: options.env || process.env,
            silent: options.silent || false,
            windowsVerbatimArguments: options.windowsVerbatimArguments || false,
            failOnStdErr: options.failOnStdErr || false,
            ignoreReturnCode: options.ignoreReturnCode || false,
            delay: options.delay || 10000
        };
        result.outStream = options.outStream || process.stdout;
        result.errStream = options.errStream || process.stderr;
        return result;
    }
    _getSpawnOptions(options, toolPath) {
        options = options || {};
        const result = {};
        result.cwd = options.cwd;
        result.env = options.env;
        result['windowsVerbatimArguments'] =
            options.windowsVerbatimArguments || this._isCmdFile();
        if (options.windowsVerbatimArguments) {
            result.argv0 = `"${toolPath}"`;
        }
        return result;
    }
    /**
     * Exec a tool.
     * Output will be streamed to the live console.
     * Returns promise with return code
     *
     * @param     tool     path to tool to exec
     * @param     options  optional exec options.  See ExecOptions
     * @returns   number
     */
    exec() {
        return toolrunner_awaiter(this, void 0, void 0, function* () {
            // root the tool path if it is unrooted and contains relative pathing
            if (!isRooted(this.toolPath) &&
                (this.toolPath.includes('/') ||
                    (toolrunner_IS_WINDOWS && this.toolPath.includes('\\')))) {
                // prefer options.cwd if it is specified, however options.cwd may also need to be rooted
                this.toolPath = external_path_namespaceObject.resolve(process.cwd(), this.options.cwd || process.cwd(), this.toolPath);
            }
            // if the tool is only a file name, then resolve it from the PATH
            // otherwise verify it exists (add extension on Windows if necessary)
            this.toolPath = yield which(this.toolPath, true);
            return new Promise((resolve, reject) => toolrunner_awaiter(this, void 0, void 0, function* () {
                this._debug(`exec tool: ${this.toolPath}`);
                this._debug('arguments:');
                for (const arg of this.args) {
                    this._debug(`   ${arg}`);
                }
                const optionsNonNull = this._cloneExecOptions(this.options);
                if (!optionsNonNull.silent && optionsNonNull.outStream) {
                    optionsNonNull.outStream.write(this._getCommandString(optionsNonNull) + external_os_.EOL);
                }
                const state = new ExecState(optionsNonNull, this.toolPath);
                state.on('debug', (message) => {
                    this._debug(message);
                });
                if (this.options.cwd && !(yield exists(this.options.cwd))) {
                    return reject(new Error(`The cwd: ${this.options.cwd} does not exist!`));
                }
                const fileName = this._getSpawnFileName();
                const cp = external_child_process_namespaceObject.spawn(fileName, this._getSpawnArgs(optionsNonNull), this._getSpawnOptions(this.options, fileName));
                let stdbuffer = '';
                if (cp.stdout) {
                    cp.stdout.on('data', (data) => {
                        if (this.options.listeners && this.options.listeners.stdout) {
                            this.options.listeners.stdout(data);
                        }
                        if (!optionsNonNull.silent && optionsNonNull.outStream) {
                            optionsNonNull.outStream.write(data);
                        }
                        stdbuffer = this._processLineBuffer(data, stdbuffer, (line) => {
                            if (this.options.listeners && this.options.listeners.stdline) {
                                this.options.listeners.stdline(line);
                            }
                        });
                    });
                }
                let errbuffer = '';
                if (cp.stderr) {
                    cp.stderr.on('data', (data) => {
                        state.processStderr = true;
                        if (this.options.listeners && this.options.listeners.stderr) {
                            this.options.listeners.stderr(data);
                        }
                        if (!optionsNonNull.silent &&
                            optionsNonNull.errStream &&
                            optionsNonNull.outStream) {
                            const s = optionsNonNull.failOnStdErr
                                ? optionsNonNull.errStream
                                : optionsNonNull.outStream;
                            s.write(data);
                        }
                        errbuffer = this._processLineBuffer(data, errbuffer, (line) => {
                            if (this.options.listeners && this.options.listeners.errline) {
                                this.options.listeners.errline(line);
                            }
                        });
                    });
                }
                cp.on('error', (err) => {
                    state.processError = err.message;
                    state.processExited = true;
                    state.processClosed = true;
                    state.CheckComplete();
                });
                cp.on('exit', (code) => {
                    state.processExitCode = code;
                    state.processExited = true;
                    this._debug(`Exit code ${code} received from tool '${this.toolPath}'`);
                    state.CheckComplete();
                });
                cp.on('close', (code) => {
                    state.processExitCode = code;
                    state.processExited = true;
                    state.processClosed = true;
                    this._debug(`STDIO streams have closed for tool '${this.toolPath}'`);
                    state.CheckComplete();
                });
                state.on('done', (error, exitCode) => {
                    if (stdbuffer.length > 0) {
                        this.emit('stdline', stdbuffer);
                    }
                    if (errbuffer.length > 0) {
                        this.emit('errline', errbuffer);
                    }
                    cp.removeAllListeners();
                    if (error) {
                        reject(error);
                    }
                    else {
                        resolve(exitCode);
                    }
                });
                if (this.options.input) {
                    if (!cp.stdin) {
                        throw new Error('child process missing stdin');
                    }
                    cp.stdin.end(this.options.input);
                }
            }));
        });
    }
}
/**
 * Convert an arg string to an array of args. Handles escaping
 *
 * @param    argString   string of arguments
 * @returns  string[]    array of arguments
 */
function argStringToArray(argString) {
    const args = [];
    let inQuotes = false;
    let escaped = false;
    let arg = '';
    function append(c) {
        // we only escape double quotes.
        if (escaped && c !== '"') {
            arg += '\\';
        }
        arg += c;
        escaped = false;
    }
    for (let i = 0; i < argString.length; i++) {
        const c = argString.charAt(i);
        if (c === '"') {
            if (!escaped) {
                inQuotes = !inQuotes;
            }
            else {
                append(c);
            }
            continue;
        }
        if (c === '\\' && escaped) {
            append(c);
            continue;
        }
        if (c === '\\' && inQuotes) {
            escaped = true;
            continue;
        }
        if (c === ' ' && !inQuotes) {
            if (arg.length > 0) {
                args.push(arg);
                arg = '';
            }
            continue;
        }
        append(c);
    }
    if (arg.length > 0) {
        args.push(arg.trim());
    }
    return args;
}
class ExecState extends external_events_.EventEmitter {
    constructor(options, toolPath) {
        super();
        this.processClosed = false; // tracks whether the process has exited and stdio is closed
        this.processError = '';
        this.processExitCode = 0;
        this.processExited = false; // tracks whether the process has exited
        this.processStderr = false; // tracks whether stderr was written to
        this.delay = 10000; // 10 seconds
        this.done = false;
        this.timeout = null;
        if (!toolPath) {
            throw new Error('toolPath must not be empty');
        }
        this.options = options;
        this.toolPath = toolPath;
        if (options.delay) {
            this.delay = options.delay;
        }
    }
    CheckComplete() {
        if (this.done) {
            return;
        }
        if (this.processClosed) {
            this._setResult();
        }
        else if (this.processExited) {
            this.timeout = (0,external_timers_namespaceObject.setTimeout)(ExecState.HandleTimeout, this.delay, this);
        }
    }
    _debug(message) {
        this.emit('debug', message);
    }
    _setResult() {
        // determine whether there is an error
        let error;
        if (this.processExited) {
            if (this.processError) {
                error = new Error(`There was an error when attempting to execute the process '${this.toolPath}'. This may indicate the process failed to start. Error: ${this.processError}`);
            }
            else if (this.processExitCode !== 0 && !this.options.ignoreReturnCode) {
                error = new Error(`The process '${this.toolPath}' failed with exit code ${this.processExitCode}`);
            }
            else if (this.processStderr && this.options.failOnStdErr) {
                error = new Error(`The process '${this.toolPath}' failed because one or more lines were written to the STDERR stream`);
            }
        }
        // clear the timeout
        if (this.timeout) {
            clearTimeout(this.timeout);
            this.timeout = null;
        }
        this.done = true;
        this.emit('done', error, this.processExitCode);
    }
    static HandleTimeout(state) {
        if (state.done) {
            return;
        }
        if (!state.processClosed && state.processExited) {
            const message = `The STDIO streams did not close within ${state.delay / 1000} seconds of the exit event from process '${state.toolPath}'. This may indicate a child process inherited the STDIO streams and has not yet exited.`;
            state._debug(message);
        }
        state._setResult();
    }
}
;// CONCATENATED MODULE: ./node_modules/@actions/exec/lib/exec.js
var exec_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


/**
 * Exec a command.
 * Output will be streamed to the live console.
 * Returns promise with return code
 *
 * @param     commandLine        command to execute (can include additional args). Must be correctly escaped.
 * @param     args               optional arguments for tool. Escaping is handled by the lib.
 * @param     options            optional exec options.  See ExecOptions
 * @returns   Promise<number>    exit code
 */
function exec(commandLine, args, options) {
    return exec_awaiter(this, void 0, void 0, function* () {
        const commandArgs = argStringToArray(commandLine);
        if (commandArgs.length === 0) {
            throw new Error(`Parameter 'commandLine' cannot be null or empty.`);
        }
        // Path to tool to execute should be first arg
        const toolPath = commandArgs[0];
        args = commandArgs.slice(1).concat(args || []);
        const runner = new ToolRunner(toolPath, args, options);
        return runner.exec();
    });
}
/**
 * Exec a command and get the output.
 * Output will be streamed to the live console.
 * Returns promise with the exit code and collected stdout and stderr
 *
 * @param     commandLine           command to execute (can include additional args). Must be correctly escaped.
 * @param     args                  optional arguments for tool. Escaping is handled by the lib.
 * @param     options               optional exec options.  See ExecOptions
 * @returns   Promise<ExecOutput>   exit code, stdout, and stderr
 */
function getExecOutput(commandLine, args, options) {
    return exec_awaiter(this, void 0, void 0, function* () {
        var _a, _b;
        let stdout = '';
        let stderr = '';
        //Using string decoder covers the case where a mult-byte character is split
        const stdoutDecoder = new external_string_decoder_.StringDecoder('utf8');
        const stderrDecoder = new external_string_decoder_.StringDecoder('utf8');
        const originalStdoutListener = (_a = options === null || options === void 0 ? void 0 : options.listeners) === null || _a === void 0 ? void 0 : _a.stdout;
        const originalStdErrListener = (_b = options === null || options === void 0 ? void 0 : options.listeners) === null || _b === void 0 ? void 0 : _b.stderr;
        const stdErrListener = (data) => {
            stderr += stderrDecoder.write(data);
            if (originalStdErrListener) {
                originalStdErrListener(data);
            }
        };
        const stdOutListener = (data) => {
            stdout += stdoutDecoder.write(data);
            if (originalStdoutListener) {
                originalStdoutListener(data);
            }
        };
        const listeners = Object.assign(Object.assign({}, options === null || options === void 0 ? void 0 : options.listeners), { stdout: stdOutListener, stderr: stdErrListener });
        const exitCode = yield exec(commandLine, args, Object.assign(Object.assign({}, options), { listeners }));
        //flush any remaining characters
        stdout += stdoutDecoder.end();
        stderr += stderrDecoder.end();
        return {
            exitCode,
            stdout,
            stderr
        };
    });
}
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/platform.js
var platform_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};


const getWindowsInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    const { stdout: version } = yield getExecOutput('powershell -command "(Get-CimInstance -ClassName Win32_OperatingSystem).Version"', undefined, {
        silent: true
    });
    const { stdout: name } = yield getExecOutput('powershell -command "(Get-CimInstance -ClassName Win32_OperatingSystem).Caption"', undefined, {
        silent: true
    });
    return {
        name: name.trim(),
        version: version.trim()
    };
});
const getMacOsInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    var _a, _b, _c, _d;
    const { stdout } = yield getExecOutput('sw_vers', undefined, {
        silent: true
    });
    const version = (_b = (_a = stdout.match(/ProductVersion:\s*(.+)/)) === null || _a === void 0 ? void 0 : _a[1]) !== null && _b !== void 0 ? _b : '';
    const name = (_d = (_c = stdout.match(/ProductName:\s*(.+)/)) === null || _c === void 0 ? void 0 : _c[1]) !== null && _d !== void 0 ? _d : '';
    return {
        name,
        version
    };
});
const getLinuxInfo = () => platform_awaiter(void 0, void 0, void 0, function* () {
    const { stdout } = yield getExecOutput('lsb_release', ['-i', '-r', '-s'], {
        silent: true
    });
    const [name, version] = stdout.trim().split('\n');
    return {
        name,
        version
    };
});
const platform = external_os_.platform();
const arch = external_os_.arch();
const isWindows = platform === 'win32';
const isMacOS = platform === 'darwin';
const isLinux = platform === 'linux';
function getDetails() {
    return platform_awaiter(this, void 0, void 0, function* () {
        return Object.assign(Object.assign({}, (yield (isWindows
            ? getWindowsInfo()
            : isMacOS
                ? getMacOsInfo()
                : getLinuxInfo()))), { platform,
            arch,
            isWindows,
            isMacOS,
            isLinux });
    });
}
;// CONCATENATED MODULE: ./node_modules/@actions/core/lib/core.js
var core_awaiter = (undefined && undefined.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};






/**
 * The code to exit an action
 */
var ExitCode;
(function (ExitCode) {
    /**
     * A code indicating that the action was successful
     */
    ExitCode[ExitCode["Success"] = 0] = "Success";
    /**
     * A code indicating that the action was a failure
     */
    ExitCode[ExitCode["Failure"] = 1] = "Failure";
})(ExitCode || (ExitCode = {}));
//-----------------------------------------------------------------------
// Variables
//-----------------------------------------------------------------------
/**
 * Sets env variable for this action and future actions in the job
 * @param name the name of the variable to set
 * @param val the value of the variable. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function exportVariable(name, val) {
    const convertedVal = toCommandValue(val);
    process.env[name] = convertedVal;
    const filePath = process.env['GITHUB_ENV'] || '';
    if (filePath) {
        return issueFileCommand('ENV', prepareKeyValueMessage(name, val));
    }
    issueCommand('set-env', { name }, convertedVal);
}
/**
 * Registers a secret which will get masked from logs
 *
 * @param secret - Value of the secret to be masked
 * @remarks
 * This function instructs the Actions runner to mask the specified value in any
 * logs produced during the workflow run. Once registered, the secret value will
 * be replaced with asterisks (***) whenever it appears in console output, logs,
 * or error messages.
 *
 * This is useful for protecting sensitive information such as:
 * - API keys
 * - Access tokens
 * - Authentication credentials
 * - URL parameters containing signatures (SAS tokens)
 *
 * Note that masking only affects future logs; any previous appearances of the
 * secret in logs before calling this function will remain unmasked.
 *
 * @example
 * ```typescript
 * // Register an API token as a secret
 * const apiToken = "abc123xyz456";
 * setSecret(apiToken);
 *
 * // Now any logs containing this value will show *** instead
 * console.log(`Using token: ${apiToken}`); // Outputs: "Using token: ***"
 * ```
 */
function setSecret(secret) {
    issueCommand('add-mask', {}, secret);
}
/**
 * Prepends inputPath to the PATH (for this action and future actions)
 * @param inputPath
 */
function addPath(inputPath) {
    const filePath = process.env['GITHUB_PATH'] || '';
    if (filePath) {
        issueFileCommand('PATH', inputPath);
    }
    else {
        issueCommand('add-path', {}, inputPath);
    }
    process.env['PATH'] = `${inputPath}${external_path_namespaceObject.delimiter}${process.env['PATH']}`;
}
/**
 * Gets the value of an input.
 * Unless trimWhitespace is set to false in InputOptions, the value is also trimmed.
 * Returns an empty string if the value is not defined.
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   string
 */
function getInput(name, options) {
    const val = process.env[`INPUT_${name.replace(/ /g, '_').toUpperCase()}`] || '';
    if (options && options.required && !val) {
        throw new Error(`Input required and not supplied: ${name}`);
    }
    if (options && options.trimWhitespace === false) {
        return val;
    }
    return val.trim();
}
/**
 * Gets the values of an multiline input.  Each value is also trimmed.
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   string[]
 *
 */
function getMultilineInput(name, options) {
    const inputs = getInput(name, options)
        .split('\n')
        .filter(x => x !== '');
    if (options && options.trimWhitespace === false) {
        return inputs;
    }
    return inputs.map(input => input.trim());
}
/**
 * Gets the input value of the boolean type in the YAML 1.2 "core schema" specification.
 * Support boolean input list: `true | True | TRUE | false | False | FALSE` .
 * The return value is also in boolean type.
 * ref: https://yaml.org/spec/1.2/spec.html#id2804923
 *
 * @param     name     name of the input to get
 * @param     options  optional. See InputOptions.
 * @returns   boolean
 */
function getBooleanInput(name, options) {
    const trueValue = ['true', 'True', 'TRUE'];
    const falseValue = ['false', 'False', 'FALSE'];
    const val = getInput(name, options);
    if (trueValue.includes(val))
        return true;
    if (falseValue.includes(val))
        return false;
    throw new TypeError(`Input does not meet YAML 1.2 "Core Schema" specification: ${name}\n` +
        `Support boolean input list: \`true | True | TRUE | false | False | FALSE\``);
}
/**
 * Sets the value of an output.
 *
 * @param     name     name of the output to set
 * @param     value    value to store. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function setOutput(name, value) {
    const filePath = process.env['GITHUB_OUTPUT'] || '';
    if (filePath) {
        return issueFileCommand('OUTPUT', prepareKeyValueMessage(name, value));
    }
    process.stdout.write(external_os_.EOL);
    issueCommand('set-output', { name }, toCommandValue(value));
}
/**
 * Enables or disables the echoing of commands into stdout for the rest of the step.
 * Echoing is disabled by default if ACTIONS_STEP_DEBUG is not set.
 *
 */
function setCommandEcho(enabled) {
    issue('echo', enabled ? 'on' : 'off');
}
//-----------------------------------------------------------------------
// Results
//-----------------------------------------------------------------------
/**
 * Sets the action status to failed.
 * When the action exits it will be with an exit code of 1
 * @param message add error issue message
 */
function setFailed(message) {
    process.exitCode = ExitCode.Failure;
    error(message);
}
//-----------------------------------------------------------------------
// Logging Commands
//-----------------------------------------------------------------------
/**
 * Gets whether Actions Step Debug is on or not
 */
function isDebug() {
    return process.env['RUNNER_DEBUG'] === '1';
}
/**
 * Writes debug message to user log
 * @param message debug message
 */
function debug(message) {
    issueCommand('debug', {}, message);
}
/**
 * Adds an error issue
 * @param message error issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function error(message, properties = {}) {
    issueCommand('error', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Adds a warning issue
 * @param message warning issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function warning(message, properties = {}) {
    issueCommand('warning', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Adds a notice issue
 * @param message notice issue message. Errors will be converted to string via toString()
 * @param properties optional properties to add to the annotation.
 */
function notice(message, properties = {}) {
    issueCommand('notice', toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
/**
 * Writes info to log with console.log.
 * @param message info message
 */
function info(message) {
    process.stdout.write(message + external_os_.EOL);
}
/**
 * Begin an output group.
 *
 * Output until the next `groupEnd` will be foldable in this group
 *
 * @param name The name of the output group
 */
function startGroup(name) {
    issue('group', name);
}
/**
 * End an output group.
 */
function endGroup() {
    issue('endgroup');
}
/**
 * Wrap an asynchronous function call in a group.
 *
 * Returns the same type as the function itself.
 *
 * @param name The name of the group
 * @param fn The function to wrap in the group
 */
function group(name, fn) {
    return core_awaiter(this, void 0, void 0, function* () {
        startGroup(name);
        let result;
        try {
            result = yield fn();
        }
        finally {
            endGroup();
        }
        return result;
    });
}
//-----------------------------------------------------------------------
// Wrapper action state
//-----------------------------------------------------------------------
/**
 * Saves state for current action, the state can only be retrieved by this action's post job execution.
 *
 * @param     name     name of the state to store
 * @param     value    value to store. Non-string values will be converted to a string via JSON.stringify
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
function saveState(name, value) {
    const filePath = process.env['GITHUB_STATE'] || '';
    if (filePath) {
        return issueFileCommand('STATE', prepareKeyValueMessage(name, value));
    }
    issueCommand('save-state', { name }, toCommandValue(value));
}
/**
 * Gets the value of an state set by this action's main execution.
 *
 * @param     name     name of the state to get
 * @returns   string
 */
function getState(name) {
    return process.env[`STATE_${name}`] || '';
}
function getIDToken(aud) {
    return core_awaiter(this, void 0, void 0, function* () {
        return yield OidcClient.getIDToken(aud);
    });
}
/**
 * Summary exports
 */

/**
 * @deprecated use core.summary
 */

/**
 * Path exports
 */

/**
 * Platform utilities exports
 */

// EXTERNAL MODULE: ./build/js/border/terminal-text.js
var terminal_text = __nccwpck_require__(769);
;// CONCATENATED MODULE: ./build/js/border/log-text.js
/**
 * Makes text safe for a step's log. The runner obeys lines that begin with `::` after spaces, and `##[` anywhere. It
 * ends lines at CR and LF. `action/host` passes every line through this file, so that the runner obeys none and shows
 * all.
 */

/** One line that the runner does not obey. */
function logLine(text) {
    const line = (0,terminal_text/* terminalText */.eR)(text.replace(/[\n\r\u0085\u2028\u2029\v\f]+/g, ' ')).replaceAll('##[', '##\u200b[');
    // Escapes a leading colon, whatever invisible characters precede it: the runner's version decides which ones it
    // skips.
    const start = line.search(visible);
    return line[start] === ':' ? `${line.slice(0, start)}\u200b${line.slice(start)}` : line;
}
/** The lines of an untrusted text, each after a bar. */
function quoteLines(text) {
    return text.split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/).map(line => `│ ${line}`);
}
/** Matches one character, because a repeated match can overflow the stack. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

// EXTERNAL MODULE: ./build/js/action/text/budget.js
var budget = __nccwpck_require__(5092);
;// CONCATENATED MODULE: ./build/js/action/host/annotations.js



/** GitHub shows ten of a kind per step and silently drops the rest. The tenth says how many were left out. */
const annotationsMax = 9;
/** The step's annotations. Those beyond GitHub's limit become log lines. */
function createAnnotations(show = core_namespaceObject) {
    const counts = new Map();
    let annotates = true;
    return {
        add(kind, given) {
            const message = logNote(given);
            const count = (counts.get(kind) ?? 0) + 1;
            if (annotates)
                counts.set(kind, count);
            if (annotates && count <= annotationsMax)
                show[kind](message);
            else
                show.info(`${kind}: ${message}`);
            return message;
        },
        leaveOut() {
            annotates = false;
        },
        finish() {
            for (const [kind, count] of counts)
                if (count > annotationsMax)
                    show[kind](`${count - annotationsMax} more, see the log`);
            counts.clear();
        },
    };
}
/** Formats a line for an annotation, which may contain foreign text of any length. */
function logNote(text) {
    return logLine((0,budget/* keepHead */.sc)(text, { surface: 'annotation' }));
}

// EXTERNAL MODULE: ./build/js/border/secrets.js
var border_secrets = __nccwpck_require__(9456);
;// CONCATENATED MODULE: ./build/js/action/host/masks.js


function createMasks() {
    const secrets = new Set();
    let redactor;
    return {
        add(secret) {
            if (secrets.has(secret))
                return [];
            secrets.add(secret);
            redactor = undefined;
            // The runner would mask each line of a form by itself, including the braces of a JSON key.
            return (0,border_secrets/* formsOf */.XP)(secret).filter(form => !/[\r\n]/.test(form));
        },
        redact(text) {
            redactor ??= (0,border_secrets/* createRedactor */.lY)(secrets);
            return redactor.redact(text);
        },
    };
}
/** Values of this length count as secrets, whatever the variable's name. */
const secretLength = 16;
/** Returns true if an agent's variable looks like a secret rather than a flag or a model name. */
function isSecretVariable(name, value) {
    if (isSecretName(name))
        return value.length >= usefulLength;
    // The runner's own values are part of every link to the job.
    return value.length >= secretLength && !/model/i.test(name) && !/^(?:GITHUB|RUNNER)_/.test(name);
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(3024);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __nccwpck_require__(7598);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __nccwpck_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(6760);
;// CONCATENATED MODULE: external "node:stream/promises"
const external_node_stream_promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream/promises");
// EXTERNAL MODULE: ./build/js/base/process/shortage.js
var shortage = __nccwpck_require__(6199);
;// CONCATENATED MODULE: ./build/js/border/files.js
/**
 * Reads files that an agent may have replaced with a link out of its container, or with a pipe without a writer. A
 * normal open of such a pipe blocks one of Node's four file system threads; four of them stop the server. folders.ts
 * does the same for folders. This project's own files, and files that a user names, are opened with `node:fs`
 * directly.
 */




/** Windows has only O_RDONLY, and neither such pipes nor such links. */
const reading = external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NONBLOCK | external_node_fs_.constants.O_NOFOLLOW;
const pieceBytes = 64 * 1024;
/** Opens for reading; undefined unless the path is a regular file. A link at the end of the path is not followed. */
async function openPlainFile(path) {
    const file = await open(path, reading).catch((error) => {
        // The file may exist, but the process is short of resources.
        if (findShortage(error) !== undefined)
            throw error;
        return undefined;
    });
    const info = await file?.stat().catch(() => undefined);
    if (info?.isFile() === true)
        return file;
    await file?.close();
    return undefined;
}
/** The file's text; undefined if there is no regular file, or it has more than `bytesMax`. */
async function readPlainFile(path, bytesMax) {
    const file = await openPlainFile(path);
    if (file === undefined)
        return undefined;
    try {
        const { size } = await file.stat();
        if (size > bytesMax)
            return undefined;
        const bytes = Buffer.alloc(size);
        let end = 0;
        for (let read = 1; end < size && read > 0; end += read)
            read = (await file.read(bytes, end, size - end, end)).bytesRead;
        return new TextDecoder().decode(bytes.subarray(0, end));
    }
    finally {
        await file.close();
    }
}
/** The path is not a regular file, or the file is too large. The message is for the person who named it. */
class FileFault extends Error {
    name = 'FileFault';
    kind;
    constructor(kind, message) {
        super(message);
        this.kind = kind;
    }
}
/** A descriptor for reading. Throws FileFault or the file system's error, also for a link at the end of the path. */
function openPlainFileSync(path) {
    const file = (0,external_node_fs_.openSync)(path, reading);
    const info = (0,external_node_fs_.fstatSync)(file);
    if (info.isFile())
        return file;
    (0,external_node_fs_.closeSync)(file);
    throw info.isDirectory()
        ? new FileFault('folder', 'it is a folder. Name a file')
        : new FileFault('special', 'it is a device or a pipe. Name a regular file');
}
/** Throws like `openPlainFileSync`, and FileFault if the file has more than `bytesMax`. */
function readPlainFileSync(path, bytesMax) {
    const file = openPlainFileSync(path);
    try {
        const pieces = [];
        // Ignores the reported size, which is 0 for files of the kernel.
        for (let left = bytesMax;;) {
            const piece = Buffer.alloc(pieceBytes);
            const length = (0,external_node_fs_.readSync)(file, piece);
            if (length === 0)
                return Buffer.concat(pieces);
            left -= length;
            if (left < 0)
                throw new FileFault('too large', `it is larger than the limit of ${bytesMax.toLocaleString('en')} bytes`);
            pieces.push(piece.subarray(0, length));
        }
    }
    finally {
        (0,external_node_fs_.closeSync)(file);
    }
}
/**
 * Copies a regular file and returns its size; undefined if none can be read. Throws the signal's reason, and file
 * system errors of the copy.
 */
async function copyPlainFile(from, { to, bytesMax, keepsMode = false, signal }) {
    const source = await openPlainFile(from);
    if (source === undefined)
        return undefined;
    try {
        const { size, mode } = await source.stat();
        if (size > bytesMax)
            return 'too large';
        // Excludes data that was added after the size check.
        const chunks = source.createReadStream({ autoClose: false, start: 0, end: Math.max(size - 1, 0) });
        const target = createWriteStream(to, { flags: 'wx', mode: 0o600 });
        await pipeline(chunks, target, { signal });
        if (keepsMode)
            await chmod(to, mode & 0o7777);
        return target.bytesWritten;
    }
    catch (error) {
        signal?.throwIfAborted();
        throw error;
    }
    finally {
        await source.close();
    }
}

// EXTERNAL MODULE: ./build/js/border/folders.js
var folders = __nccwpck_require__(9416);
;// CONCATENATED MODULE: ./build/js/action/host/kept-files.js
/**
 * Protects the runner's files from an agent that runs as the step's own user and can write to them. The step's own
 * content is recorded and restored. No agent can give later steps a variable, a PATH entry, an output or a changed
 * event, or break the step's own outputs.
 */






/**
 * Variables of the runner's files, and of the event, which later steps read too. Files that make later steps run
 * something are restored first.
 */
const runnerFiles = [
    'GITHUB_ENV',
    'GITHUB_PATH',
    'GITHUB_STATE',
    'GITHUB_OUTPUT',
    'GITHUB_STEP_SUMMARY',
    'GITHUB_EVENT_PATH',
];
/** Records the files as they are, except those whose variables are in `except`. */
function keepFiles(readVariable, except = []) {
    const kept = new Map();
    for (const file of runnerFiles) {
        const path = readVariable(file) ?? '';
        const found = path === '' || except.includes(file) ? undefined : readFound(path);
        if (found !== undefined)
            kept.set(file, {
                path,
                ...found,
                writes: new Set(),
                seen: readFingerprint(path),
                isChanged: false,
                isDoubtful: false,
            });
    }
    return {
        has: file => kept.has(file),
        write(file, write) {
            const entry = kept.get(file);
            if (entry === undefined)
                return undefined;
            entry.writes.add(write);
            // Another type of file, such as a pipe, could block the step.
            entry.isChanged ||= readFingerprint(entry.path) !== entry.seen;
            return entry.isChanged ? undefined : writeNow(entry, write);
        },
        async restore() {
            const faults = [];
            const changed = [];
            for (const [file, entry] of kept)
                try {
                    if (await putBack(entry))
                        changed.push(file);
                }
                catch (error) {
                    faults.push(error);
                }
            if (faults.length > 0)
                throw faults[0];
            return changed;
        },
    };
}
function writeNow(entry, write) {
    const look = () => {
        entry.seen = readFingerprint(entry.path);
    };
    const forget = (error) => {
        entry.writes.delete(write);
        look();
        throw error;
    };
    try {
        const answer = write();
        if (answer instanceof Promise)
            return answer.then(look, forget);
        look();
        return answer;
    }
    catch (error) {
        return forget(error);
    }
}
/** Returns true if others had changed it. */
async function putBack(entry) {
    const isChanged = entry.isChanged || readFingerprint(entry.path) !== entry.seen;
    entry.isDoubtful ||= isChanged || entry.writes.size > 0;
    if (entry.isDoubtful) {
        await replace(entry);
        for (const write of entry.writes)
            await write();
    }
    entry.isChanged = false;
    entry.seen = readFingerprint(entry.path);
    return isChanged;
}
/** Changes with every write and with every replacement of the file. */
function readFingerprint(path) {
    try {
        const { dev, ino, size, mode, nlink, ctimeNs } = (0,external_node_fs_.lstatSync)(path, { bigint: true });
        return [dev, ino, size, mode, nlink, ctimeNs].join();
    }
    catch {
        return '';
    }
}
/** The runner's files have at most 25 MB. */
const bytesMax = 64 * 1024 * 1024;
/** Undefined for anything but a readable regular file. */
function readFound(path) {
    try {
        return { bytes: readPlainFileSync(path, bytesMax), mode: (0,external_node_fs_.lstatSync)(path).mode & 0o777 };
    }
    catch {
        return undefined;
    }
}
/**
 * Creates a new file, because someone may hold a descriptor of the old one. Of the folder, only the permissions are
 * repaired. Other damage fails the step.
 */
async function replace({ path, mode, bytes }) {
    await (0,folders/* makeFolder */.fc)((0,external_node_path_.dirname)(path));
    // The folder belongs to the step's user, and therefore to the agent's.
    (0,external_node_fs_.chmodSync)((0,external_node_path_.dirname)(path), 0o755);
    // Removing a deep tree takes minutes. The runner removes it with its folder.
    if ((0,external_node_fs_.lstatSync)(path, { throwIfNoEntry: false })?.isDirectory() === true)
        (0,external_node_fs_.renameSync)(path, `${path}.${(0,external_node_crypto_.randomUUID)()}`);
    await (0,promises_.rm)(path, { force: true });
    try {
        (0,external_node_fs_.writeFileSync)(path, bytes, { flag: 'wx', mode });
    }
    catch (error) {
        // Half a file is worse than none.
        await (0,promises_.rm)(path, { force: true });
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/js/action/host/runner-files.js
/** The step's outputs, state and summary. GitHub's toolkit writes them. */




/** A runner's file that cannot be written. The message has the variable, the path and the remedy. */
class CommandFileError extends Error {
    name = 'CommandFileError';
}
function openRunnerFiles() {
    let kept;
    const write = (file, act) => {
        const writeAll = () => allOrNothing(file, act);
        return kept?.has(file) ? kept.write(file, writeAll) : writeAll();
    };
    return {
        setOutput: (name, value) => void write('GITHUB_OUTPUT', () => setOutput(name, value)),
        saveState: (name, value) => void write('GITHUB_STATE', () => saveState(name, value)),
        appendSummary: async (markdown) => {
            await write('GITHUB_STEP_SUMMARY', () => {
                // Earlier text, such as an agent's, may lack a final line feed.
                const gap = sizeOf('GITHUB_STEP_SUMMARY') > 0 ? '\n\n' : '';
                return summary.emptyBuffer().addRaw(`${gap}${markdown}`).write();
            });
        },
        summaryRoom(limitBytes) {
            const size = sizeOf('GITHUB_STEP_SUMMARY');
            return Math.max(0, limitBytes - size - (size > 0 ? 2 : 0));
        },
        keep(except) {
            kept = keepFiles(name => process.env[name], except);
        },
        restore: async () => (await kept?.restore()) ?? [],
    };
}
function sizeOf(file) {
    return (0,external_node_fs_.statSync)(process.env[file] ?? '', { throwIfNoEntry: false })?.size ?? 0;
}
/** A full disk would leave half a value in the file. Its open delimiter would swallow the next write. */
function allOrNothing(file, act) {
    const stats = (0,external_node_fs_.statSync)(process.env[file] ?? '', { throwIfNoEntry: false });
    // Opening a pipe would block until it has a reader.
    if (stats?.isFIFO())
        throw explain(file, new Error('it is a pipe'));
    const undo = (error) => {
        try {
            (0,external_node_fs_.truncateSync)(process.env[file] ?? '', stats?.size);
        }
        catch {
            // The error of the write matters.
        }
        throw explain(file, error);
    };
    try {
        const answer = act();
        return answer instanceof Promise ? answer.catch(undo) : answer;
    }
    catch (error) {
        return undo(error);
    }
}
function explain(file, error) {
    const path = process.env[file] ?? '';
    if (path === '')
        return new CommandFileError(`${file} is not set, so nothing was written`, { cause: error });
    const isDiskFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    const remedy = isDiskFull
        ? 'free disk space on the runner in an earlier step'
        : 'earlier steps must not remove or replace it';
    const why = (0,cause/* messageOf */.bD)(error);
    return new CommandFileError(`${file}: ${path} cannot be written (${why}); ${remedy}`, { cause: error });
}

;// CONCATENATED MODULE: ./build/js/action/host/stop-signals.js
/** A runner sends an interrupt, then a termination 7.5 s later. SIGHUP comes from a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'];
/** Interval between checks that the runner still exists. */
const parentLookMs = 1000;
/** The runner sends a second signal after this time. */
const insistMs = 7500;
/**
 * Listens from now on. A vanished runner counts as a signal, because no signal would ever follow. A second signal
 * ends the process at once with the signal's own exit code.
 */
function listenForStop(times = { insistMs }) {
    const { promise: stopped, resolve } = Promise.withResolvers();
    // Without our handler, Node handles the next signal by default.
    const parent = process.ppid;
    const look = setInterval(() => {
        if (process.ppid === parent)
            return;
        heard();
        // Nothing else would end a step that still waits for something.
        setTimeout(() => process.kill(process.pid, 'SIGTERM'), times.insistMs).unref();
    }, parentLookMs);
    look.unref();
    const stopListening = () => {
        clearInterval(look);
        for (const signal of signals)
            process.off(signal, heard);
    };
    const heard = () => {
        stopListening();
        resolve();
    };
    for (const signal of signals)
        process.on(signal, heard);
    return {
        onStop(listener) {
            let isWanted = true;
            void stopped.then(() => {
                if (isWanted)
                    listener();
            });
            return () => {
                isWanted = false;
                stopListening();
            };
        },
    };
}

;// CONCATENATED MODULE: ./build/js/action/host/host.js







/** The runner that started this process. `stopSignals` comes from an entry that listened from the start. */
function host_runnerHost(stopSignals) {
    const files = openRunnerFiles();
    const annotations = createAnnotations();
    const warned = new Set();
    const masks = createMasks();
    // A closed log is not a reason to abandon a run.
    process.stdout.on('error', () => { });
    // Prints the rest before the process ends by itself. It never calls process.exit, which would cut the log.
    process.once('beforeExit', annotations.finish);
    return {
        readInput: name => getInput(name, { trimWhitespace: false }),
        readVariable: name => process.env[name],
        variables: () => ({ ...process.env }),
        setOutput: files.setOutput,
        saveState: files.saveState,
        readState: getState,
        mask(value) {
            for (const form of masks.add(value))
                setSecret(form);
        },
        redact: masks.redact,
        print: line => info(logLine(line)),
        group: title => startGroup(logTitle(title)),
        endGroup: endGroup,
        warn(message) {
            warned.add(annotations.add('warning', message));
        },
        warned: () => [...warned],
        fail(message) {
            process.exitCode = 1;
            annotations.add('error', message);
        },
        leaveOutAnnotations: annotations.leaveOut,
        appendSummary: files.appendSummary,
        summaryRoom: () => files.summaryRoom(budget/* budgets */.RK.summary.limit),
        keepFiles: files.keep,
        restoreFiles: files.restore,
        onCancel: listener => (stopSignals ?? listenForStop()).onStop(listener),
    };
}
function logTitle(text) {
    return (0,budget/* keepHead */.sc)(logLine(text), { surface: 'logLine', room: 200 });
}

;// CONCATENATED MODULE: ./build/js/action/host/entry.js





/**
 * Runs the main step. Listens for the runner's signals first. An error fails the step with a sentence and no stack.
 */
async function enterMain(runStep, times) {
    debugger_door_closeDebuggerDoor();
    slow_addresses_waitForSlowAddresses();
    const host = host_runnerHost(listenForStop());
    try {
        await runStep(host);
    }
    catch (error) {
        host.fail(`The step failed unexpectedly: ${(0,cause/* messageOf */.bD)(error)}`);
    }
    endSoon(times);
}
/** Runs the post step. An error is a warning and does not fail the job. */
async function enterPost(runStep, times) {
    closeDebuggerDoor();
    waitForSlowAddresses();
    const host = runnerHost();
    try {
        await runStep(host);
    }
    catch (error) {
        host.warn(`The cleanup failed unexpectedly: ${messageOf(error)}`);
    }
    endSoon(times);
}
/** Longer than writing any log takes, and longer than a canceled step lives. */
const usualTimes = { lingerMs: 10_000 };
/** Keeps abandoned work, such as a write to a hanging disk, from keeping the process alive. */
function endSoon({ lingerMs } = usualTimes) {
    setTimeout(() => process.exit(), lingerMs).unref();
}

;// CONCATENATED MODULE: ./build/js/contract/tables/state.js
/**
 * The states of a run and the moves between them. The store refuses every move that is not in `moves`, in the
 * statement that writes it. The client treats an unknown state as still running.
 */
/** Whether a state is final. BLOCKED is not: a follow-up continues the run. */
const finality = {
    QUEUED: false,
    PENDING: false,
    CLAIMED: false,
    INPROGRESS: false,
    SUCCEEDED: true,
    FAILED: true,
    ERROR: true,
    BLOCKED: false,
    CANCELLED: true,
};
const state_runStates = Object.keys(finality);
/** The states that never change again. Open words allow `finalStates.includes(run.state)`. */
const finalStates = state_runStates.filter(state => finality[state]);
/** Separate from the states to keep the client's bundle small. */
const stateMeanings = {
    QUEUED: 'accepted, waiting for a free slot',
    PENDING: 'being prepared (other services only)',
    CLAIMED: 'taken by a worker (other services only)',
    INPROGRESS: 'the agent is working',
    SUCCEEDED: 'the agent succeeded',
    FAILED: 'agent error, bad setup, missing skill, no result, time limit',
    ERROR: 'the service failed: worker lost, internal error',
    BLOCKED: 'the agent is waiting for a person',
    CANCELLED: 'stopped on request, or its lease expired',
};
/** The allowed moves, by state. All others are refused. */
const moves = {
    QUEUED: ['INPROGRESS', 'CANCELLED', 'FAILED', 'ERROR'],
    PENDING: [],
    CLAIMED: [],
    INPROGRESS: ['SUCCEEDED', 'FAILED', 'ERROR', 'BLOCKED', 'CANCELLED', 'QUEUED'],
    BLOCKED: ['QUEUED', 'CANCELLED'],
    SUCCEEDED: [],
    FAILED: [],
    ERROR: [],
    CANCELLED: [],
};
/** The states from which a run may move to `to`. */
function statesBefore(to) {
    return state_runStates.filter(from => moves[from].includes(to));
}
/** Whether a state is final. An unknown state counts as still running. */
function state_isFinal(state) {
    return finalStates.includes(state);
}

;// CONCATENATED MODULE: ./build/js/contract/tables/routes.js
/** The paths of the service below the prefix. The client, the server and the OpenAPI document use this table. */
const routes_apiPrefix = '/api/v1';
const routes_routes = {
    createRun: { method: 'POST', path: '/agent/runs' },
    createRunOldPath: { method: 'POST', path: '/agent/run' },
    listRuns: { method: 'GET', path: '/agent/runs' },
    readRun: { method: 'GET', path: '/agent/runs/{runId}' },
    cancelRun: { method: 'POST', path: '/agent/runs/{runId}/cancel' },
    sendFollowup: { method: 'POST', path: '/agent/runs/{runId}/followups' },
    renewLease: { method: 'PUT', path: '/agent/runs/{runId}/lease' },
    releaseLease: { method: 'DELETE', path: '/agent/runs/{runId}/lease' },
    listEvents: { method: 'GET', path: '/agent/runs/{runId}/events' },
    readResult: { method: 'GET', path: '/agent/runs/{runId}/result' },
    listAgents: { method: 'GET', path: '/agent' },
    listEnvironments: { method: 'GET', path: '/agent/environments' },
    readArtifact: { method: 'GET', path: '/agent/artifacts/{artifactUid}' },
    downloadArtifact: { method: 'GET', path: '/agent/artifacts/{artifactUid}/download' },
    redirectSession: { method: 'GET', path: '/agent/sessions/{sessionUuid}/redirect' },
    redirectConversation: { method: 'GET', path: '/agent/conversations/{conversationId}/redirect' },
};
/** Separate from the routes to keep the client's bundle small. */
const routeSummaries = {
    createRun: 'Start a run',
    createRunOldPath: 'Start a run (older path)',
    listRuns: 'List runs, page by page',
    readRun: 'Read a run, or wait for a change',
    cancelRun: 'Cancel a run',
    sendFollowup: 'Answer a BLOCKED run',
    renewLease: 'Renew the lease of a run',
    releaseLease: 'Remove the lease of a run',
    listEvents: 'Read the events of a run',
    readResult: 'Read the whole result of a run as text',
    listAgents: 'List the skills that a run can use',
    listEnvironments: 'List the environments that a run can use',
    readArtifact: 'Read an artifact, with a download URL that expires',
    downloadArtifact: 'Redirect to the download URL of an artifact',
    redirectSession: 'Redirect to the conversation of an ended session (no key needed)',
    redirectConversation: 'Redirect to the session of a running conversation (no key needed)',
};
/**
 * A route's path with its parts filled in and percent-encoded. Throws on '', '.' and '..', which would change the
 * path.
 */
function routes_routePath(id, parts = {}) {
    return routes_routes[id].path.replace(/\{(\w+)\}/g, (_all, name) => encodePathPart(name, parts[name] ?? ''));
}
function encodePathPart(name, value) {
    if (value === '' || value === '.' || value === '..')
        throw new RangeError(`${name} must not be ${JSON.stringify(value)} in a URL path`);
    return encodeURIComponent(value);
}

// EXTERNAL MODULE: ./build/js/border/answers.js
var answers = __nccwpck_require__(654);
;// CONCATENATED MODULE: ./build/js/contract/tables/headers.js
/** Headers that this project adds to the interface. Names are case-insensitive on the wire. */
const headers_headerNames = {
    features: 'Agent-Run-Features',
    source: 'X-Agent-Run-Source',
    requestId: 'X-Request-Id',
    idempotencyKey: 'Idempotency-Key',
    idempotentReplayed: 'Idempotent-Replayed',
    prefer: 'Prefer',
    preferenceApplied: 'Preference-Applied',
    shouldRetry: 'x-should-retry',
    resultBytes: 'Agent-Run-Result-Bytes',
};
/** The features that this project's server announces in every response. */
const serverFeatures = (/* unused pure expression or super */ null && (['idempotency', 'wait', 'events', 'lease', 'result']));
/** The features that a response announces. Other services announce none. */
function headers_readFeatures(headers) {
    const words = (headers.get(headers_headerNames.features) ?? '').split(',').map(word => word.trim());
    return new Set(words.filter(word => word !== ''));
}

// EXTERNAL MODULE: ./build/js/base/json.js
var json = __nccwpck_require__(6910);
// EXTERNAL MODULE: ./build/js/base/text.js
var base_text = __nccwpck_require__(9199);
;// CONCATENATED MODULE: ./build/js/client/errors/errors.js
/**
 * The errors of calls without an answer. answer-errors.ts has those of answers, run-errors.ts those about a run. The
 * class and the fields are enough to handle an error, without its message. No message and no field contains an API
 * key.
 */

/** Base class of all errors of the client. */
class errors_AgentRunsError extends Error {
    name = 'AgentRunsError';
    /**
     * Removes terminal control characters and line breaks, which a server could use to hide text or forge log lines.
     */
    constructor(message, options) {
        super((0,terminal_text/* plainLine */.h0)(message), options);
    }
    /** What JSON loggers show, because they omit an error's message. The body is omitted: it may repeat a prompt. */
    toJSON() {
        return { ...this, headers: undefined, body: undefined, message: this.message };
    }
}
/** An option, a variable or an argument is missing or wrong; nothing was sent. */
class errors_ConfigurationError extends errors_AgentRunsError {
    name = 'ConfigurationError';
    /**
     * The option that is wrong or would fix the error; undefined if the error is elsewhere, for example in a variable.
     */
    option;
    #sentence;
    constructor(sentence, facts = {}) {
        super(sayWith(sentence, option => `the option ${option}`), { cause: facts.cause });
        this.option = facts.option;
        this.#sentence = sentence;
    }
    /** The message, with the caller's own names for the options. */
    describe(nameOption) {
        return sayWith(this.#sentence, nameOption);
    }
}
function sayWith(sentence, nameOption) {
    return typeof sentence === 'string' ? sentence : sentence(nameOption);
}
/** The `apiKey` function failed; nothing was sent. */
class errors_ApiKeyError extends errors_AgentRunsError {
    name = 'ApiKeyError';
    /** True if the function threw, so that it may succeed next time; false if it returned an invalid key. */
    retryable;
    constructor(message, facts) {
        super(message, { cause: facts.cause });
        this.retryable = facts.retryable;
    }
}
/** No complete response arrived. */
class errors_ConnectionError extends errors_AgentRunsError {
    name = 'ConnectionError';
    host;
    fault;
    neverLeft;
    /** The message without foreign text, which could contain the address and its query. */
    headline;
    constructor(message, facts) {
        super(message, { cause: facts.cause });
        this.headline = facts.headline ?? message;
        this.host = facts.host;
        this.fault = facts.fault;
        this.neverLeft = facts.neverLeft;
    }
}
/** No complete response arrived within `timeoutMs` or `totalTimeoutMs`. */
class errors_ConnectionTimeoutError extends (/* unused pure expression or super */ null && (errors_ConnectionError)) {
    name = 'ConnectionTimeoutError';
}
/** The signal aborted the call; `cause` is its reason. */
class errors_AbortedError extends errors_AgentRunsError {
    name = 'AbortedError';
    /**
     * Set if a create was sent and may have started a run. Repeat the create with this key and the same body on a
     * server that supports keys.
     */
    idempotencyKey;
    constructor(reason, idempotencyKey) {
        const more = idempotencyKey === undefined ? '' : `, and the run may have been started (Idempotency-Key ${idempotencyKey})`;
        super(`the call was aborted by its signal${more}`, { cause: reason });
        this.idempotencyKey = idempotencyKey;
    }
}

;// CONCATENATED MODULE: ./build/js/client/errors/problem-fields.js


/** Longer addresses are not links to a page about an error. */
const addressMax = 2000;
/** Reads an error body of any shape. Missing fields are undefined. */
function readProblem(body, headers) {
    const problem = (0,json/* isObject */.Gv)(body) ? body : {};
    return {
        code: readCode(problem.type),
        title: problem_fields_readText(problem.title),
        detail: problem_fields_readText(problem.detail) ?? problem_fields_readText(problem.error),
        requestId: headers.get(headers_headerNames.requestId) ?? problem_fields_readText(problem.trace_id),
        retryable: typeof problem.retryable === 'boolean' ? problem.retryable : undefined,
        issues: readIssues(problem.issues),
    };
}
/** The last part of the address in `type`. Services write it in snake or kebab case, absolute or relative. */
function readCode(type) {
    if (typeof type !== 'string' || type.length > addressMax || type.startsWith('about:'))
        return undefined;
    const last = type
        .split(/[?#]/, 1)
        .join()
        .split('/')
        .findLast(part => part !== '');
    return last !== undefined && /^[a-z][\w-]*$/i.test(last) ? last.replaceAll('-', '_') : undefined;
}
function problem_fields_readText(value) {
    return typeof value === 'string' && value !== '' ? value : undefined;
}
function readIssues(value) {
    if (!Array.isArray(value))
        return [];
    return value
        .filter(json/* isObject */.Gv)
        .map(issue => ({ path: problem_fields_readText(issue.path) ?? '', message: problem_fields_readText(issue.message) ?? '' }));
}

;// CONCATENATED MODULE: ./build/js/client/errors/answer-errors.js
/**
 * The errors for an error status and for responses that this service does not send. No message and no field contains
 * an API key.
 */








/** What an error says without text from a body, which may contain a prompt. For log lines. */
function answer_errors_headlineOf(error) {
    if (error instanceof answer_errors_ApiError) {
        return `${error.method} ${error.path}: ${error.status}${spaced(error.code)}${closingId(error.requestId)}`;
    }
    if (error instanceof answer_errors_UnexpectedResponseError || error instanceof ConnectionError)
        return error.headline;
    if (error instanceof ApiKeyError)
        return 'the apiKey function failed';
    return messageOf(error);
}
/** The server answered with an error status. */
class answer_errors_ApiError extends errors_AgentRunsError {
    name = 'ApiError';
    method;
    path;
    status;
    headers;
    body;
    /** A code of the error table, or of a newer server; undefined if the response has none. */
    code;
    title;
    detail;
    requestId;
    /** Whether the server says that a retry may succeed; undefined if it does not say. */
    retryable;
    /** Which members of the request are wrong, and why; empty unless the request was invalid. */
    issues;
    constructor(facts) {
        const problem = readProblem(facts.body, facts.headers);
        super(describeAnswer(facts, problem));
        this.method = facts.method;
        this.path = facts.path;
        this.status = facts.status;
        this.headers = facts.headers;
        this.body = facts.body;
        this.code = problem.code;
        this.title = problem.title;
        this.detail = problem.detail;
        this.requestId = problem.requestId;
        this.retryable = problem.retryable;
        this.issues = problem.issues;
    }
    /**
     * Whether the response was not JSON. Such a response comes from something in front of the service, such as a proxy
     * or a firewall, or from a wrong address, not from the service.
     */
    get isProxyResponse() {
        // The response to a HEAD has no body, whoever sent it.
        return !(0,json/* isObject */.Gv)(this.body) && this.method !== 'HEAD' && headers_readFeatures(this.headers).size === 0;
    }
}
/** 400: the request is invalid; `issues` says why. */
class answer_errors_BadRequestError extends answer_errors_ApiError {
    name = 'BadRequestError';
}
/** 401: the key is missing, unknown or expired. */
class answer_errors_AuthenticationError extends answer_errors_ApiError {
    name = 'AuthenticationError';
}
/** 403: the key is not allowed to do this. */
class answer_errors_PermissionDeniedError extends answer_errors_ApiError {
    name = 'PermissionDeniedError';
}
/** 404: not found. */
class answer_errors_NotFoundError extends answer_errors_ApiError {
    name = 'NotFoundError';
}
/** 409: conflicts with the current state. */
class ConflictError extends answer_errors_ApiError {
    name = 'ConflictError';
}
/** 422: not supported by this server. */
class UnprocessableEntityError extends answer_errors_ApiError {
    name = 'UnprocessableEntityError';
}
/** 429: too many requests. */
class answer_errors_RateLimitError extends answer_errors_ApiError {
    name = 'RateLimitError';
}
/** 5xx: the service failed. */
class InternalServerError extends (/* unused pure expression or super */ null && (answer_errors_ApiError)) {
    name = 'InternalServerError';
}
const classOfStatus = {
    400: answer_errors_BadRequestError,
    401: answer_errors_AuthenticationError,
    403: answer_errors_PermissionDeniedError,
    404: answer_errors_NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: answer_errors_RateLimitError,
};
function answer_errors_createApiError(facts) {
    const Class = classOfStatus[facts.status] ?? (facts.status >= 500 ? InternalServerError : answer_errors_ApiError);
    return new Class(facts);
}
/** The response is not from this service: a proxy's page, a redirect, an empty body, truncated JSON. */
class answer_errors_UnexpectedResponseError extends errors_AgentRunsError {
    name = 'UnexpectedResponseError';
    status;
    headers;
    contentType;
    requestId;
    /** At most 200 characters of the body. */
    excerpt;
    /** The message without the excerpt. */
    headline;
    cut;
    constructor(facts) {
        const contentType = facts.headers.get('content-type') ?? undefined;
        const excerpt = excerptOf(facts.text);
        const requestId = facts.headers.get('x-request-id') ?? undefined;
        const shown = excerpt === '' ? '' : `: ${JSON.stringify(excerpt)}`;
        const headline = `${facts.method} ${facts.path}: ${facts.status} ${facts.why} (${contentType ?? 'no content type'})`;
        super(`${headline}${shown}${closingId(requestId)}`);
        this.headline = headline;
        this.status = facts.status;
        this.headers = facts.headers;
        this.contentType = contentType;
        this.requestId = requestId;
        this.excerpt = excerpt;
        this.cut = facts.cut ?? false;
    }
}
/** A message has no room for more. */
const issuesMax = 100;
function describeAnswer(facts, problem) {
    const words = (0,base_text/* ellipsis */.gO)(problem.detail ?? problem.title ?? describeBody(facts), 2000);
    // Some services repeat the issues in the detail.
    const issues = problem.issues
        .slice(0, issuesMax)
        .map(issue => `${issue.path}: ${issue.message}`)
        .filter(issue => !words.includes(issue))
        .join('; ');
    const said = words === '' ? '' : `: ${words}`;
    const faults = issues === '' ? '' : ` [${(0,base_text/* ellipsis */.gO)(issues, 1000)}]`;
    const opening = `${facts.method} ${facts.path}: ${facts.status}${spaced(problem.code)}`;
    return `${opening}${said}${faults}${describeWait(facts)}${closingId(problem.requestId)}`;
}
/** Names a requested wait of more than 10 s. */
function describeWait({ headers }) {
    const seconds = Math.ceil(((0,answers/* readRetryAfterMs */.jR)(name => headers.get(name), Date.now()) ?? 0) / 1000);
    return seconds > 10 && Number.isSafeInteger(seconds) ? `; the server asks to wait ${seconds} s` : '';
}
/** What a body that is not a problem document says, as far as one line can show it. */
function describeBody(facts) {
    if (typeof facts.body !== 'string')
        return facts.body === undefined ? '' : excerptOf(JSON.stringify(facts.body));
    const excerpt = excerptOf(facts.body);
    if (excerpt === '')
        return '';
    return `${facts.headers.get('content-type') ?? 'no content type'} ${JSON.stringify(excerpt)}`;
}
function excerptOf(text) {
    return (0,base_text/* ellipsis */.gO)((0,terminal_text/* plainLine */.h0)(text.slice(0, 2000)).replace(/\s+/g, ' ').trim(), 200);
}
function spaced(word) {
    return word === undefined ? '' : ` ${word}`;
}
function closingId(requestId) {
    return requestId === undefined ? '' : ` (request id ${requestId})`;
}

;// CONCATENATED MODULE: ./build/js/client/http/answer.js
/** Turns a response and its whole body into the service's answer, or into an error that says what came instead. */




/** Far above any answer of this service. The limit stops a small compressed body from filling the memory. */
const bodyBytesMax = (/* unused pure expression or super */ null && (64 * 1024 * 1024));
/** The part of a body that an error keeps. Every problem document is shorter. */
const errorCharactersMax = (/* unused pure expression or super */ null && (128 * 1024));
/** Deeper bodies are kept as text, because serializing the error again could overflow the stack. */
const levelsMax = 500;
const decoder = new TextDecoder();
/** Keeps a byte order mark: in plain text every character counts. */
const exactDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
/**
 * The whole body; an accepted stream stays unread. Throws UnexpectedResponseError for a body that is too long,
 * without reading it to the end.
 */
async function answer_readBody(call, response, keys) {
    if (takeStream(call, response) !== undefined)
        return new Uint8Array();
    try {
        return await readBytes(response, bodyBytesMax);
    }
    catch (error) {
        if (!(error instanceof BodyTooLongError))
            throw error;
        throw new UnexpectedResponseError({
            method: call.method,
            path: call.path,
            status: response.status,
            headers: keys.redactHeaders(response.headers),
            text: '',
            why: `is longer than ${bodyBytesMax} bytes`,
        });
    }
}
/**
 * Throws ApiError for an error status and UnexpectedResponseError for a response that this service does not send.
 * Neither contains a secret.
 */
function answer_readAnswer(call, response, body, keys) {
    // A proxy's response may lack a status text.
    const { status, statusText = '', headers } = response;
    const text = (call.as.endsWith('text') ? exactDecoder : decoder).decode(body);
    const requestId = headers.get(headerNames.requestId) ?? undefined;
    const answer = { status, statusText, headers, body, data: undefined, requestId };
    const shown = () => keys.redact(text).slice(0, errorCharactersMax);
    const describe = (why, cut = false) => new UnexpectedResponseError({
        method: call.method,
        path: call.path,
        status,
        headers: keys.redactHeaders(headers),
        text: shown(),
        why: keys.redact(why),
        cut,
    });
    const refuse = (why, cut = false) => {
        throw describe(why, cut);
    };
    if (status === 304 && call.takesNotModified)
        return answer;
    const stream = takeStream(call, response);
    if (stream !== undefined)
        return { ...answer, stream };
    if (status >= 400) {
        throw createApiError({
            method: call.method,
            path: call.path,
            status,
            headers: keys.redactHeaders(headers),
            // Redacted again after it is parsed: JSON can spell a key in another way.
            body: redactValue(parseLoosely(shown()), part => keys.redact(part)),
        });
    }
    if (status < 200 || status >= 300)
        return refuse(describeRedirect(response));
    // Only this header shows that plain text was cut.
    const resultBytes = headers.get(headerNames.resultBytes);
    if (resultBytes !== null && Number(resultBytes) !== body.length && call.method !== 'HEAD')
        return refuse('has a truncated result', true);
    if (call.as === 'bytes')
        return { ...answer, data: body };
    const contentType = headers.get('content-type') ?? '';
    if (body.length === 0) {
        if (call.as.startsWith('any-'))
            return answer;
        // An empty JSON body was cut, unless the status says that there is no body.
        return refuse('has no body', status !== 204 && isJson(contentType));
    }
    if (call.as === 'text') {
        if (!/^text\/plain\b/i.test(contentType))
            return refuse('is not plain text');
        // A result can be any text, so only the header tells it from a maintenance page.
        return headers.has(headerNames.features) ? { ...answer, data: text } : refuse('is text from another service');
    }
    // A caller that only wants the response gets it unchecked.
    if (call.as === 'any-text') {
        return !/\bx?html\b/i.test(contentType)
            ? { ...answer, data: text }
            : { ...answer, unread: describe('is an HTML page') };
    }
    if (!isJson(contentType))
        return call.as === 'any-json' ? { ...answer, unread: describe('is not JSON') } : refuse('is not JSON');
    const data = parseJson(text);
    if (data === undefined)
        return refuse('has truncated or invalid JSON', true);
    if (call.isExpected?.(data) === false)
        return refuse('is JSON, but not what this service sends');
    return { ...answer, data };
}
/** The answer as a new Response with its body unread. */
function toResponse({ status, statusText, headers, body }) {
    // `Response` rejects some characters that a status text may contain.
    const reason = statusText.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
    return new Response(body.length === 0 ? null : body, { status, statusText: reason, headers });
}
/** The same answer with other data. */
function answer_replaceData(answer, data) {
    return { ...answer, data, body: new TextEncoder().encode(JSON.stringify(data)) };
}
function takeStream(call, response) {
    if (call.takesStream !== true || response.status !== 200)
        return undefined;
    return /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '') ? findStream(response) : undefined;
}
function isJson(contentType) {
    return /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
}
function parseLoosely(text) {
    const data = parseJson(text);
    return data === undefined || isDeep(data) ? text || undefined : data;
}
function isDeep(data, levels = levelsMax) {
    if (typeof data !== 'object' || data === null)
        return false;
    return levels === 0 || Object.values(data).some(value => isDeep(value, levels - 1));
}
/** Redirects are not followed, because the key would be sent along. */
function describeRedirect(response) {
    const { type, status } = response;
    if (type !== 'opaqueredirect' && (status < 300 || status === 304))
        return 'is not an answer to this request';
    const target = findTarget(response);
    return `redirects${target === undefined ? '' : ` to ${target}`}, which is not followed`;
}

;// CONCATENATED MODULE: ./build/js/client/http/api-promise.js

/** A promise of the parsed body that also gives access to the response. The body has arrived in full either way. */
class api_promise_ApiPromise extends Promise {
    #answer;
    /** Makes `then` return a plain promise. */
    static get [Symbol.species]() {
        return Promise;
    }
    constructor(answer, read) {
        super(resolve => resolve(answer.then(read)));
        this.#answer = answer;
    }
    async withResponse() {
        const [data, answer] = await Promise.all([this, this.#answer]);
        return { data, response: toResponse(answer), requestId: answer.requestId };
    }
    /** The response with its body unread. Throws the same errors as the promise itself. */
    async asResponse() {
        // Prevents an unhandled rejection: the caller does not use this promise.
        this.catch(() => { });
        return toResponse(await this.#answer);
    }
}

;// CONCATENATED MODULE: ./build/js/client/options/options.js



const ownedNames = (/* unused pure expression or super */ null && (['method', 'headers', 'body', 'signal', 'redirect']));
const options_defaults = Object.freeze({
    timeoutMs: 60_000,
    totalTimeoutMs: 600_000,
    maxRetries: 4,
    logLevel: 'warn',
    allowHttp: false,
    allowBrowser: false,
    toleranceMs: 300_000,
    notFoundGraceMs: 10_000,
    eventsGraceMs: 5_000,
});
const callNames = ['timeoutMs', 'totalTimeoutMs', 'maxRetries', 'onRetry', 'fetchOptions'];
const options_clientNames = [
    'baseUrl',
    'apiKey',
    'fetch',
    'defaultHeaders',
    'defaultQuery',
    'logger',
    'logLevel',
    'clock',
    'allowHttp',
    'allowBrowser',
    ...callNames,
];
const options_requestNames = [
    'signal',
    'headers',
    'query',
    ...callNames,
];
/**
 * Throws ConfigurationError for an unknown name. A misspelled option would do nothing, and a misspelled filter would
 * list everything.
 */
function options_checkNames(what, options, known, hint = '') {
    // Names the kind and not the value, which may be a key.
    if (!options_isPlain(options))
        throw new ConfigurationError(`${what} must be an object, not ${nameKind(options)}`);
    const unknown = Object.keys(options).find(name => !known.includes(name));
    if (unknown !== undefined)
        throw new ConfigurationError(`${what}: unknown name ${JSON.stringify(unknown)}${didYouMean(unknown, known)}${hint}`);
}
/**
 * Whether an object's own members hold all of its data. Serializing a Map, a Promise or a class instance would lose
 * some.
 */
function options_isPlain(value) {
    if (!(0,json/* isObject */.Gv)(value))
        return false;
    const prototype = Object.getPrototypeOf(value);
    // Objects from other windows and contexts have another `Object`.
    return prototype === null || Object.getPrototypeOf(prototype) === null;
}
function nameKind(value) {
    if (Array.isArray(value))
        return 'a list';
    if (isObject(value))
        return `a ${value.constructor?.name ?? 'thing'}, which is not a plain object`;
    return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}
const aNumber = (test, words) => [
    value => typeof value === 'number' && test(value),
    words,
];
const aFunction = [value => typeof value === 'function', 'a function'];
const aText = [value => typeof value === 'string', 'a string'];
const aSwitch = [value => typeof value === 'boolean', 'a boolean'];
const anObject = [options_isPlain, 'an object'];
const aDuration = aNumber(ms => ms > 0, 'a number of milliseconds above 0');
const aCount = aNumber(count => Number.isSafeInteger(count) && count >= 0, 'a whole number, 0 or more');
const aSignal = [
    value => typeof value?.addEventListener === 'function',
    'an AbortSignal, such as the `signal` of an AbortController',
];
/** Options of calls and of following. Other options are checked where they are read. */
const kinds = {
    fetch: aFunction,
    onRetry: aFunction,
    onRun: aFunction,
    onEvent: aFunction,
    onStatesOnly: aFunction,
    idempotencyKey: aText,
    source: aText,
    reason: aText,
    allowHttp: aSwitch,
    allowBrowser: aSwitch,
    defaultQuery: anObject,
    query: anObject,
    fetchOptions: anObject,
    signal: aSignal,
    maxRetries: aCount,
    after: aCount,
    timeoutMs: aDuration,
    totalTimeoutMs: aDuration,
    queueTimeoutMs: aDuration,
    runTimeoutMs: aDuration,
    stallTimeoutMs: aDuration,
    toleranceMs: aDuration,
    eventsGraceMs: aDuration,
    notFoundGraceMs: aNumber(ms => ms >= 0, 'a number of milliseconds, 0 or more'),
};
/** `checkNames`, plus the type of each value. Throws ConfigurationError, which shows numbers but no strings. */
function options_checkOptions(what, options, known) {
    options_checkNames(what, options, known);
    for (const [name, value] of Object.entries(options)) {
        const [test, words] = kinds[name] ?? [];
        if (value === undefined || test === undefined || test(value))
            continue;
        throw new ConfigurationError(`${name} must be ${words}, not ${typeof value === 'number' ? value : nameKind(value)}`);
    }
    const { fetchOptions } = options;
    const owned = ownedNames.find(name => fetchOptions?.[name] !== undefined);
    if (owned !== undefined)
        throw new ConfigurationError(`fetchOptions must not contain "${owned}", which the client sets; pass signal and headers to a call, method and body to request`);
}

;// CONCATENATED MODULE: ./build/js/client/agent.js




/** Skills and environments that runs can use. The calls throw the same errors as those of `runs`. */
class agent_Agent {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * The skills that a run can use, grouped by name. Throws NotFoundError if the server does not read the repository.
     */
    list(params = {}, options = {}) {
        const names = ['repo', 'refresh', 'sort_by', 'include_malformed_skills'];
        return new ApiPromise(this.#read('agents', params, names, options), ({ data }) => data);
    }
    /** The environments that a run can use. Pass the `uid` or name of one as `config.environment_id`. */
    listEnvironments(params = {}, options = {}) {
        return new ApiPromise(this.#read('environments', params, ['sort_by'], options), ({ data }) => data);
    }
    async #read(member, params, names, options) {
        checkNames('the parameters of a list', params, names);
        checkOptions('the options of a call', options, requestNames);
        const { method, path } = routes[member === 'agents' ? 'listAgents' : 'listEnvironments'];
        return await this.#transport.send({
            ...options,
            method,
            path,
            as: 'json',
            isExpected: data => isObject(data) && Array.isArray(data[member]),
            isIdempotent: true,
            query: { ...options.query, ...params },
        });
    }
}

;// CONCATENATED MODULE: ./build/js/client/http/request-url.js
/** Builds the address of a request from a base address, a path and a query. */





/**
 * Without the `?`; '' if nothing is left. Throws ConfigurationError for an invalid date, a function, a cycle, and an
 * object that is not plain.
 */
function encodeQuery(query) {
    try {
        return Object.entries(query)
            .flatMap(([name, value]) => encodeValue(name, value))
            .join('&');
    }
    catch (cause) {
        throw new ConfigurationError(`the query cannot be sent: ${messageOf(cause)}`, {
            cause,
        });
    }
}
function encodeValue(name, value) {
    if (value === undefined)
        return [];
    if (typeof value === 'function' || typeof value === 'symbol')
        throw new TypeError(`${name} is a ${typeof value}`);
    if (Array.isArray(value))
        return value.flatMap(item => encodeValue(name, item));
    if (value instanceof Date) {
        if (Number.isNaN(value.getTime()))
            throw new TypeError(`${name} is an invalid date`);
        return [encodePair(name, value.toISOString())];
    }
    if (isPlain(value))
        return Object.entries(value).flatMap(([key, item]) => encodeValue(`${name}[${key}]`, item));
    if (typeof value === 'object' && value !== null)
        throw new TypeError(`${name} is not a plain object`);
    return [encodePair(name, value === null ? '' : String(value))];
}
function encodePair(name, text) {
    return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.toWellFormed())}`;
}
/** The path of a route with its parts filled in. Throws ConfigurationError for a part that would change the route. */
function request_url_fillRoute(id, parts) {
    // Encoding is not enough: some proxies decode the path again.
    for (const [name, value] of Object.entries(parts))
        if (typeof value !== 'string' || /[/\\]/.test(value))
            throw new ConfigurationError(`${name} must be a string without slashes, not ${JSON.stringify(value)}`);
    try {
        return routePath(id, parts);
    }
    catch (error) {
        throw new ConfigurationError(messageOf(error), { cause: error });
    }
}
/** The whole address. Throws ConfigurationError for a path that leads out of `baseUrl`. */
function request_url_joinAddress(baseUrl, path, query = {}) {
    if (typeof path !== 'string')
        throw new ConfigurationError(`the path must be a string, not ${String(path)}`);
    const mark = path.indexOf('?');
    const [route, ownQuery] = mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
    const refuse = (why) => {
        throw new ConfigurationError(`the path ${JSON.stringify(path)} ${why}`);
    };
    if (!route.startsWith('/') || route.startsWith('//'))
        refuse('must start with exactly one "/"');
    if (/[\\#\s]/.test(path) || plainLine(path) !== path)
        refuse('contains a backslash, "#", space or control character; encode it');
    // Some proxies decode slashes before they split the path into segments.
    if (/(\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i.test(route))
        refuse('must not contain a "." or ".." segment, which would change the URL');
    const all = [ownQuery, encodeQuery(query)].filter(part => part !== '').join('&');
    return `${baseUrl}${route}${all === '' ? '' : `?${all}`}`;
}

;// CONCATENATED MODULE: ./build/js/client/http/request.js
/** Turns a call into what is sent. Invalid calls throw ConfigurationError before anything is sent. */





/** Placeholder for the key, which each attempt fills in. A header that the caller set or removed stays as it is. */
const request_keyGoesHere = '';
/** Headers whose values are as secret as the key. */
const credentialNames = (/* unused pure expression or super */ null && (['authorization', 'proxy-authorization', 'x-api-key']));
function request_prepareRequest(call, settings, limits) {
    const { baseUrl, defaultHeaders, defaultQuery, keys } = settings;
    checkMethod(call);
    const { idempotencyKey } = call;
    // `sizes.idempotencyKeyCharacters`, without the rest of that table in the bundle.
    if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
        throw new ConfigurationError('idempotencyKey must be 1 to 255 visible ASCII characters without spaces');
    const body = encodeBody(call.body);
    const url = joinAddress(baseUrl, call.path, { ...defaultQuery, ...call.query });
    const headers = createHeaders({
        'user-agent': `agent-run/${version}`,
        accept: accepted[call.as],
        authorization: request_keyGoesHere,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
    }, defaultHeaders, call.headers);
    if (idempotencyKey !== undefined)
        headers[headerNames.idempotencyKey.toLowerCase()] = idempotencyKey;
    // Without the scheme, such as Bearer.
    for (const name of credentialNames)
        keys.known.add(headers[name]?.replace(/^\S+ +/, '') ?? '');
    return {
        ...limits,
        pinnedKey: undefined,
        // A query may be private, so errors and log lines omit it.
        call: {
            ...call,
            path: keys.known.redact(call.path.split('?', 1).join()),
            isIdempotent: call.isIdempotent || idempotencyKey !== undefined,
        },
        url,
        headers,
        body,
        count: 0,
        attemptBeganMs: 0,
        hasLeft: false,
        isPerhapsDone: false,
        key: undefined,
        refusal: undefined,
    };
}
const accepted = {
    json: 'application/json',
    'any-json': 'application/json',
    text: 'text/plain',
    'any-text': 'text/*',
    bytes: '*/*',
};
/** Whether each method is idempotent (RFC 9110, 9.2.2). */
const methods = {
    GET: true,
    HEAD: true,
    PUT: true,
    DELETE: true,
    POST: false,
    PATCH: false,
};
function request_isIdempotent(method) {
    return methods[method] === true;
}
function checkMethod({ method, body }) {
    if (!Object.hasOwn(methods, method))
        throw new ConfigurationError(`the method must be one of ${Object.keys(methods).join(', ')}, not ${JSON.stringify(method)}`);
    if (body !== undefined && (method === 'GET' || method === 'HEAD'))
        throw new ConfigurationError(`a ${method} request cannot have a body`);
}
/** Throws ConfigurationError for what JSON cannot represent: cycles, bigints, functions. */
function encodeBody(body) {
    if (body === undefined)
        return null;
    let text;
    let cause;
    try {
        text = JSON.stringify(body);
    }
    catch (error) {
        cause = error;
    }
    if (text !== undefined)
        return text;
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : `it is a ${typeof body}`;
    throw new ConfigurationError(`the body cannot be sent as JSON: ${reason}`, { cause });
}
/** Headers that fetch rejects, drops silently, or accepts only with the value that it sends anyway. */
const ownedByFetch = /^(expect|host|keep-alive|transfer-encoding|upgrade|content-length):|^connection: (?!(close|keep-alive)$)/i;
/**
 * The names in `own` are in lower case. Later layers override earlier ones. Throws ConfigurationError, which omits
 * the value because it may be secret.
 */
function createHeaders(own, ...layers) {
    const headers = { ...own };
    for (const layer of layers) {
        for (const [given, value] of request_entriesOf(layer)) {
            const name = given.toLowerCase();
            if (value === undefined || value === null)
                delete headers[name];
            // The header would not mark the call as safe to retry. As a default header it would be one key for all creates.
            else if (name === headerNames.idempotencyKey.toLowerCase())
                throw new ConfigurationError(`the header ${given} cannot be set; use the option idempotencyKey of a call`);
            else if (ownedByFetch.test(`${name}: ${typeof value === 'object' ? '' : String(value)}`))
                throw new ConfigurationError(`the header ${JSON.stringify(given)} cannot be set; fetch sets it itself`);
            // Numbers have an obvious text form; objects do not.
            else if (typeof value !== 'object' &&
                /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
                /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)))
                headers[name] = String(value);
            else
                throw new ConfigurationError(`the header ${JSON.stringify(given)} has a name or value that cannot be sent`);
        }
    }
    return headers;
}
/**
 * Accepts `Headers` of other packages, which are not instances of the global class but iterate like it. Throws
 * ConfigurationError.
 */
function request_entriesOf(headers) {
    if (headers === undefined || headers === null)
        return [];
    const pairs = typeof headers === 'object' && Symbol.iterator in headers
        ? [...headers]
        : isPlain(headers)
            ? Object.entries(headers)
            : [headers];
    if (pairs.every(pair => Array.isArray(pair) && typeof pair[0] === 'string'))
        return pairs;
    throw new ConfigurationError('headers must be an object of names and values, a list of pairs, or Headers');
}

;// CONCATENATED MODULE: ./build/js/client/http/shape.js
/**
 * The minimal checks of each response, and the parser of a run. Unknown members stay, because newer servers send
 * more.
 */

/** A run, or the answer to a create. */
function shape_isRun(data) {
    return isObject(data) && isText(data, 'run_id') && isText(data, 'state');
}
/** Also checks the id: a cache or a proxy may have mixed up two responses. */
function shape_isRunOf(runId) {
    return data => shape_isRun(data) && shape_isIdOf(runId)(data.run_id);
}
function shape_isRunPage(data) {
    return isObject(data) && Array.isArray(data.runs) && data.runs.every(shape_isRun) && isObject(data.page_info);
}
function shape_isEventPage(data) {
    // Without `done` a reader could not tell when to stop.
    return isObject(data) && Array.isArray(data.events) && data.events.every(shape_isEvent) && typeof data.done === 'boolean';
}
function shape_isLease(data) {
    return isObject(data) && isText(data, 'lease_expires_at');
}
/** Also checks the id, which is the whole document. */
function shape_isIdOf(runId) {
    return data => typeof data === 'string' && data.toLowerCase() === runId.toLowerCase();
}
function shape_isEvent(data) {
    return isObject(data) && Number.isSafeInteger(data.seq) && isText(data, 'type') && isObject(data.data);
}
function isText(data, member) {
    return typeof data[member] === 'string' && data[member] !== '';
}
/**
 * The run in a document that `isRun` has accepted, as its type says. Other services send null or other kinds where
 * they have no value. Such members are omitted, so no caller has to check again.
 */
function shape_parseRun(data) {
    return pick(data, runMembers, { title: '', prompt: '', created_at: '', updated_at: '' });
}
const shape_text = value => (typeof value === 'string' ? value : undefined);
const word = value => (value === '' ? undefined : shape_text(value));
const textOrNull = value => (value === null ? null : shape_text(value));
const count = value => (Number.isSafeInteger(value) && Number(value) > 0 ? value : undefined);
const anyObject = value => ((0,json/* isObject */.Gv)(value) ? value : undefined);
const object = (members) => value => (0,json/* isObject */.Gv)(value) ? pick(value, members) : undefined;
const list = (isEntry) => value => Array.isArray(value) ? value.filter(isEntry) : undefined;
const shape_all = (names, read) => Object.fromEntries(names.split(' ').map(name => [name, read]));
const runMembers = {
    ...shape_all('title prompt created_at updated_at run_time cancel_requested_at lease_expires_at session_id', shape_text),
    ...shape_all('session_link conversation_id trigger_url repository ref sha environment_name source', shape_text),
    ...shape_all('started_at finished_at', textOrNull),
    ...shape_all('creator executor metadata request_usage', anyObject),
    ...shape_all('attempt last_seq', value => (Number.isSafeInteger(value) ? value : undefined)),
    status_message: value => {
        const status = pick(value, { message: shape_text, ...shape_all('error_code reason', word) });
        return 'message' in status || 'error_code' in status || 'reason' in status ? { message: '', ...status } : undefined;
    },
    result: value => {
        const result = pick(value, {
            text: shape_text,
            truncated: given => given === true,
            left_out_bytes: count,
            structured: given => given ?? undefined,
        });
        return 'text' in result || 'structured' in result ? { text: '', truncated: false, ...result } : undefined;
    },
    agent_config: object({
        ...shape_all('name model_id base_prompt environment_id skill_spec', shape_text),
        skills: list(skill => typeof skill === 'string'),
        harness: object(shape_all('type name model_id', shape_text)),
    }),
    agent_skill: object(shape_all('name description full_path', shape_text)),
    artifacts: list(isArtifact),
};
/** A known kind of artifact must have the id or address that locates it. */
function isArtifact(artifact) {
    if (!(0,json/* isObject */.Gv)(artifact) || !isText(artifact, 'artifact_type') || !(0,json/* isObject */.Gv)(artifact.data))
        return false;
    const { artifact_type: type, data } = artifact;
    if (type === 'FILE')
        return isText(data, 'artifact_uid');
    return type !== 'PULL_REQUEST' || isText(data, 'url');
}
/** Adds the members of `given` to `picked`, known ones as their type says. A loop, because every response passes it. */
function pick(given, members, picked = {}) {
    if (!(0,json/* isObject */.Gv)(given))
        return picked;
    for (const name of Object.keys(given)) {
        const read = Object.hasOwn(members, name) ? members[name] : undefined;
        const value = read === undefined ? given[name] : read(given[name]);
        // Assigning this name would replace the prototype.
        if (value !== undefined && name !== '__proto__')
            picked[name] = value;
    }
    return picked;
}

;// CONCATENATED MODULE: ./build/js/client/http/connection-failure.js
/** Describes a failed fetch: the host, the fault, and whether the request can have reached a server. */


/** Matched against the codes of Node, undici and Bun, or the message if there is no code, as in Deno. */
const meanings = [
    [/^bad port$| are blocked$/, { fault: 'fetch', words: 'fetch refuses to use this port', neverLeft: true }],
    [
        /^(ECONNREFUSED|ConnectionRefused)$|\(Connect\).*Connection refused/,
        { fault: 'refused', words: 'connection refused', neverLeft: true },
    ],
    [
        /^(ENOTFOUND|EAI_(AGAIN|FAIL|NODATA))$|\(Connect\): dns error/,
        { fault: 'unresolved', words: 'name does not resolve', neverLeft: true },
    ],
    [/^(E(HOST|NET)UNREACH|ENETDOWN|EADDRNOTAVAIL)$/, { fault: 'unreachable', words: 'host cannot be reached' }],
    [/^UND_ERR_CONNECT_TIMEOUT$/, { fault: 'timeout', words: 'timed out while connecting', neverLeft: true }],
    [/^(ETIMEDOUT|UND_ERR_(HEADERS|BODY)_TIMEOUT)$/, { fault: 'timeout', words: 'timed out waiting for an answer' }],
    [
        /^(ECONNRESET|EPIPE|UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH))$|: connection closed before|^Connection reset|^error reading a body/,
        { fault: 'closed', words: 'connection closed before the answer was complete' },
    ],
    [
        /SELF_SIGNED_CERT|^UNABLE_TO_(VERIFY|GET)_|^CERT_UNTRUSTED$|certificate: (UnknownIssuer|Other)/,
        {
            fault: 'certificate',
            words: 'certificate not trusted; set NODE_EXTRA_CA_CERTS to the file of its authority before the program starts',
            neverLeft: true,
        },
    ],
    [
        /^CERT_HAS_EXPIRED$|certificate:? .*[Ee]xpired/,
        { fault: 'certificate', words: 'certificate has expired', neverLeft: true },
    ],
    [/^CERT_NOT_YET_VALID$/, { fault: 'certificate', words: 'certificate is not valid yet', neverLeft: true }],
    [
        /^ERR_TLS_CERT_ALTNAME|certificate: certificate not valid for name/,
        { fault: 'certificate', words: 'certificate is for another host name', neverLeft: true },
    ],
    [
        /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$|\(Connect\): received corrupt message/,
        { fault: 'tls', words: 'no TLS there; use http instead of https?', neverLeft: true },
    ],
];
/** Nothing has been written yet when one of these fails. */
const earlyCalls = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);
/** The typed error for what `fetch`, or reading its response, threw. */
function connection_failure_describeConnectionFailure(thrown, call) {
    const { code, isEarly, message, parts } = readFailure(thrown);
    const key = code ?? message;
    const known = meanings.find(([pattern]) => pattern.test(key))?.[1];
    const fault = known?.fault ?? 'other';
    const say = (words, more = '') => {
        const closing = code === undefined ? '' : ` (${code}${more})`;
        return call.keys.redact(`${call.method} ${call.path}: ${call.host}: ${words}${closing}`);
    };
    return new ConnectionError(say(known?.words ?? message, parts), {
        host: call.host,
        fault,
        neverLeft: known?.neverLeft ?? isEarly,
        headline: say(known?.words ?? 'no complete answer'),
        cause: call.keys.redactCause(thrown),
    });
}
/**
 * Whether response bytes arrived before the failure, as far as undici's errors say. If so, the other end speaks HTTP.
 */
function connection_failure_hasAnswerBegun({ cause }) {
    for (let error = cause, depth = 0; depth < 5 && isObject(error); depth += 1, error = error.cause) {
        if (error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
            return true;
        if (isObject(error.socket) && Number(error.socket.bytesRead) > 0)
            return true;
    }
    return false;
}
/** Reads the innermost error: fetch wraps it in a TypeError, and several tried addresses in an AggregateError. */
function readFailure(thrown) {
    let error = thrown;
    let parts = '';
    let code;
    let isEarly = false;
    let message = 'no answer';
    try {
        for (let depth = 0; depth < 5 && isObject(error); depth += 1) {
            if (typeof error.code === 'string')
                code = error.code;
            if (earlyCalls.has(error.syscall))
                isEarly = true;
            // Deno and Bun quote the address, and a query may be private.
            if (typeof error.message === 'string' && error.message !== '')
                message = error.message.replace(/\bhttps?:[^\s")]+/g, '…');
            if (message.includes('client error (Connect)'))
                isEarly = true;
            const each = Array.isArray(error.errors) ? error.errors : [];
            if (each.length > 0)
                parts = `: ${each.map(part => part.message).join('; ')}`;
            error = error.cause ?? each[0];
        }
    }
    catch {
        // A member that throws when read is ignored.
    }
    return { code, isEarly, message, parts };
}

// EXTERNAL MODULE: ./build/js/base/clock.js + 1 modules
var clock = __nccwpck_require__(972);
;// CONCATENATED MODULE: ./build/js/client/http/deadline.js



/**
 * Runs `work` with a signal that aborts with the caller's or after `ms`, and stops waiting then even if `work`
 * ignores it. The timer is the system's, because a test clock cannot stop a socket. Throws AbortedError, or the error
 * from `onTimeout`.
 */
async function deadline_withDeadline(bounds, work) {
    deadline_throwIfAborted(bounds.signal);
    const controller = new AbortController();
    const stopped = createDeferred();
    // Prevents an unhandled rejection if `work` throws at once.
    stopped.promise.catch(() => { });
    const stop = (makeReason) => {
        let reason;
        try {
            reason = makeReason();
        }
        catch (thrown) {
            reason = thrown;
        }
        stopped.reject(reason);
        controller.abort(reason);
    };
    const onAbort = () => stop(() => new AbortedError(bounds.signal?.reason));
    // Before the timer starts, because an invalid signal throws.
    bounds.signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(stop, Math.min(bounds.ms, longestTimerMs), bounds.onTimeout);
    try {
        return await Promise.race([work(controller.signal), stopped.promise]);
    }
    finally {
        clearTimeout(timer);
        bounds.signal?.removeEventListener('abort', onAbort);
    }
}
/** Waits by the client's clock. Throws AbortedError if the signal aborts first. */
async function deadline_pause(clock, ms, signal) {
    deadline_throwIfAborted(signal);
    if (ms <= 0)
        return;
    try {
        await clock.sleep(ms, signal);
    }
    catch (error) {
        deadline_throwIfAborted(signal);
        throw error;
    }
}
function deadline_throwIfAborted(signal) {
    if (signal?.aborted)
        throw new AbortedError(signal.reason);
}

;// CONCATENATED MODULE: ./build/js/client/http/retry-rules.js
/** Decides whether and when to retry. transport.ts does the waiting. */






const retryBackoff = Object.freeze({ baseDelayMs: 500, maxDelayMs: 8_000 });
/** Longer delays requested by a server are cut to this. */
const longestServerDelayMs = 60_000;
const hopeless = new Set(['certificate', 'tls', 'fetch']);
/** The server's own hint (`x-should-retry`, then `retryable: false`) overrides the status. */
function retry_rules_judgeFailure(error) {
    if (error instanceof ConnectionError) {
        if (hopeless.has(error.fault))
            return 'final';
        return error.neverLeft ? 'not-done' : 'unknown';
    }
    if (error instanceof UnexpectedResponseError)
        return error.cut ? 'unknown' : 'final';
    if (error instanceof ApiKeyError)
        return error.retryable ? 'not-done' : 'final';
    return error instanceof ApiError ? judgeAnswer(error) : 'final';
}
/** Whether the request may have been carried out. A `final` verdict does not rule that out. */
function retry_rules_mayBeDone(error) {
    // An unreadable response may stand for a success, and a proxy may have replaced it with a redirect.
    if (error instanceof UnexpectedResponseError)
        return true;
    if (error instanceof ConnectionError)
        return !error.neverLeft;
    // An unforeseen error in the client says nothing about the server.
    if (!(error instanceof ApiError))
        return !(error instanceof AgentRunsError);
    const { status, code } = error;
    // By definition this code is a refusal, and only such a service uses it.
    if (status === 501 || status === 505 || code === 'environment_setup_failed')
        return false;
    return (status === 408 || status >= 500) && !isUnavailable(error);
}
function judgeAnswer(error) {
    const { status, headers, retryable } = error;
    const repeat = retry_rules_mayBeDone(error) ? 'unknown' : 'not-done';
    const word = headers.get(headerNames.shouldRetry);
    if (word === 'true')
        return repeat;
    if (word === 'false' || retryable === false)
        return 'final';
    if (status === 409)
        return retryable === true ? repeat : 'final';
    if (status === 501 || status === 505)
        return 'final';
    return status >= 500 || status === 408 || status === 425 || status === 429 ? repeat : 'final';
}
/**
 * Whether something in front of the service answered, so that the service may answer the next attempt. A response
 * that forbids retries is obeyed.
 */
function retry_rules_isProxyAnswer(error) {
    return error instanceof ApiError && error.isProxyResponse && error.headers.get(headerNames.shouldRetry) !== 'false';
}
/**
 * Whether the service itself answered: with a problem document, or with the features header of this project's server.
 */
function retry_rules_isServiceAnswer({ body, headers }) {
    if (readFeatures(headers).size > 0 || headers.get('content-type')?.includes('problem+json'))
        return true;
    return isObject(body) && !!body.type && !!body.status && !!(body.title ?? body.error);
}
/** Whether this project's server answered, rather than a proxy or another service. */
function retry_rules_isOwnServerAnswer(error) {
    return error.code !== undefined && readFeatures(error.headers).has('idempotency');
}
/** This project's server sends 503 before it does anything. Any other 503 says nothing about what was done. */
function isUnavailable(error) {
    return error.status === 503 && error.code === 'resource_unavailable' && retry_rules_isOwnServerAnswer(error);
}
/**
 * The wait before retry number `attempt` (from 0): the server's delay, otherwise backoff. `now` is for a date without
 * a `Date` header.
 */
function retry_rules_retryDelayMs(error, attempt, now, random = Math.random) {
    const told = retry_rules_serverDelayMs(error, now);
    if (told === undefined || told <= 0)
        return backoffMs(attempt, retryBackoff, random);
    return Math.min(told + random() * retryBackoff.baseDelayMs, longestServerDelayMs);
}
/** The delay that the response asks for; undefined if it has none that can be read. */
function retry_rules_serverDelayMs(error, now) {
    return error instanceof ApiError ? readRetryAfterMs(name => error.headers.get(name), now) : undefined;
}

;// CONCATENATED MODULE: ./build/js/client/http/transport.js










class transport_Transport {
    #settings;
    host;
    #hasAnswered = false;
    constructor(settings) {
        this.#settings = settings;
        this.host = new URL(settings.baseUrl).host;
    }
    get clock() {
        return this.#settings.clock;
    }
    get logger() {
        return this.#settings.logger;
    }
    redact(text) {
        return this.#settings.keys.known.redact(text);
    }
    limits(own) {
        return {
            timeoutMs: own.timeoutMs ?? this.#settings.timeoutMs,
            totalTimeoutMs: own.totalTimeoutMs ?? this.#settings.totalTimeoutMs,
            maxRetries: own.maxRetries ?? this.#settings.maxRetries,
        };
    }
    /** Calls the listener of the call, otherwise the client's. Errors thrown by the listener are ignored. */
    noteRetry(own, failure) {
        const tell = async () => (own.onRetry ?? this.#settings.onRetry)?.(failure);
        tell().catch(() => { });
    }
    /** Throws ConfigurationError, and what `carryOut` throws. */
    async send(call) {
        throwIfAborted(call.signal);
        return await this.carryOut(this.prepare(call));
    }
    /** Throws ConfigurationError. */
    prepare(call) {
        return prepareRequest(call, this.#settings, this.limits(call));
    }
    /**
     * Throws ApiKeyError, AbortedError, ConnectionError, ApiError or UnexpectedResponseError. A prepared request can be
     * sent again.
     */
    async carryOut(request) {
        const { call } = request;
        const { clock, logger } = this.#settings;
        const began = clock.monotonicMs();
        const leftMs = () => request.totalTimeoutMs - (clock.monotonicMs() - began);
        try {
            const attempt = async () => {
                try {
                    return await this.#attemptWithGoodKey(request, leftMs);
                }
                catch (error) {
                    if (!isIdempotent(call.method) && mayBeDone(error)) {
                        request.pinnedKey ??= request.key;
                        request.isPerhapsDone = true;
                    }
                    throw error;
                }
            };
            return await retry(attempt, {
                retriesMax: request.maxRetries,
                // A rate limit with a delay is not a connection fault. Only the total time bounds it.
                countsAsRetry: error => !(error instanceof RateLimitError && (serverDelayMs(error, clock.now()) ?? 0) >= 1000),
                wait: async (error, attemptsBefore) => {
                    const verdict = verdictOn(error, call);
                    if (verdict === 'final')
                        return false;
                    const delayMs = retryDelayMs(error, attemptsBefore, clock.now());
                    if (delayMs >= leftMs())
                        return false;
                    const tookMs = Math.round(clock.monotonicMs() - request.attemptBeganMs);
                    logger.info(`${headlineOf(error)} after ${tookMs} ms; retrying in ${Math.round(delayMs)} ms`);
                    if (verdict === 'not-done')
                        request.hasLeft = false;
                    this.noteRetry(call, error);
                    await pause(clock, delayMs, call.signal);
                    return true;
                },
            });
        }
        catch (error) {
            throw this.#isPerhapsTls(error) && verdictOn(error, call) !== 'final' ? suspectTls(error) : error;
        }
    }
    /**
     * A request answered with 401 was not carried out. It is sent again once per call if the apiKey function returns
     * another key.
     */
    async #attemptWithGoodKey(request, leftMs) {
        try {
            return await this.#attempt(request, leftMs());
        }
        catch (error) {
            const isFirst = error instanceof AuthenticationError && request.refusal === undefined;
            if (!isFirst || request.key === undefined || request.pinnedKey !== undefined)
                throw error;
            request.refusal = error;
            return await this.#attempt(request, leftMs(), error);
        }
    }
    /** `refusal` is the 401 for the previous key. It is thrown again if there is no other key. */
    async #attempt(request, leftMs, refusal) {
        const { keys, fetch, clock, logger, fetchOptions } = this.#settings;
        const { call, timeoutMs, totalTimeoutMs } = request;
        const { host } = this;
        const began = clock.monotonicMs();
        request.attemptBeganMs = began;
        request.hasLeft = false;
        const onTimeout = () => {
            const bound = timeoutMs <= leftMs ? `${Math.ceil(timeoutMs)} ms` : `${Math.ceil(totalTimeoutMs)} ms in total`;
            const { hasLeft } = request;
            const lack = hasLeft ? 'no complete answer' : 'no key from the apiKey function (which must not call this client)';
            if (!hasLeft)
                keys.forget();
            return new ConnectionTimeoutError(`${call.method} ${call.path}: ${host}: ${lack} within ${bound}`, {
                host,
                fault: 'timeout',
                neverLeft: !hasLeft,
            });
        };
        const { response, body } = await withDeadline({ ms: Math.min(timeoutMs, leftMs), signal: call.signal, onTimeout }, async (signal) => {
            const headers = { ...request.headers };
            if (headers.authorization === keyGoesHere) {
                const key = request.pinnedKey ?? (refusal === undefined ? keys.current() : keys.replace(request.key ?? ''));
                request.key = typeof key === 'string' ? key : await key;
                if (request.key === undefined)
                    throw refusal;
                signal.throwIfAborted();
                keys.known.add(request.key);
                headers.authorization = `Bearer ${request.key}`;
            }
            headers['x-retry-count'] = String(request.count);
            request.count += 1;
            request.hasLeft = true;
            try {
                const response = await fetch(request.url, {
                    ...fetchOptions,
                    ...call.fetchOptions,
                    method: call.method,
                    headers,
                    body: request.body,
                    redirect: 'manual',
                    signal,
                });
                if (typeof response?.arrayBuffer !== 'function')
                    throw new ConnectionError(`${call.method} ${call.path}: the fetch option returned no Response, so the outcome of the request is unknown`, { host, fault: 'fetch', neverLeft: false });
                // A fetch that ignores signals may respond after the deadline.
                if (signal.aborted)
                    await cancelBody(response);
                this.#hasAnswered = true;
                return { response, body: await readBody(call, response, keys.known) };
            }
            catch (error) {
                if (error instanceof UnexpectedResponseError || error instanceof ConnectionError)
                    throw error;
                const { method, path } = call;
                throw describeConnectionFailure(error, { method, path, host, keys: keys.known });
            }
        });
        const requestId = response.headers.get(headerNames.requestId);
        const closing = requestId === null ? '' : ` (request id ${requestId})`;
        logger.debug(`${call.method} ${call.path}: ${response.status} in ${Math.round(clock.monotonicMs() - began)} ms${closing}`);
        return readAnswer(call, response, body, keys.known);
    }
    /** A TLS port hangs up on plain HTTP. A server that has answered before is not one. */
    #isPerhapsTls(error) {
        const isClosed = error instanceof ConnectionError && error.fault === 'closed' && !hasAnswerBegun(error);
        return isClosed && !this.#hasAnswered && this.#settings.baseUrl.startsWith('http:');
    }
}
/** Also `final` if the request may have been carried out and is not idempotent. */
function verdictOn(error, call) {
    const verdict = call.retriesProxyPages === true && isProxyAnswer(error) ? 'unknown' : judgeFailure(error);
    return verdict === 'unknown' && !call.isIdempotent ? 'final' : verdict;
}
function suspectTls(error) {
    return new ConnectionError(`${error.message}; use https instead of http?`, error);
}

;// CONCATENATED MODULE: ./build/js/client/options/known-keys.js

/** Redacting shorter strings would make sentences unreadable. */
const shortestKey = 4;
/** A key function may return a new key every few minutes, for months. */
const keysKept = 8;
/**
 * The API keys that a client has sent. A server or `fetch` may repeat them, so they are redacted in errors and log
 * lines.
 */
class known_keys_KnownKeys {
    /** Least recently used first. */
    #keys = new Set();
    add(key) {
        if (key.length < shortestKey)
            return;
        this.#keys.delete(key);
        this.#keys.add(key);
        const [oldest] = this.#keys;
        if (this.#keys.size > keysKept && oldest !== undefined)
            this.#keys.delete(oldest);
    }
    redact(text) {
        return redactLiterals(text, this.#keys);
    }
    redactHeaders(headers) {
        return new Headers([...headers].map(([name, value]) => [name, this.redact(value)]));
    }
    /** Returns `thrown`, or a redacted copy if the message or stack of it or of a cause contains a key. */
    redactCause(thrown) {
        if (!(thrown instanceof Error))
            return typeof thrown === 'string' ? this.redact(thrown) : thrown;
        const { name, message, stack = '', cause, code } = thrown;
        const shown = { message: this.redact(message), stack: this.redact(stack), cause: this.redactCause(cause) };
        if (shown.message === message && shown.stack === stack && shown.cause === cause)
            return thrown;
        return Object.assign(new Error(shown.message, { cause: shown.cause }), { name, stack: shown.stack, code });
    }
}

;// CONCATENATED MODULE: ./build/js/client/options/key-source.js
/**
 * The source of a request's key: a string, or a function. Concurrent requests share one call of the function. Its key
 * is kept until shortly before it expires by the monotonic clock.
 */




/** A key is renewed after nine tenths of its life, and at most this long before it expires. */
const longestMarginMs = 60_000;
class key_source_KeySource {
    known = new KnownKeys();
    #ask;
    #clock;
    #key;
    #dueMs = Number.POSITIVE_INFINITY;
    #expiresAtMs = Number.POSITIVE_INFINITY;
    #asking;
    constructor(given, clock) {
        this.#clock = clock;
        if (typeof given === 'function')
            this.#ask = given;
        else
            this.#keep(given);
    }
    /** Throws ApiKeyError. */
    current() {
        const key = this.#key;
        if (key === undefined)
            return this.#renew();
        const now = this.#clock.monotonicMs();
        if (now < this.#dueMs)
            return key;
        const next = this.#renew();
        // The key is still valid during the margin, so requests neither wait for the function nor fail with it.
        return now < this.#expiresAtMs ? key : next;
    }
    /** A key to replace the refused one; undefined if there is no other. Throws ApiKeyError. */
    async replace(refused) {
        if (this.#ask === undefined)
            return undefined;
        if (this.#key === refused)
            this.#key = undefined;
        const key = this.#key ?? (await this.#renew());
        return key === refused ? undefined : key;
    }
    /** Lets the next request call the function again after one timed out waiting for it. */
    forget() {
        this.#asking = undefined;
    }
    #renew() {
        if (this.#asking !== undefined)
            return this.#asking;
        const beganMs = this.#clock.monotonicMs();
        const asking = this.#askFunction().then(({ key, expiresInMs = Number.POSITIVE_INFINITY }) => {
            this.known.add(key);
            if (this.#asking !== asking)
                return key;
            this.#asking = undefined;
            this.#keep(key);
            this.#expiresAtMs = beganMs + expiresInMs;
            this.#dueMs = this.#expiresAtMs - Math.min(longestMarginMs, expiresInMs / 10);
            return key;
        }, error => {
            if (this.#asking === asking)
                this.#asking = undefined;
            throw error;
        });
        // Callers handle the rejection. This handler covers the case that none is left.
        asking.catch(() => { });
        this.#asking = asking;
        return asking;
    }
    async #askFunction() {
        // Wait until `#asking` is set: the function may call this same client.
        await undefined;
        let given;
        try {
            given = await this.#ask?.();
        }
        catch (error) {
            throw new ApiKeyError(`the apiKey function failed: ${this.known.redact(messageOf(error))}`, {
                retryable: true,
                cause: this.known.redactCause(error),
            });
        }
        const answer = isObject(given) ? given : { key: given };
        if (key_source_isKey(answer.key) && isLife(answer.expiresInMs))
            return { key: answer.key, expiresInMs: answer.expiresInMs };
        throw new ApiKeyError(`the apiKey function failed: it must return a key of visible ASCII characters or { key, expiresInMs }, not ${key_source_isKey(answer.key) ? 'another expiresInMs' : 'another value'}`, { retryable: false });
    }
    #keep(key) {
        this.#key = key;
        this.known.add(key);
    }
}
/** Whether a header can carry the text. */
function key_source_isKey(text) {
    return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text);
}
function isLife(ms) {
    return ms === undefined || (typeof ms === 'number' && ms > 0);
}

;// CONCATENATED MODULE: ./build/js/client/options/credentials.js
/**
 * The address of the service and the key that is sent there. A key from the environment is sent only to the address
 * of its own pair:
 *
 * | given as options | address | key |
 * |---|---|---|
 * | both | as given | as given |
 * | only baseUrl | as given | of the pair with this address, or AGENT_RUN_API_KEY if AGENT_RUN_BASE_URL is not set |
 * | only apiKey | AGENT_RUN_BASE_URL, otherwise OZ_API_BASE_URL; of the pair with this key, if one has it | as given |
 * | none | AGENT_RUN_BASE_URL | AGENT_RUN_API_KEY |
 * | none, and nothing of that pair is set | OZ_API_BASE_URL | WARP_API_KEY |
 *
 * A pair with only one half set is not skipped: the missing half is an error.
 */





const ownPair = { url: 'AGENT_RUN_BASE_URL', key: 'AGENT_RUN_API_KEY' };
const pairs = [ownPair, { url: 'OZ_API_BASE_URL', key: 'WARP_API_KEY' }];
/** Throws ConfigurationError, which names the option or variable and never contains a key. */
function credentials_resolveCredentials(options, environment) {
    const read = (variable) => {
        // A variable filled from a file or a secret often ends in a line break that is not part of its value.
        const text = environment(variable)?.trim();
        return text === undefined ? undefined : { text, variable };
    };
    const isKeyOf = (pair, address) => {
        const url = read(pair.url);
        return url === undefined ? pair === ownPair : readBaseUrl(url).baseUrl === address;
    };
    const { apiKey, allowHttp = false } = options;
    const isSource = typeof apiKey === 'function' || apiKey instanceof KeySource;
    const givenKey = isSource ? undefined : readOption('apiKey', apiKey);
    const pair = pairs.find(({ url, key }) => read(url) ?? read(key)) ?? ownPair;
    const owners = pairs.filter(({ key }) => givenKey !== undefined && read(key)?.text === givenKey.text);
    const candidates = isSource || givenKey !== undefined ? (owners.length > 0 ? owners : pairs) : [pair];
    const [first] = candidates.flatMap(({ url }) => read(url) ?? []);
    const url = readOption('baseUrl', options.baseUrl) ?? first;
    if (url === undefined)
        throw missing({ what: 'the address of the service', option: 'baseUrl', variable: candidates[0]?.url });
    const { baseUrl, baseUrlNote } = readBaseUrl(url);
    checkScheme(url, baseUrl, allowHttp);
    if (isSource)
        return { baseUrl, baseUrlNote, apiKey };
    const [key] = [givenKey, ...pairs.map(one => (isKeyOf(one, baseUrl) ? read(one.key) : undefined))].flatMap(one => one ?? []);
    if (key === undefined)
        throw missing({
            what: `the API key for ${baseUrl}`,
            option: 'apiKey',
            variable: pairs.find(one => isKeyOf(one, baseUrl))?.key,
            reasons: pairs.flatMap(one => {
                const owner = read(one.url);
                const origin = owner === undefined ? one.url : new URL(readBaseUrl(owner).baseUrl).origin;
                return read(one.key) === undefined ? [] : [`the key in ${one.key} belongs to ${origin}`];
            }),
        });
    if (!isKey(key.text))
        throw wrong(key, name => `the API key in ${name(key)} contains a space, a line break or another invalid character`);
    return { baseUrl, baseUrlNote, apiKey: key.text };
}
/** Undefined if the option is missing or empty. Throws ConfigurationError. */
function readOption(option, given) {
    const text = given instanceof URL ? given.href : (given ?? '');
    if (typeof text !== 'string')
        throw wrong({ option }, name => `${name({ option })} must be a string`);
    return text.trim() === '' ? undefined : { text, option };
}
/** Throws ConfigurationError. The error shows only a plain host, because the value may be a misplaced key. */
function readBaseUrl(setting) {
    const text = setting.text.trim();
    const url = parseUrl(text);
    const refuse = (why) => {
        throw wrong(setting, name => `${name(setting)} ${why}`);
    };
    if (url === null || !/^https?:$/.test(url.protocol)) {
        const [, host] = /^((?:[a-z0-9-]{1,20}\.)+[a-z]{2,20}|localhost)(?::\d+)?(?:\/[a-z0-9/]{0,20})?$/.exec(text) ?? [];
        const scheme = host === 'localhost' ? 'http' : 'https';
        return refuse(`must be a URL that starts with https:// or http://${host === undefined ? '' : `, not "${text}". Use ${scheme}://${text}`}`);
    }
    if (url.username !== '' || url.password !== '')
        return refuse('must not contain a user name or password; the key is a separate setting');
    if (url.search !== '' || url.hash !== '')
        return refuse('must not contain a query or fragment');
    const bare = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
    if (bare.endsWith(apiPrefix))
        return { baseUrl: bare, baseUrlNote: undefined };
    const baseUrl = `${bare}${apiPrefix}`;
    return { baseUrl, baseUrlNote: `${bare} does not end with ${apiPrefix}; using ${baseUrl}` };
}
function checkScheme(setting, baseUrl, allowHttp) {
    const { protocol, hostname } = new URL(baseUrl);
    if (protocol === 'https:' || isLoopback(hostname) || allowHttp)
        return;
    throw wrong({ option: 'allowHttp' }, name => `${name(setting)}: the API key would be sent to ${hostname} over plain HTTP. Use https, or allow it with ${name({ option: 'allowHttp' })}`);
}
function wrong(of, say) {
    const sentence = (nameOption) => say(({ option, variable = '' }) => (option === undefined ? variable : nameOption(option)));
    return new ConfigurationError(sentence, { option: of.option });
}
function missing(facts) {
    const { what, option, variable, reasons = [] } = facts;
    const because = reasons.length === 0 ? '' : `${reasons.join(', ')}; `;
    const otherwise = variable === undefined ? '' : `, or set ${variable}`;
    return wrong({ option }, name => `${what} is missing: ${because}give ${name({ option })}${otherwise}`);
}

;// CONCATENATED MODULE: ./build/js/client/options/logger.js


const logger_logLevels = (/* unused pure expression or super */ null && (['off', 'error', 'warn', 'info', 'debug']));
/** Forwards lines up to `level`, redacted and on one line each. Errors thrown by the target are ignored. */
function logger_createLogger(target, level, redact) {
    const limit = logger_logLevels.indexOf(level);
    if (![target.info, target.warn, target.error, target.debug].some(method => typeof method === 'function'))
        throw new ConfigurationError('logger must have at least one of the methods error, warn, info and debug');
    const lend = (name) => (message) => {
        if (logger_logLevels.indexOf(name) > limit)
            return;
        const line = plainLine(redact(`agent-run: ${message}`));
        const write = async () => (target[name] ?? target.info)?.call(target, line);
        write().catch(() => { });
    };
    return { error: lend('error'), warn: lend('warn'), info: lend('info'), debug: lend('debug') };
}
function logger_isLogLevel(word) {
    return logger_logLevels.some(level => level === word);
}

;// CONCATENATED MODULE: ./build/js/client/options/settings.js
/** Merges options, environment and defaults. Only this file of the client reads the environment. */







/** Throws ConfigurationError, which names the option and the variable. */
function settings_resolveOptions(options) {
    const environment = readEnvironment();
    checkOptions('the options of a client', options, clientNames);
    const { baseUrl, baseUrlNote, apiKey } = resolveCredentials(options, environment);
    if (typeof apiKey === 'string' && !(options.allowBrowser ?? defaults.allowBrowser))
        refuseBrowser();
    const { clock = systemClock } = options;
    checkClock(clock);
    const keys = apiKey instanceof KeySource ? apiKey : new KeySource(apiKey, clock);
    const logLevel = readLogLevel(options.logLevel, environment);
    return {
        baseUrl,
        baseUrlNote,
        keys,
        // Looked up at each call so that a later replacement is used. Called without a receiver, as browsers require.
        fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
        timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
        totalTimeoutMs: options.totalTimeoutMs ?? defaults.totalTimeoutMs,
        maxRetries: options.maxRetries ?? defaults.maxRetries,
        onRetry: options.onRetry,
        defaultHeaders: options.defaultHeaders ?? {},
        defaultQuery: options.defaultQuery ?? {},
        fetchOptions: options.fetchOptions ?? {},
        logger: createLogger(options.logger ?? console, logLevel, text => keys.known.redact(text)),
        clock,
    };
}
/** Throws ConfigurationError. */
function checkClock(clock) {
    for (const name of ['now', 'monotonicMs', 'sleep'])
        if (typeof clock?.[name] !== 'function')
            throw new ConfigurationError(`clock must have a method ${name}`);
}
/** Browser pages and web workers identify as Mozilla; Node, Deno, Bun and cloud workers do not. */
function refuseBrowser() {
    if (typeof navigator === 'undefined' || !navigator.userAgent?.startsWith('Mozilla/'))
        return;
    throw new ConfigurationError('this is a browser, where every visitor can read the API key; send requests from your server, or set apiKey to a function that gets a short-lived key from it; allowBrowser uses the key anyway', { option: 'apiKey' });
}
function readLogLevel(option, environment) {
    const word = option ?? environment('AGENT_RUN_LOG') ?? defaults.logLevel;
    if (isLogLevel(word))
        return word;
    const where = option === undefined ? 'AGENT_RUN_LOG' : 'logLevel';
    throw new ConfigurationError(`${where} must be one of ${logLevels.join(', ')}, not "${word}"${didYouMean(word, logLevels)}`);
}
/**
 * Every variable counts as unset without `process` (browsers, some workers) or without permission to read it (Deno).
 */
function readEnvironment() {
    return name => {
        try {
            const value = typeof process === 'undefined' ? undefined : process.env[name];
            return value === undefined || value.trim() === '' ? undefined : value;
        }
        catch {
            return undefined;
        }
    };
}

;// CONCATENATED MODULE: ./build/js/client/errors/run-errors.js
/** The errors about a run, not about one call. */


/** The server does not have the feature that the call needs. */
class run_errors_FeatureUnavailableError extends errors_AgentRunsError {
    name = 'FeatureUnavailableError';
    feature;
    constructor(feature, cause, more = '') {
        super(`this server does not offer "${feature}"${more}`, { cause });
        this.feature = feature;
    }
}
const overdue = {
    total: 'had not ended after',
    queue: 'was still queued after',
    run: 'had not ended after running for',
    stall: 'has shown no activity for',
};
/** Without a state, nothing is known about the run. */
function describeOverdue({ limit, timeoutMs, state, phase, cause }) {
    const last = cause instanceof Error ? `: ${cause.message}` : '';
    if (state === undefined)
        return `could not be read for ${timeoutMs} ms${last}`;
    const where = phase === 'queue' ? 'waiting to start' : 'started';
    const since = cause === undefined ? '' : ` when last seen; every request since then has failed${last}`;
    return `${overdue[limit]} ${timeoutMs} ms; last state ${state}, ${where}${since}`;
}
/** A time limit of following was reached; the run continues. */
class run_errors_FollowTimeoutError extends errors_AgentRunsError {
    name = 'FollowTimeoutError';
    runId;
    limit;
    /** The limit that was reached, in ms. */
    timeoutMs;
    /** The last state seen; undefined if no poll was answered. */
    state;
    /** Whether the run was queued or running when last seen; undefined if it was never seen. */
    phase;
    constructor(facts) {
        super(`run ${facts.runId} ${describeOverdue(facts)}`, { cause: facts.cause });
        this.runId = facts.runId;
        this.limit = facts.limit;
        this.timeoutMs = facts.timeoutMs;
        this.state = facts.state;
        this.phase = facts.phase;
    }
}
/** The server does not know the run, or no longer knows it. */
class run_errors_RunLostError extends errors_AgentRunsError {
    name = 'RunLostError';
    runId;
    /** The last state seen; undefined if the run was never seen. */
    state;
    constructor(facts) {
        // If the run was never seen, the address may be wrong.
        const what = facts.state === undefined
            ? `is not known to the server: ${facts.cause.message}`
            : `is no longer known to the server; last state ${facts.state}`;
        super(`run ${facts.runId} ${what}`, { cause: facts.cause });
        this.runId = facts.runId;
        this.state = facts.state;
    }
}
/** It is unknown whether a create started a run. */
class run_errors_StartUnknownError extends errors_AgentRunsError {
    name = 'StartUnknownError';
    /** Repeat the create with this key and the same body on a server that supports keys. */
    idempotencyKey;
    constructor(facts) {
        const then = facts.afterwards === undefined ? '' : `; then ${facts.afterwards}`;
        super(`it is unclear whether the run was started: ${(0,cause/* messageOf */.bD)(facts.cause)}${then}. Check the list of runs before you start it again (Idempotency-Key ${facts.idempotencyKey})`, { cause: facts.cause });
        this.idempotencyKey = facts.idempotencyKey;
    }
}

;// CONCATENATED MODULE: ./build/js/client/following/features.js



/** Statuses of a server that does not know an address or a method. */
const features_notThere = new Set([404, 405, 501]);
/** Whether the answer says that the address does not exist, and the server does not announce the feature. */
function features_isAddressMissing(error, feature) {
    return error instanceof ApiError && features_notThere.has(error.status) && !readFeatures(error.headers).has(feature);
}
/** FeatureUnavailableError if the address does not exist, otherwise the same error. */
function features_explainMissing(error, feature) {
    return features_isAddressMissing(error, feature) ? new FeatureUnavailableError(feature, error) : error;
}

;// CONCATENATED MODULE: ./build/js/client/following/patience.js
/**
 * How long following tolerates a failing server. The measure is the time without a good answer, not the number of
 * failures.
 */






const patience_patienceNames = ['toleranceMs', 'notFoundGraceMs', 'signal'];
class patience_Patience {
    #runId;
    #transport;
    #toleranceMs;
    #graceEndMs;
    #askedMs;
    #failingSinceMs = 0;
    #failures = 0;
    constructor(runId, transport, options) {
        this.#runId = runId;
        this.#transport = transport;
        this.#toleranceMs = options.toleranceMs ?? defaults.toleranceMs;
        this.#askedMs = transport.clock.monotonicMs();
        this.#graceEndMs = this.#askedMs + (options.notFoundGraceMs ?? defaults.notFoundGraceMs);
    }
    /**
     * Called before each poll. Time that the caller spent since the last one, perhaps hours, is not a failure of the
     * server.
     */
    noteAsked() {
        this.#askedMs = this.#transport.clock.monotonicMs();
    }
    noteGoodAnswer() {
        if (this.#failures > 0)
            this.#transport.logger.info(`run ${this.#runId}: the server is answering again`);
        this.#failures = 0;
    }
    /**
     * Returns the wait before the next poll, in ms. Throws the error itself if waiting cannot fix it, RunLostError for
     * a run that does not exist, and ConnectionError (`cause` is the last failure) when the tolerance is used up.
     */
    waitAfter(error, lastState) {
        const { clock, logger } = this.#transport;
        const askedMs = this.#askedMs;
        if (this.#failures === 0)
            this.#failingSinceMs = askedMs;
        // Measured from the start of the poll. A machine that slept during a poll makes it fail late, which says nothing
        // about the server.
        const isTooLong = askedMs - this.#failingSinceMs >= this.#toleranceMs;
        if (isRunMissing(error)) {
            if (isTooLong || askedMs >= this.#graceEndMs)
                throw new RunLostError({ runId: this.#runId, state: lastState, cause: error });
        }
        else if (!isCurable(error)) {
            throw error;
        }
        else if (isTooLong) {
            throw this.#giveUp(error);
        }
        if (this.#failures === 0)
            logger.warn(`run ${this.#runId}: ${headlineOf(error)}; still following`);
        this.#failures += 1;
        return retryDelayMs(error, this.#failures - 1, clock.now());
    }
    #giveUp(error) {
        const seconds = Math.round(this.#toleranceMs / 1000);
        return new ConnectionError(`run ${this.#runId}: no good answer for ${seconds} s; last failure: ${error.message}`, {
            host: this.#transport.host,
            fault: 'other',
            neverLeft: false,
            cause: error,
        });
    }
}
/**
 * Whether the service itself says that the run does not exist, in a problem document or its older form. A proxy that
 * lost its server does not count.
 */
function isRunMissing(error) {
    if (!(error instanceof NotFoundError))
        return false;
    return error.code !== undefined || (isObject(error.body) && typeof error.body.error === 'string');
}
function isCurable(error) {
    if (error instanceof UnexpectedResponseError || error instanceof NotFoundError)
        return true;
    return isProxyAnswer(error) || judgeFailure(error) !== 'final';
}

;// CONCATENATED MODULE: ./build/js/client/following/stream-reader.js




const stream_reader_streamTimes = Object.freeze({ firstByteMs: 15_000, silenceMs: 45_000, closingMs: 2_000 });
/** Yields every event, then returns how the connection ended. Throws AbortedError. Always closes the connection. */
async function* stream_reader_readStream(stream, { signal, times = stream_reader_streamTimes, onChunk } = {}) {
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    const parser = new ServerSentEventParser();
    let hasReceived = false;
    let closesAtMs;
    try {
        for (;;) {
            const restMs = closesAtMs === undefined ? times.silenceMs : Math.max(1, closesAtMs - performance.now());
            const piece = await readPiece(reader, hasReceived ? restMs : times.firstByteMs, signal);
            if (piece === 'silent' && !hasReceived)
                return 'useless';
            if (typeof piece === 'string')
                return closesAtMs === undefined ? 'ended' : 'over';
            hasReceived = true;
            onChunk?.();
            for (const message of parser.read(decoder.decode(piece, { stream: true }))) {
                const event = readEvent(message);
                closesAtMs = isLast(event) ? performance.now() + times.closingMs : undefined;
                yield event;
            }
            // Comments may never stop.
            if (closesAtMs !== undefined && performance.now() >= closesAtMs)
                return 'over';
        }
    }
    catch (error) {
        if (error instanceof SyntaxError || error instanceof RangeError)
            return 'useless';
        throw error;
    }
    finally {
        // Not awaited: a broken stream may never settle it.
        reader.cancel().catch(() => { });
    }
}
/** The next bytes, or why there are none. Throws AbortedError. */
async function readPiece(reader, ms, signal) {
    const silent = new Error('silent');
    try {
        const { value } = await withDeadline({ ms, signal, onTimeout: () => silent }, () => reader.read());
        return value ?? 'closed';
    }
    catch (error) {
        throwIfAborted(signal);
        return error === silent ? 'silent' : 'closed';
    }
}
function isLast({ type, data }) {
    return type === 'state' && isFinal(String(data.state));
}
/** Throws SyntaxError for anything but an event of a run. */
function readEvent(data) {
    const event = JSON.parse(data);
    if (!isEvent(event))
        throw new SyntaxError('not an event of a run');
    return event;
}

;// CONCATENATED MODULE: ./build/js/client/following/event-reader.js











const eventsNames = ['after', 'onStatesOnly', ...patience_patienceNames];
/** After this many consecutive streams without an event, read pages. */
const emptyStreamsMax = 2;
/**
 * Reads by the first two ways. Throws FeatureUnavailableError if the server has no events, and what `iterateEvents`
 * throws.
 */
class event_reader_EventReader {
    #transport;
    #path;
    #runPath;
    #signal;
    #patience;
    #onStream;
    #after;
    #streams;
    #barrenStreams = 0;
    /** Set after a stream without events: a page says whether the run is over. */
    #asksForPage = false;
    #wasThere = false;
    #quietPolls = 0;
    #newsPolls = 0;
    constructor(transport, runId, options, { onStream = () => { }, usesStreams = true } = {}) {
        this.#streams = usesStreams;
        checkOptions('the options of events', options, eventsNames);
        const { after = 0, signal } = options;
        this.#transport = transport;
        this.#path = fillRoute('listEvents', { runId });
        this.#runPath = fillRoute('readRun', { runId });
        this.#signal = signal;
        this.#patience = new Patience(runId, transport, options);
        this.#after = after;
        this.#onStream = onStream;
    }
    async *read() {
        const { clock } = this.#transport;
        for (let restMs = 0;;) {
            this.#patience.noteAsked();
            const askedMs = clock.monotonicMs();
            let answer;
            try {
                answer = await (this.#streams && !this.#asksForPage ? this.#askForStream() : this.#askForPage());
            }
            catch (error) {
                this.#onStream(false);
                restMs = this.#patience.waitAfter(await this.#explain(error), undefined);
                await pause(clock, restMs, this.#signal);
                continue;
            }
            this.#patience.noteGoodAnswer();
            this.#wasThere = true;
            restMs =
                answer.stream === undefined
                    ? yield* this.#readPage(answer, clock.monotonicMs() - askedMs)
                    : yield* this.#readStream(answer.stream);
            if (restMs === 'over')
                return;
            await pause(clock, restMs, this.#signal);
        }
    }
    /**
     * The 404 may come from a proxy that does not know the address. The run's response says whether the server has
     * events.
     */
    async #explain(error) {
        if (this.#wasThere || !isAddressMissing(error, 'events'))
            return error;
        try {
            const { timeoutMs } = this.#transport.limits({});
            const { headers } = await this.#transport.send({
                method: 'GET',
                path: this.#runPath,
                as: 'json',
                isExpected: isRun,
                isIdempotent: true,
                maxRetries: 0,
                totalTimeoutMs: timeoutMs,
                signal: this.#signal,
            });
            return readFeatures(headers).has('events') ? error : new FeatureUnavailableError('events', error);
        }
        catch (failure) {
            return failure;
        }
    }
    /** Returns the wait before the next page, in ms. */
    async *#readPage(answer, tookMs) {
        this.#onStream(false);
        // A page in answer to a stream request means that the server has no streams.
        if (!this.#asksForPage)
            this.#streams = false;
        this.#asksForPage = false;
        const { events, done } = answer.data;
        const news = yield* this.#pick(events);
        if (done)
            return 'over';
        if (this.#streams)
            return streamRestMs();
        this.#quietPolls = news > 0 ? 0 : this.#quietPolls + 1;
        if (news > 0)
            this.#newsPolls += 1;
        const serverWaits = readFeatures(answer.headers).has('wait');
        const polls = { newsPolls: this.#newsPolls, quietPolls: this.#quietPolls };
        return pageRestMs({ news, serverWaits, tookMs, ...polls });
    }
    /** Returns the wait before the next connection, in ms. */
    async *#readStream(stream) {
        const reading = readStream(stream, { signal: this.#signal, onChunk: () => this.#onStream(true) });
        const before = this.#after;
        let end;
        try {
            for (;;) {
                const step = await reading.next();
                if (step.done) {
                    end = step.value;
                    break;
                }
                yield* this.#pick([step.value]);
            }
        }
        finally {
            // A caller that stops early must not leave the connection open.
            await reading.return('ended');
        }
        if (end === 'over')
            return 'over';
        this.#asksForPage = this.#after === before;
        this.#barrenStreams = this.#asksForPage ? this.#barrenStreams + 1 : 0;
        if (end === 'useless' || this.#barrenStreams >= emptyStreamsMax)
            this.#streams = false;
        this.#onStream(false);
        return streamRestMs();
    }
    /** Yields the events that are new. */
    *#pick(events) {
        let news = 0;
        for (const event of events) {
            if (event.seq <= this.#after)
                continue;
            this.#after = event.seq;
            news += 1;
            throwIfAborted(this.#signal);
            yield event;
        }
        return news;
    }
    async #askForStream() {
        const after = this.#after;
        try {
            return await this.#ask(Math.min(this.#transport.limits({}).timeoutMs, streamTimes.firstByteMs), {
                Accept: 'text/event-stream, application/json;q=0.5',
                'Last-Event-ID': after > 0 ? String(after) : undefined,
            });
        }
        catch (error) {
            // Even the headers were held back.
            if (error instanceof ConnectionTimeoutError)
                this.#streams = false;
            throw error;
        }
    }
    async #askForPage() {
        const waitSeconds = this.#streams ? 0 : longPollSeconds;
        return await this.#ask(this.#transport.limits({}).timeoutMs + waitSeconds * 1000, {
            [headerNames.prefer]: waitSeconds === 0 ? undefined : `wait=${waitSeconds}`,
        });
    }
    async #ask(timeoutMs, headers) {
        return await this.#transport.send({
            method: 'GET',
            path: this.#path,
            query: { after: this.#after },
            headers,
            as: 'json',
            isExpected: isEventPage,
            takesStream: headers.Accept !== undefined,
            isIdempotent: true,
            // The reader's patience covers failed requests.
            maxRetries: 0,
            timeoutMs,
            totalTimeoutMs: timeoutMs,
            signal: this.#signal,
        });
    }
}

;// CONCATENATED MODULE: ./build/js/client/following/event-watch.js
/**
 * Reads the events of a run while the run is followed. Events decide nothing: only the run says what became of it.
 * While their stream is alive and complete, it says when to look at the run, so nobody polls meanwhile.
 */




class event_watch_EventWatch {
    #watched;
    #stopping = new AbortController();
    /** Stops the current reader, which then yields no more events. */
    #reading = new AbortController();
    #isStreaming = false;
    /** The last delivered event and the last delivered change of state. */
    #seq = 0;
    #stateSeq = 0;
    /** The last event that the run is known to have. */
    #runSeq = 0;
    /** Whether `onEvent` is running. */
    #isGiving = false;
    #isOver = false;
    #fault;
    #wake = createDeferred();
    constructor(watched) {
        this.#watched = watched;
        this.#begin(true);
    }
    /** Whether an open stream has delivered all known events, and no change of state since. */
    get isCurrent() {
        return this.#isStreaming && this.#seq >= this.#runSeq && this.#stateSeq <= this.#runSeq;
    }
    /** Whether a change of state was delivered that the run does not show yet. */
    get hasNewState() {
        return this.#stateSeq > this.#runSeq;
    }
    /** Call this with every whole run that arrives. */
    noteRun({ last_seq }) {
        // Without `last_seq` the stream cannot prove that it is complete.
        this.#runSeq = last_seq ?? Number.POSITIVE_INFINITY;
    }
    /** Waits for `sleep`, or until there may be news; then aborts `sleep`. */
    async race(sleep, signal) {
        const nap = new AbortController();
        const either = signal === undefined ? nap.signal : AbortSignal.any([signal, nap.signal]);
        await Promise.race([sleep(either), this.#wake.promise]).finally(() => nap.abort());
    }
    /**
     * Waits until all known events were delivered. If none arrives for `graceMs`, it asks for them by pages, once.
     * While `onEvent` runs, an ended run waits until the time limits. A BLOCKED one waits for `graceMs` in all, because
     * the caller may be waiting for that run. Throws what `onEvent` threw.
     */
    async catchUp({ graceMs, leftMs, isOver, signal }) {
        const { transport, runId } = this.#watched;
        const endMs = performance.now() + graceMs;
        const latestMs = Math.min(0, leftMs()) - graceMs;
        for (let asksForPages = false; !this.#isOver && this.#seq < this.#runSeq;) {
            const isGiving = this.#isGiving;
            const callerMs = isOver ? leftMs() + graceMs : Math.min(leftMs(), endMs - performance.now());
            const hasMoved = await this.#moves(isGiving ? callerMs : graceMs, signal);
            // The caller already has the run, so an abort does not throw here.
            if (signal?.aborted)
                break;
            const isLate = leftMs() <= latestMs;
            if (hasMoved && !isLate)
                continue;
            if (!isGiving && !isLate && !asksForPages) {
                // A stream that delivers nothing reports it too late. Pages contain the missing events.
                asksForPages = true;
                this.#begin(false);
                continue;
            }
            if (!isGiving)
                transport.logger.warn(`run ${runId}: not all of its events arrived in time`);
            else if (isOver)
                transport.logger.warn(`run ${runId}: onEvent was too slow to receive all of its events`);
            break;
        }
        this.throwFault();
    }
    /** Throws what `onEvent` threw. */
    throwFault() {
        if (this.#fault !== undefined)
            throw this.#fault.error;
    }
    /** Delivers no more events. */
    stop() {
        this.#stopping.abort();
    }
    /** Whether an event arrives, or `onEvent` returns, within `ms`. */
    async #moves(ms, signal) {
        if (ms <= 0)
            return false;
        const onTimeout = () => new Error('the last events are late');
        return await withDeadline({ ms, signal, onTimeout }, () => this.#wake.promise).then(() => true, () => false);
    }
    /** Starts a new reader after the last delivered event. */
    #begin(usesStreams) {
        const { transport, runId, patience, signal } = this.#watched;
        this.#reading.abort();
        const reading = new AbortController();
        this.#reading = reading;
        const ends = [reading.signal, this.#stopping.signal, ...(signal === undefined ? [] : [signal])];
        const ending = AbortSignal.any(ends);
        const options = { ...patience, signal: ending, after: this.#seq };
        const onStream = (isStreaming) => this.#noteStream(isStreaming);
        const reader = new EventReader(transport, runId, options, { onStream, usesStreams });
        const read = async () => {
            for await (const event of reader.read()) {
                if (ending.aborted)
                    return;
                await this.#give(event);
                if (this.#fault !== undefined)
                    return;
            }
        };
        void read()
            .catch(error => {
            if (!ending.aborted)
                transport.logger.warn(`run ${runId}: its events can no longer be read: ${headlineOf(error)}`);
        })
            .finally(() => {
            if (reading !== this.#reading)
                return;
            this.#isOver = true;
            this.#isStreaming = false;
            this.#rouse();
        });
    }
    async #give(event) {
        const isBehind = this.#seq < this.#runSeq;
        if (event.type === 'state')
            this.#stateSeq = event.seq;
        this.#isGiving = true;
        if (event.type === 'state' || isBehind)
            this.#rouse();
        try {
            await this.#watched.onEvent(event);
        }
        catch (error) {
            this.#fault = { error };
        }
        this.#isGiving = false;
        this.#seq = event.seq;
        if (isBehind)
            this.#rouse();
    }
    #noteStream(isStreaming) {
        const isNew = isStreaming !== this.#isStreaming;
        this.#isStreaming = isStreaming;
        if (isNew)
            this.#rouse();
    }
    #rouse() {
        this.#wake.resolve();
        this.#wake = createDeferred();
    }
}

;// CONCATENATED MODULE: ./build/js/client/following/follow-limits.js
const waiting = new Set(['QUEUED', 'PENDING', 'CLAIMED']);
/** Whether a run waits to start. Unknown states count as running. */
function follow_limits_isWaiting(state) {
    return waiting.has(state);
}
const follow_limits_limitNames = (/* unused pure expression or super */ null && (['timeoutMs', 'queueTimeoutMs', 'runTimeoutMs', 'stallTimeoutMs']));
const none = Number.POSITIVE_INFINITY;
class follow_limits_FollowLimits {
    #options;
    #beganMs;
    #state;
    #phaseBeganMs;
    #activity = '';
    #activeAtMs;
    #silentSinceMs;
    /** The last event that arrived outside a run. */
    #seq = 0;
    constructor(options, nowMs) {
        this.#options = options;
        this.#beganMs = nowMs;
        this.#phaseBeganMs = nowMs;
        this.#activeAtMs = nowMs;
    }
    /** Call this with every whole run that arrives. */
    noteRun(run, nowMs) {
        if (this.#state === undefined || follow_limits_isWaiting(this.#state) !== follow_limits_isWaiting(run.state))
            this.#phaseBeganMs = nowMs;
        this.#state = run.state;
        const activity = JSON.stringify([run.state, run.attempt, run.updated_at, run.last_seq]);
        // Events that arrived before the run reported them already counted as activity.
        const isKnown = this.#seq > 0 && run.last_seq != null && run.last_seq <= this.#seq;
        if (activity !== this.#activity && !isKnown)
            this.#activeAtMs = nowMs;
        this.#activity = activity;
    }
    noteEvent(seq, nowMs) {
        this.#seq = seq;
        this.noteAnswer(nowMs);
        this.#activeAtMs = nowMs;
    }
    /**
     * A look that began at `sinceMs` failed. Time without a server does not count as a stall, because the run may be
     * active.
     */
    noteSilence(sinceMs) {
        this.#silentSinceMs ??= sinceMs;
    }
    noteAnswer(nowMs) {
        this.#activeAtMs += this.#silenceMs(nowMs);
        this.#silentSinceMs = undefined;
    }
    #silenceMs(nowMs) {
        return this.#silentSinceMs === undefined ? 0 : nowMs - this.#silentSinceMs;
    }
    nearest(nowMs) {
        const { timeoutMs, queueTimeoutMs, runTimeoutMs } = this.#options;
        const state = this.#state;
        const isQueued = state === undefined || follow_limits_isWaiting(state);
        const make = (limit, ms, sinceMs) => ({
            limit,
            timeoutMs: ms ?? none,
            leftMs: (ms ?? none) - (nowMs - sinceMs),
        });
        return [
            isQueued ? make('queue', queueTimeoutMs, this.#phaseBeganMs) : make('run', runTimeoutMs, this.#phaseBeganMs),
            make('stall', this.#mayStall() ? this.#options.stallTimeoutMs : none, this.#activeAtMs + this.#silenceMs(nowMs)),
            make('total', timeoutMs, this.#beganMs),
        ].reduce((first, other) => (other.leftMs < first.leftMs ? other : first));
    }
    /**
     * How long answers without a whole run are enough, in ms. Log lines change `updated_at`, but not the version that a
     * long poll waits for.
     */
    get longestWithoutRunMs() {
        return this.#mayStall() ? (this.#options.stallTimeoutMs ?? none) / 4 : none;
    }
    #mayStall() {
        return this.#state !== undefined && !follow_limits_isWaiting(this.#state) && this.#state !== 'BLOCKED';
    }
}

;// CONCATENATED MODULE: ./build/js/client/following/follow.js
/**
 * Follows a run: with conditional long polls if the server announces `wait`, otherwise with plain polls at growing
 * intervals. While a live event stream is open, the run is read only when an event reports a change of state. Only
 * differences of the monotonic clock count, never a server's time.
 */












const eventNames = (/* unused pure expression or super */ null && (['onEvent', 'onStatesOnly', 'eventsGraceMs']));
/** The limit for the last look after a time limit was reached. */
const lastLookMs = 2_000;
/** The next long poll can start at once if a look for activity came between the two. */
const afterActivityMs = 250;
/** The run is read this often even if a live stream reports no change. */
const streamingLookMs = 300_000;
/**
 * Yields the run now and after every change, except changes of times alone. Ends after a final state. A BLOCKED run
 * is yielded and following continues. Throws AbortedError, FollowTimeoutError, RunLostError, ConnectionError if no
 * good response came for `toleranceMs`, and any error that waiting cannot fix (401, 403, other 4xx from the service)
 * at once.
 */
async function* follow_followRun(transport, runId, options) {
    const follower = new Follower(transport, runId, options);
    try {
        for (;;) {
            const run = await follower.look();
            if (run !== undefined) {
                if (isFinal(run.state) || run.state === 'BLOCKED')
                    await follower.awaitEvents(run);
                yield run;
                if (isFinal(run.state))
                    return;
            }
            await follower.rest();
        }
    }
    finally {
        follower.stop();
    }
}
class Follower {
    #transport;
    #runId;
    #path;
    #options;
    #signal;
    #patience;
    #limits;
    #strangeStates = new Set();
    #run;
    /** For the next conditional long poll; undefined if the server does not offer one. */
    #etag;
    /** When the last whole run arrived. */
    #wholeMs;
    /** The time left until the first limit when the last look began. */
    #leftMs = Number.POSITIVE_INFINITY;
    #looksForLife = false;
    #quietPolls = 0;
    /** Polls that brought news. Infinity with `onEvent`: the event stream reports changes sooner than a poll. */
    #newsPolls;
    /** Looks that did not rest because an event reported a change of state. */
    #promptLooks = 0;
    #restMs = 0;
    #failure;
    #watch;
    /** Whether `onStatesOnly` was called. */
    #isStatesOnly = false;
    constructor(transport, runId, options) {
        // `wait` also takes `onRun` and passes all its options.
        checkOptions('the options of following', options, ['onRun', ...eventNames, ...limitNames, ...patienceNames]);
        this.#transport = transport;
        this.#runId = runId;
        this.#path = fillRoute('readRun', { runId });
        this.#options = options;
        this.#signal = options.signal;
        this.#newsPolls = options.onEvent === undefined ? 0 : Number.POSITIVE_INFINITY;
        this.#patience = new Patience(runId, transport, options);
        this.#limits = new FollowLimits(options, transport.clock.monotonicMs());
        this.#wholeMs = transport.clock.monotonicMs();
    }
    /** Polls once and returns the run if it changed. A tolerated failure counts as no change. */
    async look() {
        const { clock } = this.#transport;
        this.#patience.noteAsked();
        const askedMs = clock.monotonicMs();
        let answer;
        try {
            answer = await this.#poll();
        }
        catch (error) {
            this.#failure = error;
            this.#restMs = this.#patience.waitAfter(error, this.#shownState());
            this.#limits.noteSilence(askedMs);
            return undefined;
        }
        this.#failure = undefined;
        this.#limits.noteAnswer(clock.monotonicMs());
        this.#patience.noteGoodAnswer();
        const news = answer.status === 304 ? undefined : await this.#take(answer);
        this.#quietPolls = news === undefined ? this.#quietPolls + 1 : 0;
        if (news !== undefined)
            this.#newsPolls += 1;
        this.#restMs = this.#looksForLife
            ? afterActivityMs
            : restMs({
                hasNews: news !== undefined,
                serverWaits: this.#etag !== undefined,
                tookMs: clock.monotonicMs() - askedMs,
                quietPolls: this.#quietPolls,
                newsPolls: this.#newsPolls,
            });
        return news;
    }
    /**
     * Waits until the next look is due. Throws FollowTimeoutError if a limit was reached before the last look began.
     */
    async rest() {
        const { clock } = this.#transport;
        for (const beganMs = clock.monotonicMs();;) {
            this.#watch?.throwFault();
            const nowMs = clock.monotonicMs();
            const { limit, timeoutMs, leftMs } = this.#limits.nearest(nowMs);
            if (leftMs <= 0 && this.#leftMs > 0)
                return;
            if (leftMs <= 0)
                throw new FollowTimeoutError({
                    runId: this.#runId,
                    limit,
                    timeoutMs,
                    state: this.#shownState(),
                    phase: this.#run === undefined ? undefined : isWaiting(this.#run.state) ? 'queue' : 'run',
                    cause: this.#failure,
                });
            if (this.#failure === undefined && this.#watch?.hasNewState === true && this.#promptLooks < promptNews) {
                this.#promptLooks += 1;
                return;
            }
            // While the run cannot be read, keep polling even if the stream is alive.
            const isStreamCurrent = this.#failure === undefined && this.#watch?.isCurrent === true;
            const dueMs = (isStreamCurrent ? streamingLookMs : this.#restMs) - (nowMs - beganMs);
            // A clock with fractions can lose up to 1 ms in the sum.
            if (dueMs < 1)
                return;
            const sleep = (signal) => pause(clock, Math.min(dueMs, Math.max(leftMs, 1)), signal);
            await (this.#watch === undefined ? sleep(this.#signal) : this.#watch.race(sleep, this.#signal));
        }
    }
    /** Waits for the events that the run had when it was read. */
    async awaitEvents({ state }) {
        const { eventsGraceMs: graceMs = defaults.eventsGraceMs, signal } = this.#options;
        const leftMs = () => this.#limits.nearest(this.#transport.clock.monotonicMs()).leftMs;
        await this.#watch?.catchUp({ graceMs, leftMs, isOver: isFinal(state), signal });
    }
    stop() {
        this.#watch?.stop();
    }
    async #poll() {
        const nowMs = this.#transport.clock.monotonicMs();
        const { leftMs } = this.#limits.nearest(nowMs);
        const withoutRunMs = this.#limits.longestWithoutRunMs - (nowMs - this.#wholeMs);
        this.#leftMs = leftMs;
        this.#looksForLife = this.#etag !== undefined && (withoutRunMs <= 0 || leftMs <= 0);
        const etag = this.#looksForLife ? undefined : this.#etag;
        // After a failure, a short poll finds out sooner whether the server is back.
        const mayWait = etag !== undefined && this.#failure === undefined;
        const waitMs = mayWait ? Math.min(longPollSeconds * 1000, leftMs, withoutRunMs) : 0;
        const waitSeconds = Math.floor(waitMs / 1000);
        const { timeoutMs } = this.#transport.limits({});
        const attemptMs = Math.min(timeoutMs + waitSeconds * 1000, leftMs > 0 ? leftMs : lastLookMs);
        return await this.#transport.send({
            method: 'GET',
            path: this.#path,
            headers: {
                'If-None-Match': etag,
                [headerNames.prefer]: waitSeconds > 0 ? `wait=${waitSeconds}` : undefined,
            },
            as: 'json',
            isExpected: isRunOf(this.#runId),
            takesNotModified: etag !== undefined,
            isIdempotent: true,
            // The patience of following covers failed polls.
            maxRetries: 0,
            timeoutMs: attemptMs,
            totalTimeoutMs: attemptMs,
            signal: this.#signal,
        });
    }
    async #take(answer) {
        const run = parseRun(answer.data);
        const before = this.#run;
        const nowMs = this.#transport.clock.monotonicMs();
        this.#run = run;
        this.#wholeMs = nowMs;
        this.#limits.noteRun(run, nowMs);
        const features = readFeatures(answer.headers);
        const serverWaits = features.has('wait');
        await this.#readEvents(features);
        this.#watch?.noteRun(run);
        this.#etag = serverWaits ? (answer.headers.get('etag') ?? undefined) : undefined;
        this.#warnOfStrangeState(run.state);
        return before === undefined || fingerprintOf(before) !== fingerprintOf(run) ? run : undefined;
    }
    /** Starts reading events if they are wanted and the server has any. */
    async #readEvents(features) {
        const { onEvent, onStatesOnly } = this.#options;
        if (onEvent === undefined || this.#watch !== undefined)
            return;
        if (!features.has('events')) {
            if (!this.#isStatesOnly)
                await onStatesOnly?.();
            this.#isStatesOnly = true;
            return;
        }
        const { toleranceMs, notFoundGraceMs } = this.#options;
        this.#watch = new EventWatch({
            transport: this.#transport,
            runId: this.#runId,
            patience: { toleranceMs, notFoundGraceMs },
            signal: this.#signal,
            onEvent: event => {
                this.#limits.noteEvent(event.seq, this.#transport.clock.monotonicMs());
                return onEvent(event);
            },
        });
    }
    /** The state made safe for a message: a server may send any text. */
    #shownState() {
        const state = this.#run?.state;
        return state === undefined ? undefined : plainLine(this.#transport.redact(state.slice(0, 200)));
    }
    #warnOfStrangeState(state) {
        if (this.#strangeStates.has(state) || runStates.some(known => known === state))
            return;
        this.#strangeStates.add(state);
        this.#transport.logger.warn(`run ${this.#runId}: unknown state "${this.#shownState()}"; treating the run as still running`);
    }
}
/** The fields whose change is news to a follower. */
function fingerprintOf(run) {
    const { state, attempt, session_link, cancel_requested_at, status_message, result, artifacts } = run;
    return JSON.stringify([state, attempt, session_link, cancel_requested_at, status_message, result, artifacts]);
}

;// CONCATENATED MODULE: ./build/js/client/following/event-iteration.js



/**
 * Yields every event after `after` once, in order, and ends after the last one of a finished run. On a server without
 * events it yields an event of the type `state`, with `seq` 0, for each state seen. Throws AbortedError,
 * RunLostError, ConnectionError if no good response came for `toleranceMs`, and any error that waiting cannot fix
 * (401, 403, other 4xx) at once.
 */
async function* event_iteration_iterateEvents(transport, runId, options) {
    try {
        yield* new EventReader(transport, runId, options).read();
    }
    catch (error) {
        if (!(error instanceof FeatureUnavailableError))
            throw error;
        transport.logger.info(`run ${runId}: ${error.message}; following only its state`);
        await options.onStatesOnly?.();
        const { after: _after, onStatesOnly: _told, ...following } = options;
        for await (const { state, status_message, updated_at } of followRun(transport, runId, following)) {
            // Other services may send null.
            const message = status_message?.message ?? undefined;
            yield { seq: 0, at: updated_at, type: 'state', data: { state, ...(message === undefined ? {} : { message }) } };
        }
    }
}

;// CONCATENATED MODULE: ./build/js/client/http/runs-page.js



/** One page of a list. Iterating covers its runs and those of all later pages. */
class runs_page_RunsPage {
    runs;
    page_info;
    #nextCursor;
    #ask;
    /**
     * The cursors followed so far, with their page numbers. They stop a server that repeats a cursor from making an
     * endless list.
     */
    #followed;
    #number;
    constructor(page, ask, followed = new Map(), number = 0) {
        this.runs = page.runs.map(shape_parseRun);
        this.page_info = page.page_info;
        this.#ask = ask;
        this.#followed = followed;
        this.#number = number;
        this.#nextCursor = page.page_info?.has_next_page === true ? page.page_info.next_cursor || undefined : undefined;
    }
    /**
     * False on an empty page, and if the cursor is missing or was already followed, regardless of the server's
     * `has_next_page`.
     */
    hasNextPage() {
        const cursor = this.#nextCursor;
        if (this.runs.length === 0 || cursor === undefined)
            return false;
        return (this.#followed.get(cursor) ?? this.#number) >= this.#number;
    }
    /** Throws AgentRunsError on the last page. */
    async getNextPage() {
        const cursor = this.#nextCursor;
        if (cursor === undefined || !this.hasNextPage())
            throw new errors_AgentRunsError('there is no next page; check hasNextPage() first');
        const answer = await this.#ask(cursor);
        this.#followed.set(cursor, this.#number);
        return new runs_page_RunsPage(answer.data, this.#ask, this.#followed, this.#number + 1);
    }
    /** This page and all after it. */
    async *iterPages() {
        let page = this;
        yield page;
        while (page.hasNextPage()) {
            page = await page.getNextPage();
            yield page;
        }
    }
    async *[Symbol.asyncIterator]() {
        for await (const page of this.iterPages())
            yield* page.runs;
    }
}
/** A list. Await it for the first page; iterate it for every run. */
class runs_page_RunList extends api_promise_ApiPromise {
    constructor(first, ask) {
        super(first, answer => new runs_page_RunsPage(answer.data, ask));
    }
    async *[Symbol.asyncIterator]() {
        yield* await this;
    }
}

;// CONCATENATED MODULE: ./build/js/client/start/run-search.js




/** `created_at` may have whole seconds, and may come from a different clock than the `Date` header. */
const dateMarginMs = 2_000;
/**
 * A matching run that is older than the create by up to this may be the one if the clocks differ. Then the outcome is
 * unknown.
 */
const doubtMs = 60_000;
const pageLimit = 100;
const pagesMax = 10;
/**
 * The one matching run that the create may have started. Undefined for none, for several, and if the server does not
 * send its time.
 */
async function run_search_findStartedRun(transport, search) {
    const serverNow = Date.parse(search.serverDate ?? '');
    if (Number.isNaN(serverNow))
        return undefined;
    const beganAfter = serverNow - search.elapsedMs - dateMarginMs;
    const doubtAfter = beganAfter - doubtMs;
    const filter = {
        name: search.body.config?.name,
        created_after: new Date(doubtAfter).toISOString(),
        sort_by: 'created_at',
        sort_order: 'desc',
        limit: pageLimit,
    };
    const ask = (cursor) => transport.send({
        ...search.options(),
        method: 'GET',
        path: routePath('listRuns'),
        query: { ...filter, cursor },
        as: 'json',
        isExpected: isRunPage,
        isIdempotent: true,
    });
    // The request has this filter too, but a server that does not know it returns old runs.
    const isLate = (time) => Date.parse(time) >= doubtAfter;
    const found = [];
    let page = new RunsPage((await ask()).data, ask);
    for (let pages = 1;; pages += 1) {
        found.push(...page.runs.filter(run => isLate(run.created_at) && run_search_fits(run, search.body) && !search.isTaken(run)));
        const last = page.runs.at(-1);
        // Newest first by creation or by last change, so only older runs follow.
        const isOver = last !== undefined && !isLate(last.created_at) && !isLate(last.updated_at);
        if (found.length > 1 || isOver || !page.hasNextPage())
            break;
        if (pages === pagesMax)
            return undefined;
        page = await page.getNextPage();
    }
    const [run] = found;
    return found.length === 1 && run !== undefined && Date.parse(run.created_at) >= beganAfter ? run : undefined;
}
/** Whether the run can come from that body: every field present in both is equal. */
function run_search_fits(run, body) {
    const { config } = body;
    const same = [
        [body.prompt, run.prompt],
        [skillOf(body), skillOf({ config: run.agent_config })],
        [body.title, run.title],
        [config?.name, run.agent_config?.name],
        [config?.model_id, run.agent_config?.model_id],
    ];
    if (!same.every(([asked, kept]) => asked === undefined || kept === undefined || asked === kept))
        return false;
    // Not every service returns these. If it does, they tell apart matrix jobs and other runs of the same prompt.
    if (run.trigger_url !== undefined && run.trigger_url !== body.trigger_url)
        return false;
    const metadata = body.metadata ?? {};
    return (run.metadata === undefined ||
        (Object.keys(run.metadata).length === Object.keys(metadata).length &&
            Object.entries(metadata).every(([key, value]) => run.metadata?.[key] === value)));
}

;// CONCATENATED MODULE: ./build/js/client/start/start.js
/**
 * Starts a run exactly once, even if responses get lost.
 *
 * - A create that was certainly not carried out (refused connection, unresolved name, 429, the 503 of this project's
 *   server) is retried. When the retries run out, the last error is thrown: nothing was started.
 * - A create that may have been carried out (reset, timeout, 5xx, truncated response, redirect, JSON that is not a
 *   problem document, unforeseen client error) is followed by a cheap GET. If the server supports idempotency keys,
 *   the create is retried with the same key, so the server returns the existing run or starts it. It also uses the
 *   same API key, because another caller's create would start a second run.
 * - If the server does not support keys, forbids the retry or rejects the API key by now, the list is searched.
 *   Exactly one matching run is the answer; otherwise StartUnknownError is thrown. There is never a second create.
 * - A create that a proxy refused with a page (403 of a firewall, 400 of a proxy) did not reach the server. It is
 *   sent again only if the GET shows that the server supports idempotency keys. Otherwise the page is the answer,
 *   because it may have replaced the server's.
 */















/** Throws StartUnknownError if a run may have been started but cannot be found. */
async function start_startRun(transport, body, options) {
    checkOptions('the options of a create', options, ['idempotencyKey', 'source', ...requestNames]);
    if (!isObject(body))
        throw new ConfigurationError('the body of a create must be an object');
    const { idempotencyKey = crypto.randomUUID(), source, ...kept } = options;
    throwIfAborted(kept.signal);
    const began = transport.clock.monotonicMs();
    const prepared = transport.prepare({
        ...kept,
        method: 'POST',
        path: routePath('createRun'),
        body,
        headers: {
            ...Object.fromEntries(entriesOf(kept.headers)),
            ...(source === undefined ? {} : { [headerNames.source]: source }),
        },
        idempotencyKey,
        as: 'json',
        isExpected: isRun,
        isIdempotent: false,
    });
    // Retrying is allowed only after the server said that it supports keys.
    const create = { ...prepared, call: { ...prepared.call, isIdempotent: false } };
    const elapsedMs = () => transport.clock.monotonicMs() - began;
    const start = { transport, idempotencyKey, options: kept, create, elapsedMs };
    unsettled.add(start);
    try {
        const answer = await carryOutStart(start);
        start_markTaken(transport, answer.data);
        return answer;
    }
    catch (error) {
        const { hasLeft, isPerhapsDone } = start.create;
        if (error instanceof AbortedError && (hasLeft || isPerhapsDone))
            throw new AbortedError(error.cause, idempotencyKey);
        throw error;
    }
    finally {
        unsettled.delete(start);
    }
}
async function carryOutStart(start) {
    try {
        return await start.transport.carryOut(start.create);
    }
    catch (failure) {
        if ((start.create.hasLeft || failure instanceof ApiError) && mayHaveStartedRun(failure))
            return await settleStart(start, failure);
        if (!isProxyRefusal(failure))
            throw failure;
        try {
            return await retryPastProxy(start, failure);
        }
        catch (later) {
            // An attempt before the last one may have been carried out.
            if (start.create.isPerhapsDone || mayHaveStartedRun(later))
                return await settleStart(start, later);
            throw later;
        }
    }
}
/** Whether the failed create may have started a run. Only the service's own answer rules that out. */
function mayHaveStartedRun(failure) {
    const isOfAnother = failure instanceof ApiError && !isServiceAnswer(failure) && !isProxyRefusal(failure);
    return mayBeDone(failure) || (isOfAnother && judgeFailure(failure) === 'final');
}
/**
 * Whether a proxy refused the create with a page. A missing address or method is excluded: the base URL may be wrong.
 */
function isProxyRefusal(failure) {
    return isProxyAnswer(failure) && judgeFailure(failure) === 'final' && !notThere.has(failure.status);
}
/**
 * Sends a create again that a proxy refused, if the server supports idempotency keys. Otherwise throws the proxy's
 * response.
 */
async function retryPastProxy(start, page) {
    if (!hasTimeAfter(start, page))
        throw page;
    let asked;
    try {
        asked = await askServer(start, page);
    }
    catch (error) {
        const isRefused = error instanceof AuthenticationError || error instanceof PermissionDeniedError;
        throw error instanceof AbortedError || (isRefused && isServiceAnswer(error)) ? error : page;
    }
    if (!readFeatures(asked.headers).has('idempotency'))
        throw page;
    return await repeatCreate(start);
}
/** Whether the time and the options allow another attempt. */
function hasTimeAfter({ transport, options, elapsedMs }, failure) {
    const { totalTimeoutMs, maxRetries } = transport.limits(options);
    return maxRetries > 0 && elapsedMs() + retryDelayMs(failure, 0, transport.clock.now()) < totalTimeoutMs;
}
function remainingOf({ transport, options, elapsedMs }) {
    return { totalTimeoutMs: Math.max(1, transport.limits(options).totalTimeoutMs - elapsedMs()) };
}
/** Finds out with a cheap GET what the server supports, a moment after `failure`. */
async function askServer(start, failure) {
    const { transport, options } = start;
    transport.logger.info(`${headlineOf(failure)}; checking with the server before retrying`);
    transport.noteRetry(options, failure);
    await pause(transport.clock, retryDelayMs(failure, 0, transport.clock.now()), options.signal);
    return await transport.send({
        ...options,
        ...remainingOf(start),
        method: 'GET',
        path: routePath('listRuns'),
        query: { limit: 1 },
        as: 'json',
        isExpected: isRunPage,
        isIdempotent: true,
        // Retry past proxy pages only if the server may be behind one: a wrong address answers everything with a page.
        retriesProxyPages: mayBeDone(failure) || isProxyRefusal(failure),
    });
}
/** The same idempotency key makes it the same run. */
async function repeatCreate(start) {
    const call = { ...start.create.call, isIdempotent: true, retriesProxyPages: true };
    start.create = { ...start.create, ...remainingOf(start), call };
    return await start.transport.carryOut(start.create);
}
/** Finds out what became of a create that failed with `failure`. */
async function settleStart(start, failure) {
    const { transport, idempotencyKey, options } = start;
    const unknown = (afterwards) => new StartUnknownError({ idempotencyKey, cause: failure, afterwards });
    if (!hasTimeAfter(start, failure))
        throw unknown();
    let asked;
    let afterwards = 'no run in the list could be identified as this one';
    try {
        asked = await askServer(start, failure);
        const askedMs = start.elapsedMs();
        const isForbidden = failure instanceof ApiError &&
            (mayBeDone(failure)
                ? judgeFailure(failure) === 'final'
                : failure.headers.get(headerNames.shouldRetry) === 'false');
        if (readFeatures(asked.headers).has('idempotency') && !isForbidden) {
            start.create.pinnedKey ??= start.create.key;
            try {
                return await repeatCreate(start);
            }
            catch (error) {
                // The API key expired. A create with another one would start a second run.
                if (!(error instanceof AuthenticationError))
                    throw error;
                afterwards = messageOf(error);
            }
        }
        const run = await findStartedRun(transport, {
            body: bodyOf(start),
            serverDate: asked.headers.get('date'),
            elapsedMs: askedMs,
            options: () => ({ ...options, ...remainingOf(start) }),
            isTaken: run => isTaken(start, run),
        });
        if (run !== undefined)
            return replaceData(asked, createAnswer(run));
    }
    catch (error) {
        if (error instanceof AbortedError || refusesBody(error))
            throw error;
        // Neither response came from the service, so there is no server at this address and no run.
        if (asked === undefined && isForeignAnswer(failure) && isForeignAnswer(error))
            throw failure;
        throw unknown(messageOf(error));
    }
    throw unknown(afterwards);
}
/** Creates of this process whose run is not known yet. */
const unsettled = new Set();
/** The runs of this process's last creates. No search returns one of them. */
const taken = new Set();
const takenMax = 1000;
/** Whether the run belongs to another create, or may belong to one that is still unsettled. */
function isTaken(start, run) {
    const name = nameOf(start.transport, run);
    return (taken.has(name) ||
        [...unsettled].some(other => other !== start && nameOf(other.transport, run) === name && fits(run, bodyOf(other))));
}
function bodyOf({ create }) {
    const body = JSON.parse(create.body ?? '{}');
    // A `toJSON` method may return anything.
    return isObject(body) ? body : {};
}
/** Keeps searches for other creates from returning the run. */
function start_markTaken(transport, run) {
    taken.add(nameOf(transport, run));
    for (const oldest of taken) {
        if (taken.size <= takenMax)
            break;
        taken.delete(oldest);
    }
}
function nameOf(transport, run) {
    return `${transport.host} ${run.run_id}`;
}
/** Whether a proxy or another service answered. Truncated or mislabeled JSON may still come from this service. */
function isForeignAnswer(error) {
    if (error instanceof ApiError)
        return !isServiceAnswer(error) && (notThere.has(error.status) || [401, 403].includes(error.status));
    return error instanceof UnexpectedResponseError && !error.cut && !error.excerpt.includes('"run_id"');
}
/**
 * Whether the server refused the body itself, so the first attempt was refused too. A proxy may have other reasons.
 */
function refusesBody(error) {
    const isOfCreate = error instanceof ApiError && error.method === 'POST';
    return isOfCreate && [400, 413, 415, 422].includes(error.status) && isOwnServerAnswer(error);
}
function createAnswer({ run_id, state, session_link }) {
    return { run_id, task_id: run_id, state, ...(typeof session_link === 'string' ? { session_link } : {}) };
}

;// CONCATENATED MODULE: ./build/js/client/runs.js


















/**
 * The runs of the service. Every call throws ApiError for an error response, ConnectionError if no complete response
 * arrived, UnexpectedResponseError for a response that does not come from this service, AbortedError when its signal
 * aborts, and ConfigurationError, before anything is sent, for an invalid argument.
 */
class runs_Runs {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Starts a run exactly once, even if responses get lost. Throws StartUnknownError, with the idempotency key, if a
     * run may have been started but cannot be found.
     */
    create(body, options = {}) {
        return new ApiPromise(startRun(this.#transport, body, options), answer => answer.data);
    }
    /** The run as it is now. */
    retrieve(runId, options = {}) {
        const answer = this.#send('readRun', { runId }, { isExpected: isRunOf(runId) }, options);
        return new ApiPromise(answer, ({ data }) => parseRun(data));
    }
    /** One page when awaited, every run when iterated. Later pages repeat the filters. */
    list(params = {}, options = {}) {
        const filters = copyOf(params);
        const own = copyOf(options);
        const ask = async (cursor) => {
            checkNames('the parameters of a list', filters, listNames, '; pass one of a newer server in the option `query`');
            const empty = Object.entries(filters).find(([, value]) => Array.isArray(value) && value.every(one => one === undefined));
            if (empty !== undefined)
                throw new ConfigurationError(`the parameters of a list: ${empty[0]} is an empty list, which matches no run; use undefined to leave it out`);
            const query = cursor === undefined ? filters : { ...filters, cursor };
            return await this.#send('listRuns', {}, { isExpected: isRunPage, query }, own);
        };
        return new RunList(ask(), ask);
    }
    /** Asks the server to cancel the run; returns its id. Throws BadRequestError if the run has ended. */
    cancel(runId, options = {}) {
        return new ApiPromise(this.#cancel(runId, options), ({ data }) => data);
    }
    /**
     * Sends a message to a BLOCKED run, which then continues. Retried after a lost response only with an
     * `idempotencyKey`. Throws BadRequestError if the run has ended.
     */
    followup(runId, body, options = {}) {
        const answer = this.#send('sendFollowup', { runId }, { isExpected: isObject, body }, options, ['idempotencyKey']);
        return new ApiPromise(answer, ({ data }) => data);
    }
    /** Extends the run's lease to `leaseSeconds` from now. Throws FeatureUnavailableError on a server without leases. */
    renewLease(runId, leaseSeconds, options = {}) {
        const body = { lease_seconds: leaseSeconds };
        const answer = this.#send('renewLease', { runId }, { isExpected: isLease, body }, options);
        return new ApiPromise(explained(answer, 'lease'), ({ data }) => data);
    }
    /**
     * Removes the run's lease, so that it continues even if nobody follows it. Throws BadRequestError if the run has
     * ended or is being canceled, and FeatureUnavailableError on a server without leases.
     */
    releaseLease(runId, options = {}) {
        const answer = this.#send('releaseLease', { runId }, { isExpected: isObject }, options);
        return new ApiPromise(explained(answer, 'lease'), () => undefined);
    }
    /**
     * The full text of the result, as far as the server keeps it; the run's `left_out_bytes` says how much it dropped.
     * If the server offers results only on the run, the run is read instead. Throws NotFoundError with the code
     * `no_result` if the run has no result, and FeatureUnavailableError if the server offers no full results and the
     * run has only part of one, or none.
     */
    result(runId, options = {}) {
        return new ApiPromise(this.#result(runId, options), ({ data }) => data);
    }
    /**
     * Every event after `after`, once and in order, until the run ends. Broken connections are reopened. Throws what
     * `follow` throws except FollowTimeoutError; use the signal to stop.
     */
    events(runId, options = {}) {
        return iterateEvents(this.#transport, runId, copyOf(options));
    }
    /**
     * The run now and after every change, up to its final state. A change of times alone does not count. `onEvent`
     * receives the events meanwhile. Throws FollowTimeoutError, RunLostError, ConnectionError if no good response came
     * for `toleranceMs`, and any error that a retry cannot fix.
     */
    follow(runId, options = {}) {
        return followRun(this.#transport, runId, copyOf(options));
    }
    /** Waits for the run to end and returns it in its final state, whichever that is. Throws what `follow` throws. */
    async wait(runId, options = {}) {
        // Null is rejected when following begins.
        const onRun = options?.onRun;
        for await (const run of this.follow(runId, options)) {
            await onRun?.(run);
            if (isFinal(run.state))
                return run;
        }
        throw new AgentRunsError(`run ${runId}: following ended before the run did`);
    }
    async #result(runId, given) {
        const options = copyOf(given);
        try {
            return await explained(this.#send('readResult', { runId }, { as: 'text' }, options), 'result');
        }
        catch (error) {
            if (!(error instanceof FeatureUnavailableError))
                throw error;
            const answer = await this.#send('readRun', { runId }, { isExpected: isRunOf(runId) }, options);
            const { result } = parseRun(answer.data);
            if (result?.truncated === false)
                return replaceData(answer, result.text);
            // The 404 came from a proxy, because the server announces the feature.
            if (readFeatures(answer.headers).has('result'))
                throw error.cause;
            throw new FeatureUnavailableError('result', error, `, and the run itself has ${result !== undefined ? 'only the first part of it' : 'no result'}`);
        }
    }
    async #cancel(runId, given) {
        checkOptions('the options of a cancel', given, ['reason', ...requestNames]);
        const { reason, ...options } = given;
        let isRepeated = false;
        const onRetry = (failure) => {
            isRepeated = true;
            this.#transport.noteRetry(options, failure);
        };
        try {
            // A second cancel has no further effect.
            const body = reason === undefined ? undefined : { reason };
            const call = { isExpected: isIdOf(runId), isIdempotent: true, onRetry, body };
            return await this.#send('cancelRun', { runId }, call, options);
        }
        catch (error) {
            if (!isRepeated || !(error instanceof BadRequestError))
                throw error;
            // The run has ended, perhaps because of an attempt whose response was lost.
            const answer = await this.#send('readRun', { runId }, { isExpected: isRunOf(runId) }, options);
            if (parseRun(answer.data).state !== 'CANCELLED')
                throw error;
            return replaceData(answer, runId);
        }
    }
    async #send(id, parts, call, options, more = []) {
        checkOptions('the options of a call', options, [...more, ...requestNames]);
        const { method } = routes[id];
        const path = fillRoute(id, parts);
        return await this.#transport.send({
            ...options,
            method,
            path,
            as: 'json',
            isIdempotent: isIdempotent(method),
            ...call,
            query: { ...options.query, ...call.query },
        });
    }
}
const listNames = (/* unused pure expression or super */ null && ([
    'state',
    'name',
    'config_name',
    'model_id',
    'creator',
    'executor',
    'source',
    'execution_location',
    'skill_spec',
    'skill',
    'environment_id',
    'q',
    'metadata',
    'created_after',
    'created_before',
    'updated_after',
    'artifact_type',
    'schedule_id',
    'ancestor_run_id',
    'automation_id',
    'factory_uid',
    'limit',
    'cursor',
    'sort_by',
    'sort_order',
]));
/**
 * For calls that send several requests: the caller may change the object meanwhile. Other values are left for the
 * checks.
 */
function copyOf(options) {
    return isPlain(options) ? { ...options } : options;
}
async function explained(answer, feature) {
    try {
        return await answer;
    }
    catch (error) {
        throw explainMissing(error, feature);
    }
}

;// CONCATENATED MODULE: ./build/js/client/client.js











/** The client of an agent run service. Its key is never printed, logged or part of an error. */
class AgentRuns {
    /** Address of the service, with its prefix and without a slash at the end. */
    baseUrl;
    /** A sentence for the log if the prefix was added; undefined if the given address had it. */
    baseUrlNote;
    runs;
    agent;
    #options;
    #transport;
    /** Throws ConfigurationError, which names the option or variable that is missing or wrong. */
    constructor(options = {}) {
        const settings = resolveOptions(options);
        this.baseUrl = settings.baseUrl;
        this.baseUrlNote = settings.baseUrlNote;
        this.#options = { ...options, baseUrl: settings.baseUrl, apiKey: settings.keys };
        this.#transport = new Transport(settings);
        this.runs = new Runs(this.#transport);
        this.agent = new Agent(this.#transport);
        if (settings.baseUrlNote !== undefined)
            settings.logger.debug(settings.baseUrlNote);
    }
    /** A copy with other options; a different `baseUrl` needs its own `apiKey`. Throws ConfigurationError. */
    withOptions(options = {}) {
        checkOptions('the options of a client', options, clientNames);
        const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
        // Without another key, the copy shares the key source, which the public options do not include.
        const copy = new AgentRuns({ ...this.#options, ...given });
        if (copy.baseUrl !== this.baseUrl && given.apiKey === undefined)
            throw new ConfigurationError('a copy with another baseUrl also needs an apiKey for that service');
        return copy;
    }
    /**
     * Sends any request, with the same retries, time limits and errors. A response without a body gives undefined. A
     * POST or PATCH is retried only if it was certainly not carried out, or with an `idempotencyKey`.
     */
    request(method, path, options = {}) {
        return new ApiPromise(this.#request(method, path, options), ({ data, unread }) => {
            if (unread !== undefined)
                throw unread;
            return data;
        });
    }
    /** `request` with GET. */
    get(path, options) {
        return this.request('GET', path, options);
    }
    /** `request` with POST. */
    post(path, options) {
        return this.request('POST', path, options);
    }
    /** `request` with PUT. */
    put(path, options) {
        return this.request('PUT', path, options);
    }
    /** `request` with PATCH. */
    patch(path, options) {
        return this.request('PATCH', path, options);
    }
    /** `request` with DELETE. */
    delete(path, options) {
        return this.request('DELETE', path, options);
    }
    async #request(method, path, options) {
        checkOptions('the options of a request', options, ['body', 'as', 'idempotencyKey', ...requestNames]);
        const as = ways[options.as ?? 'json'];
        if (as === undefined)
            throw new ConfigurationError(`as must be one of ${Object.keys(ways).join(', ')}`);
        const call = { ...options, method, path, as, isIdempotent: isIdempotent(method) };
        const answer = await this.#transport.send(call);
        if (method === 'POST' && path.split('?', 1)[0] === routePath('createRun') && isRun(answer.data))
            markTaken(this.#transport, answer.data);
        return answer;
    }
}
const ways = {
    json: 'any-json',
    text: 'any-text',
    bytes: 'bytes',
};

;// CONCATENATED MODULE: ./build/js/client/index.js










;// CONCATENATED MODULE: ./build/js/base/document.js
/** Reads an object that a user typed or keeps in a file, as JSON or YAML. */

/** The text is not an object. The message completes a sentence that begins with the source of the text. */
class document_DocumentError extends (/* unused pure expression or super */ null && (Error)) {
    name = 'DocumentError';
}
/**
 * An object in JSON or YAML. A value of one line that is not an object is the path of a file with one, which
 * `readFile` reads. Throws DocumentError, and what `readFile` throws.
 */
async function readDocument(value, readFile) {
    const text = value.trim();
    const path = text.includes('\n') || text.startsWith('{') ? undefined : text;
    const parsed = await parseDocument(text, 'the value');
    if (isObject(parsed))
        return parsed;
    if (path === undefined || typeof parsed !== 'string')
        throw new document_DocumentError('the value must be an object in JSON or YAML, or the path of a file that contains one');
    const shown = quoteText(path);
    const read = await parseDocument(await readFile(path), shown);
    if (isObject(read))
        return read;
    throw new document_DocumentError(`${shown} does not contain an object in JSON or YAML`);
}
/** MCP servers by name. Also accepts the format of agent programs' `.mcp.json`: all below `mcpServers`. */
function document_unwrapMcpServers(document) {
    const { mcpServers: inner } = document;
    // A server may be named `mcpServers` itself.
    const isServer = isObject(inner) && ['command', 'url'].some(member => typeof inner[member] === 'string');
    return isObject(inner) && !isServer ? inner : document;
}
async function parseDocument(text, what) {
    if (text.trimStart().startsWith('{'))
        try {
            return JSON.parse(text);
        }
        catch {
            // It may be YAML, which also uses braces.
        }
    const { parse } = await __nccwpck_require__.e(/* import() */ 815).then(__nccwpck_require__.t.bind(__nccwpck_require__, 8815, 19));
    try {
        return parse(text);
    }
    catch (error) {
        // The parser quotes the faulty line, which may contain a key.
        const place = /at line \d+, column \d+/.exec(error instanceof Error ? error.message : '')?.[0];
        throw new document_DocumentError(`${what} is neither JSON nor YAML${place === undefined ? '' : ` (${place})`}`);
    }
}
/** A value in an error: quoted and shortened. */
function quoteText(value) {
    return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}

;// CONCATENATED MODULE: ./build/js/base/wording/nearest.js
/** The known word that was most likely meant; undefined if none is close. */
function nearest(word, known) {
    let best;
    // At least one letter must match: "on" is not "off".
    const farthest = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1);
    let bestDistance = farthest + 1;
    for (const candidate of known) {
        const [asked, there] = [word.toLowerCase(), candidate.toLowerCase()];
        // Longer names of other libraries, such as dangerouslyAllowBrowser.
        const isLonger = there.length > 4 && asked.endsWith(there);
        // The distance is at least the difference in length. This skips the slow comparison with a very long word.
        if (!isLonger && Math.abs(asked.length - there.length) >= bestDistance)
            continue;
        const distance = isLonger ? 1 : editDistance(asked, there);
        if (distance < bestDistance)
            [best, bestDistance] = [candidate, distance];
    }
    return best;
}
/** `. Did you mean "x"?`, or '' if nothing is close: the end of an error about an unknown word. */
function nearest_didYouMean(word, known) {
    const guess = nearest(word, known);
    return guess === undefined ? '' : `. Did you mean "${guess}"?`;
}
/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbors cost one each. */
function editDistance(a, b) {
    let above = [];
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i += 1) {
        const next = [i];
        for (let j = 1; j <= b.length; j += 1) {
            const change = a[i - 1] === b[j - 1] ? 0 : 1;
            const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
            const swapped = isSwap ? (above[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
            next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + change, swapped));
        }
        [above, row] = [row, next];
    }
    return row[b.length] ?? 0;
}

;// CONCATENATED MODULE: ./build/js/action/inputs/values.js
/** Reads one input: its valid values, and the error for others. */




/** An invalid input. The message has the input, its value (never a key) and the remedy. */
class values_InputError extends Error {
    name = 'InputError';
}
/** Explains why a variable that should hold a secret is empty. */
const whyEmpty = 'the secret is not set (Settings, Secrets and variables, Actions, Secrets), its name is misspelled, or this event gets no secrets (pull requests from forks and from Dependabot)';
/** A key that the agent needs is empty. Either an error or a reason to skip the step (`on_missing_credentials`). */
class MissingCredentialError extends values_InputError {
    /** Starts a sentence. Undefined if the variable is not set at all, which the event cannot explain. */
    lack;
    /** `remedy` follows the reason. */
    constructor(lack, { remedy = '', isUnset = false } = {}) {
        super(`${lack}${isUnset ? '' : `: ${whyEmpty}`}${remedy}`);
        this.lack = isUnset ? undefined : lack;
    }
}
/**
 * Reads each member in order and collects all faults, so that one log shows them all. `findMore` returns faults that
 * would appear later. It is called only if there is a fault. Throws InputError with every fault.
 */
async function readAll(readers, findMore = async () => []) {
    const values = [];
    const faults = [];
    for (const [name, read] of Object.entries(readers))
        try {
            values.push([name, await read()]);
        }
        catch (error) {
            if (!(error instanceof values_InputError))
                throw error;
            faults.push(error.message);
        }
    if (faults.length > 0)
        refuseFaults([...faults, ...(await findMore(Object.fromEntries(values)))]);
    return Object.fromEntries(values);
}
function refuseFaults(faults) {
    if (faults.length === 0)
        return;
    const [first = '', ...more] = faults;
    const sentences = [first, ...more.map(text => text.charAt(0).toUpperCase() + text.slice(1))];
    throw new values_InputError(sentences.join('. ').replaceAll('?. ', '? '));
}
/** Five days, the longest job. */
const maxMinutes = (/* unused pure expression or super */ null && (5 * 24 * 60));
/** True if an input has a value, valid or not. */
function isGiven(host, name) {
    return host.readInput(name).trim() !== '';
}
/** Returns a text exactly as written. Undefined if it is only whitespace. */
function values_readText(host, name) {
    const value = host.readInput(name);
    refuseExpression(name, value);
    return value.trim() === '' ? undefined : value;
}
/** Returns a text of any number of lines, trimmed. Undefined when empty. */
function values_readTrimmed(host, name) {
    return values_readText(host, name)?.trim();
}
/**
 * Returns an identifier of one line. Spaces and line ends around it are trimmed as a mistake. Undefined when empty.
 */
function values_readWord(host, name) {
    const word = values_readTrimmed(host, name);
    if (word !== undefined && (0,terminal_text/* plainLine */.h0)(word) !== word)
        throw new values_InputError(`\`${name}\`: ${quoteText(word)} contains a line break or another control character. Write it on one line`);
    return word;
}
/** Reads YAML 1.2 core booleans. `usual` applies to an empty value, which an unset variable produces. */
function readBoolean(host, name, usual) {
    const value = values_readWord(host, name);
    if (value === undefined)
        return usual;
    if (['true', 'True', 'TRUE'].includes(value))
        return true;
    if (['false', 'False', 'FALSE'].includes(value))
        return false;
    throw new values_InputError(`\`${name}\` must be true or false, not ${quoteText(value)}`);
}
/** Returns minutes above 0 as milliseconds. Fractions are allowed. Undefined when empty. */
function readMinutes(host, name) {
    const value = values_readWord(host, name);
    if (value === undefined)
        return undefined;
    const minutes = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(minutes > 0 && minutes <= maxMinutes))
        throw new values_InputError(`\`${name}\` must be a number of minutes above 0 and at most ${maxMinutes}, such as 90 or 0.5, not ${quote(value)}`);
    return minutes * 60_000;
}
/** Returns one of the given words, the first one when empty. */
function readChoice(host, name, words) {
    const value = values_readWord(host, name);
    return value === undefined ? words[0] : checkWord(name, value, words);
}
/** Returns words separated by spaces or commas. Undefined when empty. */
function readWords(host, name) {
    return values_readTrimmed(host, name)
        ?.split(/[\s,]+/)
        .filter(word => word !== '');
}
const switchWords = new Map([
    ['true', 'on'],
    ['false', 'off'],
]);
/** Throws InputError for any other word. */
function checkWord(name, value, words) {
    const word = words.find(known => known === value);
    if (word !== undefined)
        return word;
    const hint = nearest_didYouMean(switchWords.get(value) ?? value, words);
    throw new values_InputError(`\`${name}\`: ${quoteText(value)} is not one of ${words.join(', ')}${hint}`);
}
/** Returns one `key=value` pair per line and skips empty lines. Undefined if there is none. */
function readPairs(host, name, maxPairs) {
    const lines = (values_readText(host, name) ?? '').split(/\r?\n/).filter(line => line.trim() !== '');
    const pairs = new Map();
    for (const line of lines) {
        const [key = '', ...rest] = line.split('=');
        if (rest.length === 0 || key.trim() === '')
            throw new values_InputError(`\`${name}\`: the line ${quote(line)} is not a pair. Write one key=value per line`);
        if (pairs.has(key.trim()))
            throw new values_InputError(`\`${name}\`: ${quote(key.trim())} is set twice. Set it once`);
        pairs.set(key.trim(), rest.join('=').trim());
    }
    if (pairs.size > maxPairs)
        throw new values_InputError(`\`${name}\` has ${pairs.size} pairs. At most ${maxPairs} are allowed`);
    return pairs.size === 0 ? undefined : Object.fromEntries(pairs);
}
function refuseExpression(name, value) {
    if (value.trimStart().startsWith('${{'))
        throw new values_InputError(`\`${name}\` begins with \${{, an expression that was not evaluated: ${quoteText(value)}. Expressions work under \`with:\` of a workflow step`);
}
/** Reads a key or token and masks it from now on. */
function readSecret(host, name) {
    const value = host.readInput(name).trim();
    if (value === '')
        return undefined;
    if (value.startsWith('${{'))
        throw new values_InputError(`\`${name}\` is an expression that was not evaluated. Write it under \`with:\` of the step`);
    host.mask(value);
    if (!/^[\x21-\x7e]+$/.test(value))
        throw new values_InputError(`\`${name}\` contains ${describeInvalidCharacters(value)}, so it is not a key (not shown). Save only the key in the secret, without quotes, \`Bearer\` or a second line`);
    if (value.length < 8)
        host.warn(`\`${name}\` is shorter than 8 characters. Masking it also masks other text in the log`);
    return value;
}
/** Describes the characters of a key that a header cannot contain. */
function describeInvalidCharacters(key) {
    if (/[\r\n]/.test(key))
        return 'a line break';
    return /\s/.test(key) ? 'a space' : 'a character that is not ASCII';
}

;// CONCATENATED MODULE: ./build/js/base/network/loopback.js
const ipv4Loopback = /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
/**
 * Whether a host name or address is this machine's (127.0.0.0/8, ::1, localhost). Does not use Node, because the
 * client calls it too.
 */
function loopback_isLoopback(host) {
    const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
    if (bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1')
        return true;
    return ipv4Loopback.test(bare);
}

;// CONCATENATED MODULE: ./build/js/action/connect/no-proxy.js
/**
 * Finds the addresses that NO_PROXY exempts, by the rules of curl and the runner:
 * - A name covers its subdomains, with or without a leading dot or `*.`.
 * - A port narrows an entry.
 * - IP addresses are compared as addresses, also with a prefix (10.0.0.0/8).
 * - `*` covers everything.
 */


/** Sends even loopback through the proxy. Chromium uses the same spelling. */
const proxyLoopback = '<-loopback>';
/** True if `url` is reached without a proxy. Loopback usually is: for a proxy it means another machine. */
function isExempt(url, noProxy) {
    const entries = noProxy
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(entry => entry !== '');
    if (entries.includes('*'))
        return true;
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    if (loopback_isLoopback(host) && !entries.includes(proxyLoopback))
        return true;
    const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
    return entries.some(entry => {
        const { name, onlyPort } = readEntry(entry);
        if (onlyPort !== undefined && onlyPort !== port)
            return false;
        return (0,external_node_net_.isIP)(host) === 0 ? coversName(name, host) : coversAddress(name, host);
    });
}
/** A name with more than one colon and no brackets is an IPv6 address without a port. */
function readEntry(entry) {
    const [, bracketed, bare, onlyPort] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(entry) ?? [];
    return { name: bracketed ?? bare ?? entry, onlyPort };
}
function coversName(name, host) {
    const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}
function coversAddress(name, host) {
    const [address = '', prefix] = name.split('/');
    if ((0,external_node_net_.isIP)(address) === 0)
        return false;
    const bits = (0,external_node_net_.isIPv4)(address) ? 32 : 128;
    const prefixBits = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (!(prefixBits <= bits))
        return false;
    const covered = new external_node_net_.BlockList();
    covered.addSubnet(address, prefixBits, familyOf(address));
    return covered.check(host, familyOf(host));
}
function familyOf(address) {
    return (0,external_node_net_.isIPv4)(address) ? 'ipv4' : 'ipv6';
}

;// CONCATENATED MODULE: ./build/js/action/connect/proxies.js
/**
 * The environment's proxies. As with curl, the lower-case spelling has priority, an empty variable counts as unset,
 * and an https address never uses the http proxy. Unlike curl, it reads HTTP_PROXY too, as the runner does.
 */


const variablesOf = {
    'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
    'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
};
/** An invalid variable only fails the addresses that need it. */
function readProxies(variables) {
    const noProxy = [variables.no_proxy, variables.NO_PROXY].find(isSet) ?? '';
    const named = new Map(Object.entries(variablesOf).map(([scheme, names]) => [scheme, tryProxy(names, variables)]));
    return {
        find(url) {
            const proxy = named.get(url.protocol);
            if (proxy === undefined || isExempt(url, noProxy))
                return undefined;
            if (proxy instanceof values_InputError)
                throw proxy;
            return proxy;
        },
        isAny: [...named.values()].some(proxy => proxy !== undefined),
        secrets: [...new Set([...named.values()].flatMap(proxy => (proxy && 'secrets' in proxy ? proxy.secrets : [])))],
    };
}
function tryProxy(names, variables) {
    const variable = names.find(name => isSet(variables[name]));
    if (variable === undefined)
        return undefined;
    try {
        return readProxy(variable, variables[variable] ?? '');
    }
    catch (error) {
        if (error instanceof values_InputError)
            return error;
        throw error;
    }
}
function isSet(value) {
    return value !== undefined && value.trim() !== '';
}
function readProxy(variable, value) {
    const text = value.trim();
    const refuse = (why) => {
        throw new values_InputError(`${variable}: ${quoteText(redactCredentials(text))} ${why}`);
    };
    const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    // A password with a bare "/", "?" or "#" ends the host too early.
    if (url === null || (url.pathname + url.search + url.hash).includes('@'))
        return refuse('is not a proxy address; write it as http://host:port or http://user:password@host:port, with %XX for special characters in the password');
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
        return refuse(`is a ${url.protocol.slice(0, -1)} proxy, which is not supported; use an http proxy (http://host:port), or add the server's host to NO_PROXY`);
    const [user, password] = [decode(url.username), decode(url.password)];
    const token = Buffer.from(`${user}:${password}`).toString('base64');
    const hasCredentials = user !== '' || password !== '';
    return {
        variable,
        origin: url.origin,
        host: `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port}`,
        authorization: hasCredentials ? `Basic ${token}` : undefined,
        secrets: hasCredentials ? secretsOf({ text, user, password, encoded: url.password, token }) : [],
    };
}
/** A user name without a password is a token. */
function secretsOf(parts) {
    const written = /^(?:[^:]+:\/\/)?[^:]*:(.*)@/s.exec(parts.text)?.[1] ?? '';
    const secrets = parts.password === '' ? [parts.user] : [written, parts.encoded, parts.password];
    return [...new Set([...secrets, parts.token])].filter(secret => secret !== '');
}
function decode(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return text;
    }
}
function redactCredentials(text) {
    return text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@');
}

;// CONCATENATED MODULE: ./build/js/action/connect/proxy-faults.js
/** Faults between the step and its proxy, kept apart from the server's because it never saw the request. */



/** The request reached only the proxy, so the server has not seen it. */
class ProxyError extends errors_ConnectionError {
    name = 'ProxyError';
    remedy;
    constructor(words, facts) {
        super(`${facts.server.host}: ${words}`, { host: facts.server.host, fault: facts.fault, neverLeft: true });
        this.remedy = facts.remedy;
    }
}
function refuseCredentials(proxy, server) {
    const [words, remedy] = proxy.authorization === undefined
        ? ['requires a user name and password', `Add them to ${proxy.variable} as http://user:password@host:port`]
        : [
            `rejected the user name and password in ${proxy.variable}`,
            `Check them; write special characters of the password as %XX`,
        ];
    // Not retried: the proxy would refuse the same credentials again.
    return new ProxyError(`the proxy ${proxy.host} ${words} (407)`, { server, fault: 'fetch', remedy });
}
/** Returns a ProxyError if the proxy is certainly at fault, otherwise what undici threw. */
function explainProxyFailure(thrown, proxy, server) {
    const { status, code, syscall } = proxy_faults_readFailure(thrown);
    if (status === 407)
        return refuseCredentials(proxy, server);
    if (status !== undefined)
        return new ProxyError(`the proxy ${proxy.host} refused to connect to the server (${status})`, {
            server,
            // A proxy that refuses a request on purpose refuses it again.
            fault: status < 500 ? 'fetch' : 'unreachable',
            remedy: `Check that the proxy can resolve ${server.hostname} and may connect to its port ${server.port || 443}. If the host needs no proxy, add it to NO_PROXY`,
        });
    // This process resolves and connects to no host except the proxy.
    if (syscall !== 'connect' && syscall !== 'getaddrinfo')
        return thrown;
    const [fault, words] = faults[code] ?? ['unreachable', 'cannot be reached'];
    return new ProxyError(`the proxy ${proxy.host} ${words} (${(0,cause/* describeParts */.M8)((0,cause/* findCause */.lO)(thrown)) ?? code})`, {
        server,
        fault,
        remedy: `Check ${proxy.variable}, or add ${server.hostname} to NO_PROXY if it needs no proxy`,
    });
}
const faults = {
    ECONNREFUSED: ['refused', 'refused the connection'],
    ECONNRESET: ['unreachable', 'closed the connection'],
    ENOTFOUND: ['unresolved', 'has a host name that does not resolve'],
    EAI_AGAIN: ['unresolved', 'has a host name that does not resolve'],
};
/** undici reports the status of a refusal only in its message. */
function proxy_faults_readFailure(thrown) {
    let [status, code, syscall] = [undefined, 'no code', undefined];
    for (let error = thrown, depth = 0; depth < 5 && (0,json/* isObject */.Gv)(error); depth += 1) {
        const told = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(String(error.message))?.[1];
        if (told !== undefined)
            status = Number(told);
        if (typeof error.code === 'string')
            code = error.code;
        if (error.syscall !== undefined)
            syscall = error.syscall;
        error = error.cause ?? (Array.isArray(error.errors) ? error.errors[0] : undefined);
    }
    return { status, code, syscall };
}

// EXTERNAL MODULE: external "node:tls"
var external_node_tls_ = __nccwpck_require__(1692);
// EXTERNAL MODULE: ./build/js/contract/tables/review-schema.js
var review_schema = __nccwpck_require__(3323);
;// CONCATENATED MODULE: ./build/js/contract/tables/sizes.js
/** The sizes that the contract sets. Each name ends with its unit. */
const sizes = {
    /** One request body. */
    bodyBytes: 8 * 1024 * 1024,
    promptBytes: 1_000_000,
    basePromptBytes: 256 * 1024,
    configBytes: 256 * 1024,
    /**
     * One variable, header or address of an MCP server. Most of them are secrets, and all output of a run is searched
     * for those.
     */
    mcpValueBytes: 32 * 1024,
    /** All such values of one run. */
    mcpValuesBytes: 64 * 1024,
    /** Arguments of an MCP server; skills. */
    configListEntries: 256,
    attachments: 5,
    titleCodePoints: 200,
    nameCodePoints: 200,
    metadataPairs: 20,
    metadataKeyBytes: 64,
    metadataValueBytes: 256,
    idempotencyKeyCharacters: 255,
    triggerUrlCharacters: 2048,
    /** The part of a result that a run includes. The full text has its own path. */
    resultInlineBytes: 64 * 1024,
    /** The full text of a result. Longer ones lose their beginning and say so. */
    resultBytes: 4 * 1024 * 1024,
    /** A list page ends early at this size. */
    pageBytes: 4 * 1024 * 1024,
    listLimit: 500,
    listLimitDefault: 20,
    eventLimit: 1000,
    /** The longest `Prefer: wait=N` that the server grants, in seconds. */
    waitSeconds: 50,
    leaseSecondsMin: 30,
    leaseSecondsMax: 3600,
    /**
     * The lease that this project's followers request: how long a run continues after its follower is killed. It is
     * longer than a follower tolerates an unreachable server (five minutes and one poll). Otherwise a network outage
     * would cancel a run that is still being followed.
     */
    followerLeaseSeconds: 420,
    /** Files that one run may leave as artifacts. */
    artifactFiles: 100,
    /** All artifact files of one run. */
    artifactBytes: 256 * 1024 * 1024,
    /** The nesting depth of arrays and objects in requests and in agent output. */
    jsonLevels: 100,
    /** Values in one request: all members of its arrays and objects. The parser and the validator process each. */
    jsonValues: 10_000,
    /** An agent's question. Longer ones are truncated. */
    questionBytes: 4 * 1024,
    /** One log event. */
    logEventBytes: 16 * 1024,
    /** All log events of one run. */
    logBytes: 16 * 1024 * 1024,
};
/** Size of a text in UTF-8, in bytes. */
function utf8Bytes(text) {
    return new TextEncoder().encode(text).length;
}

;// CONCATENATED MODULE: ./build/js/action/inputs/file-inputs.js
/** Inputs that are a file or name one. */








/** `prompt` as written, or the text of `prompt_file`. Undefined if both are empty. */
function readPrompt(host) {
    const prompt = readText(host, 'prompt');
    const file = readWord(host, 'prompt_file');
    if (file === undefined) {
        if (prompt !== undefined && namesFile(host, prompt.trim()))
            throw new InputError(`\`prompt\` is the path of a file, ${quote(prompt.trim())}. Did you mean \`prompt_file\`?`);
        return prompt;
    }
    if (prompt !== undefined)
        throw new InputError('`prompt` and `prompt_file` are both set. Remove one of them');
    const text = readInputFile(host, 'prompt_file', file);
    if (text.trim() === '')
        throw new InputError(`\`prompt_file\`: ${quote(file)} is empty`);
    return text;
}
function namesFile(host, text) {
    const path = resolveInWorkspace(host, text);
    return !/\s/.test(text) && existsSync(path) && statSync(path).isFile() && isInWorkspace(host, path);
}
/** A JSON or YAML object, inline or in the file that the value names. Undefined if empty. Throws InputError. */
async function file_inputs_readDocument(host, name) {
    const value = readText(host, name);
    if (value === undefined)
        return undefined;
    try {
        return await readObject(value, path => readInputFile(host, name, path));
    }
    catch (error) {
        throw error instanceof DocumentError ? new InputError(`\`${name}\`: ${error.message}`) : error;
    }
}
/** The schema of a result. The word `review` stands for the schema that the action `apply` reads. */
async function readOutputSchema(host) {
    if (readTrimmed(host, 'output_schema') === 'review')
        return reviewSchema;
    return await file_inputs_readDocument(host, 'output_schema');
}
/** MCP servers by name, either bare or in the form of `.mcp.json`. */
async function readMcpServers(host) {
    const document = await file_inputs_readDocument(host, 'mcp_servers');
    return document && unwrapMcpServers(document);
}
/** Resolves a path against the workspace, as `working-directory` and other actions do. */
function resolveInWorkspace(host, path) {
    return (0,external_node_path_.resolve)(host.readVariable('GITHUB_WORKSPACE') ?? '.', path);
}
function isInWorkspace(host, path) {
    return relative(realpathSync(resolveInWorkspace(host, '.')), realpathSync(path)).split(sep)[0] !== '..';
}
/** A document may be as long as a prompt. Throws InputError. */
function readInputFile(host, name, file) {
    try {
        const bytes = readPlainFileSync((0,external_node_fs_.realpathSync)(resolveInWorkspace(host, file)), sizes.promptBytes);
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch (error) {
        throw new values_InputError(`\`${name}\`: ${quoteText(file)} cannot be read: ${explainFileFault(error)}`);
    }
}
/** Throws InputError if no file can be created there, before a run costs anything. Undefined if empty. */
function readResultFile(host) {
    const given = readWord(host, 'result_file');
    if (given === undefined)
        return undefined;
    const path = resolveInWorkspace(host, given);
    const refuse = (why) => {
        throw new InputError(`\`result_file\`: ${quote(given)} ${why}. Give the path of a file that this step can write`);
    };
    try {
        const found = findStats(path);
        if (/[/\\]$/.test(given) || found?.isDirectory() === true)
            refuse('is a folder');
        if (found?.isFile() === false)
            refuse('is a device or a pipe');
        let folder = dirname(path);
        while (findStats(folder) === undefined && folder !== dirname(folder))
            folder = dirname(folder);
        if (findStats(folder)?.isDirectory() !== true)
            refuse(`cannot be created: ${quote(folder)} is not a folder`);
        // Read-only and special file systems report it only when a file is created.
        rmdirSync(mkdtempSync(join(folder, '.agent-run-')));
    }
    catch (error) {
        if (error instanceof InputError)
            throw error;
        refuse(`cannot be created (${messageOf(error)})`);
    }
    return given;
}
/** The agent's folder as an absolute path. Undefined if empty. Throws InputError. */
function readWorkingDirectory(host) {
    const given = readWord(host, 'working_directory');
    if (given === undefined)
        return undefined;
    const folder = resolveInWorkspace(host, given);
    if (findStats(folder)?.isDirectory() === true && isInWorkspace(host, folder))
        return folder;
    throw new InputError(`\`working_directory\`: the workspace has no folder ${quote(given)}. Did an earlier step check out the repository (\`path\` of actions/checkout)?`);
}
/** Undefined if nothing is there. Throws the file system's other errors. */
function findStats(path) {
    try {
        return statSync(path);
    }
    catch (error) {
        if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
            return undefined;
        throw error;
    }
}
function explainFileFault(error) {
    if (error instanceof TypeError)
        return 'it is not UTF-8. Save it as UTF-8';
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT')
        return 'the file does not exist. Did an earlier step write it or check out the repository?';
    if (code === 'EACCES')
        return 'this user has no permission to read it';
    return (0,cause/* messageOf */.bD)(error);
}

;// CONCATENATED MODULE: ./build/js/action/connect/trust.js
/** Certificates that the step trusts in addition to the platform's: `ca_file`. Verification cannot be turned off. */






/** The CA bundle of a whole system has less than 1 MB, including comments. */
const maxBytes = 8 * 1024 * 1024;
const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Throws InputError if the file has no usable certificate. */
function trustFile(path) {
    const own = readCertificates(path);
    const secureContext = external_node_tls_.createSecureContext({ ca: [...external_node_tls_.getCACertificates('default'), ...own] });
    return { certificates: own.length, secureContext };
}
function readCertificates(path) {
    const refuse = (why) => {
        throw new values_InputError(`\`ca_file\`: ${JSON.stringify(path)} ${why}`);
    };
    let text;
    try {
        text = readPlainFileSync((0,external_node_fs_.realpathSync)(path), maxBytes).toString('latin1');
    }
    catch (error) {
        return refuse(`cannot be read: ${explainFileFault(error)}`);
    }
    const blocks = text.match(pemBlock) ?? [];
    if (blocks.length === 0)
        return refuse('contains no PEM certificate (-----BEGIN CERTIFICATE-----); convert a DER certificate with `openssl x509 -inform der -outform pem`');
    blocks.forEach((block, at) => {
        try {
            new external_node_crypto_.X509Certificate(block);
        }
        catch {
            refuse(`is damaged: certificate ${at + 1} of ${blocks.length} cannot be read; download the file again`);
        }
    });
    return blocks;
}

;// CONCATENATED MODULE: ./build/js/action/connect/network.js





/** Throws InputError for a variable that is not a proxy address, and for a file without a certificate. */
async function openNetwork({ variables, caFile, baseUrl }) {
    const proxies = readProxies(variables);
    for (const url of baseUrl === undefined ? anyServer : [baseUrl])
        if (URL.canParse(url))
            proxies.find(new URL(url));
    const trust = caFile === undefined ? undefined : trustFile(caFile);
    if (!proxies.isAny && trust === undefined)
        return platformNetwork;
    const { createDispatcher, fetchThrough } = await Promise.all(/* import() */[__nccwpck_require__.e(752), __nccwpck_require__.e(598)]).then(__nccwpck_require__.bind(__nccwpck_require__, 5217));
    const dispatchers = new Map();
    let isClosed = false;
    function dispatcherFor(proxy) {
        if (isClosed)
            throw new Error('the network of the step is closed; nothing can be sent anymore');
        const key = `${proxy?.origin} ${proxy?.authorization}`;
        const dispatcher = dispatchers.get(key) ?? createDispatcher(proxy, trust?.secureContext);
        dispatchers.set(key, dispatcher);
        return dispatcher;
    }
    /** Throws the client's error. Otherwise the client would assume that the request may have arrived. */
    function findUsable(address) {
        try {
            return proxies.find(address);
        }
        catch (error) {
            if (!(error instanceof values_InputError))
                throw error;
            throw new errors_ConnectionError(error.message, { host: address.host, fault: 'fetch', neverLeft: true });
        }
    }
    const proxyOf = (url) => {
        const proxy = proxies.find(new URL(url));
        return proxy === undefined ? undefined : `${proxy.host} (${proxy.variable})`;
    };
    return {
        async fetch(url, init) {
            const address = new URL(url);
            const proxy = findUsable(address);
            if (proxy === undefined && trust === undefined)
                return await globalThis.fetch(url, init);
            const dispatcher = dispatcherFor(proxy);
            try {
                return await fetchThrough(dispatcher, url, init);
            }
            catch (error) {
                throw proxy === undefined ? error : explainProxyFailure(error, proxy, address);
            }
        },
        proxyOf,
        describe(url) {
            const proxy = proxyOf(url);
            const way = proxy === undefined ? [] : [`through the proxy ${proxy}`];
            const also = trust === undefined ? [] : [`also trusting \`ca_file\` (certificates: ${trust.certificates})`];
            return [...way, ...also].join(', ') || undefined;
        },
        secrets: proxies.secrets,
        async close() {
            isClosed = true;
            await Promise.all([...dispatchers.values()].map(dispatcher => dispatcher.destroy()));
        },
    };
}
const platformNetwork = {
    fetch: (url, init) => globalThis.fetch(url, init),
    proxyOf: () => undefined,
    describe: () => undefined,
    secrets: [],
    close: async () => { },
};
/** If the server is unknown, every variable has to be valid. */
const anyServer = ['https://server.invalid', 'http://server.invalid'];

// EXTERNAL MODULE: ./build/js/action/github/comments.js
var comments = __nccwpck_require__(6887);
;// CONCATENATED MODULE: ./build/js/action/github/step-github.js
const gitHubLimits = Object.freeze({
    gate: 60_000,
    firstComment: 30_000,
    lastComment: 60_000,
    review: 90_000,
    post: 15_000,
});
/** Loads GitHub's code on first use. */
function createStepGitHub(host, { token, apiUrl, network }) {
    return async (use) => {
        const { openGitHub } = await Promise.all(/* import() */[__nccwpck_require__.e(239), __nccwpck_require__.e(994)]).then(__nccwpck_require__.bind(__nccwpck_require__, 1994)).catch((cause) => {
            // The toolkit reads the event while it loads.
            const remedy = 'Check that the file at GITHUB_EVENT_PATH is valid JSON';
            throw new Error(`GitHub's toolkit could not be loaded. ${remedy}`, { cause });
        });
        return openGitHub({
            token,
            apiUrl,
            fetch: network.fetch,
            log: host.print,
            ...use,
        });
    };
}

;// CONCATENATED MODULE: ./build/js/action/inputs/step-context.js
function readStepContext(host) {
    const read = (name) => {
        const value = host.readVariable(name)?.trim() ?? '';
        return value === '' ? undefined : value;
    };
    const [server, repository, runId] = [read('GITHUB_SERVER_URL'), read('GITHUB_REPOSITORY'), read('GITHUB_RUN_ID')];
    const repositoryUrl = server && repository ? `${server}/${repository}` : undefined;
    const attempt = Number(read('GITHUB_RUN_ATTEMPT') ?? '1');
    return {
        repository,
        repositoryId: read('GITHUB_REPOSITORY_ID'),
        runId,
        attempt: Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1,
        workflow: read('GITHUB_WORKFLOW'),
        job: read('GITHUB_JOB'),
        step: read('GITHUB_ACTION'),
        eventName: read('GITHUB_EVENT_NAME'),
        eventPath: read('GITHUB_EVENT_PATH'),
        actor: read('GITHUB_ACTOR'),
        triggeringActor: read('GITHUB_TRIGGERING_ACTOR'),
        ref: read('GITHUB_REF'),
        sha: read('GITHUB_SHA'),
        apiUrl: read('GITHUB_API_URL') ?? 'https://api.github.com',
        repositoryUrl,
        jobUrl: repositoryUrl && runId ? `${repositoryUrl}/actions/runs/${runId}` : undefined,
        workspace: read('GITHUB_WORKSPACE'),
        tempDir: read('RUNNER_TEMP'),
    };
}

;// CONCATENATED MODULE: ./build/js/border/last-document.js
/** The JSON document that an agent's answer is, or ends with. */

/** Most bytes of one that is not the whole answer. */
const documentBytesMax = 256 * 1024;
/**
 * Of a longer answer, blocks are searched in the last part of this size: the parser takes two seconds for a list of a
 * megabyte.
 */
const blockUnitsMax = 2 * documentBytesMax;
/** Limit on places where a document may begin. An answer of nothing but brackets has many. */
const triedCharactersMax = 16 * 1024 * 1024;
/**
 * With or without terminal formatting. Only the end of the answer counts. Earlier text may be an example or the schema
 * itself.
 */
async function findDocument(answer) {
    for (const text of [answer, (0,terminal_text/* drawnText */.ai)(answer)]) {
        const found = last_document_parseJson(text) ?? last_document_parseJson(await findLastBlock(text)) ?? findLastLines(text);
        if (found !== undefined)
            return found;
    }
    return undefined;
}
/** The code of the last block, if nothing follows it. */
async function findLastBlock(text) {
    const { readFencedBlocks } = await Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(89)]).then(__nccwpck_require__.bind(__nccwpck_require__, 89));
    const answer = text.slice(-blockUnitsMax);
    const last = readFencedBlocks(answer).at(-1);
    if (last === undefined || !['', 'json'].includes(last.language))
        return '';
    const { code, line } = last;
    const behind = answer.split(/\r\n|\r|\n/).slice(line + code.split('\n').length);
    return behind.some(text => text.trim() !== '') ? '' : code;
}
/** The object or array that starts at a line start and ends with the text. There is at most one. */
function findLastLines(answer) {
    const tail = answer.slice(-documentBytesMax);
    const starts = [...tail.matchAll(/^[[{]/gm)].map(({ index }) => index);
    let triedCharacters = 0;
    for (const start of starts.toReversed()) {
        triedCharacters += tail.length - start;
        if (triedCharacters > triedCharactersMax)
            return undefined;
        const found = last_document_parseJson(tail.slice(start));
        // A part of a broken document does not count.
        if (found !== undefined)
            return isWithinAnother(tail.slice(0, start)) ? undefined : found;
    }
    return undefined;
}
/**
 * Whether brackets of a document are still open at the end of the text. A document has no empty lines, and its
 * strings end within their line.
 */
function isWithinAnother(text) {
    let open = 0;
    // The document ends with the end of a line.
    for (const line of text.split(/\r\n|\r|\n/).slice(0, -1)) {
        if (line.trim() === '')
            open = 0;
        else if (open > 0 || /^[[{]/.test(line))
            open = Math.max(0, open + countOpen(line));
    }
    return open > 0;
}
/** How many more brackets a line opens than it closes, outside its strings. */
function countOpen(line) {
    let count = 0;
    let isText = false;
    for (let at = 0; at < line.length; at += 1) {
        const character = line.charAt(at);
        if (character === '"')
            isText = !isText;
        else if (isText && character === '\\')
            at += 1;
        else if (!isText && '[{'.includes(character))
            count += 1;
        else if (!isText && ']}'.includes(character))
            count -= 1;
    }
    return count;
}
function last_document_parseJson(text) {
    try {
        return { value: JSON.parse(text) };
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./build/js/action/inputs/input-names.js
const inputNames = split(`
  prompt prompt_file skill_spec model_id environment_id name title base_prompt mcp_servers harness harness_version output_schema
  metadata base_url api_key ca_file allow_http command working_directory pass_env allow_script wait run_id cancel timeout_minutes
  queue_timeout_minutes stall_timeout_minutes on_timeout on_blocked rerun lease fail_on fail_when require_result log summary
  comment review comment_key github_token result_file annotations allow_bots require_permission event_context
  on_missing_credentials matrix_context job_index
`);
const applyInputNames = split(`
  result result_file github_token dry_run commit number key review review_max_comments review_min_severity review_paths
  review_verdicts comment labels labels_allowed labels_max pull_request pull_request_branch pull_request_base
  pull_request_draft pull_request_labels pull_request_reviewers push patch_file changes_allow_paths changes_max_files
  changes_max_bytes
`);
/** Model keys. Here they are variables of the step with the same name in capitals. */
const keyInputs = split('anthropic_api_key claude_code_oauth_token openai-api-key gemini_api_key');
/** `=` names our replacement, with its value for `true`. See docs/coming-from-another-action.md. */
const peerInputs = {
    'anthropics/claude-code-action': split(`
    prompt direct_prompt=prompt override_prompt=prompt custom_instructions=base_prompt claude_args settings mode
    model=model_id anthropic_model=model_id fallback_model max_turns timeout_minutes allowed_tools disallowed_tools
    mcp_config=mcp_servers claude_env=pass_env anthropic_api_key claude_code_oauth_token use_bedrock use_vertex
    use_foundry anthropic_federation_rule_id anthropic_organization_id anthropic_service_account_id
    anthropic_workspace_id anthropic_oidc_audience trigger_phrase assignee_trigger label_trigger track_progress
    allowed_bots=allow_bots allowed_non_write_users=require_permission include_comments_by_actor
    exclude_comments_by_actor github_token additional_permissions use_sticky_comment=comment:'on'
    classify_inline_comments include_fix_links base_branch branch_prefix branch_name_template use_commit_signing
    ssh_signing_key bot_id bot_name display_report=summary show_full_output=log:full plugins plugin_marketplaces
    path_to_claude_code_executable path_to_bun_executable
  `),
    'openai/codex-action': split(`
    prompt prompt-file=prompt_file output-file=result_file output-schema=output_schema model=model_id effort
    output-schema-file=output_schema codex-args openai-api-key responses-api-endpoint sandbox permission-profile
    working-directory=working_directory safety-strategy codex-user codex-version=harness_version codex-home
    allow-users=require_permission allow-bots=allow_bots allow-bot-users=allow_bots
  `),
    'google-github-actions/run-gemini-cli': split(`
    prompt gemini_model=model_id settings extensions gemini_api_key google_api_key gemini_cli_version=harness_version
    gemini_debug=log:full gcp_location gcp_project_id gcp_service_account gcp_workload_identity_provider gcp_token_format
    gcp_access_token_scopes use_gemini_code_assist use_vertex_ai upload_artifacts use_pnpm workflow_name
    github_pr_number github_issue_number
  `),
};
/** Those for which the page names no replacement. */
const unreplacedInputs = split(`
  include_comments_by_actor exclude_comments_by_actor classify_inline_comments include_fix_links fallback_model effort
  codex-args codex-home use_pnpm workflow_name github_pr_number github_issue_number
`);
/** Flags of `claude_args` and our inputs for them. */
const claudeFlags = {
    '--model': 'model_id',
    '--mcp-config': 'mcp_servers',
    '--json-schema': 'output_schema',
    '--append-system-prompt': 'base_prompt',
    '--system-prompt': 'base_prompt',
};
function split(text) {
    return text.trim().split(/\s+/);
}

;// CONCATENATED MODULE: ./build/js/action/inputs/stray-inputs.js
/**
 * Inputs in a workflow that this action does not have. The runner only warns of them, and a step would pass without
 * the schema or limit that they set.
 */


const ownInputs = { 'agent-run': inputNames, 'agent-run/apply': applyInputNames };
/** Covers misspelled inputs and those of other actions. A job's `env:` may set other INPUT_… variables. */
function findStrayInputs(host, action = 'agent-run') {
    return Object.entries(host.variables()).flatMap(([variable, value]) => {
        const name = /^INPUT_(.+)$/i.exec(variable)?.[1]?.toLowerCase() ?? '';
        if (name === '' || value.trim() === '' || ownInputs[action].includes(name))
            return [];
        return describeStray(name, value, action) ?? [];
    });
}
function describeStray(name, value, action) {
    const names = ownInputs[action];
    const sibling = action === 'agent-run' ? 'agent-run/apply' : 'agent-run';
    if (ownInputs[sibling].includes(name))
        return `\`${name}\` is an input of ${sibling}, not of this action. Set it there`;
    const [owner, another] = Object.entries(peerInputs).flatMap(([peer, theirs]) => {
        const entry = theirs.find(known => known.split('=')[0] === name);
        return entry === undefined ? [] : [{ action: peer, entry }];
    });
    if (owner !== undefined) {
        const whose = another === undefined ? `an input of ${owner.action}, not of` : 'not an input of';
        // No input of an agent has a replacement in an action without one.
        const advice = action === 'agent-run' ? adviseInstead(owner.entry, value) : 'remove it';
        return `\`${name}\` is ${whose} this action. ${advice.charAt(0).toUpperCase()}${advice.slice(1)}`;
    }
    const word = name.replaceAll('-', '_');
    // Short names are close to many words.
    const near = names.find(known => editDistance(word, known) <= (known.length < 6 ? 1 : 2));
    return near && `\`${name}\` is not an input of this action. Did you mean \`${near}\`?`;
}
function adviseInstead(entry, value) {
    const [theirs = '', ours] = entry.split('=');
    if (keyInputs.includes(theirs))
        return `set ${theirs.replaceAll('-', '_').toUpperCase()} under \`env:\` of the step`;
    const instead = theirs === 'claude_args' ? readClaudeArguments(value) : undefined;
    if (instead !== undefined)
        return instead;
    if (ours === undefined)
        return unreplacedInputs.includes(theirs)
            ? 'remove it; this action has nothing like it'
            : 'remove it; docs/coming-from-another-action.md of agent-run says what to use instead';
    return ours.includes(':') && value.trim() === 'false' ? 'remove it' : `did you mean \`${ours.replace(':', ': ')}\`?`;
}
/** Shows no value but a model's name, because others may contain secrets. Undefined without known flags. */
function readClaudeArguments(value) {
    const flags = [...value.matchAll(/(?:^|\s)(--[a-z][a-z-]*)(?:[\s=]+(?!--)("[^"]*"|'[^']*'|\S+))?/gi)];
    const replaced = flags.flatMap(([, flag = '', text = '']) => {
        const ours = claudeFlags[flag];
        if (ours === undefined)
            return [];
        const model = flag === '--model' ? /^["']?([\w.:@/[\]-]{1,100})["']?$/.exec(text)?.[1] : undefined;
        return [`\`${ours}${model === undefined ? '' : `: ${model}`}\` for ${flag}`];
    });
    const others = flags.flatMap(([, flag = '']) => (claudeFlags[flag] === undefined ? [flag] : []));
    const parts = [
        ...(replaced.length === 0 ? [] : [`set ${replaced.join(', ')}`]),
        ...(others.length === 0 ? [] : [`there is no input for ${others.join(', ')}`]),
        ...(others.includes('--max-turns') ? ['`timeout_minutes` limits the run'] : []),
    ];
    return parts.length === 0 ? undefined : parts.join('; ');
}

;// CONCATENATED MODULE: ./build/js/apply/apply-inputs.js
/** The inputs of `apply`, read and checked once. */







/** Defaults. */
const usualReview = {
    maxComments: 20,
    minSeverity: 'low',
    paths: undefined,
    verdicts: ['comment', 'request_changes'],
};
/** In the order in which they are applied. */
const verbs = ['review', 'comment', 'labels', 'pull_request', 'push'];
/** Throws InputError with every fault. */
async function readApplyInputs(host) {
    return await readAll({
        token: () => {
            const token = readSecret(host, 'github_token');
            if (token === undefined)
                throw new values_InputError('`github_token` is empty. Remove the input to use the token of the job');
            return token;
        },
        isDryRun: () => {
            refuseFaults(findStrayInputs(host, 'agent-run/apply'));
            return readBoolean(host, 'dry_run', false);
        },
        answer: () => apply_inputs_readAnswer(host),
        commit: () => readCommit(host),
        number: () => readCount(host, 'number', { min: 1, max: Number.MAX_SAFE_INTEGER }),
        key: () => values_readWord(host, 'key'),
        review: () => readReviewInputs(host),
        comment: () => readVerb(host, 'comment') || undefined,
        labels: () => readLabelInputs(host),
        pull_request: () => readPullRequestInputs(host),
        push: () => readPushInputs(host),
    });
}
function apply_inputs_readAnswer(host) {
    const text = values_readText(host, 'result');
    const file = values_readWord(host, 'result_file');
    if (text !== undefined && file !== undefined)
        throw new values_InputError('`result` and `result_file` are both set. Remove one of them');
    if (file !== undefined)
        return { text: readInputFile(host, 'result_file', file), input: 'result_file' };
    if (text === undefined)
        throw new values_InputError('`result` and `result_file` are empty. Set `result` to the output `result_json` of the job with the agent, and skip this job if that one left no result');
    return { text, input: 'result' };
}
function readCommit(host) {
    const commit = values_readWord(host, 'commit');
    if (commit !== undefined && !/^[0-9a-f]{40}$/.test(commit))
        throw new values_InputError(`\`commit\` must be the full hash of a commit in lower case, not ${quoteText(commit)}`);
    return commit;
}
async function readReviewInputs(host) {
    if (!readVerb(host, 'review'))
        return undefined;
    return await readAll({
        maxComments: () => readCount(host, 'review_max_comments', { min: 1, max: 100 }) ?? usualReview.maxComments,
        minSeverity: () => readChoice(host, 'review_min_severity', ['low', ...review_schema/* severities */.gO.filter(word => word !== 'low')]),
        paths: () => readPatterns(host, 'review_paths'),
        verdicts: () => readWords(host, 'review_verdicts')?.map(word => checkWord('review_verdicts', word, review_schema/* reviewVerdicts */.h$)) ??
            usualReview.verdicts,
    });
}
async function readLabelInputs(host) {
    if (!readVerb(host, 'labels'))
        return undefined;
    return await readAll({
        allowed: () => {
            const allowed = readLabelList(host, 'labels_allowed');
            if (allowed.length > 0)
                return allowed;
            throw new values_InputError('`labels` is on, but `labels_allowed` is empty. List the labels that the agent may add');
        },
        max: () => readCount(host, 'labels_max', { min: 1, max: 100 }) ?? 3,
    });
}
/** Labels may contain spaces. */
function readLabelList(host, name) {
    const labels = (values_readTrimmed(host, name) ?? '')
        .split(/[\n,]/)
        .map(label => label.trim())
        .filter(label => label !== '');
    const wrong = labels.find(label => /^- |[["\]]/.test(label));
    if (wrong === undefined)
        return labels;
    throw new values_InputError(`\`${name}\`: ${quoteText(wrong)} is not a label. Write one per line, or separate them by commas`);
}
async function readPullRequestInputs(host) {
    if (!readVerb(host, 'pull_request'))
        return undefined;
    return await readAll({
        branch: () => readBranch(host, 'pull_request_branch'),
        base: () => readBranch(host, 'pull_request_base'),
        isDraft: () => readBoolean(host, 'pull_request_draft', false),
        labels: () => readLabelList(host, 'pull_request_labels'),
        reviewers: () => (readWords(host, 'pull_request_reviewers') ?? []).map(login => login.replace(/^@/, '')),
        ...changeReaders(host),
    });
}
async function readPushInputs(host) {
    const [isOn, proposes] = [readVerb(host, 'push'), readBoolean(host, 'pull_request', false)];
    if (isOn && proposes)
        throw new values_InputError('`pull_request` and `push` are both on. Turn one of them off');
    if (!isOn && !proposes)
        refuseIdle(host, changeInputNames, 'pull_request');
    return isOn ? await readAll(changeReaders(host)) : undefined;
}
function changeReaders(host) {
    return {
        patch: () => readPatch(host),
        allowPaths: () => readPatterns(host, 'changes_allow_paths') ?? [],
        maxFiles: () => readCount(host, 'changes_max_files', { min: 1, max: 1000 }) ?? 100,
        maxBytes: () => readCount(host, 'changes_max_bytes', { min: 1, max: patchBytesMax }) ?? 1_000_000,
    };
}
function readPatterns(host, name) {
    const patterns = readWords(host, name);
    // A path needs to match only one of them, so an exception would let everything else through.
    const wrong = patterns?.find(pattern => pattern.startsWith('!') || /[{}]/.test(pattern));
    if (wrong !== undefined)
        throw new values_InputError(`\`${name}\`: ${quoteText(wrong)} is not a pattern. Exceptions (!) and braces do not work`);
    return patterns;
}
const changeInputNames = ['patch_file', 'changes_allow_paths', 'changes_max_files', 'changes_max_bytes'];
/** As large as a run's patch can be. */
const patchBytesMax = 64 * 1024 * 1024;
function readPatch(host) {
    const file = values_readWord(host, 'patch_file');
    if (file === undefined)
        throw new values_InputError('`patch_file` is empty. Download the artifact with the file that the output `patch_file` of the other job names');
    try {
        return readPlainFileSync((0,external_node_fs_.realpathSync)(resolveInWorkspace(host, file)), patchBytesMax);
    }
    catch (error) {
        throw new values_InputError(`\`patch_file\`: ${quoteText(file)} cannot be read: ${explainFileFault(error)}`);
    }
}
/** What `git check-ref-format --branch` accepts, and `${{ github.ref }}`. */
function readBranch(host, name) {
    const branch = values_readWord(host, name)?.replace(/^refs\/heads\//, '');
    const wrong = /^(-|\/|refs\/|@$|HEAD$)|[\s~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|[./]$|\.lock(\/|$)/;
    if (branch === undefined || (branch.length <= 200 && !wrong.test(branch)))
        return branch;
    throw new values_InputError(`\`${name}\`: ${quoteText(branch)} is not the name of a branch`);
}
/** Whether a verb is on. Throws InputError if it is off and an input for it is set. */
function readVerb(host, verb) {
    const isOn = readBoolean(host, verb, false);
    if (!isOn)
        refuseIdle(host, applyInputNames.filter(name => name.startsWith(`${verb}_`)), verb);
    return isOn;
}
function refuseIdle(host, names, verb) {
    const idle = names.find(name => isGiven(host, name));
    if (idle !== undefined)
        throw new values_InputError(`\`${idle}\` has no effect, because \`${verb}\` is off. Set \`${verb}: true\``);
}
function readCount(host, name, { min, max }) {
    const value = values_readWord(host, name);
    if (value === undefined)
        return undefined;
    const count = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (count >= min && count <= max)
        return count;
    const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
    throw new values_InputError(`\`${name}\` must be a whole number ${range}, not ${quoteText(value)}`);
}

;// CONCATENATED MODULE: ./build/js/apply/answer-members.js
/** The agent's answer: data of a stranger until a verb has checked its part. */






/** What each verb reads of the answer. */
const members = {
    review: ['summary', 'verdict', 'findings'],
    comment: ['comment'],
    labels: ['labels'],
    pull_request: ['title', 'body'],
    // The body has no use here. Workflows ask for the same answer as for a pull request.
    push: ['title', 'body'],
};
/** The text may end with the answer, as a run's text does. Throws InputError unless it is a JSON object. */
async function answer_members_readAnswer({ text, input }) {
    const refuse = (why) => {
        throw new values_InputError(`\`${input}\` ${why}`);
    };
    const found = await findDocument(text);
    if (found === undefined)
        return refuse('does not end with JSON. Set `output_schema` in the job with the agent, for example to `review`');
    const { value } = found;
    if (value === null)
        return refuse('is null: the agent left no structured result, or one of more than 64 KiB. Pass a longer one in a file (`result_file`)');
    if (!(0,json/* isObject */.Gv)(value))
        return refuse('is not a JSON object');
    if ((0,json/* isNestedBeyond */.Jc)(value, sizes.jsonLevels))
        return refuse(`is nested deeper than ${sizes.jsonLevels} levels`);
    return value;
}
const namesShown = 20;
/** Names what the answer proposes and the workflow did not ask for, and says if it has nothing else. */
function findRefused(answer, inputs) {
    const refused = Object.entries(answer).flatMap(([given, value]) => {
        if (value === null)
            return [];
        const readers = verbs.filter(verb => members[verb].includes(given));
        const name = `\`${(0,base_text/* ellipsis */.gO)(given, 100)}\``;
        if (readers.length === 0)
            return [`${name}: apply does nothing with it`];
        const off = readers.map(verb => `\`${verb}\``).join(' and ');
        return readers.some(verb => inputs[verb] !== undefined) ? [] : [`${name}: ${off} is off`];
    });
    const asked = verbs.flatMap(verb => (inputs[verb] === undefined ? [] : members[verb]));
    const missing = asked.some(name => answer[name] !== undefined)
        ? []
        : [`It has no ${asked.map(name => `\`${name}\``).join(' or ')}`];
    const more = refused.length - namesShown;
    return [...missing, ...refused.slice(0, namesShown), ...(more > 0 ? [`${more} more`] : [])];
}

;// CONCATENATED MODULE: ./build/js/apply/labels.js

const shownMax = 10;
/** Throws GitHubError, and an Error if the answer's labels are not a list of texts. */
async function applyLabels({ github, target, answer, inputs, isDryRun }) {
    const { owner, repo, number } = target;
    const place = { owner, repo, issue_number: number };
    const { chosen, ...told } = chooseLabels(readLabels(answer), inputs);
    if (chosen.length === 0)
        return { verb: 'labels', deeds: [], ...told };
    const { data: issue } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', place);
    const present = issue.labels.map(label => nameKey(typeof label === 'string' ? label : (label.name ?? '')));
    const labels = chosen.filter(label => !present.includes(nameKey(label)));
    // Harmless to repeat, but a POST is not repeated.
    if (labels.length > 0 && !isDryRun)
        await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', { ...place, labels });
    return { verb: 'labels', deeds: labels.map(label => `the label ${label}`), ...told };
}
function readLabels({ labels = [] }) {
    if (labels === null)
        return [];
    if (Array.isArray(labels) && labels.every(label => typeof label === 'string'))
        return labels;
    throw new Error('`labels` in the answer is not a list of texts');
}
/** In the workflow's spelling. GitHub ignores case. */
function chooseLabels(proposed, { allowed, max }) {
    const known = new Map(allowed.map(label => [nameKey(label), label]));
    const all = [...new Set(proposed.map(label => known.get(nameKey(label))).filter(label => label !== undefined))];
    const foreign = [...new Set(proposed.filter(label => !known.has(nameKey(label))))];
    const named = foreign.slice(0, shownMax).map(label => `\`${(0,base_text/* ellipsis */.gO)(label, 50)}\``);
    const more = foreign.length - named.length;
    return {
        chosen: all.slice(0, max),
        notes: all.length > max ? [`${(0,base_text/* counted */.hS)(all.length - max, 'label')} left out (\`labels_max\`)`] : [],
        refused: named.length === 0
            ? []
            : [`Not in \`labels_allowed\`: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`],
    };
}
function nameKey(label) {
    return label.trim().toLowerCase();
}

// EXTERNAL MODULE: ./build/js/apply/outcome.js
var apply_outcome = __nccwpck_require__(7953);
// EXTERNAL MODULE: ./build/js/action/text/markdown.js
var text_markdown = __nccwpck_require__(2688);
;// CONCATENATED MODULE: ./build/js/apply/report-ending.js




const applyConclusions = (/* unused pure expression or super */ null && (['applied', 'unchanged', 'outdated', 'dry_run', 'failed']));
/** Outputs of a step that is killed. */
const emptyApplyOutputs = {
    conclusion: 'failed',
    failure_reason: 'The step ended before it reported a result',
    review_url: '',
    comment_url: '',
    pull_request_url: '',
    commit_url: '',
};
function setApplyOutputs(host, outputs) {
    for (const [name, value] of Object.entries({ ...outputs }))
        host.setOutput(name, value);
}
/** Never throws. */
async function reportEnding(host, ending) {
    const conclusion = conclude(ending);
    const { outcomes, failure } = ending;
    const why = failure === undefined ? '' : (0,budget/* keepHead */.sc)(host.redact(failure), { surface: 'annotation' });
    const linkOf = (verb) => outcomes.find(outcome => outcome.verb === verb)?.link ?? '';
    try {
        setApplyOutputs(host, {
            conclusion,
            failure_reason: why,
            review_url: linkOf('review'),
            comment_url: linkOf('comment'),
            pull_request_url: linkOf('pull_request'),
            commit_url: linkOf('push'),
        });
    }
    catch (error) {
        host.warn(`the outputs could not be written: ${(0,cause/* messageOf */.bD)(error)}`);
    }
    for (const outcome of outcomes)
        (0,apply_outcome/* printOutcome */.is)(host, outcome);
    const isNothing = outcomes.every(({ deeds }) => deeds.length === 0);
    if (failure !== undefined)
        host.fail(`${isNothing ? 'Nothing' : 'Not everything'} was applied: ${why}`);
    try {
        await host.appendSummary(printEnding(host, ending, conclusion));
    }
    catch (error) {
        host.warn(`the summary could not be written: ${(0,cause/* messageOf */.bD)(error)}`);
    }
}
function conclude({ failure, outcomes, isDryRun }) {
    if (failure !== undefined)
        return 'failed';
    if (outcomes.some(({ movedTo }) => movedTo !== undefined))
        return 'outdated';
    if (isDryRun)
        return 'dry_run';
    return outcomes.some(({ deeds }) => deeds.length > 0) ? 'applied' : 'unchanged';
}
const headings = {
    applied: '✅ Applied the answer of the agent',
    unchanged: '✅ Nothing to change',
    outdated: '⏭️ Not applied: the pull request has a newer commit',
    dry_run: '🔍 Dry run: nothing was changed. This would be done',
    failed: '❌ The answer of the agent was not applied in full',
};
function printEnding(host, ending, conclusion) {
    const why = ending.failure === undefined ? [] : [(0,text_markdown/* quoteInline */.Wx)(host.redact(ending.failure))];
    const lines = ending.outcomes.flatMap(outcome => [
        `- **${outcome.verb}**: ${(0,text_markdown/* quoteInline */.Wx)((0,apply_outcome/* tell */.qz)(outcome))}${outcome.link === undefined ? '' : ` (${(0,text_markdown/* link */.nf)('open', outcome.link)})`}`,
        ...[...outcome.notes, ...(outcome.refused ?? [])].map(note => `  - ${(0,text_markdown/* quoteInline */.Wx)(note)}`),
    ]);
    const refused = ending.refused.map(what => `- not applied: ${(0,text_markdown/* quoteInline */.Wx)(what)}`);
    const isRefused = refused.length > 0 || ending.outcomes.some(outcome => (outcome.refused ?? []).length > 0);
    const heading = conclusion === 'unchanged' && isRefused ? '⚠️ Nothing was applied' : headings[conclusion];
    const head = [`### ${heading}`, ...why, [...lines, ...refused].join('\n')].join('\n\n');
    const room = Math.min(budget/* budgets */.RK.summary.max, host.summaryRoom()) - Buffer.byteLength(head) - 100;
    return `${head}\n\n${printPreviews(ending.outcomes, room)}`;
}
/** As many as fit. */
function printPreviews(outcomes, room) {
    let left = room;
    const parts = [];
    for (const { place, markdown } of outcomes.flatMap(({ previews = [] }) => previews)) {
        const shown = `<details><summary>${(0,text_markdown/* quoteInline */.Wx)(place)}</summary>\n\n${markdown}\n\n</details>\n`;
        left -= Buffer.byteLength(shown);
        if (left < 0)
            return [...parts, 'The rest does not fit here.\n'].join('\n');
        parts.push(shown);
    }
    return parts.join('\n');
}

;// CONCATENATED MODULE: ./build/js/action/github/payload.js
/** Reads members of a payload, which may have any value on another service. */

function objectOf(value) {
    return (0,json/* isObject */.Gv)(value) ? value : undefined;
}
/** Also undefined for ''. */
function textOf(value) {
    return typeof value === 'string' && value !== '' ? value : undefined;
}
/** Reads an ID, an issue number or a line number. */
function idOf(value) {
    return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

;// CONCATENATED MODULE: ./build/js/action/github/event-details.js

/** GitHub's maximum for a manual start. */
const inputsMax = 25;
function readDetails(payload, eventName) {
    const release = objectOf(payload.release);
    const given = { workflow_dispatch: payload.inputs, repository_dispatch: payload.client_payload };
    return {
        label: textOf(objectOf(payload.label)?.name),
        release: release && {
            tag: textOf(release.tag_name),
            name: textOf(release.name),
            link: textOf(release.html_url),
        },
        schedule: textOf(payload.schedule),
        push: eventName === 'push' ? { before: textOf(payload.before), link: textOf(payload.compare) } : undefined,
        inputs: readInputs(objectOf(given[eventName])),
    };
}
function readInputs(inputs) {
    const isValue = (value) => typeof value === 'number' || typeof value === 'boolean';
    return Object.entries(inputs ?? {})
        .flatMap(([name, value]) => {
        const kept = isValue(value) ? value : textOf(value);
        return kept === undefined ? [] : [[name, kept]];
    })
        .slice(0, inputsMax);
}
/** Undefined for a comment outside the code. */
function readPlace(comment) {
    const path = textOf(comment.path);
    if (path === undefined)
        return undefined;
    return {
        path,
        line: idOf(comment.line),
        startLine: idOf(comment.start_line),
        originalLine: idOf(comment.original_line),
        side: textOf(comment.side),
        diffHunk: textOf(comment.diff_hunk),
    };
}

;// CONCATENATED MODULE: ./build/js/action/github/event.js
/** The event that started the workflow. Reads the used parts of its payload, from GitHub or a service like it. */




/** GitHub's limit is 25 MB. Payloads of supported events have a few hundred KiB. */
const event_maxBytes = 8 * 1024 * 1024;
/** Lacks the payload if the file is missing, broken or too long. Undefined without an event. Never throws. */
function event_readEvent(context) {
    if (context.eventName === undefined)
        return undefined;
    return parseEvent(readPayload(context.eventPath) ?? {}, { ...context, eventName: context.eventName });
}
function readPayload(path) {
    if (path === undefined)
        return undefined;
    try {
        const payload = JSON.parse(readPlainFileSync(path, event_maxBytes).toString('utf8'));
        return (0,json/* isObject */.Gv)(payload) ? payload : undefined;
    }
    catch {
        return undefined;
    }
}
function parseEvent(payload, context) {
    const repository = objectOf(payload.repository);
    const pull = objectOf(payload.pull_request);
    const earlier = objectOf(payload.workflow_run);
    const head = pull !== undefined ? readPullHead(pull) : earlier && readEarlierHead(earlier, repository);
    const group = objectOf(payload.merge_group);
    const check = objectOf(payload.check_suite) ?? objectOf(objectOf(payload.check_run)?.check_suite);
    const sha = textOf(objectOf(pull?.head)?.sha) ?? textOf((earlier ?? group ?? check)?.head_sha) ?? context.sha;
    return {
        name: context.eventName,
        action: textOf(payload.action),
        repository: textOf(repository?.full_name) ?? context.repository,
        ownerType: textOf(objectOf(repository?.owner)?.type),
        ref: readRef(head, { pull, earlier, group }) ?? context.ref,
        sha,
        head,
        baseCommit: textOf(objectOf(pull?.base)?.sha),
        subject: readSubject(payload),
        comment: readComment(payload),
        earlierRun: earlier && readEarlierRun(earlier),
        ...readDetails(payload, context.eventName),
        sender: personOf(payload.sender),
        actor: context.actor,
    };
}
/** Returns a ref under which the base repository has the commit. A fork's branch is not one. */
function readRef(head, { pull, earlier, group }) {
    if (pull !== undefined)
        return idOf(pull.number) === undefined ? undefined : `refs/pull/${pull.number}/head`;
    if (earlier !== undefined && head?.isFork === false && head.ref !== undefined)
        return `refs/heads/${head.ref}`;
    return textOf(group?.head_ref);
}
function readPullHead(pull) {
    const [head, base] = [objectOf(pull.head), objectOf(pull.base)];
    return headOf(textOf(head?.ref), objectOf(head?.repo), objectOf(base?.repo));
}
function readEarlierHead(earlier, repository) {
    return headOf(textOf(earlier.head_branch), objectOf(earlier.head_repository), objectOf(earlier.repository) ?? repository);
}
/** Everything except a certain match with the base repository counts as a fork. */
function headOf(ref, own, base) {
    const isSame = own !== undefined && idOf(own.id) !== undefined && own.id === base?.id;
    return { ref, repository: textOf(own?.full_name), isFork: !isSame };
}
const subjectKeys = [
    ['pull_request', 'pull_request'],
    ['issue', 'issue'],
    ['discussion', 'discussion'],
];
function readSubject(payload) {
    for (const [key, kind] of subjectKeys) {
        const subject = objectOf(payload[key]);
        const number = idOf(subject?.number);
        if (subject === undefined || number === undefined)
            continue;
        // A comment on a pull request arrives as a comment on an issue.
        const isPull = kind === 'issue' && objectOf(subject.pull_request) !== undefined;
        return { ...textFrom(subject), kind: isPull ? 'pull_request' : kind, number, title: textOf(subject.title) };
    }
    return undefined;
}
function readComment(payload) {
    const comment = objectOf(payload.comment);
    const review = objectOf(payload.review);
    const written = comment ?? review;
    if (written === undefined)
        return undefined;
    return {
        ...textFrom(written),
        place: comment && readPlace(comment),
        reviewState: comment === undefined ? textOf(review?.state) : undefined,
    };
}
function readEarlierRun(run) {
    const pulls = Array.isArray(run.pull_requests) ? run.pull_requests : [];
    return {
        name: textOf(run.name),
        event: textOf(run.event),
        conclusion: textOf(run.conclusion),
        link: textOf(run.html_url),
        actor: personOf(run.actor),
        triggeringActor: personOf(run.triggering_actor),
        pullRequests: pulls.flatMap(pull => idOf(objectOf(pull)?.number) ?? []).slice(0, 20),
    };
}
function textFrom(value) {
    return {
        body: textOf(value.body),
        author: personOf(value.user),
        association: textOf(value.author_association),
        link: textOf(value.html_url),
    };
}
function personOf(value) {
    const person = objectOf(value);
    const login = textOf(person?.login);
    return login === undefined ? undefined : { login, id: idOf(person?.id), type: textOf(person?.type) };
}

;// CONCATENATED MODULE: ./build/js/apply/target.js
/** What the answer is about: an issue or pull request of this repository, and the commit that the agent saw. */


function findRepository({ repository }) {
    const [owner, repo] = repository?.split('/') ?? [];
    if (owner === undefined || repo === undefined)
        throw new values_InputError('GITHUB_REPOSITORY is not set. A GitHub runner sets it');
    return { owner, repo };
}
/** Undefined if neither the inputs nor the event name one. */
function findNumber(context, { number }) {
    const subject = event_readEvent(context)?.subject;
    return number ?? (subject?.kind === 'discussion' ? undefined : subject?.number);
}
/** The number of the event's issue. Undefined for a pull request, and if the workflow names another number. */
function findIssue(context, { number }) {
    const subject = event_readEvent(context)?.subject;
    return subject?.kind === 'issue' && (number ?? subject.number) === subject.number ? subject.number : undefined;
}
/** Throws InputError if neither the inputs nor the event name an issue or pull request. */
function target_findTarget(context, inputs) {
    const number = findNumber(context, inputs);
    if (number !== undefined)
        return { ...findRepository(context), number };
    throw new values_InputError(`the event ${context.eventName ?? 'of this job'} has no issue or pull request. Set \`number\` to its number`);
}
/**
 * The commit that the agent saw: `commit`, or the head of the event's pull request. Undefined if neither is given.
 */
function findSeen(context, { commit, number }) {
    const pull = findPull(context);
    return commit ?? (pull !== undefined && (number ?? pull.number) === pull.number ? pull.sha : undefined);
}
/** Throws InputError if the head is still that of the event, so that `commit` is not an earlier one. */
function refuseMergeCommit(context, { commit }, head) {
    if (commit !== undefined && findPull(context)?.sha === head)
        throw new values_InputError(`\`commit\` is ${commit}, but the head of the pull request is still ${head}. Remove the input if the agent saw that head. \`github.sha\` is a merge commit here: check out \`github.event.pull_request.head.sha\` for the agent`);
}
/** Throws InputError if nothing tells the commit. */
function findCommit(context, inputs, usual) {
    const seen = findSeen(context, inputs) ?? usual;
    if (seen !== undefined)
        return seen;
    throw new values_InputError(`the event ${context.eventName ?? 'of this job'} does not tell which commit the agent saw. Set \`commit\` to its full hash`);
}
/** The head of the pull request, if it is not `seen`. Undefined for an issue. Throws GitHubError. */
async function findNewHead(github, target, seen) {
    const { owner, repo, number } = target;
    const place = { owner, repo };
    const { data: issue } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
        ...place,
        issue_number: number,
    });
    if (!issue.pull_request)
        return undefined;
    const { data: pull } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
        ...place,
        pull_number: number,
    });
    return pull.head.sha === seen ? undefined : pull.head.sha;
}
/** The branch that the event is about. Throws InputError for that of a fork. */
function findBranch(context) {
    const pull = findPull(context);
    if (pull === undefined)
        return /^refs\/heads\/(.+)$/.exec(context.ref ?? '')?.[1];
    if (!pull.head.isFork)
        return pull.head.ref;
    throw new values_InputError('the branch of the event is in a fork, so no pull request can be opened for it. Set `pull_request_base` and `commit`');
}
function findPull(context) {
    const { subject, head, sha } = event_readEvent(context) ?? {};
    return subject?.kind === 'pull_request' && head !== undefined ? { number: subject.number, head, sha } : undefined;
}

;// CONCATENATED MODULE: ./build/js/apply/apply-answer.js
/**
 * The step of `apply`: reads what an agent of another job proposes, refuses what the workflow did not ask for, and
 * carries out the rest. No agent runs here, so nothing but the workflow's inputs decides what happens.
 */
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});












/** Far more than all requests need, even if GitHub asks to wait. */
const limitMs = 10 * 60_000;
async function applyAnswer(host) {
    const stop = new AbortController();
    const stopListening = host.onCancel(() => stop.abort());
    try {
        setApplyOutputs(host, emptyApplyOutputs);
        await reportEnding(host, await applyAll(host, stop.signal));
    }
    catch (error) {
        await reportEnding(host, { isDryRun: false, outcomes: [], refused: [], failure: (0,cause/* messageOf */.bD)(error) });
    }
    finally {
        stopListening();
    }
}
async function applyAll(host, signal) {
    const inputs = await readApplyInputs(host);
    const context = readStepContext(host);
    if (verbs.every(verb => inputs[verb] === undefined))
        throw new values_InputError(`nothing is asked for. Set one of these to true: ${verbs.map(verb => `\`${verb}\``).join(', ')}`);
    const answer = await answer_members_readAnswer(inputs.answer);
    const { refuseSecrets, scanRequests } = await Promise.all(/* import() */[__nccwpck_require__.e(570), __nccwpck_require__.e(975)]).then(__nccwpck_require__.bind(__nccwpck_require__, 9975));
    await refuseSecrets('the answer seems', answer);
    const refused = findRefused(answer, inputs);
    for (const what of refused)
        host.warn(`The answer was not applied in full. ${what}`);
    const network = await openNetwork({ variables: host.variables(), baseUrl: context.apiUrl });
    try {
        for (const secret of network.secrets)
            host.mask(secret);
        const open = createStepGitHub(host, { token: inputs.token, apiUrl: context.apiUrl, network });
        const github = scanRequests(await open({ limitMs, signal }));
        const applying = { host, inputs, context, answer, github, signal };
        return { isDryRun: inputs.isDryRun, refused, ...(await applyVerbs(applying)) };
    }
    finally {
        await network.close();
    }
}
/** A failure ends it, and what was done before is reported. */
async function applyVerbs(applying) {
    const outcomes = [];
    try {
        for await (const outcome of applyEach(applying)) {
            if (outcome.movedTo !== undefined)
                refuseMergeCommit(applying.context, applying.inputs, outcome.movedTo);
            outcomes.push(outcome);
            if (outcome.failure !== undefined || outcome.movedTo !== undefined)
                break;
        }
        return { outcomes, failure: outcomes.at(-1)?.failure };
    }
    catch (error) {
        return { outcomes, failure: (0,apply_outcome/* failureOf */.g5)(error) };
    }
}
async function* applyEach(applying) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { host, inputs, context, answer, github } = applying;
        const { isDryRun, review, comment, labels } = inputs;
        const { jobUrl, repositoryUrl } = context;
        const given = { github, answer, isDryRun };
        const shared = { marker: (0,comments/* markerOf */.we)(keyOf(applying)), jobUrl, redact: host.redact };
        // First of all: changes that are refused stop everything.
        const changes = inputs.pull_request ?? inputs.push;
        const prepared = __addDisposableResource(env_1, changes === undefined ? undefined : await prepareChanges(applying, changes), true);
        const seen = findSeen(context, inputs);
        if (seen !== undefined && review === undefined && (comment ?? labels) !== undefined) {
            const movedTo = await findNewHead(github, target_findTarget(context, inputs), seen);
            if (movedTo !== undefined)
                yield { verb: comment === undefined ? 'labels' : 'comment', deeds: [], notes: [], movedTo };
        }
        if (review !== undefined) {
            const { applyReview } = await Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(6), __nccwpck_require__.e(463), __nccwpck_require__.e(383), __nccwpck_require__.e(113)]).then(__nccwpck_require__.bind(__nccwpck_require__, 2113));
            const target = target_findTarget(context, inputs);
            const printing = { ...shared, repositoryUrl, commit: findCommit(context, inputs) };
            yield await applyReview({ ...given, target, inputs: review, printing });
        }
        if (comment !== undefined) {
            const { applyComment } = await Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(383), __nccwpck_require__.e(540)]).then(__nccwpck_require__.bind(__nccwpck_require__, 540));
            yield await applyComment({ ...given, target: target_findTarget(context, inputs), printing: shared });
        }
        if (labels !== undefined)
            yield await applyLabels({ ...given, target: target_findTarget(context, inputs), inputs: labels });
        if (prepared !== undefined)
            yield await applyChanges(applying, prepared);
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}
async function prepareChanges(applying, changes) {
    const { host, inputs, context, answer, signal } = applying;
    const [{ openCheckedTree }, { readProposalText, readTitle }] = await Promise.all([
        Promise.all(/* import() */[__nccwpck_require__.e(570), __nccwpck_require__.e(6), __nccwpck_require__.e(867)]).then(__nccwpck_require__.bind(__nccwpck_require__, 4867)),
        Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(383), __nccwpck_require__.e(573)]).then(__nccwpck_require__.bind(__nccwpck_require__, 2573)),
    ]);
    const { token } = inputs;
    const { redact } = host;
    // Before git fetches anything.
    const title = readTitle(answer, redact);
    const foot = { issue: findIssue(context, inputs), jobUrl: context.jobUrl, redact };
    const text = inputs.push === undefined ? readProposalText(answer, foot) : undefined;
    const commit = findCommit(context, inputs, inputs.push === undefined ? context.sha : undefined);
    const tree = await openCheckedTree({ host, context, inputs: changes, token, commit, signal });
    return { tree, commit, title, text, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
}
async function applyChanges(applying, prepared) {
    const { inputs, context, github } = applying;
    const { isDryRun } = inputs;
    const { tree, commit, title, text } = prepared;
    const given = { github, tree, commit, isDryRun };
    if (inputs.pull_request === undefined || text === undefined) {
        const { pushCommit } = await __nccwpck_require__.e(/* import() */ 654).then(__nccwpck_require__.bind(__nccwpck_require__, 5654));
        return await pushCommit({ ...given, title, target: target_findTarget(context, inputs) });
    }
    const { proposePull } = await Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(383), __nccwpck_require__.e(377)]).then(__nccwpck_require__.bind(__nccwpck_require__, 2377));
    const number = findNumber(context, inputs);
    const key = [slugOf(keyOf(applying)), ...(number === undefined ? [] : [number])].join('-');
    return await proposePull({
        ...given,
        text,
        repository: findRepository(context),
        inputs: inputs.pull_request,
        branch: inputs.pull_request.branch ?? `agent-run/${key}`,
        base: inputs.pull_request.base ?? findBranch(context),
        key,
    });
}
function keyOf({ inputs, context }) {
    return inputs.key ?? [context.workflow, context.job].join('/');
}
function slugOf(key) {
    const slug = key.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return slug.replace(/^-|-$/g, '').slice(0, 80) || 'changes';
}

;// CONCATENATED MODULE: ./build/js/apply/index.js


/** GitHub's local-action starts a step under this name. */
const run = () => enterMain(applyAnswer);


var __webpack_exports__run = __webpack_exports__.e;
var __webpack_exports__runApply = __webpack_exports__.O;
export { __webpack_exports__run as run, __webpack_exports__runApply as runApply };
