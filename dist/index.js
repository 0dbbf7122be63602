// node_modules/@actions/core
// node_modules/@actions/exec
// node_modules/@actions/http-client
// node_modules/@actions/io
// node_modules/is-network-error
// node_modules/p-retry
// node_modules/tunnel
// src/action/connect/addresses.ts
// src/action/connect/connect.ts
// src/action/connect/network.ts
// src/action/connect/no-proxy.ts
// src/action/connect/proxies.ts
// src/action/connect/proxy-faults.ts
// src/action/connect/proxy-responses.ts
// src/action/connect/server-only.ts
// src/action/connect/trust.ts
// src/action/follow/cancel-run.ts
// src/action/follow/cancellation.ts
// src/action/follow/event-printer.ts
// src/action/follow/follow-run.ts
// src/action/follow/live-log.ts
// src/action/follow/recent-lines.ts
// src/action/follow/run-warnings.ts
// src/action/follow/state-history.ts
// src/action/github/step-github.ts
// src/action/host/annotations.ts
// src/action/host/entry.ts
// src/action/host/host.ts
// src/action/host/kept-files.ts
// src/action/host/masks.ts
// src/action/host/runner-files.ts
// src/action/host/step-state.ts
// src/action/host/stop-signals.ts
// src/action/index.ts
// src/action/inputs/embedded-inputs.ts
// src/action/inputs/fail-inputs.ts
// src/action/inputs/file-inputs.ts
// src/action/inputs/input-names.ts
// src/action/inputs/inputs.ts
// src/action/inputs/later-faults.ts
// src/action/inputs/option-names.ts
// src/action/inputs/step-context.ts
// src/action/inputs/stray-inputs.ts
// src/action/inputs/values.ts
// src/action/main.ts
// src/action/post-action.ts
// src/action/post.ts
// src/action/report/changed-files.ts
// src/action/report/kept-artifacts.ts
// src/action/report/late-code.ts
// src/action/report/outputs.ts
// src/action/report/report-time.ts
// src/action/report/report.ts
// src/action/report/result-words.ts
// src/action/report/result.ts
// src/action/report/saved-patch.ts
// src/action/report/saved-result.ts
// src/action/report/step-comment.ts
// src/action/report/step-review.ts
// src/action/report/summary/heading.ts
// src/action/run-action.ts
// src/action/start/base-instructions.ts
// src/action/start/begin-run.ts
// src/action/start/learn-event.ts
// src/action/start/refusal.ts
// src/action/start/run-body.ts
// src/action/start/start-run.ts
// src/action/start/step-key.ts
// src/action/text/budget.ts
// src/action/text/key-words.ts
// src/action/text/markdown.ts
// src/action/text/open-fence.ts
// src/action/text/redact.ts
// src/action/verdict/fail-when.ts
// src/action/verdict/verdict.ts
// src/base/cause.ts
// src/base/clock.ts
// src/base/deferred.ts
// src/base/document.ts
// src/base/json.ts
// src/base/network/answer-race.ts
// src/base/network/loopback.ts
// src/base/network/retry.ts
// src/base/network/slow-addresses.ts
// src/base/network/url.ts
// src/base/process/debugger-door.ts
// src/base/process/shortage.ts
// src/base/process/version.ts
// src/base/secret-variables.ts
// src/base/text.ts
// src/base/variable-name.ts
// src/base/wording/nearest.ts
// src/base/wording/open-calls.ts
// src/base/wording/prompt-title.ts
// src/base/wording/tool-text.ts
// src/base/wording/usage-total.ts
// src/border/answers.ts
// src/border/downloads.ts
// src/border/files.ts
// src/border/folders.ts
// src/border/log-text.ts
// src/border/secrets.ts
// src/border/terminal-text.ts
// src/border/visible-text.ts
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
// src/client/following/log-lines.ts
// src/client/following/pace.ts
// src/client/following/patience.ts
// src/client/following/server-sent-events.ts
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
// src/contract/tables/run-text.ts
// src/contract/tables/sizes.ts
// src/contract/tables/skill-spec.ts
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

/***/ 4708:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:https");

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

/***/ 481:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:readline");

/***/ }),

/***/ 99:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:sqlite");

/***/ }),

/***/ 7075:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream");

/***/ }),

/***/ 6466:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream/promises");

/***/ }),

/***/ 8500:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");

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

/***/ 8300:
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

/***/ 7659:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ explainProxyFailure),
/* harmony export */   T: () => (/* binding */ ProxyError)
/* harmony export */ });
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(1065);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(6910);
/* harmony import */ var _client_index_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(2765);
/** Faults between the step and its proxy, kept apart from the server's because it never saw the request. */



/** The request reached only the proxy, so the server has not seen it. */
class ProxyError extends _client_index_js__WEBPACK_IMPORTED_MODULE_0__/* .ConnectionError */ .Rc {
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
    const { status, code, syscall } = readFailure(thrown);
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
    return new ProxyError(`the proxy ${proxy.host} ${words} (${(0,_base_cause_js__WEBPACK_IMPORTED_MODULE_1__/* .describeParts */ .M8)((0,_base_cause_js__WEBPACK_IMPORTED_MODULE_1__/* .findCause */ .lO)(thrown)) ?? code})`, {
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
function readFailure(thrown) {
    let [status, code, syscall] = [undefined, 'no code', undefined];
    for (let error = thrown, depth = 0; depth < 5 && (0,_base_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isObject */ .Gv)(error); depth += 1) {
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


/***/ }),

/***/ 4079:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $6: () => (/* binding */ readPrompt),
/* harmony export */   LX: () => (/* binding */ readMcpServers),
/* harmony export */   P_: () => (/* binding */ readOutputSchema),
/* harmony export */   bq: () => (/* binding */ readWorkingDirectory),
/* harmony export */   kk: () => (/* binding */ readResultFile),
/* harmony export */   mH: () => (/* binding */ explainFileFault),
/* harmony export */   z1: () => (/* binding */ resolveInWorkspace)
/* harmony export */ });
/* unused harmony exports readDocument, readInputFile */
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(3024);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(6760);
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_7__ = __nccwpck_require__(1065);
/* harmony import */ var _base_document_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(2469);
/* harmony import */ var _border_files_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(5838);
/* harmony import */ var _contract_tables_review_schema_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(3323);
/* harmony import */ var _contract_tables_sizes_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(4249);
/* harmony import */ var _values_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(8589);
/** Inputs that are a file or name one. */








/** `prompt` as written, or the text of `prompt_file`. Undefined if both are empty. */
function readPrompt(host) {
    const prompt = (0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .readText */ .yR)(host, 'prompt');
    const file = (0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .readWord */ .pS)(host, 'prompt_file');
    if (file === undefined) {
        if (prompt !== undefined && namesFile(host, prompt.trim()))
            throw new _values_js__WEBPACK_IMPORTED_MODULE_5__/* .InputError */ .dz(`\`prompt\` is the path of a file, ${(0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(prompt.trim())}. Did you mean \`prompt_file\`?`);
        return prompt;
    }
    if (prompt !== undefined)
        throw new _values_js__WEBPACK_IMPORTED_MODULE_5__/* .InputError */ .dz('`prompt` and `prompt_file` are both set. Remove one of them');
    const text = readInputFile(host, 'prompt_file', file);
    if (text.trim() === '')
        throw new _values_js__WEBPACK_IMPORTED_MODULE_5__/* .InputError */ .dz(`\`prompt_file\`: ${(0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(file)} is empty`);
    return text;
}
function namesFile(host, text) {
    const path = resolveInWorkspace(host, text);
    return !/\s/.test(text) && (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(path) && (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.statSync)(path).isFile() && isInWorkspace(host, path);
}
/** A JSON or YAML object, inline or in the file that the value names. Undefined if empty. Throws InputError. */
async function readDocument(host, name) {
    const value = (0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .readText */ .yR)(host, name);
    if (value === undefined)
        return undefined;
    try {
        return await (0,_base_document_js__WEBPACK_IMPORTED_MODULE_6__/* .readDocument */ .u0)(value, path => readInputFile(host, name, path));
    }
    catch (error) {
        throw error instanceof _base_document_js__WEBPACK_IMPORTED_MODULE_6__/* .DocumentError */ .Mi ? new _values_js__WEBPACK_IMPORTED_MODULE_5__/* .InputError */ .dz(`\`${name}\`: ${error.message}`) : error;
    }
}
/** The schema of a result. The word `review` stands for the schema that the action `apply` reads. */
async function readOutputSchema(host) {
    if ((0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .readTrimmed */ .pC)(host, 'output_schema') === 'review')
        return _contract_tables_review_schema_js__WEBPACK_IMPORTED_MODULE_3__/* .reviewSchema */ .Yg;
    return await readDocument(host, 'output_schema');
}
/** MCP servers by name, either bare or in the form of `.mcp.json`. */
async function readMcpServers(host) {
    const document = await readDocument(host, 'mcp_servers');
    return document && (0,_base_document_js__WEBPACK_IMPORTED_MODULE_6__/* .unwrapMcpServers */ .mZ)(document);
}
/** Resolves a path against the workspace, as `working-directory` and other actions do. */
function resolveInWorkspace(host, path) {
    return (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(host.readVariable('GITHUB_WORKSPACE') ?? '.', path);
}
function isInWorkspace(host, path) {
    return (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.realpathSync)(resolveInWorkspace(host, '.')), (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.realpathSync)(path)).split(node_path__WEBPACK_IMPORTED_MODULE_1__.sep)[0] !== '..';
}
/** A document may be as long as a prompt. Throws InputError. */
function readInputFile(host, name, file) {
    try {
        const bytes = (0,_border_files_js__WEBPACK_IMPORTED_MODULE_2__/* .readPlainFileSync */ .c4)((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.realpathSync)(resolveInWorkspace(host, file)), _contract_tables_sizes_js__WEBPACK_IMPORTED_MODULE_4__/* .sizes */ .L.promptBytes);
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch (error) {
        throw new _values_js__WEBPACK_IMPORTED_MODULE_5__/* .InputError */ .dz(`\`${name}\`: ${(0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(file)} cannot be read: ${explainFileFault(error)}`);
    }
}
/** Throws InputError if no file can be created there, before a run costs anything. Undefined if empty. */
function readResultFile(host) {
    const given = (0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .readWord */ .pS)(host, 'result_file');
    if (given === undefined)
        return undefined;
    const path = resolveInWorkspace(host, given);
    const refuse = (why) => {
        throw new _values_js__WEBPACK_IMPORTED_MODULE_5__/* .InputError */ .dz(`\`result_file\`: ${(0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(given)} ${why}. Give the path of a file that this step can write`);
    };
    try {
        const found = findStats(path);
        if (/[/\\]$/.test(given) || found?.isDirectory() === true)
            refuse('is a folder');
        if (found?.isFile() === false)
            refuse('is a device or a pipe');
        let folder = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path);
        while (findStats(folder) === undefined && folder !== (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(folder))
            folder = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(folder);
        if (findStats(folder)?.isDirectory() !== true)
            refuse(`cannot be created: ${(0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(folder)} is not a folder`);
        // Read-only and special file systems report it only when a file is created.
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.rmdirSync)((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.mkdtempSync)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, '.agent-run-')));
    }
    catch (error) {
        if (error instanceof _values_js__WEBPACK_IMPORTED_MODULE_5__/* .InputError */ .dz)
            throw error;
        refuse(`cannot be created (${(0,_base_cause_js__WEBPACK_IMPORTED_MODULE_7__/* .messageOf */ .bD)(error)})`);
    }
    return given;
}
/** The agent's folder as an absolute path. Undefined if empty. Throws InputError. */
function readWorkingDirectory(host) {
    const given = (0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .readWord */ .pS)(host, 'working_directory');
    if (given === undefined)
        return undefined;
    const folder = resolveInWorkspace(host, given);
    if (findStats(folder)?.isDirectory() === true && isInWorkspace(host, folder))
        return folder;
    throw new _values_js__WEBPACK_IMPORTED_MODULE_5__/* .InputError */ .dz(`\`working_directory\`: the workspace has no folder ${(0,_values_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(given)}. Did an earlier step check out the repository (\`path\` of actions/checkout)?`);
}
/** Undefined if nothing is there. Throws the file system's other errors. */
function findStats(path) {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.statSync)(path);
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
    return (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_7__/* .messageOf */ .bD)(error);
}


/***/ }),

/***/ 3198:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   NE: () => (/* binding */ keyInputs),
/* harmony export */   Rz: () => (/* binding */ unreplacedInputs),
/* harmony export */   oD: () => (/* binding */ peerInputs),
/* harmony export */   pN: () => (/* binding */ applyInputNames),
/* harmony export */   uz: () => (/* binding */ claudeFlags),
/* harmony export */   vj: () => (/* binding */ inputNames)
/* harmony export */ });
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


/***/ }),

/***/ 350:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ findStrayInputs)
/* harmony export */ });
/* harmony import */ var _base_wording_nearest_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(191);
/* harmony import */ var _input_names_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(3198);
/**
 * Inputs in a workflow that this action does not have. The runner only warns of them, and a step would pass without
 * the schema or limit that they set.
 */


const ownInputs = { 'agent-run': _input_names_js__WEBPACK_IMPORTED_MODULE_0__/* .inputNames */ .vj, 'agent-run/apply': _input_names_js__WEBPACK_IMPORTED_MODULE_0__/* .applyInputNames */ .pN };
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
    const [owner, another] = Object.entries(_input_names_js__WEBPACK_IMPORTED_MODULE_0__/* .peerInputs */ .oD).flatMap(([peer, theirs]) => {
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
    const near = names.find(known => (0,_base_wording_nearest_js__WEBPACK_IMPORTED_MODULE_1__/* .editDistance */ .YC)(word, known) <= (known.length < 6 ? 1 : 2));
    return near && `\`${name}\` is not an input of this action. Did you mean \`${near}\`?`;
}
function adviseInstead(entry, value) {
    const [theirs = '', ours] = entry.split('=');
    if (_input_names_js__WEBPACK_IMPORTED_MODULE_0__/* .keyInputs */ .NE.includes(theirs))
        return `set ${theirs.replaceAll('-', '_').toUpperCase()} under \`env:\` of the step`;
    const instead = theirs === 'claude_args' ? readClaudeArguments(value) : undefined;
    if (instead !== undefined)
        return instead;
    if (ours === undefined)
        return _input_names_js__WEBPACK_IMPORTED_MODULE_0__/* .unreplacedInputs */ .Rz.includes(theirs)
            ? 'remove it; this action has nothing like it'
            : 'remove it; docs/coming-from-another-action.md of agent-run says what to use instead';
    return ours.includes(':') && value.trim() === 'false' ? 'remove it' : `did you mean \`${ours.replace(':', ': ')}\`?`;
}
/** Shows no value but a model's name, because others may contain secrets. Undefined without known flags. */
function readClaudeArguments(value) {
    const flags = [...value.matchAll(/(?:^|\s)(--[a-z][a-z-]*)(?:[\s=]+(?!--)("[^"]*"|'[^']*'|\S+))?/gi)];
    const replaced = flags.flatMap(([, flag = '', text = '']) => {
        const ours = _input_names_js__WEBPACK_IMPORTED_MODULE_0__/* .claudeFlags */ .uz[flag];
        if (ours === undefined)
            return [];
        const model = flag === '--model' ? /^["']?([\w.:@/[\]-]{1,100})["']?$/.exec(text)?.[1] : undefined;
        return [`\`${ours}${model === undefined ? '' : `: ${model}`}\` for ${flag}`];
    });
    const others = flags.flatMap(([, flag = '']) => (_input_names_js__WEBPACK_IMPORTED_MODULE_0__/* .claudeFlags */ .uz[flag] === undefined ? [flag] : []));
    const parts = [
        ...(replaced.length === 0 ? [] : [`set ${replaced.join(', ')}`]),
        ...(others.length === 0 ? [] : [`there is no input for ${others.join(', ')}`]),
        ...(others.includes('--max-turns') ? ['`timeout_minutes` limits the run'] : []),
    ];
    return parts.length === 0 ? undefined : parts.join('; ');
}


/***/ }),

/***/ 8589:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Kf: () => (/* binding */ readChoice),
/* harmony export */   RX: () => (/* binding */ checkWord),
/* harmony export */   SX: () => (/* binding */ readPairs),
/* harmony export */   Vf: () => (/* binding */ readBoolean),
/* harmony export */   dz: () => (/* binding */ InputError),
/* harmony export */   hD: () => (/* reexport safe */ _base_document_js__WEBPACK_IMPORTED_MODULE_0__.ol),
/* harmony export */   mG: () => (/* binding */ refuseFaults),
/* harmony export */   n5: () => (/* binding */ readSecret),
/* harmony export */   pC: () => (/* binding */ readTrimmed),
/* harmony export */   pS: () => (/* binding */ readWord),
/* harmony export */   qR: () => (/* binding */ isGiven),
/* harmony export */   ug: () => (/* binding */ MissingCredentialError),
/* harmony export */   ux: () => (/* binding */ readWords),
/* harmony export */   wM: () => (/* binding */ readMinutes),
/* harmony export */   wi: () => (/* binding */ whyEmpty),
/* harmony export */   yR: () => (/* binding */ readText),
/* harmony export */   yw: () => (/* binding */ readAll)
/* harmony export */ });
/* harmony import */ var _base_document_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(2469);
/* harmony import */ var _base_wording_nearest_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(191);
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(769);
/** Reads one input: its valid values, and the error for others. */




/** An invalid input. The message has the input, its value (never a key) and the remedy. */
class InputError extends Error {
    name = 'InputError';
}
/** Explains why a variable that should hold a secret is empty. */
const whyEmpty = 'the secret is not set (Settings, Secrets and variables, Actions, Secrets), its name is misspelled, or this event gets no secrets (pull requests from forks and from Dependabot)';
/** A key that the agent needs is empty. Either an error or a reason to skip the step (`on_missing_credentials`). */
class MissingCredentialError extends InputError {
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
            if (!(error instanceof InputError))
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
    throw new InputError(sentences.join('. ').replaceAll('?. ', '? '));
}
/** Five days, the longest job. */
const maxMinutes = 5 * 24 * 60;
/** True if an input has a value, valid or not. */
function isGiven(host, name) {
    return host.readInput(name).trim() !== '';
}
/** Returns a text exactly as written. Undefined if it is only whitespace. */
function readText(host, name) {
    const value = host.readInput(name);
    refuseExpression(name, value);
    return value.trim() === '' ? undefined : value;
}
/** Returns a text of any number of lines, trimmed. Undefined when empty. */
function readTrimmed(host, name) {
    return readText(host, name)?.trim();
}
/**
 * Returns an identifier of one line. Spaces and line ends around it are trimmed as a mistake. Undefined when empty.
 */
function readWord(host, name) {
    const word = readTrimmed(host, name);
    if (word !== undefined && (0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(word) !== word)
        throw new InputError(`\`${name}\`: ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_0__/* .quoteText */ .ol)(word)} contains a line break or another control character. Write it on one line`);
    return word;
}
/** Reads YAML 1.2 core booleans. `usual` applies to an empty value, which an unset variable produces. */
function readBoolean(host, name, usual) {
    const value = readWord(host, name);
    if (value === undefined)
        return usual;
    if (['true', 'True', 'TRUE'].includes(value))
        return true;
    if (['false', 'False', 'FALSE'].includes(value))
        return false;
    throw new InputError(`\`${name}\` must be true or false, not ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_0__/* .quoteText */ .ol)(value)}`);
}
/** Returns minutes above 0 as milliseconds. Fractions are allowed. Undefined when empty. */
function readMinutes(host, name) {
    const value = readWord(host, name);
    if (value === undefined)
        return undefined;
    const minutes = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (!(minutes > 0 && minutes <= maxMinutes))
        throw new InputError(`\`${name}\` must be a number of minutes above 0 and at most ${maxMinutes}, such as 90 or 0.5, not ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_0__/* .quoteText */ .ol)(value)}`);
    return minutes * 60_000;
}
/** Returns one of the given words, the first one when empty. */
function readChoice(host, name, words) {
    const value = readWord(host, name);
    return value === undefined ? words[0] : checkWord(name, value, words);
}
/** Returns words separated by spaces or commas. Undefined when empty. */
function readWords(host, name) {
    return readTrimmed(host, name)
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
    const hint = (0,_base_wording_nearest_js__WEBPACK_IMPORTED_MODULE_2__/* .didYouMean */ .au)(switchWords.get(value) ?? value, words);
    throw new InputError(`\`${name}\`: ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_0__/* .quoteText */ .ol)(value)} is not one of ${words.join(', ')}${hint}`);
}
/** Returns one `key=value` pair per line and skips empty lines. Undefined if there is none. */
function readPairs(host, name, maxPairs) {
    const lines = (readText(host, name) ?? '').split(/\r?\n/).filter(line => line.trim() !== '');
    const pairs = new Map();
    for (const line of lines) {
        const [key = '', ...rest] = line.split('=');
        if (rest.length === 0 || key.trim() === '')
            throw new InputError(`\`${name}\`: the line ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_0__/* .quoteText */ .ol)(line)} is not a pair. Write one key=value per line`);
        if (pairs.has(key.trim()))
            throw new InputError(`\`${name}\`: ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_0__/* .quoteText */ .ol)(key.trim())} is set twice. Set it once`);
        pairs.set(key.trim(), rest.join('=').trim());
    }
    if (pairs.size > maxPairs)
        throw new InputError(`\`${name}\` has ${pairs.size} pairs. At most ${maxPairs} are allowed`);
    return pairs.size === 0 ? undefined : Object.fromEntries(pairs);
}
function refuseExpression(name, value) {
    if (value.trimStart().startsWith('${{'))
        throw new InputError(`\`${name}\` begins with \${{, an expression that was not evaluated: ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_0__/* .quoteText */ .ol)(value)}. Expressions work under \`with:\` of a workflow step`);
}
/** Reads a key or token and masks it from now on. */
function readSecret(host, name) {
    const value = host.readInput(name).trim();
    if (value === '')
        return undefined;
    if (value.startsWith('${{'))
        throw new InputError(`\`${name}\` is an expression that was not evaluated. Write it under \`with:\` of the step`);
    host.mask(value);
    if (!/^[\x21-\x7e]+$/.test(value))
        throw new InputError(`\`${name}\` contains ${describeInvalidCharacters(value)}, so it is not a key (not shown). Save only the key in the secret, without quotes, \`Bearer\` or a second line`);
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


/***/ }),

/***/ 4018:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   FQ: () => (/* binding */ printChanges),
/* harmony export */   Wd: () => (/* binding */ listChanges),
/* harmony export */   xS: () => (/* binding */ countChanges)
/* harmony export */ });
/* harmony import */ var _base_text_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(9199);
/* harmony import */ var _text_budget_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(5092);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(2688);
/** The files that a Git patch changes, with the lines added and removed in each. */



const shownMax = 20;
const pathBytes = 400;
function listChanges(patch) {
    const files = [];
    const sum = { count: 0, added: 0, removed: 0 };
    let file;
    // Lines left of a hunk, because a line of a file can look like a header.
    let [oldLeft, newLeft] = [0, 0];
    for (const line of readLines(patch)) {
        if (oldLeft + newLeft > 0 && file !== undefined) {
            const mark = line[0];
            if (mark === '+')
                [file.added, sum.added] = [file.added + 1, sum.added + 1];
            if (mark === '-')
                [file.removed, sum.removed] = [file.removed + 1, sum.removed + 1];
            if (mark !== '+' && mark !== '\\')
                oldLeft -= 1;
            if (mark !== '-' && mark !== '\\')
                newLeft -= 1;
        }
        else if (line.startsWith('diff --git ')) {
            file = { path: readName(findName(line.slice('diff --git '.length))), added: 0, removed: 0, isBinary: false };
            sum.count += 1;
            if (sum.count <= shownMax)
                files.push(file);
        }
        else if (file === undefined)
            continue;
        else if (line.startsWith('+++ ') && line !== '+++ /dev/null')
            file.path = readName(line.slice(4));
        else if (line.startsWith('GIT binary patch'))
            file.isBinary = true;
        else {
            const [, before = '1', after = '1'] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? ['', '0', '0'];
            [oldLeft, newLeft] = [Number(before), Number(after)];
        }
    }
    return { files, ...sum };
}
/**
 * Returns the second name of a header. Names can contain ` b/`, but both are the same unless the file was renamed.
 */
function findName(names) {
    const half = (names.length - 1) / 2;
    if (names.slice(2, half) === names.slice(half + 3))
        return names.slice(half + 1);
    return names.slice(Math.max(names.lastIndexOf(' b/'), names.lastIndexOf(' "b/')) + 1);
}
function* readLines(text) {
    for (let at = 0; at < text.length;) {
        const end = text.indexOf('\n', at);
        yield text.slice(at, end < 0 ? text.length : end);
        at = end < 0 ? text.length : end + 1;
    }
}
/** Git ends a name that contains a space with a tab, and writes unusual bytes like a C string. */
function readName(written) {
    const name = written.replace(/\t$/, '');
    if (!name.startsWith('"'))
        return name.slice('b/'.length);
    const escapes = { t: '\t', n: '\n', r: '\r' };
    const bytes = name
        .slice('"b/'.length, -1)
        .replace(/\\(\d{3}|.)/g, (_, code) => code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code));
    return Buffer.from(bytes, 'latin1').toString();
}
/** `2 files changed, +12 −3`. '' without changes. */
function countChanges({ count, added, removed }) {
    if (count === 0)
        return '';
    const lines = [signed('+', added), signed('−', removed)].filter(text => text !== '').join(' ');
    return [`${(0,_base_text_js__WEBPACK_IMPORTED_MODULE_2__/* .counted */ .hS)(count, 'file')} changed`, ...(lines === '' ? [] : [lines])].join(', ');
}
/** A table of the first files, below the totals of all. '' without changes. */
function printChanges(changes) {
    if (changes.count === 0)
        return '';
    const rows = changes.files.map(({ path, added, removed, isBinary }) => {
        const name = (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteInline */ .Wx)((0,_text_budget_js__WEBPACK_IMPORTED_MODULE_0__/* .keepHead */ .sc)(path, { surface: 'summary', room: pathBytes }));
        return `| ${name} | ${isBinary ? 'binary' : signed('+', added)} | ${signed('−', removed)} |`;
    });
    const more = changes.count - changes.files.length;
    return [
        `| ${countChanges(changes)} | | |\n|---|--:|--:|`,
        ...rows,
        ...(more > 0 ? [`| and ${more} more | | |`] : []),
    ].join('\n');
}
function signed(sign, lines) {
    return lines === 0 ? '' : `${sign}${lines.toLocaleString('en-US')}`;
}


/***/ }),

/***/ 2575:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ noteOnPart),
/* harmony export */   t: () => (/* binding */ describeWhere)
/* harmony export */ });
/** Accompanies the beginning of a result, so that it does not pass for the whole. */
function noteOnPart({ cut }) {
    return cut === undefined
        ? '(only the beginning of the result could be read from the server)'
        : `(the first ${cut.leftOutBytes} bytes of the result were not kept, and only the beginning of the rest could be read)`;
}
/** Returns a clause that tells where more is. `place` completes "the complete result is …". */
function describeWhere({ cut }, place) {
    if (cut === undefined)
        return place === undefined ? undefined : `the complete result is ${place}`;
    const { leftOutBytes, keptBytes } = cut;
    const kept = `only the last ${keptBytes} of ${leftOutBytes + keptBytes} bytes were kept`;
    return place === undefined ? kept : `${kept}; they are ${place}`;
}


/***/ }),

/***/ 3592:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Ub: () => (/* binding */ writePatchFile),
/* harmony export */   VD: () => (/* binding */ fileUid),
/* harmony export */   Yn: () => (/* binding */ findPatch),
/* harmony export */   pQ: () => (/* binding */ isPatch),
/* harmony export */   vz: () => (/* binding */ sourceOf)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(1455);
/* harmony import */ var _border_downloads_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(7264);
/* harmony import */ var _changed_files_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(4018);
/** The patch that a run left as an artifact: `changes.patch`, written to a file for a later step. */



const patchName = 'changes.patch';
const patchBytes = 64 * 1024 * 1024;
/** ID of the run's patch, if there is one. */
function findPatch(run) {
    const patch = (run.artifacts ?? []).findLast(isPatch);
    return patch && fileUid(patch);
}
/** A file with that name in a folder belongs to the agent. */
function isPatch({ artifact_type: type, data }) {
    return type === 'FILE' && data.filename === patchName && (data.filepath ?? patchName) === patchName;
}
/** ID of a file artifact. Undefined for any other. */
function fileUid({ artifact_type: type, data }) {
    return type === 'FILE' ? data.artifact_uid : undefined;
}
/** Writes the patch to `path`, which must not exist, and returns its changes. Throws if it cannot be read. */
async function writePatchFile(connection, uid, { path, signal }) {
    const chunks = [];
    const download = { name: patchName, bytesMax: patchBytes, signal };
    for await (const chunk of (0,_border_downloads_js__WEBPACK_IMPORTED_MODULE_1__/* .downloadArtifact */ .b)(sourceOf(connection), uid, download))
        chunks.push(chunk);
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.writeFile)(path, chunks, { flag: 'wx' });
    return (0,_changed_files_js__WEBPACK_IMPORTED_MODULE_2__/* .listChanges */ .Wd)(Buffer.concat(chunks).toString());
}
function sourceOf({ client, fetch }) {
    return { get: (path, options) => client.get(path, options), fetch };
}


/***/ }),

/***/ 5401:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   R: () => (/* binding */ emptyWorkspaceWarning),
/* harmony export */   eH: () => (/* binding */ printTitle),
/* harmony export */   w4: () => (/* binding */ labelOfStep)
/* harmony export */ });
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(6910);
/* harmony import */ var _text_budget_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(5092);


const labelUnits = 100;
/** The matrix leg as GitHub shows it, otherwise `name`. Undefined if there is neither. */
function labelOfStep({ matrix, name, }) {
    const label = listValues(parse(matrix)).join(', ') || (name ?? '');
    return label.trim() === '' ? undefined : (0,_text_budget_js__WEBPACK_IMPORTED_MODULE_0__/* .keepHead */ .sc)(label, { surface: 'comment', room: labelUnits });
}
/** Adds the label even if the title contains its words, because all legs may share that title. */
function printTitle(title, label) {
    const shown = title === undefined || title.trim() === '' ? 'agent run' : withoutEnd(title);
    return label === undefined || label === shown.trim() ? shown : `${shown} (${label})`;
}
/** The conclusion follows the title. */
function withoutEnd(title) {
    const end = /[\s.:;,]{1,100}$/.exec(title)?.[0] ?? '';
    return title.slice(0, title.length - end.length) || title;
}
function parse(json) {
    try {
        return JSON.parse(json);
    }
    catch {
        return undefined;
    }
}
function listValues(value) {
    if (Array.isArray(value))
        return value.flatMap(listValues);
    if ((0,_base_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(value))
        return Object.values(value).flatMap(listValues);
    return value === null || value === undefined ? [] : [String(value)];
}
/** Shown right below the summary's heading, because readers stop at its check mark. */
const emptyWorkspaceWarning = 'The workspace is empty, so the agent sees no code. Add actions/checkout as an earlier step';


/***/ }),

/***/ 5092:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   G9: () => (/* binding */ keepTail),
/* harmony export */   Qo: () => (/* binding */ readRoom),
/* harmony export */   RK: () => (/* binding */ budgets),
/* harmony export */   kD: () => (/* binding */ measureText),
/* harmony export */   pl: () => (/* binding */ lineBudgets),
/* harmony export */   sc: () => (/* binding */ keepHead),
/* harmony export */   zf: () => (/* binding */ keepEnd)
/* harmony export */ });
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
/* harmony export */   nf: () => (/* binding */ link),
/* harmony export */   rQ: () => (/* binding */ gap)
/* harmony export */ });
/* unused harmony export breakReferences */
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

/***/ 6685:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ removeFence),
/* harmony export */   w: () => (/* binding */ splitOpenFence)
/* harmony export */ });
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


/***/ }),

/***/ 2160:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ redactAll)
/* harmony export */ });
/* harmony import */ var _border_secrets_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(9456);
/* harmony import */ var _border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(769);
/** Secrets, colors and control characters go before a report's text is cut, escaped or parsed. */


/** Redacts every text in a JSON value, including names. */
function redactAll(value, redact) {
    // A secret with CR line ends matches only the original text. A colored one matches only after the colors are
    // removed.
    return (0,_border_secrets_js__WEBPACK_IMPORTED_MODULE_0__/* .redactValue */ .FI)(value, text => redact((0,_border_terminal_text_js__WEBPACK_IMPORTED_MODULE_1__/* .terminalText */ .eR)(redact(text))));
}


/***/ }),

/***/ 1628:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Xl: () => (/* binding */ judgeCondition),
/* harmony export */   _n: () => (/* binding */ findMismatch),
/* harmony export */   zB: () => (/* binding */ parseCondition)
/* harmony export */ });
/* harmony import */ var _base_document_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(2469);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6910);
/* harmony import */ var _base_wording_nearest_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(191);
/** `fail_when`: a condition on the structured result. A condition that cannot be checked never lets a step pass. */



const form = /^([\w-]+(?:\.[\w-]+)*)\s*(==|!=)\s*(.+)$/;
const value = /"(?:[^"\\]|\\.)*"|'[^']*'|[\w./:+-]+/;
const list = new RegExp(`^\\[\\s*(?:${value.source})(?:\\s*,\\s*(?:${value.source}))*\\s*\\]$`);
const single = new RegExp(`^(?:${value.source})$`);
/** Undefined if the text is not a condition. */
function parseCondition(text) {
    const [, path = '', operator, right = ''] = form.exec(text) ?? [];
    if (operator === undefined || !(single.test(right) || list.test(right)))
        return undefined;
    const words = right.match(new RegExp(value, 'g')) ?? [];
    return { text, path: path.split('.'), isNegated: operator === '!=', values: words.map(removeQuotes) };
}
function removeQuotes(word) {
    if (word.startsWith("'"))
        return word.slice(1, -1);
    return word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word;
}
/** Compares as text, so that `ok == false` needs no types: the schema has them. */
function judgeCondition({ path, isNegated, values }, structured) {
    if (structured === undefined)
        return { fault: 'the run has no structured result' };
    let found = structured;
    for (const [depth, name] of path.entries()) {
        const holder = found;
        found = (0,_base_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
        if (Array.isArray(holder) && /^\d+$/.test(name))
            found = holder[Number(name)];
        if (found === undefined)
            return { fault: `the structured result has no \`${path.slice(0, depth + 1).join('.')}\`` };
    }
    if (typeof found === 'object' && found !== null)
        return { fault: `\`${path.join('.')}\` of the structured result is not a single value` };
    const isSame = (text) => text === String(found) || (typeof found === 'number' && text.trim() !== '' && Number(text) === found);
    return { isMet: values.some(isSame) !== isNegated, found: String(found) };
}
/** Finds a path or value that the schema rules out: a typo. Undefined if there is none. */
function findMismatch({ path, values }, schema) {
    let part = schema;
    for (const [depth, name] of path.entries()) {
        // Other keywords may add members, so only plain schemas can rule one out.
        if (!(0,_base_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(part) || Object.keys(part).some(key => openKeywords.has(key)))
            return;
        if (typesOf(part).join() === 'array') {
            if (!/^\d+$/.test(name))
                return `\`${path.slice(0, depth).join('.')}\` is a list in \`output_schema\`, so a number must follow it, not ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteText */ .ol)(name)}`;
            part = part.items;
            continue;
        }
        if (!(0,_base_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(part.properties))
            return;
        const { properties } = part;
        if (!Object.hasOwn(properties, name))
            return `\`output_schema\` has no ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteText */ .ol)(name)}${(0,_base_wording_nearest_js__WEBPACK_IMPORTED_MODULE_2__/* .didYouMean */ .au)(name, Object.keys(properties)) || `. It has ${Object.keys(properties).join(', ')}`}`;
        part = properties[name];
    }
    if (!(0,_base_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(part))
        return;
    const { fits, words } = describeValues(part);
    const wrong = values.find(text => !fits(text));
    return wrong === undefined
        ? undefined
        : `\`output_schema\` does not allow ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_1__/* .quoteText */ .ol)(wrong)} for \`${path.join('.')}\`${(0,_base_wording_nearest_js__WEBPACK_IMPORTED_MODULE_2__/* .didYouMean */ .au)(wrong, words) || `. It allows ${words.join(', ')}`}`;
}
/** In a schema, `null` is allowed next to another type. */
function typesOf({ type }) {
    return [type].flat().filter(name => name !== 'null' && name !== undefined);
}
function describeValues(part) {
    if (Array.isArray(part.enum))
        return valuesOf(part.enum.map(String));
    const kinds = typesOf(part).map(type => valuesByType.get(type));
    if (kinds.length === 0 || kinds.includes(undefined))
        return { fits: () => true, words: [] };
    const all = [...kinds, ...([part.type].flat().includes('null') ? [valuesOf(['null'])] : [])];
    return { fits: text => all.some(kind => kind?.fits(text)), words: all.flatMap(kind => kind?.words ?? []) };
}
function valuesOf(words) {
    return { fits: text => words.includes(text), words };
}
const isNumber = (text) => text.trim() !== '' && Number.isFinite(Number(text));
/** Without strings, which may be anything. */
const valuesByType = new Map([
    ['boolean', valuesOf(['true', 'false'])],
    ['integer', { fits: text => isNumber(text) && Number.isInteger(Number(text)), words: ['a whole number'] }],
    ['number', { fits: isNumber, words: ['a number'] }],
]);
const openKeywords = new Set([
    ...['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties', 'prefixItems'],
]);


/***/ }),

/***/ 6442:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Bi: () => (/* binding */ decideUnposted),
/* harmony export */   Ce: () => (/* binding */ badConclusions),
/* harmony export */   LD: () => (/* binding */ decide),
/* harmony export */   fy: () => (/* binding */ conclusions),
/* harmony export */   iI: () => (/* binding */ isRed),
/* harmony export */   wr: () => (/* binding */ readCode),
/* harmony export */   xm: () => (/* binding */ isResultEmpty)
/* harmony export */ });
/* harmony import */ var _base_document_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(2469);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(6910);
/* harmony import */ var _border_visible_text_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(1043);
/* harmony import */ var _fail_when_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(1628);
/**
 * The step's verdict. It is decided once, from the run's state and from what happened to the step. Text never decides
 * it, and of the reports, only a review that was not posted changes it.
 */




/** Values of the `conclusion` output. */
const conclusions = [
    'succeeded',
    'failed',
    'rejected',
    'cancelled',
    'timed_out',
    'blocked',
    'lost',
    'start_failed',
    'skipped',
    'started',
];
/** Conclusions that fail a step unless `fail_on` says otherwise. */
const badConclusions = new Set(conclusions.filter(word => !['succeeded', 'skipped', 'started'].includes(word)));
/** The final states. Each one overrides what happened to the step: a late success is a success. */
const ofFinalState = new Map([
    ['SUCCEEDED', 'succeeded'],
    ['FAILED', 'failed'],
    ['ERROR', 'failed'],
    ['CANCELLED', 'cancelled'],
]);
/** Conclusions for a run without a final state. */
const conclusionByOutcome = {
    ended: 'lost',
    started: 'started',
    blocked: 'blocked',
    step_cancelled: 'cancelled',
    timed_out: 'timed_out',
    cancel_asked: 'lost',
    lost: 'lost',
    not_started: 'start_failed',
    skipped: 'skipped',
};
/** Makes the verdict on a run. */
function decide(outcome, run, demands) {
    const own = run === undefined ? undefined : ofFinalState.get(run.state);
    const { kind } = outcome;
    // A step that only starts a run has the same conclusion however fast the run is.
    if (run === undefined || own === undefined || kind === 'started' || (own === 'cancelled' && kind !== 'ended'))
        return decideByOutcome(outcome, run, own);
    const fails = kind === 'cancel_asked' ? 'never' : 'if_listed';
    if (own === 'cancelled')
        return { conclusion: own, phase: phaseOf(run), sentence: explainEnd(run, 'The run was canceled'), fails };
    if (own === 'failed') {
        const opening = run.state === 'ERROR' ? 'The run ended with an error' : 'The run failed';
        return { conclusion: own, phase: phaseOf(run), sentence: explainEnd(run, opening), fails };
    }
    const passed = { conclusion: own, phase: undefined, sentence: undefined, fails };
    if (fails === 'never')
        return passed;
    if (demands.isReview === true && isReviewEmpty(run))
        return {
            conclusion: 'failed',
            phase: 'result',
            sentence: 'The run succeeded, but its review has neither a summary nor a finding (no_result)',
            fails: 'always',
            code: 'no_result',
        };
    if (demands.failWhen !== undefined)
        return judgeResult(run, demands.failWhen) ?? passed;
    if (demands.requiresResult && isResultEmpty(run))
        return {
            conclusion: 'failed',
            phase: 'result',
            sentence: 'The run succeeded without a result, and `require_result` is set',
            fails,
        };
    return passed;
}
/** The review is what the step was asked for, so a step without it has failed. `why` follows a colon. */
function decideUnposted(verdict, why) {
    const said = `The review was not posted: ${why}`;
    if (verdict.conclusion === 'rejected')
        return { ...verdict, sentence: `${verdict.sentence}. ${said}` };
    return { conclusion: 'failed', phase: 'step', sentence: said, fails: 'always' };
}
/** Undefined if the condition was checked and is not met. */
function judgeResult({ result }, condition) {
    const judgment = (0,_fail_when_js__WEBPACK_IMPORTED_MODULE_1__/* .judgeCondition */ .Xl)(condition, result?.structured);
    const quoted = `\`fail_when: ${condition.text}\``;
    if ('fault' in judgment) {
        const sentence = `The run succeeded, but ${quoted} cannot be checked: ${judgment.fault}`;
        return { conclusion: 'failed', phase: 'result', sentence, fails: 'always' };
    }
    if (!judgment.isMet)
        return undefined;
    const why = condition.isNegated ? `: \`${condition.path.join('.')}\` is ${(0,_base_document_js__WEBPACK_IMPORTED_MODULE_2__/* .quoteText */ .ol)(judgment.found)}` : '';
    return { conclusion: 'rejected', phase: 'result', sentence: `The result meets ${quoted}${why}`, fails: 'always' };
}
function decideByOutcome(outcome, run, own) {
    const conclusion = conclusionByOutcome[outcome.kind];
    const isCancelled = own === 'cancelled';
    switch (outcome.kind) {
        case 'started':
            return { conclusion, phase: undefined, sentence: undefined, fails: 'never' };
        case 'blocked':
            return {
                conclusion,
                phase: 'run',
                sentence: explainEnd(run, `The run is blocked: the agent asked a question. Answer it with \`npx agent-run followup ${run?.run_id ?? 'RUN_ID'} MESSAGE\`. The question`, ' is on the page of the run'),
                fails: outcome.isWanted ? 'never' : 'if_listed',
            };
        case 'step_cancelled':
            return {
                conclusion,
                phase: 'step',
                sentence: `The step was canceled. ${isCancelled ? 'The run was canceled, too' : outcome.stopping}`,
                fails: 'if_listed',
            };
        case 'timed_out':
            return {
                conclusion,
                phase: outcome.phase,
                sentence: `${outcome.why}. ${isCancelled ? 'The run was canceled' : outcome.stopping}`,
                fails: 'if_listed',
            };
        case 'cancel_asked':
            return isCancelled
                ? { conclusion: 'cancelled', phase: undefined, sentence: undefined, fails: 'never' }
                : {
                    conclusion,
                    phase: 'follow',
                    sentence: outcome.problem ?? 'The run was told to stop, but it did not end in time',
                    fails: 'if_listed',
                };
        case 'ended':
            return {
                conclusion,
                phase: 'follow',
                sentence: 'The step stopped following the run before its end',
                fails: 'if_listed',
            };
        case 'lost':
            return { conclusion, phase: 'follow', sentence: outcome.why, fails: 'if_listed' };
        default:
            return { conclusion, phase: outcome.phase, sentence: outcome.why, fails: 'if_listed' };
    }
}
function isRed(verdict, failOn) {
    return verdict.fails === 'always' || (verdict.fails === 'if_listed' && failOn.has(verdict.conclusion));
}
/** A partial result does not count as empty, because the rest may have visible text. */
function isResultEmpty({ result }) {
    return !(0,_border_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .isVisible */ .zN)(result?.text ?? '') && result?.truncated !== true && result?.structured === undefined;
}
function isReviewEmpty({ result }) {
    const review = result?.structured;
    if (!(0,_base_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(review) || !Array.isArray(review.findings) || review.findings.length > 0)
        return false;
    return typeof review.summary !== 'string' || !(0,_border_visible_text_js__WEBPACK_IMPORTED_MODULE_0__/* .isVisible */ .zN)(review.summary);
}
const setupCodes = new Set([
    'environment_setup_failed',
    'resource_not_found',
    'operation_not_supported',
]);
/** Returns the server's code for the end of the run. */
function readCode({ status_message: status }) {
    return status?.reason ?? status?.error_code;
}
function phaseOf(run) {
    const code = readCode(run) ?? '';
    // The person who configured the key has to fix it, not the service.
    if (code === 'authentication_required')
        return 'setup';
    if (run.state === 'ERROR')
        return 'service';
    if (code === 'no_result' || code === 'result_invalid')
        return 'result';
    if (setupCodes.has(code))
        return 'setup';
    return run.started_at === null ? 'queue' : 'run';
}
/** Returns a sentence with the server's reason and code. `silence` ends the sentence if there is no reason. */
function explainEnd(run, opening, silence = ', and the server gave no reason') {
    const reason = run?.status_message?.message;
    const code = run && readCode(run);
    const why = (reason ?? '') === '' ? silence : `: ${reason}`;
    return `${opening}${code === undefined ? '' : ` (${code})`}${why}`;
}


/***/ }),

/***/ 1065:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Dv: () => (/* binding */ explainCode),
/* harmony export */   M8: () => (/* binding */ describeParts),
/* harmony export */   V$: () => (/* binding */ describeCause),
/* harmony export */   bD: () => (/* binding */ messageOf),
/* harmony export */   lO: () => (/* binding */ findCause)
/* harmony export */ });
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6910);
/** Finds the cause of an error, because `fetch failed` alone explains nothing. */

/** The message of anything thrown, including values that are not errors. */
function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
}
/** The text in `reasons` for the code of an error, otherwise its message. */
function explainCode(error, reasons) {
    const code = (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(error) && typeof error.code === 'string' ? error.code : '';
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

/***/ 40:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ systemClock),
/* harmony export */   s: () => (/* binding */ longestTimerMs)
/* harmony export */ });
/* harmony import */ var _deferred_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(5639);

/** The longest delay of a timer, about 24.8 days. Timers fire at once for longer ones. */
const longestTimerMs = 2 ** 31 - 1;
const systemClock = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
        signal?.throwIfAborted();
        const { promise, resolve, reject } = (0,_deferred_js__WEBPACK_IMPORTED_MODULE_0__/* .createDeferred */ .u)();
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

/***/ 5639:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   u: () => (/* binding */ createDeferred)
/* harmony export */ });
/** `Promise.withResolvers`, which Node 20 does not have. */
function createDeferred() {
    const deferred = {};
    deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
    return deferred;
}


/***/ }),

/***/ 2469:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Mi: () => (/* binding */ DocumentError),
/* harmony export */   mZ: () => (/* binding */ unwrapMcpServers),
/* harmony export */   ol: () => (/* binding */ quoteText),
/* harmony export */   u0: () => (/* binding */ readDocument)
/* harmony export */ });
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6910);
/** Reads an object that a user typed or keeps in a file, as JSON or YAML. */

/** The text is not an object. The message completes a sentence that begins with the source of the text. */
class DocumentError extends Error {
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
    if ((0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(parsed))
        return parsed;
    if (path === undefined || typeof parsed !== 'string')
        throw new DocumentError('the value must be an object in JSON or YAML, or the path of a file that contains one');
    const shown = quoteText(path);
    const read = await parseDocument(await readFile(path), shown);
    if ((0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(read))
        return read;
    throw new DocumentError(`${shown} does not contain an object in JSON or YAML`);
}
/** MCP servers by name. Also accepts the format of agent programs' `.mcp.json`: all below `mcpServers`. */
function unwrapMcpServers(document) {
    const { mcpServers: inner } = document;
    // A server may be named `mcpServers` itself.
    const isServer = (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(inner) && ['command', 'url'].some(member => typeof inner[member] === 'string');
    return (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isObject */ .Gv)(inner) && !isServer ? inner : document;
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
        throw new DocumentError(`${what} is neither JSON nor YAML${place === undefined ? '' : ` (${place})`}`);
    }
}
/** A value in an error: quoted and shortened. */
function quoteText(value) {
    return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}


/***/ }),

/***/ 6910:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   Jc: () => (/* binding */ isNestedBeyond),
/* harmony export */   dj: () => (/* binding */ canonicalJson),
/* harmony export */   ew: () => (/* binding */ printJsonLine)
/* harmony export */ });
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

/***/ 5919:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ unlessAborted)
/* harmony export */ });
/**
 * The result of `work`, unless the signal aborts first. Then it rejects with the signal's reason and ignores the
 * result.
 */
async function unlessAborted(work, signal) {
    const aborted = Promise.withResolvers();
    const stop = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted)
        stop();
    try {
        return await Promise.race([work, aborted.promise]);
    }
    finally {
        signal.removeEventListener('abort', stop);
    }
}


/***/ }),

/***/ 4270:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ isLoopback)
/* harmony export */ });
const ipv4Loopback = /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
/**
 * Whether a host name or address is this machine's (127.0.0.0/8, ::1, localhost). Does not use Node, because the
 * client calls it too.
 */
function isLoopback(host) {
    const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
    if (bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1')
        return true;
    return ipv4Loopback.test(bare);
}


/***/ }),

/***/ 7954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  j: () => (/* binding */ backoffMs),
  L: () => (/* binding */ retry)
});

;// CONCATENATED MODULE: ./node_modules/is-network-error/index.js
const objectToString = Object.prototype.toString;

const isError = value => objectToString.call(value) === '[object Error]';

const errorMessages = new Set([
	'network error', // Chrome
	'NetworkError when attempting to fetch resource.', // Firefox
	'The Internet connection appears to be offline.', // Safari 16
	'Network request failed', // `cross-fetch`
	'fetch failed', // Undici (Node.js)
	'terminated', // Undici (Node.js)
	' A network error occurred.', // Bun (WebKit)
	'Network connection lost', // Cloudflare Workers (fetch)
]);

function isNetworkError(error) {
	const isValid = error
		&& isError(error)
		&& error.name === 'TypeError'
		&& typeof error.message === 'string';

	if (!isValid) {
		return false;
	}

	const {message, stack} = error;

	// Safari 17+ has generic message but no stack for network errors
	if (message === 'Load failed' || (message.startsWith('Load failed (') && message.endsWith(')'))) {
		return stack === undefined
			// Sentry adds its own stack trace to the fetch error, so also check for that
			|| '__sentry_captured__' in error;
	}

	// Deno network errors start with specific text
	if (message.startsWith('error sending request for url')) {
		return true;
	}

	// Chrome: exact "Failed to fetch" or with hostname: "Failed to fetch (example.com)"
	if (message === 'Failed to fetch' || (message.startsWith('Failed to fetch (') && message.endsWith(')'))) {
		return true;
	}

	// Standard network error messages
	return errorMessages.has(message);
}

;// CONCATENATED MODULE: ./node_modules/p-retry/index.js


function validateRetries(retries) {
	if (typeof retries === 'number') {
		if (retries < 0) {
			throw new TypeError('Expected `retries` to be a non-negative number.');
		}

		if (Number.isNaN(retries)) {
			throw new TypeError('Expected `retries` to be a valid number or Infinity, got NaN.');
		}

		// Not `Number.isSafeInteger`, which would reject a huge `retries`. That is accepted on purpose and behaves as effectively forever.
		// eslint-disable-next-line unicorn/prefer-number-is-safe-integer
		if (Number.isFinite(retries) && !Number.isInteger(retries)) {
			throw new TypeError('Expected `retries` to be a non-negative integer or Infinity.');
		}
	} else if (retries !== undefined) {
		throw new TypeError('Expected `retries` to be a number or Infinity.');
	}
}

function validateNumberOption(name, value, {allowInfinity = false} = {}) {
	if (typeof value !== 'number' || Number.isNaN(value)) {
		throw new TypeError(`Expected \`${name}\` to be a number${allowInfinity ? ' or Infinity' : ''}.`);
	}

	if (!allowInfinity && !Number.isFinite(value)) {
		throw new TypeError(`Expected \`${name}\` to be a finite number.`);
	}

	if (value < 0) {
		throw new TypeError(`Expected \`${name}\` to be \u{2265} 0.`);
	}
}

function validateOption(name, value, type) {
	// `null` means "not provided", as it does for the other options. `unref` needs this because it is the one option with no default of its own.
	if (value === undefined || value === null) {
		return;
	}

	if (typeof value !== type) {
		throw new TypeError(`Expected \`${name}\` to be a ${type}.`);
	}
}

function validateSignal(value) {
	// `null` means "not provided", as it does for the other options.
	if (value === undefined || value === null) {
		return;
	}

	// Duck typed rather than `instanceof`, so a signal from another realm still works. All three methods are checked because `removeEventListener` is called from inside a timer callback, where a `TypeError` would be an uncaught exception rather than a rejection the caller could catch.
	if (typeof value.throwIfAborted !== 'function'
		|| typeof value.addEventListener !== 'function'
		|| typeof value.removeEventListener !== 'function') {
		throw new TypeError('Expected `signal` to be an AbortSignal.');
	}
}

class AbortError extends Error {
	constructor(message) {
		super(typeof message === 'string' ? message : undefined);

		this.name = 'AbortError';

		if (message instanceof Error) {
			this.originalError = message;
			({message} = message);
		} else {
			// Created here, so it already captures every caller frame. Copying `this.stack` instead would only rewrite the header, which is rendered lazily from `name` and `message` at read time. It also stringifies a non-string message, so reuse its result below.
			this.originalError = new Error(message);
			({message} = this.originalError);

			// The caller sees this error, so the frame for this constructor is dropped where the runtime supports it. Left in, the top frame blames p-retry for an error the caller threw. An error the caller passed keeps its own stack, which points at their throw site already. V8-only, hence the lint exception, and the optional call leaves the stack as it is where it is missing.
			// eslint-disable-next-line unicorn/no-nonstandard-builtin-properties
			Error.captureStackTrace?.(this.originalError, AbortError);
		}

		this.message = message;
	}
}

// `setTimeout` cannot represent a longer delay and fires it right away instead, which turns a long backoff into a tight retry loop. Cap at the largest value it can still hold.
const maximumDelay = (2 ** 31) - 1;

function calculateDelay(retriesConsumed, options) {
	// Nothing to wait for, and multiplying by a factor that has grown to `Infinity` would give `NaN`.
	if (options.minTimeout === 0) {
		return 0;
	}

	// `retriesConsumed` starts at 0 and only ever counts up, so the first retry is already attempt 1.
	const attempt = retriesConsumed + 1;
	const random = options.randomize ? (Math.random() + 1) : 1;

	const timeout = Math.round(random * options.minTimeout * (options.factor ** (attempt - 1)));

	// `maxTimeout` rounds up, so a fractional cap still gives a whole number of milliseconds. Rounding down would turn a cap below 1 into no timer at all, which never yields to the event loop. `Math.ceil(Infinity)` is `Infinity`.
	return Math.min(timeout, Math.ceil(options.maxTimeout), maximumDelay);
}

function calculateRemainingTime(start, max) {
	return Number.isFinite(max) ? max - (performance.now() - start) : max;
}

async function delayForRetry(delay, options) {
	if (delay <= 0) {
		return;
	}

	await new Promise((resolve, reject) => {
		// Registered with `once`, so it removes itself when it fires.
		const onAbort = () => {
			clearTimeout(timeoutToken);
			reject(options.signal.reason);
		};

		const timeoutToken = setTimeout(() => {
			options.signal?.removeEventListener('abort', onAbort);
			resolve();
		}, delay);

		if (options.unref) {
			timeoutToken.unref?.();
		}

		options.signal?.addEventListener('abort', onAbort, {once: true});
	});
}

// Stringifying a thrown value can itself throw, for an object with no usable `toString`. That must never be allowed to replace the failure the caller is actually dealing with.
//
// A thrown value whose own accessors or proxy traps throw is not supported, here or anywhere else. It comes from the caller's own code, so it is not something to defend against.
function stringifyThrownValue(value) {
	try {
		return String(value);
	} catch {
		return Object.prototype.toString.call(value);
	}
}

// `AbortError` wraps the error the caller actually wants, and the wrappers can be nested, so keep unwrapping until the cause is reached. Otherwise an `AbortError` would escape `pRetry` and a `catch` doing `error instanceof AbortError` would read a real failure as a cancellation.
//
// Two wrappers whose `originalError` points at each other are not supported, like the thrown values above.
function unwrapAbortError(error) {
	let cause = error;

	// A wrapper with no error to unwrap to is the cause as far as it goes.
	while (cause instanceof AbortError && cause.originalError instanceof Error) {
		cause = cause.originalError;
	}

	return cause;
}

async function onAttemptFailure({error, attemptNumber, retriesConsumed, startTime, options}) {
	// The signal is checked after the operation and after every callback, so a cancellation is never reported as an operation failure or a callback's decision, and no callback runs after it. The last check also guards the delay, whose abort listener never fires on a signal that is already aborted.
	const abortIfNeeded = () => {
		options.signal?.throwIfAborted();
	};

	const normalizedError = error instanceof Error
		? error
		: new TypeError(`Non-error was thrown: "${stringifyThrownValue(error)}". You should only throw errors.`);

	// Checked before unwrapping an `AbortError`, because the reason a caller aborted with is final. Unwrapping it would replace the reason they chose with whatever is inside it, and it would also let an `AbortError` from the operation outrank a cancellation the caller asked for.
	abortIfNeeded();

	if (normalizedError instanceof AbortError) {
		throw unwrapAbortError(normalizedError);
	}

	// `retriesConsumed` only ever advances while `retriesLeft` is above 0, so this is never negative. `Infinity` minus a finite count is `Infinity`, so an unlimited budget needs no special case.
	const retriesLeft = options.retries - retriesConsumed;

	// A `TypeError` normally means the operation itself is broken rather than the thing it was trying to reach, so retrying it does not help. A network `TypeError` is the exception, and its message differs per runtime, so it has to be recognised rather than assumed.
	const isRetriableError = !(normalizedError instanceof TypeError) || isNetworkError(normalizedError);

	// Out of time already, out of retries, or a failure that is never retried, so the delay is 0 and the callbacks are told that no retry follows. Only computed when a retry can still follow, so a randomized delay does not draw from `Math.random` for a wait that is never taken.
	const timeLeft = calculateRemainingTime(startTime, options.maxRetryTime);
	const delayTime = isRetriableError && timeLeft > 0 && retriesLeft > 0 ? calculateDelay(retriesConsumed, options) : 0;

	const consumeRetryContext = Object.freeze({
		error: normalizedError,
		attemptNumber,
		retriesLeft,
		retriesConsumed,
		retryDelay: delayTime,
	});

	// No answer means no opinion, so fall back to the default. Treating it as `false` instead would leave `retries` uncounted and let the loop run forever.
	const consumeRetry = (await options.shouldConsumeRetry(consumeRetryContext)) ?? true;

	abortIfNeeded();

	const effectiveDelay = consumeRetry ? delayTime : 0;
	const context = Object.freeze({
		error: normalizedError,
		attemptNumber,
		retriesLeft,
		retriesConsumed,
		retryDelay: effectiveDelay,
	});

	await options.onFailedAttempt(context);

	abortIfNeeded();

	const remainingTime = calculateRemainingTime(startTime, options.maxRetryTime);

	// No time or budget left, or a failure that retrying cannot help with.
	if (
		!isRetriableError
		|| remainingTime <= 0
		|| retriesLeft <= 0
	) {
		throw normalizedError;
	}

	const shouldRetry = await options.shouldRetry(context);

	abortIfNeeded();

	if (!shouldRetry) {
		throw normalizedError;
	}

	const remainingTimeAfterShouldRetry = calculateRemainingTime(startTime, options.maxRetryTime);

	if (remainingTimeAfterShouldRetry <= 0) {
		throw normalizedError;
	}

	if (!consumeRetry) {
		return false;
	}

	await delayForRetry(Math.min(effectiveDelay, remainingTimeAfterShouldRetry), options);

	return true;
}

async function pRetry(input, options = {}) {
	options = {...options};

	// Applied before validating, so that `null` means "not provided" here as it does for every other option.
	options.retries ??= 10;

	validateRetries(options.retries);

	if (Object.hasOwn(options, 'forever')) {
		throw new Error('The `forever` option is no longer supported. For many use-cases, you can set `retries: Infinity` instead.');
	}

	options.factor ??= 2;
	options.minTimeout ??= 1000;
	options.maxTimeout ??= Infinity;
	options.maxRetryTime ??= Infinity;
	options.randomize ??= false;
	options.onFailedAttempt ??= () => {};
	options.shouldRetry ??= () => true;
	options.shouldConsumeRetry ??= () => true;

	// Validate the options that have a runtime type to check.
	validateOption('onFailedAttempt', options.onFailedAttempt, 'function');
	validateOption('shouldRetry', options.shouldRetry, 'function');
	validateOption('shouldConsumeRetry', options.shouldConsumeRetry, 'function');
	validateOption('randomize', options.randomize, 'boolean');
	validateOption('unref', options.unref, 'boolean');
	validateSignal(options.signal);
	validateNumberOption('factor', options.factor);
	validateNumberOption('minTimeout', options.minTimeout);
	validateNumberOption('maxTimeout', options.maxTimeout, {allowInfinity: true});
	validateNumberOption('maxRetryTime', options.maxRetryTime, {allowInfinity: true});

	// A negative factor is rejected above, so this only catches `0`. Treat it as `1` to keep the delay constant instead of dropping to zero after the first retry.
	if (options.factor === 0) {
		options.factor = 1;
	}

	options.signal?.throwIfAborted();

	let attemptNumber = 0;
	let retriesConsumed = 0;
	const startTime = performance.now();

	// A consumed count is always finite, so `Infinity` keeps this true and needs no special case.
	while (retriesConsumed <= options.retries) {
		attemptNumber++;

		try {
			options.signal?.throwIfAborted();

			const result = await input(attemptNumber);

			options.signal?.throwIfAborted();

			return result;
		} catch (error) {
			if (await onAttemptFailure({
				error,
				attemptNumber,
				retriesConsumed,
				startTime,
				options,
			})) {
				retriesConsumed++;
			}
		}
	}

	// Unreachable: `onAttemptFailure` throws once `retriesLeft` reaches 0, which is the same state the loop condition tests, so the loop is always left by a throw. Kept as a guard against a future change to either side breaking that pairing.
	throw new Error('Retry attempts exhausted without throwing an error.');
}

function makeRetriable(function_, options) {
	return function (...arguments_) {
		return pRetry(() => function_.apply(this, arguments_), options);
	};
}

;// CONCATENATED MODULE: ./build/js/base/network/retry.js
/** The retry loop of the client and the built-in agent, and its backoff. The caller decides whether to retry. */

/** Retries `attempt` and rejects with its last error. A TypeError without a network fault is a bug, and final. */
async function retry(attempt, { retriesMax, wait, countsAsRetry = () => true }) {
    return await pRetry(attempt, {
        retries: retriesMax,
        // shouldRetry waits, because the wait depends on the failure.
        minTimeout: 0,
        shouldRetry: async ({ error, attemptNumber }) => await wait(error, attemptNumber - 1),
        shouldConsumeRetry: ({ error }) => countsAsRetry(error),
    });
}
/** Half to all of the doubled delay, so that many clients do not return together. `attempt` counts from 0. */
function backoffMs(attempt, { baseDelayMs, maxDelayMs }, random = Math.random) {
    return Math.min(baseDelayMs * 2 ** attempt, maxDelayMs) * (0.5 + random() / 2);
}


/***/ }),

/***/ 6491:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ addressAttemptMs),
/* harmony export */   i: () => (/* binding */ waitForSlowAddresses)
/* harmony export */ });
/* harmony import */ var node_net__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7030);

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
function waitForSlowAddresses() {
    (0,node_net__WEBPACK_IMPORTED_MODULE_0__.setDefaultAutoSelectFamilyAttemptTimeout)(addressAttemptMs);
}


/***/ }),

/***/ 9226:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ parseUrl)
/* harmony export */ });
/** `URL.parse`, which Node 20 does not have. */
function parseUrl(text, base) {
    return URL.canParse(text, base) ? new URL(text, base) : null;
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

/***/ 5144:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   r: () => (/* binding */ version)
/* harmony export */ });
/** The project's version. A test compares it with package.json. */
const version = '0.1.0';


/***/ }),

/***/ 1960:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   dL: () => (/* binding */ findSecrets),
/* harmony export */   eh: () => (/* binding */ isSecretName),
/* harmony export */   fM: () => (/* binding */ secretLengthMin)
/* harmony export */ });
/**
 * Guesses which variables hold secrets, by name and value. Nothing declares them. A wrong guess redacts a word or
 * reveals a key.
 */
/** Shorter values are words such as `true` or `ollama`, which plain text may contain. */
const secretLengthMin = 8;
const secretName = /key|token|secret|passw|credential|auth(?!or)|(^|_)pat$/i;
/** Ends of names for facts about a secret: AUTH_MODE, TOKEN_URL, KEY_FILE. */
const secretMetadata = /_(mode|type|kind|method|scheme|provider|env|environment|stage|level|format|version|realm|scopes?|audience|issuer|algorithm|region|file|path|dir|folder|ur[il]|host|port|name|user|username|email|enabled|required|timeout|ttl|limit|count|size)$/i;
/** Ends of names for long, random values that are public. */
const publicName = /(^|_)(sha\d*|commit|digest|hash|checksum|revision)$/i;
function isSecretName(name) {
    return secretName.test(name);
}
/**
 * The secrets in the values of variables. A secret name makes the whole value a secret. For other names these are
 * secrets: a long, random value, and the password and random parts of an address. A named secret with several lines
 * also counts line by line.
 */
function findSecrets(variables) {
    const found = Object.entries(variables).flatMap(([name, value]) => isNamedSecret(name, value) ? linesOf(value) : publicName.test(name) ? [] : findRandom(value.trim()));
    return [...new Set(found)].filter(secret => secret.length >= secretLengthMin);
}
function isNamedSecret(name, value) {
    return isSecretName(name) && !secretMetadata.test(name) && (/passw|secret/i.test(name) || !/^\d{1,15}$/.test(value));
}
/** Logs show lines, so a key such as a PEM file appears line by line. */
function linesOf(value) {
    const lines = value.split(/[\r\n]+/).map(line => line.trim());
    return [value.trim(), ...lines.filter(line => !/^-----.*-----$/.test(line))];
}
function findRandom(value) {
    const address = URL.parse(value);
    if (address !== null && value.includes('://'))
        return [address.password, decode(address.password), ...piecesOf(value).filter(isRandom)];
    const isWord = value.length >= 20 && /^(?![~.]?\/|sha\d+[:-])[\w+/=.~:-]+$/.test(value);
    return isWord && piecesOf(value).some(isRandom) ? [value] : [];
}
function piecesOf(value) {
    return value.split(/[^A-Za-z0-9]+/);
}
function isRandom(piece) {
    return piece.length >= 16 && /[A-Za-z]/.test(piece) && /\d.*\d/.test(piece);
}
function decode(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return text;
    }
}


/***/ }),

/***/ 9199:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $n: () => (/* binding */ headOfUtf8),
/* harmony export */   TM: () => (/* binding */ firstLine),
/* harmony export */   ff: () => (/* binding */ tailOfUtf8),
/* harmony export */   gO: () => (/* binding */ ellipsis),
/* harmony export */   hS: () => (/* binding */ counted),
/* harmony export */   w$: () => (/* binding */ lastLines)
/* harmony export */ });
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

/***/ 922:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ isUsualVariableName),
/* harmony export */   J: () => (/* binding */ describeUnsetVariable)
/* harmony export */ });
/**
 * Rejects most tokens, which also consist of letters, digits and "_": they have lowercase letters or long words.
 * Proxy variables are lowercase.
 */
const usualName = /^([A-Z][A-Z0-9]{0,18}(_[A-Z0-9]{0,18})*|(https?|all|no)_proxy)$/;
/** Whether a text in place of a variable's name can be shown. A user may have pasted the value there. */
function isUsualVariableName(text) {
    return usualName.test(text);
}
/** Why a variable has no value, as the beginning of a sentence. */
function describeUnsetVariable(name) {
    return isUsualVariableName(name)
        ? `the variable ${name} is not set`
        : 'the value (not shown) is not the name of a variable that is set, such as MY_TOKEN';
}


/***/ }),

/***/ 191:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   YC: () => (/* binding */ editDistance),
/* harmony export */   au: () => (/* binding */ didYouMean),
/* harmony export */   pA: () => (/* binding */ nearest)
/* harmony export */ });
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
function didYouMean(word, known) {
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


/***/ }),

/***/ 573:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ OpenCalls)
/* harmony export */ });
/* harmony import */ var _tool_text_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6031);

const callsMax = 200;
/** An agent's unfinished tool calls. Only the event of the call itself names the tool. */
class OpenCalls {
    #calls = new Map();
    begin(id, name, { input, atMs }) {
        const call = { id, name, sinceMs: atMs, ...(0,_tool_text_js__WEBPACK_IMPORTED_MODULE_0__/* .describeCall */ .GC)(name, input) };
        this.#calls.set(id, call);
        const [oldest] = this.#calls.keys();
        if (this.#calls.size > callsMax && oldest !== undefined)
            this.#calls.delete(oldest);
        return call;
    }
    /** The call, once; undefined afterwards. */
    end(id) {
        const call = this.#calls.get(id);
        this.#calls.delete(id);
        return call;
    }
    /**
     * `, 28 of them in \`npm test\``: names the oldest open call, for the end of a clause about a time; '' if there is
     * none.
     */
    describeOldest(nowMs, allMs) {
        const [oldest] = this.#calls.values();
        if (oldest === undefined)
            return '';
        const tookMs = Math.min(allMs, nowMs - oldest.sinceMs);
        if (!Number.isFinite(tookMs))
            return '';
        const [count, unit] = (0,_tool_text_js__WEBPACK_IMPORTED_MODULE_0__/* .describeSpan */ .uM)(tookMs).split(' ');
        const isSame = (0,_tool_text_js__WEBPACK_IMPORTED_MODULE_0__/* .describeSpan */ .uM)(allMs).endsWith(` ${unit}`);
        return `, ${isSame ? `${count} of them` : `${count} ${unit} of it`} in \`${oldest.label}\``;
    }
}


/***/ }),

/***/ 5184:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ makeTitle)
/* harmony export */ });
/* harmony import */ var _text_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(9199);

const codePoints = 80;
/** A title for a task: the first meaningful line of its prompt. Code fences are skipped, heading marks removed. */
function makeTitle(prompt, otherwise) {
    const text = prompt.replace(/^ {0,3}(`{3,}|~{3,}).*$/gm, '').replace(/^ {0,3}#{1,6} /gm, '');
    return (0,_text_js__WEBPACK_IMPORTED_MODULE_0__/* .ellipsis */ .gO)((0,_text_js__WEBPACK_IMPORTED_MODULE_0__/* .firstLine */ .TM)(text) || otherwise, codePoints);
}


/***/ }),

/***/ 6031:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   GC: () => (/* binding */ describeCall),
/* harmony export */   J2: () => (/* binding */ describeCallEnd),
/* harmony export */   Mi: () => (/* binding */ toolUnits),
/* harmony export */   mG: () => (/* binding */ textOfValue),
/* harmony export */   uM: () => (/* binding */ describeSpan)
/* harmony export */ });
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(6910);
/* harmony import */ var _text_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(9199);
/** Tool calls and their results as a log shows them: `shell  npm test`, then the details that the title omits. */


/** The length of a tool's input or output in a log, in UTF-16 units, unless the reader asks for all of it. */
const toolUnits = 4000;
const titlePoints = 120;
const contextLines = 2;
const mcpMark = 'mcp__';
/** Arguments that describe a call, by the names that agents use. The first one present counts. */
const mainArguments = ['command', 'pattern', 'query', 'url', 'file_path', 'filePath', 'notebook_path', 'path'];
const editedTexts = [
    ['old_text', 'new_text'],
    ['old_string', 'new_string'],
    ['oldString', 'newString'],
];
/** Words for a tool call. Never throws on parsed JSON. */
function describeCall(name, input) {
    const shownName = showName(name);
    const [key, main] = name.startsWith(mcpMark) ? [undefined, undefined] : findMain(input);
    const said = main ?? (typeof input === 'string' ? input : compact(input));
    const [first = '', ...more] = said.trim().split('\n');
    const line = more.length === 0 ? first.trim() : `${first.trim()} …`;
    const all = line === '' || line === '{}' ? shownName : `${shownName}  ${line}`;
    const title = (0,_text_js__WEBPACK_IMPORTED_MODULE_0__/* .ellipsis */ .gO)(all, titlePoints);
    const isWhole = title === all && more.length === 0;
    const label = (0,_text_js__WEBPACK_IMPORTED_MODULE_0__/* .ellipsis */ .gO)(key === 'command' ? line : all.replace('  ', ' '), titlePoints / 2);
    const lines = { title: joinLines(title), label: joinLines(label) };
    if ((0,_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(input))
        return { ...lines, text: isWhole && key === undefined ? '' : printInput(input, key, isWhole) };
    return { ...lines, text: isWhole ? '' : said };
}
/**
 * `server.tool` for a tool of an MCP server, and `edit` for Claude Code's MultiEdit. Quotes names that look like
 * lines of this project, such as `state: FAILED`.
 */
function showName(name) {
    if (name === 'MultiEdit')
        return 'edit';
    const end = name.startsWith(mcpMark) ? name.indexOf('__', mcpMark.length + 1) : -1;
    const shown = end < 0 || end + 2 === name.length ? name || 'tool' : `${name.slice(5, end)}.${name.slice(end + 2)}`;
    return /^[\w./-]+$/.test(shown) ? shown : JSON.stringify(shown);
}
/** A string unchanged, an object with one member per line; '' for nothing. */
function textOfValue(value) {
    if (typeof value === 'string')
        return value;
    if (!(0,_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(value))
        return value === undefined || value === null ? '' : compact(value);
    return Object.entries(value).map(printMember).join('\n');
}
/**
 * `exit code 1 after 12 s`, or `failed: ` and the first line of the output; undefined for a call that succeeded at
 * once.
 */
function describeCallEnd({ is_error: isError, exit_code: exitCode, output, }, tookMs) {
    const time = tookMs !== undefined && tookMs >= 1000 ? ` after ${describeSpan(tookMs)}` : '';
    if (exitCode === 0 && isError === true)
        return `failed (exit code 0)${time}`;
    if (typeof exitCode === 'number')
        return `exit code ${exitCode}${time}`;
    const [reason = ''] = textOfValue(output).trim().split('\n', 1);
    if (isError === true)
        return `failed${time}${reason === '' ? '' : `: ${joinLines((0,_text_js__WEBPACK_IMPORTED_MODULE_0__/* .ellipsis */ .gO)(reason, titlePoints))}`}`;
    return time === '' ? undefined : `done${time}`;
}
/** `12 s`, `28 min`. */
function describeSpan(ms) {
    if (ms >= 59_500)
        return `${Math.round(ms / 60_000)} min`;
    return ms >= 9950 ? `${Math.round(ms / 1000)} s` : `${Math.max(0.1, Math.round(ms / 100) / 10)} s`;
}
function findMain(input) {
    if (!(0,_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(input))
        return [undefined, undefined];
    const key = mainArguments.find(name => typeof input[name] === 'string' && input[name] !== '');
    if (key !== undefined)
        return [key, key === 'command' ? unwrapShell(String(input[key])) : String(input[key])];
    const paths = changesOf(input).map(({ path }) => String(path));
    return paths.length === 0 ? [undefined, undefined] : ['changes', paths.join(', ')];
}
/** The files of a patch with their changes. */
function changesOf({ changes }) {
    return Array.isArray(changes) ? changes.filter(_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv).filter(({ path }) => typeof path === 'string') : [];
}
/** Codex includes the shell that runs a command. */
function unwrapShell(command) {
    const [, single, double] = /^(?:\/\S+\/)?(?:ba|z)?sh -l?c (?:'([^']+)'|"([^"\\$`]+)")$/.exec(command) ?? [];
    return single ?? double ?? command;
}
function printInput(input, mainKey, isWhole) {
    const lines = [];
    const pair = findEdit(input);
    for (const [key, value] of Object.entries(input)) {
        if (pair?.includes(key)) {
            if (pair[0] === key)
                lines.push(printDiff(String(input[pair[0]]), String(input[pair[1]])));
        }
        else if (key === 'changes' && mainKey === key)
            for (const { path, kind } of changesOf(input))
                lines.push(`${isText(kind) ? kind : 'change'} ${path}`);
        else if (key === 'edits' && Array.isArray(value) && value.every(isEdit))
            for (const edit of value)
                lines.push(printInput(edit, undefined, false));
        else if (key === 'command' && isText(value))
            lines.push(...(isWhole ? [] : [`$ ${unwrapShell(value).replaceAll('\n', '\n  ')}`]));
        else if (key !== mainKey || !isWhole)
            lines.push(printMember([key, value]));
    }
    return lines.join('\n');
}
function findEdit(input) {
    return editedTexts.find(names => names.every(name => isText(input[name])));
}
function isEdit(value) {
    return (0,_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isObject */ .Gv)(value) && findEdit(value) !== undefined;
}
function printMember([key, value]) {
    const text = isText(value) ? value.replace(/\n$/, '') : compact(value);
    return text.includes('\n') ? `${key}:\n${text.replaceAll(/^/gm, '  ')}` : `${key}: ${text}`;
}
/** The lines that differ, with two lines of context. */
function printDiff(from, to) {
    const [before, after] = [from.split('\n'), to.split('\n')];
    const shared = Math.min(before.length, after.length);
    let head = 0;
    while (head < shared && before[head] === after[head])
        head += 1;
    let tail = 0;
    while (tail < shared - head && before.at(-1 - tail) === after.at(-1 - tail))
        tail += 1;
    const end = before.length - tail;
    return [
        ...before.slice(Math.max(0, head - contextLines), head).map(line => `  ${line}`),
        ...before.slice(head, end).map(line => `- ${line}`),
        ...after.slice(head, after.length - tail).map(line => `+ ${line}`),
        ...before.slice(end, end + contextLines).map(line => `  ${line}`),
    ].join('\n');
}
/** Control characters are left to the output. */
function joinLines(text) {
    return text.replace(/[^\S ]+/g, ' ');
}
function compact(value) {
    return JSON.stringify(value) ?? '';
}
function isText(value) {
    return typeof value === 'string';
}


/***/ }),

/***/ 6449:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   ny: () => (/* binding */ printUsage),
/* harmony export */   qX: () => (/* binding */ UsageTotal)
/* harmony export */ });
/* unused harmony export listUsage */
/** A server may send any number of names. */
const namesMax = 50;
/** The total usage of a run. Each event has running totals, and may omit some of them. */
class UsageTotal {
    #values = new Map();
    add(data) {
        for (const [name, value] of Object.entries(data)) {
            if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'boolean')
                continue;
            if (name.length > 100 || String(value).length > 200)
                continue;
            if (this.#values.has(name) || this.#values.size < namesMax)
                this.#values.set(name, value);
        }
    }
    read() {
        return this.#values.size === 0 ? undefined : Object.fromEntries(this.#values);
    }
}
/** The members of a usage for people. A cost with two names is listed once. */
function listUsage(usage) {
    return Object.entries(usage).filter(([name]) => name !== 'inference_cost_usd' || usage.cost_usd === undefined);
}
/** `input tokens 1,200 · output tokens 310`. Members with several values are omitted. */
function printUsage(usage) {
    return listUsage(usage)
        .filter(([, value]) => typeof value === 'number' || typeof value === 'string')
        .map(([name, value]) => `${name.replaceAll('_', ' ')} ${printAmount(value)}`)
        .join(' · ');
}
function printAmount(value) {
    return typeof value === 'number' ? value.toLocaleString('en-GB', { maximumFractionDigits: 4 }) : String(value);
}


/***/ }),

/***/ 654:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   FB: () => (/* binding */ findTarget),
/* harmony export */   Fg: () => (/* binding */ refuseRedirect),
/* harmony export */   O6: () => (/* binding */ answerUnlessAborted),
/* harmony export */   Qi: () => (/* binding */ findRedirect),
/* harmony export */   c_: () => (/* binding */ watchAnswer),
/* harmony export */   g4: () => (/* binding */ findStream),
/* harmony export */   io: () => (/* binding */ readBytes),
/* harmony export */   jR: () => (/* binding */ readRetryAfterMs),
/* harmony export */   qF: () => (/* binding */ parseJson),
/* harmony export */   r0: () => (/* binding */ cancelBody),
/* harmony export */   tE: () => (/* binding */ bufferAnswer),
/* harmony export */   xz: () => (/* binding */ BodyTooLongError),
/* harmony export */   zO: () => (/* binding */ readChunks),
/* harmony export */   zo: () => (/* binding */ smallBytes)
/* harmony export */ });
/* unused harmony export RedirectError */
/* harmony import */ var _base_network_answer_race_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(5919);
/* harmony import */ var _base_network_url_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(9226);
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
        return await (0,_base_network_answer_race_js__WEBPACK_IMPORTED_MODULE_0__/* .unlessAborted */ .W)(answer, signal);
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
    const target = location === null ? null : (0,_base_network_url_js__WEBPACK_IMPORTED_MODULE_1__/* .parseUrl */ .D)(location, url === '' ? undefined : url);
    return target?.origin === 'null' ? target.protocol : target?.origin;
}
/** A server redirects. Following it could send a token to another host. */
class RedirectError extends Error {
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

/***/ 7264:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ downloadArtifact),
/* harmony export */   r: () => (/* binding */ saveArtifacts)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(6760);
/* harmony import */ var _base_cause_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(1065);
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(6910);
/* harmony import */ var _answers_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(654);
/* harmony import */ var _folders_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(9416);
/** Downloads a run's files from a server into a local folder. The agent chose their names. */






/** The bytes of the file with this id. Throws an Error if it cannot be downloaded or has more than `bytesMax`. */
async function* downloadArtifact(source, uid, { name, bytesMax, signal }) {
    const answer = await source.get(`/agent/artifacts/${encodeURIComponent(uid)}`, { signal });
    const address = (0,_base_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isObject */ .Gv)(answer) && (0,_base_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isObject */ .Gv)(answer.data) ? answer.data.download_url : undefined;
    if (typeof address !== 'string' || !/^https?:\/\//.test(address))
        throw new Error(`the server returned no download URL for ${name}`);
    // The address is the permission. The file storage must not get the server's key.
    const response = await source.fetch(address, { signal, redirect: 'error' });
    if (!response.ok)
        throw new Error(`${name} could not be downloaded: status ${response.status}`);
    try {
        yield* (0,_answers_js__WEBPACK_IMPORTED_MODULE_2__/* .readChunks */ .zO)(response, bytesMax);
    }
    catch (error) {
        if (!(error instanceof _answers_js__WEBPACK_IMPORTED_MODULE_2__/* .BodyTooLongError */ .xz))
            throw error;
        throw new Error(`${name} is larger than the limit of ${bytesMax} bytes`);
    }
}
/**
 * Saves the file artifacts below the folder, with portable forms of their paths. The second of two equal paths gets a
 * number. Existing files are not changed. Throws the signal's reason.
 */
async function saveArtifacts(source, artifacts, { folder, bytesMax, signal }) {
    const paths = new Map();
    const faults = [];
    const taken = new Set();
    let left = bytesMax;
    for (const { uid, name } of artifacts.flatMap(readFile)) {
        signal.throwIfAborted();
        try {
            const path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, findFree(makePortable(name), taken));
            left -= await writeArtifact(folder, path, downloadArtifact(source, uid, { name, bytesMax: left, signal }));
            paths.set(uid, path);
        }
        catch (error) {
            signal.throwIfAborted();
            faults.push(explain(error, name));
        }
    }
    return { paths, faults };
}
function readFile(artifact) {
    const { artifact_type: type, data } = (0,_base_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isObject */ .Gv)(artifact) ? artifact : {};
    if (type !== 'FILE' || !(0,_base_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isObject */ .Gv)(data) || typeof data.artifact_uid !== 'string')
        return [];
    const name = [data.filepath, data.filename].find(text => typeof text === 'string' && text !== '');
    return [{ uid: data.artifact_uid, name: typeof name === 'string' ? name : data.artifact_uid }];
}
/** Characters that Windows and actions/upload-artifact reject in a path, or that a terminal obeys. */
const unportable = /["*:<>?\\|]|[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
/** Names that git accepts for its own folder, whose settings can name programs. Includes Windows and macOS spellings. */
const gitFolder = /^(?:\.\p{Default_Ignorable_Code_Point}*g\p{Default_Ignorable_Code_Point}*i\p{Default_Ignorable_Code_Point}*t|git~\d+)(?=[. \p{Default_Ignorable_Code_Point}]*$)/iu;
/** A relative path that is valid on every system. Throws for a name that leads out of the folder. */
function makePortable(name) {
    const parts = name.split('/');
    if (parts.some(part => ['', '.', '..'].includes(part) || part.includes('\0')))
        throw new Error(`${name} is not a safe relative path, so it was not written`);
    return parts.map(part => part.replace(unportable, '_').replace(gitFolder, '_git')).join('/');
}
/** Windows and macOS ignore case, and an artifact may be unpacked there. */
function findFree(path, taken) {
    const { dir, name, ext } = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.parse)(path);
    for (let number = 1;; number += 1) {
        const free = number === 1 ? path : (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(dir, `${name}-${number}${ext}`);
        const key = free.normalize().toLowerCase();
        if (!taken.has(key) && taken.add(key))
            return free;
    }
}
/** Returns the size in bytes. Removes an incomplete file. */
async function writeArtifact(folder, path, chunks) {
    await (0,_folders_js__WEBPACK_IMPORTED_MODULE_3__/* .makeFolderWithin */ .K6)(folder, (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(path));
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.open)(path, 'wx');
    try {
        let size = 0;
        for await (const chunk of chunks) {
            await file.writeFile(chunk);
            size += chunk.length;
        }
        return size;
    }
    catch (error) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.rm)(path, { force: true });
        throw error;
    }
    finally {
        await file.close();
    }
}
function explain(error, name) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST')
        return `${name} already exists and was not overwritten`;
    if (code === 'ENOTDIR')
        return `${name} was not written, because part of its path is a file`;
    const message = (0,_base_cause_js__WEBPACK_IMPORTED_MODULE_5__/* .messageOf */ .bD)(error);
    return message.includes(name) ? message : `${name}: ${message}`;
}


/***/ }),

/***/ 5838:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   b$: () => (/* binding */ readPlainFile),
/* harmony export */   c4: () => (/* binding */ readPlainFileSync),
/* harmony export */   o8: () => (/* binding */ openPlainFileSync),
/* harmony export */   rr: () => (/* binding */ openPlainFile),
/* harmony export */   yp: () => (/* binding */ copyPlainFile)
/* harmony export */ });
/* unused harmony export FileFault */
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(1455);
/* harmony import */ var node_stream_promises__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(6466);
/* harmony import */ var _base_process_shortage_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(6199);
/**
 * Reads files that an agent may have replaced with a link out of its container, or with a pipe without a writer. A
 * normal open of such a pipe blocks one of Node's four file system threads; four of them stop the server. folders.ts
 * does the same for folders. This project's own files, and files that a user names, are opened with `node:fs`
 * directly.
 */




/** Windows has only O_RDONLY, and neither such pipes nor such links. */
const reading = node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_RDONLY | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NONBLOCK | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NOFOLLOW;
const pieceBytes = 64 * 1024;
/** Opens for reading; undefined unless the path is a regular file. A link at the end of the path is not followed. */
async function openPlainFile(path) {
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, reading).catch((error) => {
        // The file may exist, but the process is short of resources.
        if ((0,_base_process_shortage_js__WEBPACK_IMPORTED_MODULE_3__/* .findShortage */ .J)(error) !== undefined)
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
    const file = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.openSync)(path, reading);
    const info = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.fstatSync)(file);
    if (info.isFile())
        return file;
    (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(file);
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
            const length = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readSync)(file, piece);
            if (length === 0)
                return Buffer.concat(pieces);
            left -= length;
            if (left < 0)
                throw new FileFault('too large', `it is larger than the limit of ${bytesMax.toLocaleString('en')} bytes`);
            pieces.push(piece.subarray(0, length));
        }
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(file);
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
        const target = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.createWriteStream)(to, { flags: 'wx', mode: 0o600 });
        await (0,node_stream_promises__WEBPACK_IMPORTED_MODULE_2__.pipeline)(chunks, target, { signal });
        if (keepsMode)
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.chmod)(to, mode & 0o7777);
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


/***/ }),

/***/ 9416:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $2: () => (/* binding */ readEntries),
/* harmony export */   K6: () => (/* binding */ makeFolderWithin),
/* harmony export */   dM: () => (/* binding */ removeTree),
/* harmony export */   fc: () => (/* binding */ makeFolder),
/* harmony export */   jj: () => (/* binding */ isRealFolder),
/* harmony export */   vK: () => (/* binding */ makeRealFolder)
/* harmony export */ });
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
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rm)(folder, { force: true });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.mkdir)(folder, { mode: 0o700 });
    }
}
/**
 * Creates the missing folders of `path` below `root`, and `root` itself. Throws for a part that is a link or a file, so
 * that nothing is written outside.
 */
async function makeFolderWithin(root, path) {
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.mkdir)(root, { recursive: true });
    for (const folder of listFolders(root, path)) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.mkdir)(folder).catch(() => { });
        if (!(await isFolder(folder)))
            throw new Error(`${folder} is not a folder`);
    }
}
function listFolders(root, path) {
    const parts = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.relative)(root, path)
        .split(node_path__WEBPACK_IMPORTED_MODULE_3__.sep)
        .filter(part => part !== '');
    return parts.map((_, index) => (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)(root, ...parts.slice(0, index + 1)));
}
async function isFolder(path) {
    return (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.lstat)(path).catch(() => undefined))?.isDirectory() === true;
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
/* harmony export */   PU: () => (/* binding */ usefulLength),
/* harmony export */   WE: () => (/* binding */ redactLiterals),
/* harmony export */   XP: () => (/* binding */ formsOf),
/* harmony export */   Zc: () => (/* binding */ pieceLength),
/* harmony export */   _M: () => (/* binding */ redactWebTokens),
/* harmony export */   fI: () => (/* binding */ noSecrets),
/* harmony export */   lY: () => (/* binding */ createRedactor)
/* harmony export */ });
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
/* harmony export */   h0: () => (/* binding */ plainLine),
/* harmony export */   tL: () => (/* binding */ terminalLine),
/* harmony export */   wy: () => (/* binding */ revealControls)
/* harmony export */ });
/* unused harmony export terminalJson */
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

/***/ 1043:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   FN: () => (/* binding */ hasUnseen),
/* harmony export */   dH: () => (/* binding */ isStartVisible),
/* harmony export */   ui: () => (/* binding */ shownOnGitHub),
/* harmony export */   zN: () => (/* binding */ isVisible)
/* harmony export */ });
/* harmony import */ var _terminal_text_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(769);
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


/***/ }),

/***/ 2765:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  oM: () => (/* reexport */ AbortedError),
  _8: () => (/* reexport */ AgentRuns),
  qr: () => (/* reexport */ AgentRunsError),
  hD: () => (/* reexport */ ApiError),
  v3: () => (/* reexport */ AuthenticationError),
  v7: () => (/* reexport */ BadRequestError),
  j1: () => (/* reexport */ ConfigurationError),
  Rc: () => (/* reexport */ ConnectionError),
  II: () => (/* reexport */ EventLines),
  zz: () => (/* reexport */ FeatureUnavailableError),
  Z1: () => (/* reexport */ FollowTimeoutError),
  m_: () => (/* reexport */ NotFoundError),
  Ll: () => (/* reexport */ PermissionDeniedError),
  iJ: () => (/* reexport */ RunLostError),
  pH: () => (/* reexport */ StartUnknownError),
  dk: () => (/* reexport */ UnexpectedResponseError),
  dR: () => (/* reexport */ tables_state/* isFinal */.dR)
});

// UNUSED EXPORTS: ApiKeyError, ApiPromise, ConflictError, ConnectionTimeoutError, InternalServerError, RateLimitError, RunList, RunsPage, UnprocessableEntityError, defaults, finalStates, runStates

// EXTERNAL MODULE: ./build/js/contract/tables/state.js
var tables_state = __nccwpck_require__(4414);
// EXTERNAL MODULE: ./build/js/contract/tables/routes.js
var routes = __nccwpck_require__(2117);
// EXTERNAL MODULE: ./build/js/base/json.js
var json = __nccwpck_require__(6910);
// EXTERNAL MODULE: ./build/js/border/answers.js
var answers = __nccwpck_require__(654);
// EXTERNAL MODULE: ./build/js/border/secrets.js
var secrets = __nccwpck_require__(9456);
// EXTERNAL MODULE: ./build/js/contract/tables/headers.js
var tables_headers = __nccwpck_require__(8733);
// EXTERNAL MODULE: ./build/js/base/cause.js
var base_cause = __nccwpck_require__(1065);
// EXTERNAL MODULE: ./build/js/base/text.js
var base_text = __nccwpck_require__(9199);
// EXTERNAL MODULE: ./build/js/border/terminal-text.js
var terminal_text = __nccwpck_require__(769);
;// CONCATENATED MODULE: ./build/js/client/errors/errors.js
/**
 * The errors of calls without an answer. answer-errors.ts has those of answers, run-errors.ts those about a run. The
 * class and the fields are enough to handle an error, without its message. No message and no field contains an API
 * key.
 */

/** Base class of all errors of the client. */
class AgentRunsError extends Error {
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
class ConfigurationError extends AgentRunsError {
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
class ApiKeyError extends AgentRunsError {
    name = 'ApiKeyError';
    /** True if the function threw, so that it may succeed next time; false if it returned an invalid key. */
    retryable;
    constructor(message, facts) {
        super(message, { cause: facts.cause });
        this.retryable = facts.retryable;
    }
}
/** No complete response arrived. */
class ConnectionError extends AgentRunsError {
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
class ConnectionTimeoutError extends ConnectionError {
    name = 'ConnectionTimeoutError';
}
/** The signal aborted the call; `cause` is its reason. */
class AbortedError extends AgentRunsError {
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
        title: readText(problem.title),
        detail: readText(problem.detail) ?? readText(problem.error),
        requestId: headers.get(tables_headers/* headerNames */.Qb.requestId) ?? readText(problem.trace_id),
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
function readText(value) {
    return typeof value === 'string' && value !== '' ? value : undefined;
}
function readIssues(value) {
    if (!Array.isArray(value))
        return [];
    return value
        .filter(json/* isObject */.Gv)
        .map(issue => ({ path: readText(issue.path) ?? '', message: readText(issue.message) ?? '' }));
}

;// CONCATENATED MODULE: ./build/js/client/errors/answer-errors.js
/**
 * The errors for an error status and for responses that this service does not send. No message and no field contains
 * an API key.
 */








/** What an error says without text from a body, which may contain a prompt. For log lines. */
function headlineOf(error) {
    if (error instanceof ApiError) {
        return `${error.method} ${error.path}: ${error.status}${spaced(error.code)}${closingId(error.requestId)}`;
    }
    if (error instanceof UnexpectedResponseError || error instanceof ConnectionError)
        return error.headline;
    if (error instanceof ApiKeyError)
        return 'the apiKey function failed';
    return (0,base_cause/* messageOf */.bD)(error);
}
/** The server answered with an error status. */
class ApiError extends AgentRunsError {
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
        return !(0,json/* isObject */.Gv)(this.body) && this.method !== 'HEAD' && (0,tables_headers/* readFeatures */._h)(this.headers).size === 0;
    }
}
/** 400: the request is invalid; `issues` says why. */
class BadRequestError extends ApiError {
    name = 'BadRequestError';
}
/** 401: the key is missing, unknown or expired. */
class AuthenticationError extends ApiError {
    name = 'AuthenticationError';
}
/** 403: the key is not allowed to do this. */
class PermissionDeniedError extends ApiError {
    name = 'PermissionDeniedError';
}
/** 404: not found. */
class NotFoundError extends ApiError {
    name = 'NotFoundError';
}
/** 409: conflicts with the current state. */
class ConflictError extends ApiError {
    name = 'ConflictError';
}
/** 422: not supported by this server. */
class UnprocessableEntityError extends ApiError {
    name = 'UnprocessableEntityError';
}
/** 429: too many requests. */
class RateLimitError extends ApiError {
    name = 'RateLimitError';
}
/** 5xx: the service failed. */
class InternalServerError extends ApiError {
    name = 'InternalServerError';
}
const classOfStatus = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
};
function createApiError(facts) {
    const Class = classOfStatus[facts.status] ?? (facts.status >= 500 ? InternalServerError : ApiError);
    return new Class(facts);
}
/** The response is not from this service: a proxy's page, a redirect, an empty body, truncated JSON. */
class UnexpectedResponseError extends AgentRunsError {
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
const bodyBytesMax = 64 * 1024 * 1024;
/** The part of a body that an error keeps. Every problem document is shorter. */
const errorCharactersMax = 128 * 1024;
/** Deeper bodies are kept as text, because serializing the error again could overflow the stack. */
const levelsMax = 500;
const decoder = new TextDecoder();
/** Keeps a byte order mark: in plain text every character counts. */
const exactDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
/**
 * The whole body; an accepted stream stays unread. Throws UnexpectedResponseError for a body that is too long,
 * without reading it to the end.
 */
async function readBody(call, response, keys) {
    if (takeStream(call, response) !== undefined)
        return new Uint8Array();
    try {
        return await (0,answers/* readBytes */.io)(response, bodyBytesMax);
    }
    catch (error) {
        if (!(error instanceof answers/* BodyTooLongError */.xz))
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
function readAnswer(call, response, body, keys) {
    // A proxy's response may lack a status text.
    const { status, statusText = '', headers } = response;
    const text = (call.as.endsWith('text') ? exactDecoder : decoder).decode(body);
    const requestId = headers.get(tables_headers/* headerNames */.Qb.requestId) ?? undefined;
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
            body: (0,secrets/* redactValue */.FI)(parseLoosely(shown()), part => keys.redact(part)),
        });
    }
    if (status < 200 || status >= 300)
        return refuse(describeRedirect(response));
    // Only this header shows that plain text was cut.
    const resultBytes = headers.get(tables_headers/* headerNames */.Qb.resultBytes);
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
        return headers.has(tables_headers/* headerNames */.Qb.features) ? { ...answer, data: text } : refuse('is text from another service');
    }
    // A caller that only wants the response gets it unchecked.
    if (call.as === 'any-text') {
        return !/\bx?html\b/i.test(contentType)
            ? { ...answer, data: text }
            : { ...answer, unread: describe('is an HTML page') };
    }
    if (!isJson(contentType))
        return call.as === 'any-json' ? { ...answer, unread: describe('is not JSON') } : refuse('is not JSON');
    const data = (0,answers/* parseJson */.qF)(text);
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
function replaceData(answer, data) {
    return { ...answer, data, body: new TextEncoder().encode(JSON.stringify(data)) };
}
function takeStream(call, response) {
    if (call.takesStream !== true || response.status !== 200)
        return undefined;
    return /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '') ? (0,answers/* findStream */.g4)(response) : undefined;
}
function isJson(contentType) {
    return /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
}
function parseLoosely(text) {
    const data = (0,answers/* parseJson */.qF)(text);
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
    const target = (0,answers/* findTarget */.FB)(response);
    return `redirects${target === undefined ? '' : ` to ${target}`}, which is not followed`;
}

;// CONCATENATED MODULE: ./build/js/client/http/api-promise.js

/** A promise of the parsed body that also gives access to the response. The body has arrived in full either way. */
class ApiPromise extends Promise {
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

// EXTERNAL MODULE: ./build/js/base/wording/nearest.js
var nearest = __nccwpck_require__(191);
;// CONCATENATED MODULE: ./build/js/client/options/options.js



const ownedNames = ['method', 'headers', 'body', 'signal', 'redirect'];
const defaults = Object.freeze({
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
const clientNames = [
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
const requestNames = [
    'signal',
    'headers',
    'query',
    ...callNames,
];
/**
 * Throws ConfigurationError for an unknown name. A misspelled option would do nothing, and a misspelled filter would
 * list everything.
 */
function checkNames(what, options, known, hint = '') {
    // Names the kind and not the value, which may be a key.
    if (!isPlain(options))
        throw new ConfigurationError(`${what} must be an object, not ${nameKind(options)}`);
    const unknown = Object.keys(options).find(name => !known.includes(name));
    if (unknown !== undefined)
        throw new ConfigurationError(`${what}: unknown name ${JSON.stringify(unknown)}${(0,nearest/* didYouMean */.au)(unknown, known)}${hint}`);
}
/**
 * Whether an object's own members hold all of its data. Serializing a Map, a Promise or a class instance would lose
 * some.
 */
function isPlain(value) {
    if (!(0,json/* isObject */.Gv)(value))
        return false;
    const prototype = Object.getPrototypeOf(value);
    // Objects from other windows and contexts have another `Object`.
    return prototype === null || Object.getPrototypeOf(prototype) === null;
}
function nameKind(value) {
    if (Array.isArray(value))
        return 'a list';
    if ((0,json/* isObject */.Gv)(value))
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
const anObject = [isPlain, 'an object'];
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
function checkOptions(what, options, known) {
    checkNames(what, options, known);
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
class Agent {
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
        const { method, path } = routes/* routes */.JZ[member === 'agents' ? 'listAgents' : 'listEnvironments'];
        return await this.#transport.send({
            ...options,
            method,
            path,
            as: 'json',
            isExpected: data => (0,json/* isObject */.Gv)(data) && Array.isArray(data[member]),
            isIdempotent: true,
            query: { ...options.query, ...params },
        });
    }
}

// EXTERNAL MODULE: ./build/js/base/process/version.js
var version = __nccwpck_require__(5144);
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
        throw new ConfigurationError(`the query cannot be sent: ${(0,base_cause/* messageOf */.bD)(cause)}`, {
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
function fillRoute(id, parts) {
    // Encoding is not enough: some proxies decode the path again.
    for (const [name, value] of Object.entries(parts))
        if (typeof value !== 'string' || /[/\\]/.test(value))
            throw new ConfigurationError(`${name} must be a string without slashes, not ${JSON.stringify(value)}`);
    try {
        return (0,routes/* routePath */.dA)(id, parts);
    }
    catch (error) {
        throw new ConfigurationError((0,base_cause/* messageOf */.bD)(error), { cause: error });
    }
}
/** The whole address. Throws ConfigurationError for a path that leads out of `baseUrl`. */
function joinAddress(baseUrl, path, query = {}) {
    if (typeof path !== 'string')
        throw new ConfigurationError(`the path must be a string, not ${String(path)}`);
    const mark = path.indexOf('?');
    const [route, ownQuery] = mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
    const refuse = (why) => {
        throw new ConfigurationError(`the path ${JSON.stringify(path)} ${why}`);
    };
    if (!route.startsWith('/') || route.startsWith('//'))
        refuse('must start with exactly one "/"');
    if (/[\\#\s]/.test(path) || (0,terminal_text/* plainLine */.h0)(path) !== path)
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
const keyGoesHere = '';
/** Headers whose values are as secret as the key. */
const credentialNames = ['authorization', 'proxy-authorization', 'x-api-key'];
function prepareRequest(call, settings, limits) {
    const { baseUrl, defaultHeaders, defaultQuery, keys } = settings;
    checkMethod(call);
    const { idempotencyKey } = call;
    // `sizes.idempotencyKeyCharacters`, without the rest of that table in the bundle.
    if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
        throw new ConfigurationError('idempotencyKey must be 1 to 255 visible ASCII characters without spaces');
    const body = encodeBody(call.body);
    const url = joinAddress(baseUrl, call.path, { ...defaultQuery, ...call.query });
    const headers = createHeaders({
        'user-agent': `agent-run/${version/* version */.r}`,
        accept: accepted[call.as],
        authorization: keyGoesHere,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
    }, defaultHeaders, call.headers);
    if (idempotencyKey !== undefined)
        headers[tables_headers/* headerNames */.Qb.idempotencyKey.toLowerCase()] = idempotencyKey;
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
function isIdempotent(method) {
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
        for (const [given, value] of entriesOf(layer)) {
            const name = given.toLowerCase();
            if (value === undefined || value === null)
                delete headers[name];
            // The header would not mark the call as safe to retry. As a default header it would be one key for all creates.
            else if (name === tables_headers/* headerNames */.Qb.idempotencyKey.toLowerCase())
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
function entriesOf(headers) {
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
function isRun(data) {
    return (0,json/* isObject */.Gv)(data) && isText(data, 'run_id') && isText(data, 'state');
}
/** Also checks the id: a cache or a proxy may have mixed up two responses. */
function isRunOf(runId) {
    return data => isRun(data) && isIdOf(runId)(data.run_id);
}
function isRunPage(data) {
    return (0,json/* isObject */.Gv)(data) && Array.isArray(data.runs) && data.runs.every(isRun) && (0,json/* isObject */.Gv)(data.page_info);
}
function isEventPage(data) {
    // Without `done` a reader could not tell when to stop.
    return (0,json/* isObject */.Gv)(data) && Array.isArray(data.events) && data.events.every(isEvent) && typeof data.done === 'boolean';
}
function isLease(data) {
    return (0,json/* isObject */.Gv)(data) && isText(data, 'lease_expires_at');
}
/** Also checks the id, which is the whole document. */
function isIdOf(runId) {
    return data => typeof data === 'string' && data.toLowerCase() === runId.toLowerCase();
}
function isEvent(data) {
    return (0,json/* isObject */.Gv)(data) && Number.isSafeInteger(data.seq) && isText(data, 'type') && (0,json/* isObject */.Gv)(data.data);
}
function isText(data, member) {
    return typeof data[member] === 'string' && data[member] !== '';
}
/**
 * The run in a document that `isRun` has accepted, as its type says. Other services send null or other kinds where
 * they have no value. Such members are omitted, so no caller has to check again.
 */
function parseRun(data) {
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

// EXTERNAL MODULE: ./build/js/base/network/retry.js + 2 modules
var retry = __nccwpck_require__(7954);
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
function describeConnectionFailure(thrown, call) {
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
function hasAnswerBegun({ cause }) {
    for (let error = cause, depth = 0; depth < 5 && (0,json/* isObject */.Gv)(error); depth += 1, error = error.cause) {
        if (error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
            return true;
        if ((0,json/* isObject */.Gv)(error.socket) && Number(error.socket.bytesRead) > 0)
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
        for (let depth = 0; depth < 5 && (0,json/* isObject */.Gv)(error); depth += 1) {
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

// EXTERNAL MODULE: ./build/js/base/clock.js
var base_clock = __nccwpck_require__(40);
// EXTERNAL MODULE: ./build/js/base/deferred.js
var deferred = __nccwpck_require__(5639);
;// CONCATENATED MODULE: ./build/js/client/http/deadline.js



/**
 * Runs `work` with a signal that aborts with the caller's or after `ms`, and stops waiting then even if `work`
 * ignores it. The timer is the system's, because a test clock cannot stop a socket. Throws AbortedError, or the error
 * from `onTimeout`.
 */
async function withDeadline(bounds, work) {
    throwIfAborted(bounds.signal);
    const controller = new AbortController();
    const stopped = (0,deferred/* createDeferred */.u)();
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
    const timer = setTimeout(stop, Math.min(bounds.ms, base_clock/* longestTimerMs */.s), bounds.onTimeout);
    try {
        return await Promise.race([work(controller.signal), stopped.promise]);
    }
    finally {
        clearTimeout(timer);
        bounds.signal?.removeEventListener('abort', onAbort);
    }
}
/** Waits by the client's clock. Throws AbortedError if the signal aborts first. */
async function pause(clock, ms, signal) {
    throwIfAborted(signal);
    if (ms <= 0)
        return;
    try {
        await clock.sleep(ms, signal);
    }
    catch (error) {
        throwIfAborted(signal);
        throw error;
    }
}
function throwIfAborted(signal) {
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
function judgeFailure(error) {
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
function mayBeDone(error) {
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
    const repeat = mayBeDone(error) ? 'unknown' : 'not-done';
    const word = headers.get(tables_headers/* headerNames */.Qb.shouldRetry);
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
function isProxyAnswer(error) {
    return error instanceof ApiError && error.isProxyResponse && error.headers.get(tables_headers/* headerNames */.Qb.shouldRetry) !== 'false';
}
/**
 * Whether the service itself answered: with a problem document, or with the features header of this project's server.
 */
function isServiceAnswer({ body, headers }) {
    if ((0,tables_headers/* readFeatures */._h)(headers).size > 0 || headers.get('content-type')?.includes('problem+json'))
        return true;
    return (0,json/* isObject */.Gv)(body) && !!body.type && !!body.status && !!(body.title ?? body.error);
}
/** Whether this project's server answered, rather than a proxy or another service. */
function isOwnServerAnswer(error) {
    return error.code !== undefined && (0,tables_headers/* readFeatures */._h)(error.headers).has('idempotency');
}
/** This project's server sends 503 before it does anything. Any other 503 says nothing about what was done. */
function isUnavailable(error) {
    return error.status === 503 && error.code === 'resource_unavailable' && isOwnServerAnswer(error);
}
/**
 * The wait before retry number `attempt` (from 0): the server's delay, otherwise backoff. `now` is for a date without
 * a `Date` header.
 */
function retryDelayMs(error, attempt, now, random = Math.random) {
    const told = serverDelayMs(error, now);
    if (told === undefined || told <= 0)
        return (0,retry/* backoffMs */.j)(attempt, retryBackoff, random);
    return Math.min(told + random() * retryBackoff.baseDelayMs, longestServerDelayMs);
}
/** The delay that the response asks for; undefined if it has none that can be read. */
function serverDelayMs(error, now) {
    return error instanceof ApiError ? (0,answers/* readRetryAfterMs */.jR)(name => error.headers.get(name), now) : undefined;
}

;// CONCATENATED MODULE: ./build/js/client/http/transport.js










class Transport {
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
            return await (0,retry/* retry */.L)(attempt, {
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
                    await (0,answers/* cancelBody */.r0)(response);
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
        const requestId = response.headers.get(tables_headers/* headerNames */.Qb.requestId);
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

// EXTERNAL MODULE: ./build/js/base/network/loopback.js
var loopback = __nccwpck_require__(4270);
// EXTERNAL MODULE: ./build/js/base/network/url.js
var network_url = __nccwpck_require__(9226);
;// CONCATENATED MODULE: ./build/js/client/options/known-keys.js

/** Redacting shorter strings would make sentences unreadable. */
const shortestKey = 4;
/** A key function may return a new key every few minutes, for months. */
const keysKept = 8;
/**
 * The API keys that a client has sent. A server or `fetch` may repeat them, so they are redacted in errors and log
 * lines.
 */
class KnownKeys {
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
        return (0,secrets/* redactLiterals */.WE)(text, this.#keys);
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
class KeySource {
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
            throw new ApiKeyError(`the apiKey function failed: ${this.known.redact((0,base_cause/* messageOf */.bD)(error))}`, {
                retryable: true,
                cause: this.known.redactCause(error),
            });
        }
        const answer = (0,json/* isObject */.Gv)(given) ? given : { key: given };
        if (isKey(answer.key) && isLife(answer.expiresInMs))
            return { key: answer.key, expiresInMs: answer.expiresInMs };
        throw new ApiKeyError(`the apiKey function failed: it must return a key of visible ASCII characters or { key, expiresInMs }, not ${isKey(answer.key) ? 'another expiresInMs' : 'another value'}`, { retryable: false });
    }
    #keep(key) {
        this.#key = key;
        this.known.add(key);
    }
}
/** Whether a header can carry the text. */
function isKey(text) {
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
function resolveCredentials(options, environment) {
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
    const url = (0,network_url/* parseUrl */.D)(text);
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
    if (bare.endsWith(routes/* apiPrefix */.P8))
        return { baseUrl: bare, baseUrlNote: undefined };
    const baseUrl = `${bare}${routes/* apiPrefix */.P8}`;
    return { baseUrl, baseUrlNote: `${bare} does not end with ${routes/* apiPrefix */.P8}; using ${baseUrl}` };
}
function checkScheme(setting, baseUrl, allowHttp) {
    const { protocol, hostname } = new URL(baseUrl);
    if (protocol === 'https:' || (0,loopback/* isLoopback */.U)(hostname) || allowHttp)
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


const logLevels = ['off', 'error', 'warn', 'info', 'debug'];
/** Forwards lines up to `level`, redacted and on one line each. Errors thrown by the target are ignored. */
function createLogger(target, level, redact) {
    const limit = logLevels.indexOf(level);
    if (![target.info, target.warn, target.error, target.debug].some(method => typeof method === 'function'))
        throw new ConfigurationError('logger must have at least one of the methods error, warn, info and debug');
    const lend = (name) => (message) => {
        if (logLevels.indexOf(name) > limit)
            return;
        const line = (0,terminal_text/* plainLine */.h0)(redact(`agent-run: ${message}`));
        const write = async () => (target[name] ?? target.info)?.call(target, line);
        write().catch(() => { });
    };
    return { error: lend('error'), warn: lend('warn'), info: lend('info'), debug: lend('debug') };
}
function isLogLevel(word) {
    return logLevels.some(level => level === word);
}

;// CONCATENATED MODULE: ./build/js/client/options/settings.js
/** Merges options, environment and defaults. Only this file of the client reads the environment. */







/** Throws ConfigurationError, which names the option and the variable. */
function resolveOptions(options) {
    const environment = readEnvironment();
    checkOptions('the options of a client', options, clientNames);
    const { baseUrl, baseUrlNote, apiKey } = resolveCredentials(options, environment);
    if (typeof apiKey === 'string' && !(options.allowBrowser ?? defaults.allowBrowser))
        refuseBrowser();
    const { clock = base_clock/* systemClock */.m } = options;
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
    throw new ConfigurationError(`${where} must be one of ${logLevels.join(', ')}, not "${word}"${(0,nearest/* didYouMean */.au)(word, logLevels)}`);
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
class FeatureUnavailableError extends AgentRunsError {
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
class FollowTimeoutError extends AgentRunsError {
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
class RunLostError extends AgentRunsError {
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
class StartUnknownError extends AgentRunsError {
    name = 'StartUnknownError';
    /** Repeat the create with this key and the same body on a server that supports keys. */
    idempotencyKey;
    constructor(facts) {
        const then = facts.afterwards === undefined ? '' : `; then ${facts.afterwards}`;
        super(`it is unclear whether the run was started: ${(0,base_cause/* messageOf */.bD)(facts.cause)}${then}. Check the list of runs before you start it again (Idempotency-Key ${facts.idempotencyKey})`, { cause: facts.cause });
        this.idempotencyKey = facts.idempotencyKey;
    }
}

;// CONCATENATED MODULE: ./build/js/client/following/features.js



/** Statuses of a server that does not know an address or a method. */
const notThere = new Set([404, 405, 501]);
/** Whether the answer says that the address does not exist, and the server does not announce the feature. */
function isAddressMissing(error, feature) {
    return error instanceof ApiError && notThere.has(error.status) && !(0,tables_headers/* readFeatures */._h)(error.headers).has(feature);
}
/** FeatureUnavailableError if the address does not exist, otherwise the same error. */
function explainMissing(error, feature) {
    return isAddressMissing(error, feature) ? new FeatureUnavailableError(feature, error) : error;
}

;// CONCATENATED MODULE: ./build/js/client/following/pace.js
/** How fast to poll. */
const longPollSeconds = 25;
/** The minimum time between polls that bring news, after the first ones. */
const floorMs = 250;
/** So many polls with news are each followed by the next at once: the end of a short run is seen without delay. */
const promptNews = 4;
/** `sizes.eventLimit`, without the rest of that table in the bundle. */
const fullPageEvents = 1000;
/**
 * The minimum time between pages of events, so that an agent with constant output does not use up its key's rate
 * limit.
 */
const pageFloorMs = 500;
/** A long poll without news that ended sooner did not wait. Such a server gets plain polls. */
const promptMs = 1_000;
const firstPlainMs = 2_000;
const longestPlainMs = 15_000;
/** How long to wait before the next poll of a run, in ms. */
function restMs(poll, random = Math.random) {
    if (poll.serverWaits && poll.hasNews)
        return afterNews(poll, floorMs);
    return quietRestMs(poll, random);
}
/** How long to wait before the next page of events, in ms. After a full page, more events are ready. */
function pageRestMs(poll, random = Math.random) {
    if (poll.news >= fullPageEvents)
        return 0;
    if (poll.serverWaits && poll.news > 0)
        return afterNews(poll, pageFloorMs);
    return quietRestMs(poll, random);
}
/** How long to wait before reopening a stream, in ms. The jitter spreads out clients that lost the same server. */
function streamRestMs(random = Math.random) {
    return floorMs * (1 + random());
}
function afterNews({ newsPolls, tookMs }, leastMs) {
    return newsPolls <= promptNews ? 0 : Math.max(0, leastMs - tookMs);
}
/** 0 after a long poll that waited. Otherwise 2 s growing to 15 s, minus up to a fifth as jitter. */
function quietRestMs(poll, random) {
    if (poll.serverWaits && poll.tookMs >= promptMs)
        return 0;
    return Math.min(firstPlainMs * 1.5 ** poll.quietPolls, longestPlainMs) * (0.8 + 0.2 * random());
}

;// CONCATENATED MODULE: ./build/js/client/following/patience.js
/**
 * How long following tolerates a failing server. The measure is the time without a good answer, not the number of
 * failures.
 */






const patienceNames = ['toleranceMs', 'notFoundGraceMs', 'signal'];
class Patience {
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
    return error.code !== undefined || ((0,json/* isObject */.Gv)(error.body) && typeof error.body.error === 'string');
}
function isCurable(error) {
    if (error instanceof UnexpectedResponseError || error instanceof NotFoundError)
        return true;
    return isProxyAnswer(error) || judgeFailure(error) !== 'final';
}

;// CONCATENATED MODULE: ./build/js/client/following/server-sent-events.js
/**
 * Reads server-sent events (WHATWG HTML, 9.2.6). Ignores `id` and `retry`: the caller resumes by event numbers. Takes
 * linear time, however the stream is split.
 */
/** Far above any event of this service. The limit stops an endless line from filling the memory. */
const pendingCharactersMax = 16 * 1024 * 1024;
/** Parses events from chunks of text that may be split anywhere. */
class ServerSentEventParser {
    /** The chunks of the unfinished line. */
    #line = [];
    #data = [];
    #pendingCharacters = 0;
    #kind = '';
    #endedWithReturn = false;
    /**
     * The data of the messages (events of the default type) that this chunk completes. Throws RangeError for one that
     * is too long.
     */
    read(piece) {
        const messages = [];
        // The "
        // " of a line break whose "\r" ended the previous chunk.
        let at = this.#endedWithReturn && piece.startsWith('\n') ? 1 : 0;
        if (piece !== '')
            this.#endedWithReturn = piece.endsWith('\r');
        for (const { index, 0: end } of piece.matchAll(/\r\n?|\n/g)) {
            if (index < at)
                continue;
            this.#line.push(piece.slice(at, index));
            const message = this.#readLine(this.#line.join(''));
            if (message !== undefined)
                messages.push(message);
            this.#line = [];
            at = index + end.length;
        }
        this.#line.push(piece.slice(at));
        this.#pendingCharacters += piece.length;
        if (this.#pendingCharacters > pendingCharactersMax)
            throw new RangeError(`an event is longer than ${pendingCharactersMax} characters`);
        return messages;
    }
    #readLine(line) {
        if (line === '')
            return this.#finish();
        const colon = line.indexOf(':');
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
        if (field === 'data')
            this.#data.push(value);
        else if (field === 'event')
            this.#kind = value;
        return undefined;
    }
    #finish() {
        const isMessage = this.#data.length > 0 && (this.#kind === '' || this.#kind === 'message');
        const message = isMessage ? this.#data.join('\n') : undefined;
        this.#data = [];
        this.#kind = '';
        this.#pendingCharacters = 0;
        return message;
    }
}

;// CONCATENATED MODULE: ./build/js/client/following/stream-reader.js




const streamTimes = Object.freeze({ firstByteMs: 15_000, silenceMs: 45_000, closingMs: 2_000 });
/** Yields every event, then returns how the connection ended. Throws AbortedError. Always closes the connection. */
async function* readStream(stream, { signal, times = streamTimes, onChunk } = {}) {
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
    return type === 'state' && (0,tables_state/* isFinal */.dR)(String(data.state));
}
/** Throws SyntaxError for anything but an event of a run. */
function readEvent(data) {
    const event = JSON.parse(data);
    if (!isEvent(event))
        throw new SyntaxError('not an event of a run');
    return event;
}

;// CONCATENATED MODULE: ./build/js/client/following/event-reader.js











const eventsNames = ['after', 'onStatesOnly', ...patienceNames];
/** After this many consecutive streams without an event, read pages. */
const emptyStreamsMax = 2;
/**
 * Reads by the first two ways. Throws FeatureUnavailableError if the server has no events, and what `iterateEvents`
 * throws.
 */
class EventReader {
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
            return (0,tables_headers/* readFeatures */._h)(headers).has('events') ? error : new FeatureUnavailableError('events', error);
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
        const serverWaits = (0,tables_headers/* readFeatures */._h)(answer.headers).has('wait');
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
            [tables_headers/* headerNames */.Qb.prefer]: waitSeconds === 0 ? undefined : `wait=${waitSeconds}`,
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




class EventWatch {
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
    #wake = (0,deferred/* createDeferred */.u)();
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
        this.#wake = (0,deferred/* createDeferred */.u)();
    }
}

;// CONCATENATED MODULE: ./build/js/client/following/follow-limits.js
const waiting = new Set(['QUEUED', 'PENDING', 'CLAIMED']);
/** Whether a run waits to start. Unknown states count as running. */
function isWaiting(state) {
    return waiting.has(state);
}
const limitNames = ['timeoutMs', 'queueTimeoutMs', 'runTimeoutMs', 'stallTimeoutMs'];
const none = Number.POSITIVE_INFINITY;
class FollowLimits {
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
        if (this.#state === undefined || isWaiting(this.#state) !== isWaiting(run.state))
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
        const isQueued = state === undefined || isWaiting(state);
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
        return this.#state !== undefined && !isWaiting(this.#state) && this.#state !== 'BLOCKED';
    }
}

;// CONCATENATED MODULE: ./build/js/client/following/follow.js
/**
 * Follows a run: with conditional long polls if the server announces `wait`, otherwise with plain polls at growing
 * intervals. While a live event stream is open, the run is read only when an event reports a change of state. Only
 * differences of the monotonic clock count, never a server's time.
 */












const eventNames = ['onEvent', 'onStatesOnly', 'eventsGraceMs'];
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
async function* followRun(transport, runId, options) {
    const follower = new Follower(transport, runId, options);
    try {
        for (;;) {
            const run = await follower.look();
            if (run !== undefined) {
                if ((0,tables_state/* isFinal */.dR)(run.state) || run.state === 'BLOCKED')
                    await follower.awaitEvents(run);
                yield run;
                if ((0,tables_state/* isFinal */.dR)(run.state))
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
        await this.#watch?.catchUp({ graceMs, leftMs, isOver: (0,tables_state/* isFinal */.dR)(state), signal });
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
                [tables_headers/* headerNames */.Qb.prefer]: waitSeconds > 0 ? `wait=${waitSeconds}` : undefined,
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
        const features = (0,tables_headers/* readFeatures */._h)(answer.headers);
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
        return state === undefined ? undefined : (0,terminal_text/* plainLine */.h0)(this.#transport.redact(state.slice(0, 200)));
    }
    #warnOfStrangeState(state) {
        if (this.#strangeStates.has(state) || tables_state/* runStates */.OU.some(known => known === state))
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
async function* iterateEvents(transport, runId, options) {
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
class RunsPage {
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
        this.runs = page.runs.map(parseRun);
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
            throw new AgentRunsError('there is no next page; check hasNextPage() first');
        const answer = await this.#ask(cursor);
        this.#followed.set(cursor, this.#number);
        return new RunsPage(answer.data, this.#ask, this.#followed, this.#number + 1);
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
class RunList extends ApiPromise {
    constructor(first, ask) {
        super(first, answer => new RunsPage(answer.data, ask));
    }
    async *[Symbol.asyncIterator]() {
        yield* await this;
    }
}

// EXTERNAL MODULE: ./build/js/contract/tables/skill-spec.js
var skill_spec = __nccwpck_require__(9608);
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
async function findStartedRun(transport, search) {
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
        path: (0,routes/* routePath */.dA)('listRuns'),
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
        found.push(...page.runs.filter(run => isLate(run.created_at) && fits(run, search.body) && !search.isTaken(run)));
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
function fits(run, body) {
    const { config } = body;
    const same = [
        [body.prompt, run.prompt],
        [(0,skill_spec/* skillOf */.zk)(body), (0,skill_spec/* skillOf */.zk)({ config: run.agent_config })],
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
async function startRun(transport, body, options) {
    checkOptions('the options of a create', options, ['idempotencyKey', 'source', ...requestNames]);
    if (!(0,json/* isObject */.Gv)(body))
        throw new ConfigurationError('the body of a create must be an object');
    const { idempotencyKey = crypto.randomUUID(), source, ...kept } = options;
    throwIfAborted(kept.signal);
    const began = transport.clock.monotonicMs();
    const prepared = transport.prepare({
        ...kept,
        method: 'POST',
        path: (0,routes/* routePath */.dA)('createRun'),
        body,
        headers: {
            ...Object.fromEntries(entriesOf(kept.headers)),
            ...(source === undefined ? {} : { [tables_headers/* headerNames */.Qb.source]: source }),
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
        markTaken(transport, answer.data);
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
    if (!(0,tables_headers/* readFeatures */._h)(asked.headers).has('idempotency'))
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
        path: (0,routes/* routePath */.dA)('listRuns'),
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
                : failure.headers.get(tables_headers/* headerNames */.Qb.shouldRetry) === 'false');
        if ((0,tables_headers/* readFeatures */._h)(asked.headers).has('idempotency') && !isForbidden) {
            start.create.pinnedKey ??= start.create.key;
            try {
                return await repeatCreate(start);
            }
            catch (error) {
                // The API key expired. A create with another one would start a second run.
                if (!(error instanceof AuthenticationError))
                    throw error;
                afterwards = (0,base_cause/* messageOf */.bD)(error);
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
        throw unknown((0,base_cause/* messageOf */.bD)(error));
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
    return (0,json/* isObject */.Gv)(body) ? body : {};
}
/** Keeps searches for other creates from returning the run. */
function markTaken(transport, run) {
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
class Runs {
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
        const answer = this.#send('sendFollowup', { runId }, { isExpected: json/* isObject */.Gv, body }, options, ['idempotencyKey']);
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
        const answer = this.#send('releaseLease', { runId }, { isExpected: json/* isObject */.Gv }, options);
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
            if ((0,tables_state/* isFinal */.dR)(run.state))
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
            if ((0,tables_headers/* readFeatures */._h)(answer.headers).has('result'))
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
        const { method } = routes/* routes */.JZ[id];
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
const listNames = [
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
];
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
        if (method === 'POST' && path.split('?', 1)[0] === (0,routes/* routePath */.dA)('createRun') && isRun(answer.data))
            markTaken(this.#transport, answer.data);
        return answer;
    }
}
const ways = {
    json: 'any-json',
    text: 'any-text',
    bytes: 'bytes',
};

// EXTERNAL MODULE: ./build/js/base/wording/open-calls.js
var open_calls = __nccwpck_require__(573);
// EXTERNAL MODULE: ./build/js/base/wording/tool-text.js
var tool_text = __nccwpck_require__(6031);
;// CONCATENATED MODULE: ./build/js/client/following/log-lines.js



/** Limits the memory and time for an agent that never ends its line. */
const longestLineCharacters = 64 * 1024;
/**
 * Turns events into log lines. A log event may end in the middle of a line; the rest waits for the next event of its
 * stream.
 */
class EventLines {
    #unfinished = new Map();
    #calls = new open_calls/* OpenCalls */.i();
    /** The call shown last, if no other line followed. */
    #lastCall;
    read(event) {
        const lastCall = this.#lastCall;
        if (event.type !== 'usage')
            this.#lastCall = undefined;
        switch (event.type) {
            case 'log':
                // The server's own lines are always whole, and about what was printed before them.
                if (event.data.stream === 'system')
                    return [...this.finish(), ...quote(event.data.text)];
                return this.#readLog(event.data.stream, event.data.text);
            case 'state':
                return [...this.finish(), { text: `state: ${event.data.state}`, isQuoted: false }];
            case 'message':
                return [{ text: `${event.data.role}:`, isQuoted: false }, ...quote(event.data.text)];
            case 'tool_call':
                return this.#readCall(event.data, Date.parse(event.at));
            case 'tool_result':
                return this.#readResult(event.data, { lastCall, atMs: Date.parse(event.at) });
            default:
                return [];
        }
    }
    /** Returns unfinished lines, when other lines or no more events follow. */
    finish() {
        const left = [...this.#unfinished.values()];
        this.#unfinished.clear();
        return left.flatMap(quote);
    }
    #readCall({ id, name, input }, atMs) {
        const call = this.#calls.begin((0,tool_text/* textOfValue */.mG)(id), (0,tool_text/* textOfValue */.mG)(name), { input, atMs });
        this.#lastCall = call.id;
        return [{ text: call.title, isQuoted: false }, ...quoteTool(headOf(call.text))];
    }
    #readResult(data, { lastCall, atMs }) {
        const call = this.#calls.end((0,tool_text/* textOfValue */.mG)(data.id));
        const lines = quoteTool(tailOf((0,tool_text/* textOfValue */.mG)(data.output)));
        // The output is shown in the lines above.
        const end = (0,tool_text/* describeCallEnd */.J2)({ ...data, output: undefined }, call && atMs - call.sinceMs);
        if (end !== undefined)
            lines.push({ text: end, isQuoted: false });
        // Name the call unless its line is right above.
        if (lines.length === 0 || lastCall === (0,tool_text/* textOfValue */.mG)(data.id))
            return lines;
        return [{ text: `${call?.title ?? 'tool'} (result)`, isQuoted: false }, ...lines];
    }
    #readLog(stream, text) {
        const all = (this.#unfinished.get(stream) ?? '') + text;
        const end = all.length > longestLineCharacters ? all.length : all.lastIndexOf('\n') + 1;
        const rest = all.slice(end);
        if (rest === '')
            this.#unfinished.delete(stream);
        else
            this.#unfinished.set(stream, rest);
        return end === 0 ? [] : quote(all.slice(0, end));
    }
}
/** The start of a tool's input. */
function headOf(text) {
    return text.length <= tool_text/* toolUnits */.Mi ? text : `${text.slice(0, tool_text/* toolUnits */.Mi).replace(/[\ud800-\udbff]$/, '')}…`;
}
/** The end of a tool's output, where its result is. */
function tailOf(text) {
    const left = text.length - tool_text/* toolUnits */.Mi;
    return left <= 0
        ? text
        : `(the first ${left} characters are left out)\n${text.slice(left).replace(/^[\udc00-\udfff]/, '')}`;
}
function quoteTool(text) {
    return text === '' ? [] : quote(text);
}
function quote(text) {
    return (0,terminal_text/* drawnText */.ai)(text)
        .replace(/\n$/, '')
        .split('\n')
        .map(line => ({ text: line, isQuoted: true }));
}

;// CONCATENATED MODULE: ./build/js/client/index.js











/***/ }),

/***/ 8733:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Qb: () => (/* binding */ headerNames),
/* harmony export */   _h: () => (/* binding */ readFeatures),
/* harmony export */   lE: () => (/* binding */ serverFeatures)
/* harmony export */ });
/** Headers that this project adds to the interface. Names are case-insensitive on the wire. */
const headerNames = {
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
const serverFeatures = ['idempotency', 'wait', 'events', 'lease', 'result'];
/** The features that a response announces. Other services announce none. */
function readFeatures(headers) {
    const words = (headers.get(headerNames.features) ?? '').split(',').map(word => word.trim());
    return new Set(words.filter(word => word !== ''));
}


/***/ }),

/***/ 3323:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Yg: () => (/* binding */ reviewSchema),
/* harmony export */   gO: () => (/* binding */ severities)
/* harmony export */ });
/* unused harmony export reviewVerdicts */
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


/***/ }),

/***/ 2117:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   JZ: () => (/* binding */ routes),
/* harmony export */   P8: () => (/* binding */ apiPrefix),
/* harmony export */   dA: () => (/* binding */ routePath),
/* harmony export */   oq: () => (/* binding */ routeSummaries)
/* harmony export */ });
/** The paths of the service below the prefix. The client, the server and the OpenAPI document use this table. */
const apiPrefix = '/api/v1';
const routes = {
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
function routePath(id, parts = {}) {
    return routes[id].path.replace(/\{(\w+)\}/g, (_all, name) => encodePathPart(name, parts[name] ?? ''));
}
function encodePathPart(name, value) {
    if (value === '' || value === '.' || value === '..')
        throw new RangeError(`${name} must not be ${JSON.stringify(value)} in a URL path`);
    return encodeURIComponent(value);
}


/***/ }),

/***/ 3956:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ printRunText),
/* harmony export */   r: () => (/* binding */ wholeText)
/* harmony export */ });
function wholeText(text) {
    return { text, leftOutBytes: 0 };
}
/** For a reader who sees only the text: the first line says what is missing. */
function printRunText({ text, leftOutBytes }) {
    return leftOutBytes === 0 ? text : `[the first ${leftOutBytes} bytes of the result were cut]\n${text}`;
}


/***/ }),

/***/ 4249:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ sizes),
/* harmony export */   d: () => (/* binding */ utf8Bytes)
/* harmony export */ });
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


/***/ }),

/***/ 9608:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ skillName),
/* harmony export */   el: () => (/* binding */ parseSkillSpec),
/* harmony export */   sg: () => (/* binding */ skillsOf),
/* harmony export */   zk: () => (/* binding */ skillOf)
/* harmony export */ });
/* unused harmony export SkillSpecError */
class SkillSpecError extends Error {
    name = 'SkillSpecError';
}
const forms = 'owner/repo:skill-name or owner/repo:path/to/SKILL.md';
const ownerPattern = /^[A-Za-z0-9][A-Za-z0-9-]*$/;
const repoPattern = /^[A-Za-z0-9._-]+$/;
const namePattern = /^[A-Za-z0-9._-]+$/;
/** Throws SkillSpecError, whose text shows both forms. */
function parseSkillSpec(text) {
    const refuse = (why) => {
        throw new SkillSpecError(`${JSON.stringify(text)} is not a valid skill: ${why}. Use ${forms}`);
    };
    const colon = text.indexOf(':');
    if (colon < 0)
        return refuse('the colon is missing');
    const [owner = '', repo = '', ...more] = text.slice(0, colon).split('/');
    const rest = text.slice(colon + 1);
    if (more.length > 0 || !ownerPattern.test(owner))
        return refuse('the part before the colon must be owner/repo');
    if (!repoPattern.test(repo) || isDots(repo))
        return refuse('the part before the colon must be owner/repo');
    if (rest === '')
        return refuse('nothing follows the colon');
    if (!rest.includes('/')) {
        if (rest === 'SKILL.md')
            return { text, owner, repo, target: { path: rest } };
        if (!namePattern.test(rest) || isDots(rest))
            return refuse('a name may contain only letters, digits, ".", "_" and "-"');
        return { text, owner, repo, target: { name: rest } };
    }
    const parts = rest.split('/');
    if (parts.at(-1) !== 'SKILL.md')
        return refuse('a path must end with SKILL.md');
    if (parts.some(part => part === '' || isDots(part) || part.includes('\\') || hasControl(part)))
        return refuse('a path must stay inside the repository');
    return { text, owner, repo, target: { path: rest } };
}
/** The skill that is the task, from whichever of the three members has it. */
function skillOf({ skill, config }) {
    return skill ?? config?.skill_spec ?? config?.skills?.[0];
}
/** The main skill first, then the ones that the agent may also read. */
function skillsOf(body) {
    const skill = skillOf(body);
    return skill === undefined ? [] : [...new Set([skill, ...(body.config?.skills ?? [])])];
}
/** The display name: the skill's own, or the folder of its SKILL.md (the repository for one at the root). */
function skillName(spec) {
    if ('name' in spec.target)
        return spec.target.name;
    return spec.target.path.split('/').at(-2) ?? spec.repo;
}
function isDots(part) {
    return part === '.' || part === '..';
}
function hasControl(part) {
    return Array.from(part).some(character => (character.codePointAt(0) ?? 0) < 0x20);
}


/***/ }),

/***/ 4414:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   OU: () => (/* binding */ runStates),
/* harmony export */   Yr: () => (/* binding */ statesBefore),
/* harmony export */   ZW: () => (/* binding */ finalStates),
/* harmony export */   dR: () => (/* binding */ isFinal),
/* harmony export */   eV: () => (/* binding */ stateMeanings)
/* harmony export */ });
/* unused harmony export moves */
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
const runStates = Object.keys(finality);
/** The states that never change again. Open words allow `finalStates.includes(run.state)`. */
const finalStates = runStates.filter(state => finality[state]);
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
    return runStates.filter(from => moves[from].includes(to));
}
/** Whether a state is final. An unknown state counts as still running. */
function isFinal(state) {
    return finalStates.includes(state);
}


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
/******/ 		return {"51":"step-agents","83":"event-context","89":"fenced-blocks","106":"embedded","126":"base-files","142":"github","196":"shared-octokit-plugin-rest-endpoint-methods","251":"shared-markdown-it","357":"shared-secretlint-secretlint-rule-preset-recommend","361":"github-error","435":"event","490":"network-faults","537":"octokit","589":"comment","598":"dispatchers","618":"shared-kysely","651":"parse-command","674":"missing-credentials","732":"review-in-step","752":"shared-undici","795":"summary","802":"gate","815":"yaml","838":"instruction-files","887":"comments"}[chunkId] + ".index.js";
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
  V: () => (/* reexport */ run),
  a: () => (/* reexport */ post_run)
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
// EXTERNAL MODULE: ./build/js/base/network/slow-addresses.js
var slow_addresses = __nccwpck_require__(6491);
;// CONCATENATED MODULE: ./build/js/base/process/debugger-door.js
/**
 * Stops Node from opening its debugger on SIGUSR1. The debugger's loopback port would give every program of the user
 * full access to this process. Call this before starting any such program; it cannot be undone.
 */
function closeDebuggerDoor() {
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
var action_Headers;
(function (Headers) {
    Headers["Accept"] = "accept";
    Headers["ContentType"] = "content-type";
})(action_Headers || (action_Headers = {}));
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
            additionalHeaders[action_Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, action_Headers.Accept, MediaTypes.ApplicationJson);
            const res = yield this.get(requestUrl, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    postJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[action_Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, action_Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[action_Headers.ContentType] =
                this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
            const res = yield this.post(requestUrl, data, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    putJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[action_Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, action_Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[action_Headers.ContentType] =
                this._getExistingOrDefaultContentTypeHeader(additionalHeaders, MediaTypes.ApplicationJson);
            const res = yield this.put(requestUrl, data, additionalHeaders);
            return this._processResponse(res, this.requestOptions);
        });
    }
    patchJson(requestUrl_1, obj_1) {
        return __awaiter(this, arguments, void 0, function* (requestUrl, obj, additionalHeaders = {}) {
            const data = JSON.stringify(obj, null, 2);
            additionalHeaders[action_Headers.Accept] = this._getExistingOrDefaultHeader(additionalHeaders, action_Headers.Accept, MediaTypes.ApplicationJson);
            additionalHeaders[action_Headers.ContentType] =
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
            const headerValue = lowercaseKeys(this.requestOptions.headers)[action_Headers.ContentType];
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
        const additionalValue = additionalHeaders[action_Headers.ContentType];
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


const { chmod, copyFile, lstat, mkdir, open: io_util_open, readdir, rename, rm, rmdir, stat, symlink, unlink } = external_fs_.promises;
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
        const stats = useStat ? yield stat(fsPath) : yield lstat(fsPath);
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

// EXTERNAL MODULE: ./build/js/base/secret-variables.js
var secret_variables = __nccwpck_require__(1960);
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
    if ((0,secret_variables/* isSecretName */.eh)(name))
        return value.length >= border_secrets/* usefulLength */.PU;
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
// EXTERNAL MODULE: ./build/js/border/files.js
var files = __nccwpck_require__(5838);
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
        return { bytes: (0,files/* readPlainFileSync */.c4)(path, bytesMax), mode: (0,external_node_fs_.lstatSync)(path).mode & 0o777 };
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
function runnerHost(stopSignals) {
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
    closeDebuggerDoor();
    (0,slow_addresses/* waitForSlowAddresses */.i)();
    const host = runnerHost(listenForStop());
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
    (0,slow_addresses/* waitForSlowAddresses */.i)();
    const host = runnerHost();
    try {
        await runStep(host);
    }
    catch (error) {
        host.warn(`The cleanup failed unexpectedly: ${(0,cause/* messageOf */.bD)(error)}`);
    }
    endSoon(times);
}
/** Longer than writing any log takes, and longer than a canceled step lives. */
const usualTimes = { lingerMs: 10_000 };
/** Keeps abandoned work, such as a write to a hanging disk, from keeping the process alive. */
function endSoon({ lingerMs } = usualTimes) {
    setTimeout(() => process.exit(), lingerMs).unref();
}

// EXTERNAL MODULE: ./build/js/client/index.js + 36 modules
var js_client = __nccwpck_require__(2765);
// EXTERNAL MODULE: ./build/js/contract/tables/review-schema.js
var review_schema = __nccwpck_require__(3323);
// EXTERNAL MODULE: ./build/js/border/answers.js
var answers = __nccwpck_require__(654);
// EXTERNAL MODULE: ./build/js/contract/tables/headers.js
var headers = __nccwpck_require__(8733);
// EXTERNAL MODULE: ./build/js/action/inputs/file-inputs.js
var file_inputs = __nccwpck_require__(4079);
// EXTERNAL MODULE: ./build/js/base/variable-name.js
var variable_name = __nccwpck_require__(922);
// EXTERNAL MODULE: ./build/js/action/inputs/values.js
var values = __nccwpck_require__(8589);
;// CONCATENATED MODULE: ./build/js/action/inputs/later-faults.js


const baseUrlVariables = ['AGENT_RUN_BASE_URL', 'OZ_API_BASE_URL'];
/** The server's address from the input, otherwise from the environment. Undefined if neither is set. */
function findServer(host, baseUrl) {
    if (baseUrl !== undefined)
        return { option: '`base_url`', address: baseUrl };
    return baseUrlVariables
        .map(option => ({ option, address: (host.readVariable(option) ?? '').trim() }))
        .find(({ address }) => address !== '');
}
/** Finds names in `pass_env` that the step does not have. */
function findUnknownNames(host, { passEnv }) {
    const missing = passEnv.filter(name => host.readVariable(name) === undefined);
    const shown = missing.filter(variable_name/* isUsualVariableName */.I);
    const named = shown.length === missing.length ? shown : [...shown, 'whose name may be a secret (not shown)'];
    return missing.length === 0
        ? []
        : [`\`pass_env\`: the step has no variable ${named.join(', ')}. Set it under \`env:\` of the step`];
}
/** Variables that every program gets, or that a shell or the runner sets. */
const ownVariable = /^(?:PATH|HOME|TMPDIR|TERM|CI|NO_COLOR|USER|LOGNAME|LANG|LC_ALL|PWD|OLDPWD|SHLVL|SHELL|_|(?:GITHUB|RUNNER|ACTIONS|INPUT|STATE|AGENT_RUN)_.*)$/;
/**
 * Tells which variables a failed program probably lacks, judging by the names in its output. '' if it names none.
 * Ends a sentence, and contains no value.
 */
function hintAtUnpassed(host, passEnv, output) {
    const said = new Set(output.flatMap(line => line.match(/\w+/g) ?? []));
    const [name] = Object.entries(host.variables()).flatMap(([known, value]) => said.has(known) &&
        (0,variable_name/* isUsualVariableName */.I)(known) &&
        value !== '' &&
        !passEnv.includes(known) &&
        !ownVariable.test(known)
        ? [known]
        : []);
    return name === undefined ? '' : `. ${name} is set in the step but not passed to the program: add it to \`pass_env\``;
}
/** Finds faults that a step without a server would otherwise report only after the gate. */
async function findLaterFaults(host, { embedded }) {
    if (embedded === undefined || (0,values/* isGiven */.qR)(host, 'base_url') || findServer(host, undefined) !== undefined)
        return [];
    const { parseCommand } = await __nccwpck_require__.e(/* import() */ 651).then(__nccwpck_require__.bind(__nccwpck_require__, 4651));
    const { command } = embedded;
    const faults = await (0,values/* readAll */.yw)({ command: () => command && parseCommand(command) }).then(() => [], (error) => [error.message]);
    return [...findUnknownNames(host, embedded), ...faults];
}

;// CONCATENATED MODULE: ./build/js/action/inputs/option-names.js
const names = { baseUrl: '`base_url`', apiKey: '`api_key`', allowHttp: '`allow_http: true`' };
const nameInput = option => names[option];
/** Writes a server's `config.mcp_servers.web.url` as the input's `mcp_servers.web.url`, in backticks. */
function nameMembers(text) {
    return text
        .replace(/\bconfig\.harness(?:\.(?:type|name)\b)?/g, '`harness`')
        .replace(/\bconfig\.((?:base_prompt|environment_id|mcp_servers|model_id|name|output_schema|skill_spec)\b(?:\.[\w-]+)*)/g, '`$1`');
}

;// CONCATENATED MODULE: ./build/js/action/report/late-code.js
/**
 * Loads the code that the end of a step imports. An agent with the step's own user can rewrite the action's files
 * while it works. Code loaded before that is not read again.
 */
async function loadLateCode({ review }) {
    await Promise.all([
        review === 'on' && Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(357), __nccwpck_require__.e(732)]).then(__nccwpck_require__.bind(__nccwpck_require__, 3732)),
        Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(589)]).then(__nccwpck_require__.bind(__nccwpck_require__, 3589)),
        Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(795)]).then(__nccwpck_require__.bind(__nccwpck_require__, 7795)),
        __nccwpck_require__.e(/* import() */ 887).then(__nccwpck_require__.bind(__nccwpck_require__, 6887)),
        __nccwpck_require__.e(/* import() */ 435).then(__nccwpck_require__.bind(__nccwpck_require__, 3435)),
        __nccwpck_require__.e(/* import() */ 361).then(__nccwpck_require__.bind(__nccwpck_require__, 6361)),
        // The toolkit fails to load if the event is not JSON. A step that needs GitHub reports it.
        Promise.all(/* import() */[__nccwpck_require__.e(196), __nccwpck_require__.e(142)]).then(__nccwpck_require__.bind(__nccwpck_require__, 1142)).catch(() => { }),
    ]);
}

// EXTERNAL MODULE: ./build/js/action/report/summary/heading.js
var heading = __nccwpck_require__(5401);
// EXTERNAL MODULE: ./build/js/contract/tables/routes.js
var routes = __nccwpck_require__(2117);
;// CONCATENATED MODULE: ./build/js/action/connect/addresses.js

/** Returns the link to a run's page, or undefined. A server may send any value, and only an http(s) URL is used. */
function readSessionLink(answer) {
    const link = answer.session_link;
    return typeof link === 'string' && /^https?:\/\/[!-~]{1,2000}$/.test(link) ? link : undefined;
}
/** A run's page if it is at `/runs/{id}`, otherwise its API address. '' if the id fits neither. */
function addressOfRun(client, answer) {
    const page = readSessionLink(answer)?.split('?')[0];
    if (page?.endsWith(`/runs/${answer.run_id}`))
        return page;
    try {
        return `${client.baseUrl}${(0,routes/* routePath */.dA)('readRun', { runId: answer.run_id })}`;
    }
    catch {
        // Following such a run reports the faulty id.
        return '';
    }
}

// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __nccwpck_require__(7030);
// EXTERNAL MODULE: ./build/js/base/network/loopback.js
var loopback = __nccwpck_require__(4270);
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
    if ((0,loopback/* isLoopback */.U)(host) && !entries.includes(proxyLoopback))
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
            if (proxy instanceof values/* InputError */.dz)
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
        if (error instanceof values/* InputError */.dz)
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
        throw new values/* InputError */.dz(`${variable}: ${(0,values/* quote */.hD)(redactCredentials(text))} ${why}`);
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

// EXTERNAL MODULE: ./build/js/action/connect/proxy-faults.js
var proxy_faults = __nccwpck_require__(7659);
// EXTERNAL MODULE: external "node:tls"
var external_node_tls_ = __nccwpck_require__(1692);
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
        throw new values/* InputError */.dz(`\`ca_file\`: ${JSON.stringify(path)} ${why}`);
    };
    let text;
    try {
        text = (0,files/* readPlainFileSync */.c4)((0,external_node_fs_.realpathSync)(path), maxBytes).toString('latin1');
    }
    catch (error) {
        return refuse(`cannot be read: ${(0,file_inputs/* explainFileFault */.mH)(error)}`);
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
            if (!(error instanceof values/* InputError */.dz))
                throw error;
            throw new js_client/* ConnectionError */.Rc(error.message, { host: address.host, fault: 'fetch', neverLeft: true });
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
                throw proxy === undefined ? error : (0,proxy_faults/* explainProxyFailure */.S)(error, proxy, address);
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

;// CONCATENATED MODULE: ./build/js/action/connect/server-only.js
const remedy = 'set `base_url` to a server that supports it';
/** Returns a sentence for each such input. `repository` is the one in the workspace, as `owner/name`. */
function findServerOnly({ task, follow, embedded }, repository) {
    const faults = [];
    if (!follow.wait)
        faults.push('`wait` must be true without a server, because the run ends with the step; set `base_url`, or remove `wait`');
    if (follow.onTimeout === 'leave')
        faults.push('`on_timeout` must not be leave without a server, because the run ends with the step; set `base_url`, or remove `on_timeout`');
    if (task.environmentId !== undefined)
        faults.push(`\`environment_id\`: a step without a server has no environments; remove it, or ${remedy}`);
    const isProgram = embedded.command !== undefined || embedded.allowScript;
    if (Object.keys(task.mcpServers ?? {}).length > 0 && isProgram && !isAgent(task.harness))
        faults.push(`\`mcp_servers\`: a \`command\` does not receive MCP servers; configure them in the program itself, set \`harness\` to an agent, or ${remedy}`);
    if (task.skill !== undefined) {
        const wanted = `${task.skill.owner}/${task.skill.repo}`;
        if (wanted.toLowerCase() !== repository?.toLowerCase())
            faults.push(`\`skill_spec\`: a step without a server can use only the skills of its own repository (${repository ?? 'GITHUB_REPOSITORY is not set'}), not those of ${wanted}; copy the skill, or ${remedy}`);
    }
    return faults;
}
function isAgent(harness) {
    return harness !== undefined && !['oz', 'command', 'script'].includes(harness);
}

;// CONCATENATED MODULE: ./build/js/action/connect/connect.js
/** Creates the step's client, for a remote server or for the one inside the step. */














const apiKeyVariables = ['AGENT_RUN_API_KEY', 'WARP_API_KEY'];
/** A server restart takes about 20 seconds and must not fail the step. */
const maxRetries = 6;
/** Throws InputError, ConfigurationError without address or key, and why an embedded server cannot start. */
async function connect(host, { inputs, context, network, signal, }) {
    if (await isEmbedded(host, inputs))
        return await connectInside(host, { inputs, context, network, signal });
    try {
        return connectToServer(host, { place: inputs.place, network, logLevel: 'info' });
    }
    catch (error) {
        // A key for the wrong address is a mistake in the workflow, not a secret that the event withholds.
        const isForeign = error instanceof js_client/* ConfigurationError */.j1 && error.option === 'apiKey' && readApiKeys(host).length > 0;
        throw isForeign ? new values/* InputError */.dz(error.describe(nameInput)) : error;
    }
}
/** The network for all requests of the step. Masks the environment's secrets for it. Throws InputError. */
async function openStepNetwork(host, { baseUrl, caFile }) {
    const network = await openNetwork({
        variables: host.variables(),
        caFile: caFile === undefined ? undefined : (0,file_inputs/* resolveInWorkspace */.z1)(host, caFile),
        baseUrl: findServer(host, baseUrl)?.address,
    });
    for (const secret of [...network.secrets, ...readApiKeys(host)])
        host.mask(secret);
    return network;
}
function readApiKeys(host) {
    return apiKeyVariables.map(name => host.readVariable(name)?.trim() ?? '').filter(key => key !== '');
}
/** Throws ConfigurationError if the address or key is missing. */
function connectToServer(host, { place, network, logLevel }) {
    const { baseUrl, apiKey, allowHttp } = place;
    const { client, ...rest } = makeClient(host, network.fetch, { baseUrl, apiKey, allowHttp, logLevel });
    const way = network.describe(client.baseUrl);
    if (way !== undefined)
        host.print(`connecting to the server ${way}`);
    return {
        client,
        ...rest,
        isEmbedded: false,
        linkOf: readSessionLink,
        addressOf: answer => readSessionLink(answer) ?? addressOfRun(client, answer),
        pageOf: answer => addressOfRun(client, answer),
        fetch: network.fetch,
        close: async () => { },
    };
}
async function connectInside(host, { inputs, context, signal }) {
    const { embedded, task, trust, report } = inputs;
    const variables = host.variables();
    (0,values/* refuseFaults */.mG)([...findServerOnly(inputs, context.repository), ...findUnknownNames(host, embedded)]);
    const empty = embedded.passEnv.filter(name => variables[name]?.trim() === '');
    // A flag may be empty. It is not a credential.
    const missing = empty.filter(secret_variables/* isSecretName */.eh);
    if (missing.length > 0 && trust.onMissingCredentials === 'skip')
        throw new values/* MissingCredentialError */.ug(`\`pass_env\`: ${missing.join(', ')} is empty`);
    const [{ openEmbedded }] = await Promise.all([Promise.all(/* import() */[__nccwpck_require__.e(815), __nccwpck_require__.e(618), __nccwpck_require__.e(106)]).then(__nccwpck_require__.bind(__nccwpck_require__, 2106)), loadLateCode(report)]);
    for (const name of empty)
        host.warn(`\`pass_env\`: ${name} is empty, so the agent does not get it: ${values/* whyEmpty */.wi}`);
    const passedEnv = Object.fromEntries(embedded.passEnv.map(name => [name, variables[name] ?? '']));
    for (const [name, value] of Object.entries(passedEnv))
        if (isSecretVariable(name, value))
            host.mask(value);
    // Only the step writes to the files of its own outputs and state.
    host.keepFiles(embedded.passEnv.filter(name => name !== 'GITHUB_OUTPUT' && name !== 'GITHUB_STATE'));
    const server = await openEmbedded({
        workspace: context.workspace ?? process.cwd(),
        workingFolder: embedded.workingDirectory,
        tempDir: context.tempDir,
        repository: context.repository,
        command: embedded.command,
        allowScript: embedded.allowScript,
        harness: task.harness,
        harnessVersion: embedded.harnessVersion,
        modelId: task.modelId,
        passedEnv,
        baseEnv: variables,
        mask: value => host.mask(value),
        warn: host.warn,
        print: host.print,
        signal,
    });
    if (server.isWorkspaceEmpty)
        host[server.asksModel ? 'warn' : 'print'](heading/* emptyWorkspaceWarning */.R);
    const { client, ...rest } = makeClient(host, server.fetch, {
        baseUrl: server.baseUrl,
        apiKey: server.apiKey,
        logLevel: 'warn',
    });
    return {
        client,
        ...rest,
        isEmbedded: true,
        // It has no page and no port.
        linkOf: () => undefined,
        addressOf: () => context.jobUrl ?? '',
        pageOf: () => context.jobUrl ?? '',
        fetch: server.fetch,
        close: server.close,
    };
}
function makeClient(host, fetch, options) {
    let heardAt = performance.now();
    let features = new Set();
    const client = new js_client/* AgentRuns */._8({
        ...options,
        logger: { error: host.print, warn: host.print, info: host.print, debug: host.print },
        maxRetries,
        async fetch(url, init) {
            const response = await fetch(url, init);
            if (!response.ok && response.status !== 304)
                return response;
            const hear = () => {
                heardAt = performance.now();
            };
            hear();
            features = (0,headers/* readFeatures */._h)(response.headers);
            // A stream lasts many minutes, and each chunk shows that the server is alive.
            const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
            return isStream ? (0,answers/* watchAnswer */.c_)(response, { onChunk: hear }) : response;
        },
    });
    return { client, silentMs: () => performance.now() - heardAt, features: () => features };
}
/** True without a server address. Throws InputError if the inputs ask for both, or need an address. */
async function isEmbedded(host, { task, place, embedded, follow }) {
    const server = findServer(host, place.baseUrl)?.option;
    // `pass_env` alone is not a request: a workflow may always set it.
    const asked = embedded.command !== undefined ? 'command' : embedded.allowScript ? 'allow_script' : undefined;
    if (server !== undefined && asked !== undefined)
        throw new values/* InputError */.dz(`\`${asked}\` runs the agent in this step, but ${server} names a server; set only one of the two`);
    if (server !== undefined && embedded.workingDirectory !== undefined)
        throw new values/* InputError */.dz(`\`working_directory\` is a folder of this job, but ${server} names a server, which cannot see it; set only one of the two`);
    if (server !== undefined && embedded.harnessVersion !== undefined)
        throw new values/* InputError */.dz(`\`harness_version\` is for an agent in this step, but ${server} names a server, which has its own version; set only one of the two`);
    if (server !== undefined)
        return false;
    if (follow.runId !== undefined)
        throw new values/* InputError */.dz(`\`run_id\` names a run on a server, but \`base_url\` is empty. Set ${addressRemedy}`);
    if (place.apiKey === undefined)
        return true;
    const { findModelKeys, spellKeys } = await __nccwpck_require__.e(/* import() */ 51).then(__nccwpck_require__.bind(__nccwpck_require__, 3051));
    const keys = `${spellKeys(findModelKeys(task.modelId))} under \`env:\` of the step`;
    const remedy = task.modelId !== undefined
        ? `If this is the key of the model's provider, remove \`api_key\` and set ${keys}`
        : asked === undefined
            ? `To run without a server, remove \`api_key\`. Set \`model_id\`, and ${keys}; or set \`command\``
            : `To run without a server, remove \`api_key\`; \`${asked}\` is enough`;
    throw new values/* InputError */.dz(`\`api_key\` is the key of an agent-run server. ${remedy}. To use a server, set ${addressRemedy}`);
}
const addressRemedy = "`base_url` or AGENT_RUN_BASE_URL. If the URL comes from a variable, check the variable's name in Settings > Secrets and variables > Actions > Variables";

;// CONCATENATED MODULE: ./build/js/action/follow/cancellation.js
/** Counted from the runner's first signal. The runner sends a second one after 7.5 s. */
const wholeMs = 4500;
/** Share of that time for a pending request. */
const lateMs = 2000;
function listenForCancel(host) {
    const cancel = new AbortController();
    const late = new AbortController();
    let endsAt = Number.POSITIVE_INFINITY;
    const stopListening = host.onCancel(() => {
        endsAt = performance.now() + wholeMs;
        setTimeout(() => late.abort(), lateMs).unref();
        cancel.abort();
    });
    return {
        signal: cancel.signal,
        lateSignal: late.signal,
        leftMs: () => Math.max(1, endsAt - performance.now()),
        stopListening,
    };
}

// EXTERNAL MODULE: ./build/js/base/wording/tool-text.js
var tool_text = __nccwpck_require__(6031);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __nccwpck_require__(8500);
// EXTERNAL MODULE: ./build/js/base/network/retry.js + 2 modules
var retry = __nccwpck_require__(7954);
;// CONCATENATED MODULE: ./build/js/action/connect/proxy-responses.js
/**
 * A single response from a proxy or firewall is not proof of anything. Requests that are safe to repeat are retried.
 */



/** Covers the restart of a server behind a proxy. Delays the error for a wrong address by as much. */
const usualLimitMs = 15_000;
const backoff = { baseDelayMs: 250, maxDelayMs: 2000 };
/** `act` gets the time left. Throws its error if a proxy's response persists or the step has to stop. */
async function retryProxyResponses(act, { limitMs = usualLimitMs, signal }) {
    const endsAt = performance.now() + limitMs;
    const leftMs = () => Math.max(1, Math.ceil(endsAt - performance.now()));
    for (let attempt = 0;; attempt += 1) {
        try {
            return await act(leftMs());
        }
        catch (error) {
            const pauseMs = (0,retry/* backoffMs */.j)(attempt, backoff);
            if (!isProxyResponse(error) || pauseMs >= leftMs())
                throw error;
            await (0,external_node_timers_promises_.setTimeout)(pauseMs, undefined, { signal }).catch(() => { });
            if (signal?.aborted === true)
                throw error;
        }
    }
}
/** The client has already retried these statuses within its time. */
const repeated = new Set([408, 425, 429]);
/** Also true for a success of something else, such as a maintenance page. */
function isProxyResponse(error) {
    if (error instanceof js_client/* UnexpectedResponseError */.dk)
        return !error.cut;
    return error instanceof js_client/* ApiError */.hD && error.isProxyResponse && error.status < 500 && !repeated.has(error.status);
}

;// CONCATENATED MODULE: ./build/js/action/follow/cancel-run.js



/** A server that just responded needs no longer. */
const secondLookMs = 1000;
/**
 * Cancels a run and waits for its end. Returns the run as last seen, or undefined if it was not seen in time. Throws
 * the client's errors if the request failed, and RunLostError if the server does not know the run. A run that has
 * already ended is not an error.
 */
async function cancelRun(client, runId, { reason, requestMs, lookMs, signal }) {
    try {
        await retryProxyResponses(leftMs => client.runs.cancel(runId, { reason, timeoutMs: leftMs, totalTimeoutMs: leftMs, signal }), { limitMs: requestMs, signal });
    }
    catch (error) {
        if (error instanceof js_client/* NotFoundError */.m_ && (await isUnknown(client, runId, signal)))
            throw new js_client/* RunLostError */.iJ({ runId, state: undefined, cause: error });
        if (!(error instanceof js_client/* BadRequestError */.v7) || isProxyResponse(error))
            throw error;
    }
    // Timers throw for fractions of a millisecond.
    const ends = [AbortSignal.timeout(Math.ceil(typeof lookMs === 'number' ? lookMs : lookMs())), signal].filter(end => end !== undefined);
    let last;
    try {
        for await (const run of client.runs.follow(runId, { signal: AbortSignal.any(ends) })) {
            last = run;
            if ((0,js_client/* isFinal */.dR)(run.state))
                break;
        }
    }
    catch {
        // The request was accepted, whether or not the end was seen in time.
    }
    return last;
}
/** A service without cancel responds 404 as well, so this asks for the run itself. */
async function isUnknown(client, runId, signal) {
    try {
        await client.runs.retrieve(runId, { totalTimeoutMs: secondLookMs, maxRetries: 0, signal });
        return false;
    }
    catch (error) {
        // A 404 without a code comes from a proxy in front of a dead server.
        return error instanceof js_client/* NotFoundError */.m_ && error.code !== undefined;
    }
}
/** Explains why the cancel request failed. Has no final period, because a link follows. */
function explainNoCancel(error, runId) {
    if (error instanceof js_client/* RunLostError */.iJ)
        return `The server no longer knows the run ${runId}, so there is nothing to stop`;
    const reason = (0,cause/* messageOf */.bD)(error);
    const later = 'The post step tries again. A run with a lease also ends when the lease does';
    if (isProxyResponse(error))
        return `The run ${runId} could not be told to stop: something in front of the server answered with a page. ${reason}. ${later}`;
    // Unknown address, unknown method, or unsupported for this run: retrying does not help.
    const cannot = error instanceof js_client/* ApiError */.hD && [404, 405, 422, 501].includes(error.status);
    return cannot
        ? `This server cannot cancel the run ${runId}, which may continue and cost money: ${reason}`
        : `Canceling the run ${runId} failed: ${reason}. ${later}`;
}

;// CONCATENATED MODULE: ./build/js/action/follow/follow-run.js





/** Share of the time left that a cancel request may take. The rest is for watching the run end. */
const requestShare = 0.7;
/** Limits after a timeout. Documented in docs/action.md. */
const onTimeoutMs = Object.freeze({ requestMs: 30_000, lookMs: 20_000 });
const releaseMs = 10_000;
/** The server inside the step reads them from disk. */
const lastEventsMs = 500;
/** Cancels the run if the step is canceled or its time is up. Never throws. */
async function followToEnd(following) {
    const { connection, cancellation, inputs, runId, liveLog } = following;
    let last;
    let lastSeq = 0;
    try {
        const limits = limitsOf(inputs);
        const onEvent = (event) => {
            lastSeq = event.seq;
            liveLog.noteEvent(event);
        };
        const shown = { onEvent, onStatesOnly: liveLog.noteStatesOnly };
        for await (const run of connection.client.runs.follow(runId, {
            signal: cancellation.signal,
            ...shown,
            ...limits,
        })) {
            last = run;
            liveLog.noteRun(run);
            if ((0,js_client/* isFinal */.dR)(run.state))
                return { outcome: { kind: 'ended' }, run, isDone: true };
            if (run.state === 'BLOCKED' && inputs.onBlocked !== 'wait') {
                await leave(following);
                return { outcome: { kind: 'blocked', isWanted: inputs.onBlocked === 'neutral' }, run, isDone: true };
            }
        }
        throw new Error('following ended before the run did');
    }
    catch (error) {
        if (error instanceof js_client/* AbortedError */.oM) {
            const requestMs = Math.ceil(cancellation.leftMs() * requestShare);
            const reason = 'the step was canceled';
            // The request leaves the rest: an agent that ignores the signal is killed within it.
            const lookMs = () => cancellation.leftMs();
            const { run, stopping, isDone } = await stop(following, last, { reason, requestMs, lookMs });
            await showEnd(following, run, lastSeq);
            return { outcome: { kind: 'step_cancelled', stopping }, run, isDone };
        }
        if (error instanceof js_client/* FollowTimeoutError */.Z1) {
            const { why, phase } = explainTimeout(error, following, last?.state);
            if (inputs.onTimeout === 'leave') {
                await leave(following);
                const run = await lookOnce(connection.client, runId, cancellation.signal);
                const fate = run === undefined ? 'The run may still be running on the server' : 'The run continues';
                const stopping = `${fate} (\`on_timeout: leave\`)`;
                return { outcome: { kind: 'timed_out', why, phase, stopping }, run: run ?? last, isDone: true };
            }
            const { run, stopping, isDone } = await stop(following, last, {
                reason: why,
                ...onTimeoutMs,
                signal: cancellation.lateSignal,
            });
            await showEnd(following, run, lastSeq);
            return { outcome: { kind: 'timed_out', why, phase, stopping }, run, isDone };
        }
        const lost = error instanceof js_client/* RunLostError */.iJ
            ? `The server no longer knows the run ${runId}`
            : `The step lost contact with the run ${runId}, so its outcome is unknown`;
        return { outcome: { kind: 'lost', why: `${lost}: ${(0,cause/* messageOf */.bD)(error)}` }, run: last, isDone: false };
    }
}
/** `cancel: true`: cancels a run and follows it to its end. */
async function cancelAndFollow(following) {
    const { connection, runId, inputs, cancellation } = following;
    try {
        const reason = 'a step with `cancel: true`';
        const signal = cancellation.lateSignal;
        await cancelRun(connection.client, runId, { reason, requestMs: 60_000, lookMs: 1, signal });
    }
    catch (error) {
        // If the step had no time left, the post step cancels it.
        const isDone = !cancellation.signal.aborted;
        return { outcome: { kind: 'cancel_asked', problem: explainNoCancel(error, runId) }, isDone };
    }
    if (!inputs.wait) {
        const run = await lookOnce(connection.client, runId, cancellation.lateSignal);
        // Name a run that reached its own end. Whether the end of a canceled run is seen here is chance, so it is left
        // out.
        const isEnded = run !== undefined && (0,js_client/* isFinal */.dR)(run.state) && run.state !== 'CANCELLED';
        return { outcome: { kind: isEnded ? 'cancel_asked' : 'started' }, run, isDone: true };
    }
    const ending = await followToEnd(following);
    return ending.outcome.kind === 'ended' ? { ...ending, outcome: { kind: 'cancel_asked' } } : ending;
}
/** With a separate queue limit, `timeout_minutes` covers only the work. */
function limitsOf({ timeoutMs, queueTimeoutMs, stallTimeoutMs }) {
    return queueTimeoutMs === undefined
        ? { timeoutMs, stallTimeoutMs }
        : { runTimeoutMs: timeoutMs, queueTimeoutMs, stallTimeoutMs };
}
function explainTimeout(error, { inputs, liveLog }, state) {
    const { phase, limit } = error;
    const { timeoutMs, queueTimeoutMs = 0, stallTimeoutMs = 0 } = inputs;
    if (phase === undefined) {
        const last = error.cause === undefined ? '' : `. The last error: ${(0,cause/* messageOf */.bD)(error.cause)}`;
        const input = limit === 'queue' ? 'queue_timeout_minutes' : 'timeout_minutes';
        const time = (0,tool_text/* describeSpan */.uM)(error.timeoutMs ?? 0);
        return { phase: 'follow', why: `The server did not answer with the run within ${time} (\`${input}\`)${last}` };
    }
    if (limit === 'queue') {
        const time = (0,tool_text/* describeSpan */.uM)(queueTimeoutMs);
        return { phase, why: `The run was still queued after ${time}. Raise \`queue_timeout_minutes\`, or start it later` };
    }
    if (limit === 'stall') {
        const time = (0,tool_text/* describeSpan */.uM)(stallTimeoutMs);
        return {
            phase,
            why: `The run stalled: it showed no activity for ${time}. Raise \`stall_timeout_minutes\` if it needs longer`,
        };
    }
    const time = `The run timed out after ${(0,tool_text/* describeSpan */.uM)(timeoutMs)}`;
    if (phase === 'queue')
        return { phase, why: `${time}, still in the queue. Raise \`timeout_minutes\`, or start it later` };
    if (state === 'BLOCKED')
        return {
            phase,
            why: `${time}: nobody answered the agent's question. Answer it in time, or raise \`timeout_minutes\``,
        };
    const where = liveLog.describeOpenCall(timeoutMs);
    return { phase, why: `${time}${where}. Raise \`timeout_minutes\`, or give the agent a smaller task` };
}
/** Lets a run continue without the step, which stops renewing its lease. */
async function leave({ connection, runId, inputs, cancellation }) {
    if (!inputs.lease)
        return;
    try {
        const signal = cancellation.lateSignal;
        await retryProxyResponses(totalTimeoutMs => connection.client.runs.releaseLease(runId, { totalTimeoutMs, signal }), {
            limitMs: releaseMs,
            signal,
        });
    }
    catch {
        // A service without leases has nothing to release. After other failures the lease ends the run, as if the step
        // were lost.
    }
}
/** The report includes the run's working time. Undefined if the server does not respond. */
async function lookOnce(client, runId, signal) {
    try {
        return await client.runs.retrieve(runId, { totalTimeoutMs: releaseMs, signal });
    }
    catch {
        return undefined;
    }
}
async function stop({ connection, runId, liveLog }, last, cancelling) {
    try {
        const run = (await cancelRun(connection.client, runId, cancelling)) ?? last;
        if (run !== undefined)
            liveLog.noteRun(run);
        // When the server inside the step ends, it kills what is left.
        const stopping = `The run was told to stop${connection.isEmbedded ? ', and ends with the step at the latest' : ''}`;
        return { run, stopping, isDone: run !== undefined && (0,js_client/* isFinal */.dR)(run.state) };
    }
    catch (error) {
        return { run: last, stopping: explainNoCancel(error, runId), isDone: error instanceof js_client/* RunLostError */.iJ };
    }
}
/** Shows how an agent inside the step stopped, such as that it had to be killed. No other log has that. */
async function showEnd({ connection, runId, liveLog, cancellation }, run, after) {
    if (!connection.isEmbedded || run === undefined || !(0,js_client/* isFinal */.dR)(run.state))
        return;
    const signal = AbortSignal.timeout(Math.ceil(Math.min(lastEventsMs, cancellation.leftMs())));
    try {
        for await (const event of connection.client.runs.events(runId, { after, signal }))
            liveLog.noteEvent(event);
    }
    catch {
        // The log has what came in time.
    }
}

// EXTERNAL MODULE: ./build/js/base/wording/usage-total.js
var usage_total = __nccwpck_require__(6449);
// EXTERNAL MODULE: ./build/js/base/wording/open-calls.js
var open_calls = __nccwpck_require__(573);
// EXTERNAL MODULE: ./build/js/action/text/redact.js
var redact = __nccwpck_require__(2160);
;// CONCATENATED MODULE: ./build/js/action/follow/recent-lines.js

/** Keeps the last lines of an endless stream. */
class RecentLines {
    #max;
    #lines = [];
    #count = 0;
    constructor(max) {
        this.#max = max;
    }
    get count() {
        return this.#count;
    }
    add(line) {
        this.#count += 1;
        this.#lines.push((0,budget/* keepHead */.sc)(line, { surface: 'logLine', room: longestUnits }));
        if (this.#lines.length > this.#max)
            this.#lines.shift();
    }
    /** The last lines, at most `count`, that fit into `budgets.lastLines`. */
    last(count) {
        let left = budget/* budgets */.RK.lastLines.max;
        let first = this.#lines.length;
        for (; first > Math.max(0, this.#lines.length - count); first -= 1) {
            left -= (0,budget/* measureText */.kD)(this.#lines[first - 1] ?? '', 'lastLines') + 1;
            if (left < 0)
                break;
        }
        return this.#lines.slice(first);
    }
}
/** Keeps one line with three bytes per character from using up the budget. */
const longestUnits = 2000;

;// CONCATENATED MODULE: ./build/js/action/follow/event-printer.js
/** Prints the agent's work in the step's log. Tools and output are in folded groups, which do not nest. */







const outputTitle = 'Output';
const streams = new Set(['stdout', 'stderr', 'system']);
/** Lines about the run between two lines of its agent. */
const toldLinesMax = 3;
/** An agent's line about its model. It explains a run that produced nothing else. */
const ofModel = /^(?:the model|Codex|Gemini CLI|opencode)\b/;
/** Output lines of one call among the last lines. Leaves room for what led to it. */
const keptOutputLines = 20;
const waitingMax = 200;
class EventPrinter {
    #printing;
    #lines = new js_client/* EventLines */.II();
    /** Since the agent's last line. */
    #told = new RecentLines(toldLinesMax);
    #recent = new RecentLines(budget/* lineBudgets */.pl.logEnd);
    /** Lines left out because the budget was used up. */
    #hidden = new RecentLines(budget/* lineBudgets */.pl.logEnd);
    #calls = new open_calls/* OpenCalls */.i();
    /** Calls that are not shown yet. Another call is open, and its result would appear below theirs. */
    #waiting = [];
    #shownCall;
    #group;
    #lastEvent = { atMs: 0, seenMs: performance.now() };
    #linesLeft;
    #bytesLeft;
    constructor(printing) {
        this.#printing = printing;
        const isCut = printing.level !== 'full';
        this.#linesLeft = isCut ? budget/* lineBudgets */.pl.log : Number.POSITIVE_INFINITY;
        this.#bytesLeft = isCut ? budget/* budgets */.RK.log.max : Number.POSITIVE_INFINITY;
    }
    /** Prints a line of our own, outside every group, at every level and beyond the budget. */
    say(line) {
        this.#closeGroup();
        this.#printing.host.print(line);
    }
    /** Redacts before cutting, because masks do not match a part of a secret. */
    print(given) {
        const event = { ...given, data: (0,redact/* redactAll */.$)(given.data, this.#printing.redact) };
        const atMs = Date.parse(event.at);
        this.#lastEvent = { atMs, seenMs: performance.now() };
        switch (event.type) {
            case 'log': {
                // Each stream keeps an unfinished line, and another service may name any number of streams.
                const { stream } = event.data;
                const data = { stream: streams.has(stream) ? stream : 'stdout', text: (0,tool_text/* textOfValue */.mG)(event.data.text) };
                if (data.stream === 'system')
                    this.endLines();
                const lines = this.#lines.read({ ...event, data }).map(({ text }) => text);
                if (data.stream !== 'system')
                    this.#showOutput(lines);
                else {
                    // Skip the workspace line, which says nothing about the agent, and warnings, which the summary lists
                    // separately.
                    if (event.data.level !== 'warning')
                        for (const line of lines)
                            if (!line.startsWith('workspace: '))
                                this.#told.add(line);
                    this.#showLines(lines);
                }
                return;
            }
            case 'message': {
                const { role, text } = event.data;
                this.#showWaiting();
                this.#closeGroup();
                const lines = this.#linesOf((0,tool_text/* textOfValue */.mG)(text));
                this.#keepRecent(lines);
                this.#show([`${(0,tool_text/* textOfValue */.mG)(role)}:`, ...lines.flatMap(quoteLines)]);
                return;
            }
            case 'tool_call': {
                const { id, name, input } = event.data;
                if (this.#waiting.length === waitingMax)
                    this.#showWaiting();
                const call = this.#calls.begin((0,tool_text/* textOfValue */.mG)(id), (0,tool_text/* textOfValue */.mG)(name), { input, atMs });
                if (this.#shownCall === undefined)
                    this.#showCall(call);
                else
                    this.#waiting.push(call);
                return;
            }
            case 'tool_result':
                this.#showResult(event.data, atMs);
                return;
            default:
        }
    }
    /** Tells which open call the time went to: `, 28 of them in \`npm test\``. '' if no call is open. */
    describeOpenCall(allMs) {
        const { atMs, seenMs } = this.#lastEvent;
        return this.#calls.describeOldest(atMs + performance.now() - seenMs, allMs);
    }
    /** Shows unfinished lines, when other lines or no more output follow. */
    endLines() {
        this.#showOutput(this.#lines.finish().map(({ text }) => text));
    }
    finish() {
        this.endLines();
        this.#showWaiting();
        this.#closeGroup();
        const { count } = this.#hidden;
        if (count === 0 || this.#printing.level === 'quiet')
            return;
        const lines = this.#hidden.last(budget/* lineBudgets */.pl.logEnd);
        this.#printing.host.group(`The last ${lines.length} of ${count} lines that were left out`);
        for (const line of lines)
            this.#printing.host.print(line);
        this.#printing.host.endGroup();
    }
    /** The last lines of the agent's messages, calls and output, as shown, with the lines about the run among them. */
    lastLines() {
        const told = this.#told.last(toldLinesMax);
        if (this.#recent.count === 0 && !told.some(line => ofModel.test(line)))
            return [];
        return [...this.#recent.last(budget/* lineBudgets */.pl.lastLines - told.length), ...told];
    }
    #keepRecent(lines) {
        if (lines.length === 0)
            return;
        for (const line of [...this.#told.last(toldLinesMax), ...lines])
            this.#recent.add(line);
        this.#told = new RecentLines(toldLinesMax);
    }
    #showOutput(lines) {
        // Waiting calls precede the output.
        if (lines.length > 0)
            this.#showWaiting();
        this.#keepRecent(lines);
        this.#showLines(lines);
    }
    #showLines(lines) {
        if (lines.length === 0)
            return;
        this.#showWaiting();
        this.#openGroup(outputTitle);
        this.#show(lines.flatMap(line => quoteLines(this.#cutLine(line))));
    }
    #showCall(call) {
        this.#closeGroup();
        this.#openGroup(call.title);
        this.#shownCall = call;
        this.#keepRecent([call.title]);
        this.#show(this.#linesOf(call.text, budget/* keepHead */.sc).flatMap(quoteLines));
    }
    #showWaiting() {
        const calls = this.#waiting;
        this.#waiting = [];
        for (const call of calls)
            this.#showCall(call);
    }
    #showResult(data, atMs) {
        const call = this.#calls.end((0,tool_text/* textOfValue */.mG)(data.id));
        if (call !== undefined && this.#waiting.includes(call)) {
            this.#waiting = this.#waiting.filter(other => other !== call);
            this.#showCall(call);
        }
        else if (call === undefined || this.#shownCall !== call) {
            // Other lines came in between.
            const title = `${call?.title ?? 'tool'} (result)`;
            this.#closeGroup();
            this.#openGroup(title);
            this.#keepRecent([title]);
        }
        const lines = this.#linesOf((0,tool_text/* textOfValue */.mG)(data.output), budget/* keepTail */.G9);
        this.#show(lines.flatMap(quoteLines));
        const end = (0,tool_text/* describeCallEnd */.J2)(data, call && atMs - call.sinceMs);
        const [first = '', second] = lines;
        if (second !== undefined || end?.endsWith(`: ${first}`) !== true)
            this.#keepRecent(lines.slice(-keptOutputLines).map(line => `  ${line}`));
        if (end !== undefined)
            this.#keepRecent([end]);
        // Groups are folded, and failures must be visible.
        if (data.is_error)
            this.#closeGroup();
        if (end !== undefined)
            this.#show([end]);
        this.#closeGroup();
        const next = this.#waiting.shift();
        if (next !== undefined)
            this.#showCall(next);
    }
    #linesOf(text, cut) {
        const shown = cut === undefined || this.#printing.level === 'full' ? text : cut(text, { surface: 'logLine', room: tool_text/* toolUnits */.Mi });
        return shown === ''
            ? []
            : shown
                .replace(/\n$/, '')
                .split('\n')
                .map(line => this.#cutLine(line));
    }
    #cutLine(line) {
        return this.#printing.level === 'full' ? line : (0,budget/* keepHead */.sc)(line, { surface: 'logLine' });
    }
    #openGroup(title) {
        if (this.#group === title)
            return;
        this.#closeGroup();
        if (this.#printing.level === 'quiet' || this.#linesLeft <= 0)
            return;
        this.#group = title;
        this.#printing.host.group(title);
    }
    #closeGroup() {
        if (this.#group !== undefined)
            this.#printing.host.endGroup();
        this.#group = undefined;
        this.#shownCall = undefined;
    }
    #show(lines) {
        if (this.#printing.level === 'quiet')
            return;
        for (const line of lines) {
            if (this.#linesLeft <= 0) {
                this.#hidden.add(line);
                continue;
            }
            this.#linesLeft -= 1;
            this.#bytesLeft -= (0,budget/* measureText */.kD)(line, 'log') + 1;
            if (this.#linesLeft > 0 && this.#bytesLeft >= 0)
                this.#printing.host.print(line);
            else
                this.#cut(line);
        }
    }
    #cut(line) {
        this.#linesLeft = 0;
        this.#hidden.add(line);
        const { address } = this.#printing;
        const where = address === undefined ? 'Set `log: full` to see all of it' : `All of it is at ${address}`;
        this.say(`The log is long, so the rest of the agent's output is left out here. ${where}`);
    }
}

;// CONCATENATED MODULE: ./build/js/action/follow/run-warnings.js
/** The server's warnings in a run's log: something was not done or not kept, and nothing else may show it. */


/** Another service may send any number of warnings. */
const keptMax = 8;
class RunWarnings {
    #texts = new Set();
    #leftOut = 0;
    note(event) {
        if (event.type !== 'log' || event.data.stream !== 'system' || event.data.level !== 'warning')
            return;
        const text = (0,budget/* keepHead */.sc)((0,tool_text/* textOfValue */.mG)(event.data.text), { surface: 'annotation' })
            .replace(/^warning: /, '')
            .trim();
        if (text === '' || this.#texts.has(text))
            return;
        if (this.#texts.size < keptMax)
            this.#texts.add(text);
        else
            this.#leftOut += 1;
    }
    /** In order, without repetitions. A final line counts those left out. */
    list() {
        return [...this.#texts, ...(this.#leftOut === 0 ? [] : [`${this.#leftOut} more warnings are in the run's log`])];
    }
}

;// CONCATENATED MODULE: ./build/js/action/follow/state-history.js
/** Limits memory for a server that changes states endlessly. */
const changesMax = 100;
const stateUnits = 100;
class StateHistory {
    #byEvents = [];
    #byRuns = [];
    #shown;
    /** Number of the last event that the shown state includes. */
    #shownSeq = 0;
    /** Returns the state if a reader does not know it yet. */
    noteRun({ state, last_seq = this.#shownSeq, updated_at, }) {
        if (last_seq < this.#shownSeq)
            return undefined;
        keepChange(this.#byRuns, { state: cut(state), at: updated_at });
        return this.#show(cut(state), last_seq);
    }
    /** The same for an event. `seq` is 0 if the client derived the events from the run. */
    noteEvent({ state, at, seq }) {
        keepChange(this.#byEvents, { state: cut(state), at });
        return seq > 0 && seq <= this.#shownSeq ? undefined : this.#show(cut(state), seq);
    }
    list() {
        const last = this.#byRuns.at(-1);
        if (this.#byEvents.length === 0)
            return [...this.#byRuns];
        const isMissing = last !== undefined && last.state !== this.#byEvents.at(-1)?.state && last.state === this.#shown;
        return isMissing ? [...this.#byEvents, last] : [...this.#byEvents];
    }
    #show(state, seq) {
        this.#shownSeq = Math.max(this.#shownSeq, seq);
        if (state === this.#shown)
            return undefined;
        this.#shown = state;
        return state;
    }
}
function keepChange(changes, change) {
    if (changes.at(-1)?.state === change.state)
        return;
    changes.push(change);
    if (changes.length > changesMax)
        changes.shift();
}
/** Another service may send any value. */
function cut(state) {
    return String(state).slice(0, stateUnits);
}

;// CONCATENATED MODULE: ./build/js/action/follow/live-log.js
/**
 * Shows in the step's log what a run does while it works, and keeps what the report needs. Nothing here throws or
 * decides: a fault of the log becomes a line in it. Memory is bounded, however much an agent prints.
 */






/** A step without output looks dead. */
const defaultHeartbeatMs = 60_000;
/** Limits writes to the output file for a server that changes states endlessly. */
const statesTellable = 20;
function startLiveLog(host, { silentMs }, { level, address, onState, heartbeatMs = defaultHeartbeatMs }) {
    const startedAt = performance.now();
    let printedAt = startedAt;
    const print = (line) => {
        printedAt = performance.now();
        host.print(line);
    };
    const printer = new EventPrinter({
        host: { print, group: title => host.group(title), endGroup: () => host.endGroup() },
        level,
        redact: host.redact,
        address: address === '' ? undefined : address,
    });
    const history = new StateHistory();
    const usage = new usage_total/* UsageTotal */.qX();
    const warnings = new RunWarnings();
    let isBroken = false;
    let statesTold = 0;
    const attempt = (show) => {
        try {
            show();
        }
        catch (error) {
            if (!isBroken)
                printer.say(`the log has a gap: ${(0,cause/* messageOf */.bD)(error)}`);
            isBroken = true;
        }
    };
    const sayState = (state) => {
        if (state === undefined)
            return;
        printer.say(`state: ${state}`);
        statesTold += 1;
        if (statesTold <= statesTellable)
            onState?.(state);
    };
    const heartbeat = setInterval(() => {
        if (performance.now() - printedAt >= heartbeatMs * 0.98)
            attempt(() => printer.say(describeSilence(performance.now() - startedAt, silentMs())));
    }, heartbeatMs);
    return {
        noteRun: run => attempt(() => sayState(history.noteRun(run))),
        noteEvent: event => attempt(() => {
            warnings.note(event);
            if (event.type === 'state') {
                printer.endLines();
                sayState(history.noteEvent({ state: event.data.state, at: event.at, seq: event.seq }));
            }
            else if (event.type === 'usage')
                usage.add(event.data);
            else
                printer.print(event);
        }),
        noteStatesOnly: () => attempt(() => printer.say('this server does not send the log of the agent, only the state of the run')),
        stop() {
            clearInterval(heartbeat);
            attempt(() => printer.finish());
        },
        lastLines: () => printer.lastLines(),
        // Every other level shows them right above the end.
        unseenLines: () => (level === 'quiet' ? printer.lastLines() : []),
        describeOpenCall: allMs => printer.describeOpenCall(allMs),
        states: () => history.list(),
        warnings: () => warnings.list(),
        usage: () => usage.read(),
    };
}
/** The line after a minute without news. It claims that the run works only if the server was heard. */
function describeSilence(runningMs, silentMs) {
    const minutes = (ms) => Math.round(ms / 60_000);
    if (silentMs >= defaultHeartbeatMs)
        return `the server has not answered for ${minutes(silentMs)} min, so the state of the run is unknown`;
    return `still running after ${minutes(runningMs)} min`;
}
/** Prints outside any group, because a person looks at the end of the log. */
function printLastLines(host, lines) {
    if (lines.length > 0)
        host.print('the last lines of the run:');
    for (const line of lines.flatMap(quoteLines))
        host.print(line);
}

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
        const { openGitHub } = await Promise.all(/* import() */[__nccwpck_require__.e(196), __nccwpck_require__.e(142)]).then(__nccwpck_require__.bind(__nccwpck_require__, 1142)).catch((cause) => {
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

;// CONCATENATED MODULE: ./build/js/action/host/step-state.js
/**
 * State that main leaves for post:
 * - `step_key`: a run with this label may exist. `run_id`: it does.
 * - `is_done`: nothing is left to stop. `last_state`: the run's state at that time.
 * - `comment`: where the comment is or will be. `is_comment_final`: it is complete, or cannot be changed.
 * - `verdict`: what the comment has to say, if main got that far.
 * - `is_cancelled`: the runner wanted the step to stop. `title`: the run's title in that case.
 * - `is_embedded`: the server ended with the step.
 */
const stateKeys = [
    'step_key',
    'run_id',
    'is_done',
    'last_state',
    'comment',
    'is_comment_final',
    'verdict',
    'is_cancelled',
    'title',
    'is_embedded',
];
/**
 * Saves that the server ends with the step, before any other state. An agent inside the step can print `save-state`
 * to its log, which the runner obeys. Values in the file take precedence over that. Throws CommandFileError.
 */
function saveEmbeddedState(host) {
    for (const key of stateKeys)
        host.saveState(key, key === 'is_embedded' ? 'true' : '');
}
function saveStepState(host, key, value) {
    host.saveState(key, value);
}
function readStepState(host, key) {
    const value = host.readState(key);
    return value === '' ? undefined : value;
}

// EXTERNAL MODULE: ./build/js/contract/tables/sizes.js
var sizes = __nccwpck_require__(4249);
// EXTERNAL MODULE: ./build/js/contract/tables/skill-spec.js
var skill_spec = __nccwpck_require__(9608);
;// CONCATENATED MODULE: ./build/js/action/inputs/embedded-inputs.js
/** The inputs of a step without a server. */



function readEmbedded(host) {
    return (0,values/* readAll */.yw)({
        command: () => (0,values/* readText */.yR)(host, 'command')?.trim(),
        passEnv: () => readNames(host),
        harnessVersion: () => readVersion(host),
        allowScript: () => (0,values/* readBoolean */.Vf)(host, 'allow_script', false),
        workingDirectory: () => (0,file_inputs/* readWorkingDirectory */.bq)(host),
    });
}
function readVersion(host) {
    const version = (0,values/* readWord */.pS)(host, 'harness_version');
    if (version === undefined || /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        return version;
    throw new values/* InputError */.dz(`\`harness_version\` must be an exact version such as 2.1.332, not ${(0,values/* quote */.hD)(version)}`);
}
function readNames(host) {
    const names = (0,values/* readWords */.ux)(host, 'pass_env') ?? [];
    const wrong = names.find(name => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
    if (wrong !== undefined)
        throw new values/* InputError */.dz(`\`pass_env\`: ${describeWrongName(wrong)} is not a variable name. Write only names here, and set the values under \`env:\``);
    return names;
}
/** The text may be a secret value without its name, so only a usual name is shown. */
function describeWrongName(text) {
    const [name = ''] = text.split('=');
    return (0,variable_name/* isUsualVariableName */.I)(name) ? (0,values/* quote */.hD)(name) : 'the value (not shown)';
}

// EXTERNAL MODULE: ./build/js/action/verdict/fail-when.js
var fail_when = __nccwpck_require__(1628);
// EXTERNAL MODULE: ./build/js/action/verdict/verdict.js
var verdict_verdict = __nccwpck_require__(6442);
;// CONCATENATED MODULE: ./build/js/action/inputs/fail-inputs.js



function readFailOn(host) {
    const words = (0,values/* readWords */.ux)(host, 'fail_on');
    if (words === undefined)
        return verdict_verdict/* badConclusions */.Ce;
    if (words.length === 1 && words[0] === 'none')
        return new Set();
    return new Set(words.map(word => (0,values/* checkWord */.RX)('fail_on', word, verdict_verdict/* conclusions */.fy)));
}
function readFailWhen(host) {
    const text = (0,values/* readWord */.pS)(host, 'fail_when');
    if (text === undefined)
        return undefined;
    const condition = (0,fail_when/* parseCondition */.zB)(text);
    if (condition === undefined)
        throw new values/* InputError */.dz(`\`fail_when\`: ${(0,values/* quote */.hD)(text)} is not a condition. Write a path, == or !=, and a value or a list, such as verdict == request_changes or verdict != [approve, comment]`);
    return condition;
}
/** Throws InputError if the step will not have the result that an input needs, before a run costs anything. */
function checkResultUses({ report, task, follow }) {
    const { failWhen, review } = report;
    const uses = [...(failWhen === undefined ? [] : ['fail_when']), ...(review === 'off' ? [] : ['review'])];
    const refuse = (why, name = 'fail_when') => {
        throw new values/* InputError */.dz(`\`${name}\`: ${why}`);
    };
    for (const name of uses) {
        if (!follow.wait)
            refuse(`the step does not wait for the result. Remove \`wait: false\`, or \`${name}\``, name);
        if (follow.cancel)
            refuse(`the step cancels the run. Remove one of \`cancel\` and \`${name}\``, name);
    }
    if (failWhen === undefined)
        return;
    // A run of another step has its own schema.
    if (follow.runId !== undefined)
        return;
    if (task.outputSchema === undefined)
        refuse('only a run with `output_schema` has a structured result. Set `output_schema`');
    const mismatch = task.outputSchema && (0,fail_when/* findMismatch */._n)(failWhen, task.outputSchema);
    if (mismatch !== undefined)
        refuse(mismatch);
}

// EXTERNAL MODULE: ./build/js/action/inputs/stray-inputs.js
var stray_inputs = __nccwpck_require__(350);
;// CONCATENATED MODULE: ./build/js/action/inputs/inputs.js
/** All inputs, read and checked once, in the form in which they are used. */










const defaultTimeoutMs = 60 * 60_000;
/** The step itself uses one pair. */
const metadataPairs = sizes/* sizes */.L.metadataPairs - 1;
/** Reads and checks all inputs. Throws InputError with every fault. */
async function readInputs(host) {
    const readers = {
        // First, so that keys are masked before anything is printed.
        place: () => readPlace(host),
        // A misspelled input explains why another seems to be missing.
        leg: () => {
            (0,values/* refuseFaults */.mG)((0,stray_inputs/* findStrayInputs */.y)(host));
            return { matrix: (0,values/* readTrimmed */.pC)(host, 'matrix_context') ?? 'null', jobIndex: (0,values/* readWord */.pS)(host, 'job_index') ?? '0' };
        },
        task: () => readTask(host),
        embedded: () => readEmbedded(host),
        follow: () => readFollow(host),
        report: () => readReport(host),
        trust: () => (0,values/* readAll */.yw)({
            allowBots: () => readBots(host),
            requirePermission: () => (0,values/* readChoice */.Kf)(host, 'require_permission', ['write', 'none']),
            eventContext: () => (0,values/* readChoice */.Kf)(host, 'event_context', ['auto', 'off']),
            onMissingCredentials: () => (0,values/* readChoice */.Kf)(host, 'on_missing_credentials', ['fail', 'skip']),
        }),
    };
    const read = await (0,values/* readAll */.yw)(readers, values => findLaterFaults(host, values));
    const { task, report, follow } = read;
    const isReview = report.review === 'on' && follow.runId === undefined;
    const outputSchema = task.outputSchema ?? (isReview ? review_schema/* reviewSchema */.Yg : undefined);
    const inputs = { ...read, task: { ...task, outputSchema } };
    checkResultUses(inputs);
    return Object.freeze(inputs);
}
/** Reads the server's address and key, which is all that the post step needs. Masks the key. Throws InputError. */
function readPlace(host) {
    return {
        apiKey: (0,values/* readSecret */.n5)(host, 'api_key'),
        baseUrl: (0,values/* readWord */.pS)(host, 'base_url'),
        caFile: (0,values/* readWord */.pS)(host, 'ca_file'),
        allowHttp: (0,values/* readBoolean */.Vf)(host, 'allow_http', false),
    };
}
/** Reads a value that comments show. If it is a key, it is masked, because the runner does not mask it there. */
function readPublicWord(host, name) {
    const word = (0,values/* readWord */.pS)(host, name);
    if (word !== undefined && /^(?:sk-|ar-|gh[a-z]_|github_pat_|AIza)|^\w{32,}$/.test(word))
        host.mask(word);
    return word;
}
function readTask(host) {
    return (0,values/* readAll */.yw)({
        prompt: () => {
            checkTask(host);
            return (0,file_inputs/* readPrompt */.$6)(host);
        },
        skill: () => readSkill(host),
        modelId: () => readPublicWord(host, 'model_id'),
        environmentId: () => (0,values/* readWord */.pS)(host, 'environment_id'),
        name: () => (0,values/* readWord */.pS)(host, 'name'),
        title: () => (0,values/* readTrimmed */.pC)(host, 'title'),
        basePrompt: () => (0,values/* readText */.yR)(host, 'base_prompt'),
        mcpServers: () => (0,file_inputs/* readMcpServers */.LX)(host),
        harness: () => readPublicWord(host, 'harness'),
        outputSchema: () => (0,file_inputs/* readOutputSchema */.P_)(host),
        metadata: () => (0,values/* readPairs */.SX)(host, 'metadata', metadataPairs),
    });
}
function readFollow(host) {
    return (0,values/* readAll */.yw)({
        wait: () => (0,values/* readBoolean */.Vf)(host, 'wait', true),
        runId: () => readRunId(host),
        cancel: () => readCancel(host),
        timeoutMs: () => (0,values/* readMinutes */.wM)(host, 'timeout_minutes') ?? defaultTimeoutMs,
        queueTimeoutMs: () => (0,values/* readMinutes */.wM)(host, 'queue_timeout_minutes'),
        stallTimeoutMs: () => (0,values/* readMinutes */.wM)(host, 'stall_timeout_minutes'),
        onTimeout: () => (0,values/* readChoice */.Kf)(host, 'on_timeout', ['cancel', 'leave']),
        onBlocked: () => (0,values/* readChoice */.Kf)(host, 'on_blocked', ['fail', 'wait', 'neutral']),
        rerun: () => (0,values/* readChoice */.Kf)(host, 'rerun', ['attach', 'new']),
        lease: () => (0,values/* readBoolean */.Vf)(host, 'lease', true),
    });
}
function readRunId(host) {
    const runId = (0,values/* readWord */.pS)(host, 'run_id');
    if (runId === undefined)
        return undefined;
    if (!/^[A-Za-z0-9._-]{1,200}$/.test(runId))
        throw new values/* InputError */.dz(`\`run_id\`: ${(0,values/* quote */.hD)(runId)} is not a run id. Use the output \`run_id\` of the step that started the run`);
    const given = taskInputs.find(name => (0,values/* isGiven */.qR)(host, name));
    if (given === undefined)
        return runId;
    throw new values/* InputError */.dz(`\`run_id\` names an existing run, but \`${given}\` is for a new one. Remove one of them${/^true$/i.test(host.readInput('cancel').trim()) ? ' (`cancel` starts no run)' : ''}`);
}
function readCancel(host) {
    const cancel = (0,values/* readBoolean */.Vf)(host, 'cancel', false);
    if (cancel && !(0,values/* isGiven */.qR)(host, 'run_id'))
        throw new values/* InputError */.dz('`cancel` is true, but `run_id` is empty. Set `run_id` to the run to cancel');
    return cancel;
}
function readReport(host) {
    return (0,values/* readAll */.yw)({
        failOn: () => readFailOn(host),
        failWhen: () => readFailWhen(host),
        requireResult: () => (0,values/* readChoice */.Kf)(host, 'require_result', ['auto', 'true', 'false']),
        log: () => (0,values/* readChoice */.Kf)(host, 'log', ['normal', 'full', 'quiet']),
        summary: () => (0,values/* readBoolean */.Vf)(host, 'summary', true),
        comment: () => (0,values/* readChoice */.Kf)(host, 'comment', ['off', 'on', 'on_failure']),
        review: () => (0,values/* readChoice */.Kf)(host, 'review', ['off', 'on']),
        commentKey: () => (0,values/* readWord */.pS)(host, 'comment_key'),
        githubToken: () => (0,values/* readSecret */.n5)(host, 'github_token'),
        resultFile: () => (0,file_inputs/* readResultFile */.kk)(host),
        annotations: () => (0,values/* readBoolean */.Vf)(host, 'annotations', true),
    });
}
function readBots(host) {
    const bots = (0,values/* readWords */.ux)(host, 'allow_bots') ?? [];
    const pattern = bots.find(bot => bot.includes('*'));
    if (pattern !== undefined)
        throw new values/* InputError */.dz(`\`allow_bots\`: ${(0,values/* quote */.hD)(pattern)} is a pattern. Write each login in full, such as dependabot[bot]`);
    return bots;
}
function readSkill(host) {
    const text = (0,values/* readWord */.pS)(host, 'skill_spec');
    try {
        return text === undefined ? undefined : (0,skill_spec/* parseSkillSpec */.el)(text);
    }
    catch (error) {
        throw new values/* InputError */.dz(`\`skill_spec\`: ${(0,cause/* messageOf */.bD)(error)}`);
    }
}
/** Inputs of a new run, in the order of the checks. */
const taskInputs = [
    ...['prompt', 'prompt_file', 'skill_spec', 'model_id', 'environment_id', 'name', 'title', 'base_prompt'],
    ...['mcp_servers', 'harness', 'output_schema', 'metadata'],
];
/** A step starts a new run or takes up an existing one. */
function checkTask(host) {
    if (['prompt', 'prompt_file', 'skill_spec', 'run_id'].some(name => (0,values/* isGiven */.qR)(host, name)))
        return;
    throw new values/* InputError */.dz('there is nothing to run. Set `prompt`, `prompt_file` or `skill_spec` under `with:`, or `run_id` to follow an existing run');
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

;// CONCATENATED MODULE: ./build/js/action/report/outputs.js
/** The step's outputs. action.yml declares the same names. */



/** Outputs before a run is known. */
const emptyOutputs = {
    run_id: '',
    run_url: '',
    state: '',
    conclusion: 'start_failed',
    failure_reason: 'The step ended before it reported a result',
    failure_phase: 'step',
    title: '',
    name: '',
    session_id: '',
    session_link: '',
    result: '',
    result_json: 'null',
    result_file: '',
    result_truncated: 'false',
    result_empty: 'true',
    status_message: '',
    error_code: '',
    artifacts: '[]',
    artifacts_folder: '',
    pull_request_url: '',
    patch_file: '',
    usage: '{}',
    created_at: '',
    started_at: '',
    finished_at: '',
    duration_seconds: '',
    attached: 'false',
};
/** Outputs of a step that is killed before it reports its run. */
const unendedOutputs = {
    conclusion: 'lost',
    failure_reason: 'The step ended before it reported the result of the run',
    failure_phase: 'step',
};
function setOutputs(host, outputs) {
    for (const [name, value] of Object.entries(outputs))
        host.setOutput(name, value);
}
/** Cuts the values, because another service may send more than a job's outputs can hold. */
function outputsOfRun(run, { usage, link }) {
    const durationSeconds = workedSeconds(run);
    return {
        state: say(run.state),
        title: say(run.title),
        name: say(run.agent_config?.name),
        session_id: say(run.session_id),
        status_message: say(run.status_message?.message),
        error_code: say((0,verdict_verdict/* readCode */.wr)(run)),
        ...outputOfArtifacts(run),
        pull_request_url: findPullRequest(run) ?? '',
        usage: jsonWithin(usage ?? {}, '{}'),
        created_at: say(run.created_at),
        started_at: say(run.started_at),
        finished_at: say(run.finished_at),
        duration_seconds: durationSeconds === undefined ? '' : String(durationSeconds),
        ...(link === undefined ? {} : { session_link: link }),
    };
}
function outputOfArtifacts({ artifacts }) {
    return { artifacts: jsonWithin(artifacts ?? [], '[]') };
}
function say(text) {
    return (0,budget/* keepHead */.sc)(text ?? '', { surface: 'words' });
}
/**
 * Returns the agent's working time in seconds, by the server's clock, to a tenth. Undefined while it may be working.
 */
function workedSeconds(run) {
    if (run.started_at == null || !(0,js_client/* isFinal */.dR)(run.state))
        return undefined;
    const [, measured] = /^PT([\d.]+)S$/.exec(run.run_time ?? '') ?? [];
    // The server measures it with a monotonic clock. Other services send other forms, or nothing.
    const ms = measured === undefined
        ? Date.parse(run.finished_at ?? run.updated_at) - Date.parse(run.started_at)
        : Number(measured) * 1000;
    return Number.isFinite(ms) ? Math.max(0, Math.round(ms / 100) / 10) : undefined;
}
/** URL of the last pull request that the run opened. */
function findPullRequest({ artifacts }) {
    const urls = (artifacts ?? []).map(({ artifact_type: type, data }) => (type === 'PULL_REQUEST' ? data.url : ''));
    return urls.findLast(url => /^https?:\/\/[!-~]+$/.test(url));
}
function jsonWithin(value, otherwise) {
    const text = JSON.stringify(value);
    return (0,budget/* measureText */.kD)(text, 'list') <= budget/* budgets */.RK.list.max ? text : otherwise;
}

// EXTERNAL MODULE: ./build/js/border/downloads.js
var downloads = __nccwpck_require__(7264);
// EXTERNAL MODULE: ./build/js/action/report/saved-patch.js
var saved_patch = __nccwpck_require__(3592);
;// CONCATENATED MODULE: ./build/js/action/report/kept-artifacts.js



/** Keeps to the server's limits for a run. Returns paths by ID, and why files are missing. */
async function keepArtifacts(connection, run, { folder, except, signal }) {
    const files = (run.artifacts ?? []).filter(artifact => (0,saved_patch/* fileUid */.VD)(artifact) !== except);
    return await (0,downloads/* saveArtifacts */.r)((0,saved_patch/* sourceOf */.vz)(connection), files, { folder, bytesMax: sizes/* sizes */.L.artifactBytes, signal });
}
function hasFiles(run, except) {
    return (run.artifacts ?? []).some(artifact => (0,saved_patch/* fileUid */.VD)(artifact) !== undefined && (0,saved_patch/* fileUid */.VD)(artifact) !== except);
}
/** Returns the run with a `path` for each file: its place on this runner, or null if it is missing. */
function addPaths(run, paths) {
    if (run.artifacts === undefined)
        return run;
    const artifacts = run.artifacts.map(artifact => {
        const uid = (0,saved_patch/* fileUid */.VD)(artifact);
        return uid === undefined ? artifact : { ...artifact, data: { ...artifact.data, path: paths.get(uid) ?? null } };
    });
    return { ...run, artifacts: artifacts };
}

;// CONCATENATED MODULE: ./build/js/action/report/report-time.js
/** The time limit for reporting a step's end: a deadline, and an early end when the runner wants the step to stop. */
/** `readMs` is the share for requests to a server. Documented in docs/action.md. */
const reportTimes = Object.freeze({ wholeMs: 120_000, readMs: 60_000 });
/** Time for file writes in a canceled step. */
const hurriedWriteMs = 1000;
/** Starts the clock. `stop` aborts when the runner wants the step to stop. */
function startReportTime(stop, { wholeMs, readMs } = reportTimes) {
    const [reading, telling, writing] = [new AbortController(), new AbortController(), new AbortController()];
    const timers = [];
    const abortAfter = (ms, why, ...controllers) => {
        const abort = () => {
            for (const controller of controllers)
                controller.abort(new Error(why));
        };
        timers.push(setTimeout(abort, ms));
    };
    const over = (ms) => `the limit of ${ms / 1000} s for reporting was reached`;
    abortAfter(readMs, over(readMs), reading);
    abortAfter(wholeMs, over(wholeMs), telling, writing);
    const hurry = () => {
        for (const controller of [reading, telling])
            controller.abort(new Error(stopping));
        abortAfter(hurriedWriteMs, stopping, writing);
    };
    stop.addEventListener('abort', hurry, { once: true });
    if (stop.aborted)
        hurry();
    return {
        reading: reading.signal,
        telling: telling.signal,
        writing: writing.signal,
        end() {
            stop.removeEventListener('abort', hurry);
            for (const timer of timers)
                clearTimeout(timer);
        },
    };
}
const stopping = 'the step is being stopped';
/** Returns the work's value. Rejects with the signal's reason as soon as it aborts, even if the work continues. */
async function waitWithin(signal, work) {
    const { promise: over, reject } = Promise.withResolvers();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted)
        stop();
    try {
        return await Promise.race([work, over]);
    }
    finally {
        signal.removeEventListener('abort', stop);
    }
}

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __nccwpck_require__(8161);
// EXTERNAL MODULE: ./build/js/contract/tables/run-text.js
var run_text = __nccwpck_require__(3956);
// EXTERNAL MODULE: ./build/js/action/text/open-fence.js
var open_fence = __nccwpck_require__(6685);
// EXTERNAL MODULE: ./build/js/action/report/result-words.js
var result_words = __nccwpck_require__(2575);
;// CONCATENATED MODULE: ./build/js/action/report/saved-result.js





class ResultFileError extends Error {
    name = 'ResultFileError';
}
/** A reader sees either the whole file or the previous one. Throws ResultFileError with the remedy. */
async function writeResultFile({ path, text }) {
    if (/[/\\]$/.test(path) || (await isFolder(path)))
        throw new ResultFileError(`\`result_file\`: ${JSON.stringify(path)} is a folder. Give the path of a file`);
    // In the same folder, because a rename cannot cross file systems.
    const draft = `${path}.${(0,external_node_crypto_.randomUUID)()}.tmp`;
    try {
        await (0,folders/* makeFolder */.fc)((0,external_node_path_.dirname)(path));
        await (0,promises_.writeFile)(draft, text, { flag: 'wx' });
        await (0,promises_.rename)(draft, path);
    }
    catch (error) {
        await (0,promises_.rm)(draft, { force: true }).catch(() => { });
        const why = (0,cause/* messageOf */.bD)(error);
        throw new ResultFileError(`\`result_file\`: ${JSON.stringify(path)} cannot be written (${why}). Give a path that this step can write to`, { cause: error });
    }
}
async function isFolder(path) {
    try {
        return (await (0,promises_.stat)(path)).isDirectory();
    }
    catch {
        // A missing file is fine. Any other reason appears when the file is written.
        return false;
    }
}

;// CONCATENATED MODULE: ./build/js/action/report/result.js
/** The run's result: everything that the server keeps of it in a file, and a bounded part in the outputs. */













function resultOf(run) {
    const { text = '', truncated = false } = run?.result ?? {};
    return makeResult(run, text, truncated);
}
/**
 * Reads everything that the server keeps of a result, if the run has only a part. Returns that part if the server has
 * no more. Throws the client's errors.
 */
async function readResult(run, { client }, signal) {
    try {
        return makeResult(run, await retryProxyResponses(() => client.runs.result(run.run_id, { signal }), { signal }), false);
    }
    catch (error) {
        if (!(error instanceof js_client/* FeatureUnavailableError */.zz))
            throw error;
        return resultOf(run);
    }
}
function makeResult(run, text, isPart) {
    const leftOutBytes = run?.result?.left_out_bytes;
    if (leftOutBytes === undefined)
        return { text, isPart };
    return { text, isPart, cut: { leftOutBytes, keptBytes: Buffer.byteLength(text) } };
}
/** Returns the result file's path: the workflow's choice, otherwise a place that is deleted with the job. */
async function resultPath(asked, folder, { workspace }) {
    if (asked !== undefined)
        return (0,external_node_path_.resolve)(workspace ?? '.', asked);
    return (0,external_node_path_.join)(await folder(), 'result.md');
}
/** With a known folder name, an agent inside the step could place links and pipes. */
async function makeKeptFolder(tempDir = (0,external_node_os_.tmpdir)()) {
    await (0,folders/* makeFolder */.fc)(tempDir);
    return await (0,promises_.mkdtemp)((0,external_node_path_.join)(tempDir, 'agent-run-kept-'));
}
/**
 * Writes the file and returns the outputs. A note in the file tells what is missing. `result_file` has everything
 * that the server keeps, or is empty, so a partial result is not named. Throws if the file cannot be written.
 * `outputsOfResult` without a path still works then.
 */
async function keepResult(run, result, path) {
    const structured = structuredOf(run);
    // A structured result may come without text, and may be longer than an output.
    const text = result.text.trim() === '' && structured !== undefined ? structured : result.text;
    if (text === '')
        return outputsOfResult(run, result, '');
    const { isPart, cut } = result;
    const kept = (0,run_text/* printRunText */.G)({ text, leftOutBytes: cut?.leftOutBytes ?? 0 });
    await writeResultFile({ path, text: isPart ? `${kept}\n\n${(0,result_words/* noteOnPart */.M)(result)}\n` : kept });
    return outputsOfResult(run, result, result.isPart ? '' : path);
}
function outputsOfResult(run, result, path) {
    const { text, isPart, cut } = result;
    const where = (0,result_words/* describeWhere */.t)(result, path === '' ? undefined : `in the file ${path}`);
    const shown = isPart
        ? showPart(result)
        : (0,budget/* keepTail */.G9)(text, { surface: 'result', where, missingBytes: cut?.leftOutBytes });
    const structured = structuredOf(run);
    const isCut = isPart || shown !== text || (structured !== undefined && !fitsOutput(structured));
    return {
        result: shown,
        result_json: printJson(structured, isPart ? '' : text),
        result_file: path,
        result_truncated: isCut ? 'true' : 'false',
        result_empty: (0,verdict_verdict/* isResultEmpty */.xm)(run) ? 'true' : 'false',
    };
}
function showPart(result) {
    const { text } = result;
    if (text === '')
        return '';
    const note = `\n\n${(0,result_words/* noteOnPart */.M)(result)}`;
    return `${(0,budget/* keepHead */.sc)(text, { surface: 'result', room: budget/* budgets */.RK.result.max - (0,budget/* measureText */.kD)(note, 'result') })}${note}`;
}
function structuredOf({ result }) {
    return JSON.stringify(result?.structured);
}
/** The structured result, otherwise the text if it is JSON, otherwise null. */
function printJson(structured, text) {
    const json = structured ?? compactJson(text);
    return fitsOutput(json) ? json : 'null';
}
function fitsOutput(json) {
    return (0,budget/* measureText */.kD)(json, 'resultJson') <= budget/* budgets */.RK.resultJson.max;
}
/** Keeps the digits of numbers. Returns invalid JSON unchanged. */
function compactJson(text) {
    if (text.length > budget/* budgets */.RK.resultJson.max * 4)
        return 'null';
    const json = [text, (0,terminal_text/* drawnText */.ai)(text)].map(open_fence/* removeFence */.a).find(isJson);
    return json === undefined ? 'null' : printCompact(json);
}
function isJson(text) {
    try {
        JSON.parse(text);
        return true;
    }
    catch {
        return false;
    }
}
function printCompact(json) {
    return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}

;// CONCATENATED MODULE: ./build/js/action/report/step-comment.js
/**
 * The step's comment: "running" at first, then the end. The post step writes the end if main could not. It is written
 * in parallel with the run and never delays it. Its code is loaded only if there is a comment.
 */





/** Returns at once. A failure becomes a warning. Undefined if there is no comment to write. */
function beginComment(host, options) {
    const { inputs, context, github, run, signal } = options;
    const { comment: when } = inputs.report;
    if (when === 'off')
        return undefined;
    const hurry = new AbortController();
    const { jobUrl } = context;
    const open = async () => {
        if (github === undefined)
            throw new Error('`comment` needs `github_token`, which is empty. Remove the input to use the token of the job');
        return { kept: await findPlace(options), github };
    };
    const begin = async () => {
        let opened;
        try {
            opened = await open();
            const kept = { ...opened.kept, run };
            // Saved before there is anything to write: a killed step has failed, and only the post step can say so.
            saveStepState(host, 'comment', JSON.stringify(kept));
            if (when !== 'on' || run === undefined)
                return opened;
            const use = { limitMs: gitHubLimits.firstComment, signal, hurry: hurry.signal };
            await write(host, { kept, github: opened.github, use, jobUrl, state: { kind: 'running' } });
        }
        catch (error) {
            // The end tries again and reports a lasting failure.
            if (opened === undefined && !signal.aborted)
                host.warn(`the comment could not be written: ${(0,cause/* messageOf */.bD)(error)}`);
        }
        return opened;
    };
    const begun = begin();
    return {
        async end({ state, title, run: last, isRed, signal: over }) {
            // Two concurrent writers would create two comments.
            hurry.abort();
            const opened = await begun;
            if (opened === undefined || over.aborted)
                return;
            const kept = { ...opened.kept, title, run: last };
            const use = { limitMs: gitHubLimits.lastComment, signal: over };
            try {
                await write(host, { kept, github: opened.github, use, jobUrl, state, creates: when === 'on' || isRed });
            }
            catch (error) {
                // The post step would be refused too, and would only repeat the warning.
                if (await isRefused(error))
                    saveStepState(host, 'is_comment_final', 'true');
                throw error;
            }
            saveStepState(host, 'is_comment_final', 'true');
        },
    };
}
async function isRefused(error) {
    const { GitHubError } = await __nccwpck_require__.e(/* import() */ 361).then(__nccwpck_require__.bind(__nccwpck_require__, 6361));
    return error instanceof GitHubError && error.isRefusal;
}
/** Throws an Error with a sentence if the event has nothing to comment on. */
async function findPlace({ inputs, context }) {
    const { report, task, leg } = inputs;
    const { readEvent } = await __nccwpck_require__.e(/* import() */ 435).then(__nccwpck_require__.bind(__nccwpck_require__, 3435));
    const event = readEvent(context);
    const [owner, repo] = event?.repository?.split('/') ?? [];
    const number = event?.subject?.kind === 'discussion' ? undefined : event?.subject?.number;
    if (owner === undefined || repo === undefined || number === undefined)
        throw new Error(`\`comment\` is ${report.comment}, but the event ${context.eventName ?? 'of this job'} has no issue or pull request to comment on`);
    const key = keyOfStep({ inputs, context });
    const label = (0,heading/* labelOfStep */.w4)({ matrix: leg.matrix, name: task.name });
    const isOnFailure = report.comment === 'on_failure';
    return { owner, repo, number, key, title: task.title, label, run: undefined, isOnFailure };
}
/** Tells what this step writes on GitHub from what others write. */
function keyOfStep({ inputs, context }) {
    const { report, leg } = inputs;
    const { workflow, job, step } = context;
    return report.commentKey ?? [workflow, job, step, leg.matrix === 'null' ? '' : leg.matrix].join('/');
}
/** Leaves the verdict for the post step. Throws CommandFileError. */
function keepVerdict(host, { sentence, title, ...verdict }) {
    const [said, called] = [sentence, title].map(text => text && shorten(host, text));
    saveStepState(host, 'verdict', JSON.stringify({ ...verdict, sentence: said, title: called }));
}
/** Tells the post step that the runner wanted the step to stop. Throws CommandFileError. */
function keepCancelled(host, title) {
    saveStepState(host, 'is_cancelled', 'true');
    if (title !== undefined)
        saveStepState(host, 'title', shorten(host, title));
}
function shorten(host, text) {
    return (0,budget/* keepHead */.sc)(host.redact(text), { surface: 'annotation' });
}
/**
 * Called by the post step. Writes the verdict if main could not, or that the step was stopped. Throws GitHubError.
 */
async function repairComment(host, context, { token, network, sentence }) {
    const text = readStepState(host, 'comment');
    if (text === undefined || token === undefined || readStepState(host, 'is_comment_final') !== undefined)
        return;
    const kept = JSON.parse(text);
    const said = readStepState(host, 'verdict');
    const verdict = said === undefined ? undefined : JSON.parse(said);
    const wasCancelled = readStepState(host, 'is_cancelled') !== undefined;
    const { apiUrl, jobUrl } = context;
    const github = createStepGitHub(host, { token, apiUrl, network });
    await write(host, {
        kept: { ...kept, title: verdict?.title ?? readStepState(host, 'title') ?? kept.title },
        github,
        use: { limitMs: gitHubLimits.post },
        jobUrl,
        state: verdict === undefined
            ? { kind: wasCancelled ? 'step_cancelled' : 'step_gone', sentence }
            : { kind: 'ended', conclusion: verdict.conclusion, sentence: verdict.sentence, result: undefined },
        creates: !kept.isOnFailure || (verdict?.isRed ?? true),
    });
}
async function write(host, { kept, github, use, creates, jobUrl, state }) {
    const [api, { markerOf, upsertComment }, { printComment }] = await Promise.all([
        github(use),
        __nccwpck_require__.e(/* import() */ 887).then(__nccwpck_require__.bind(__nccwpck_require__, 6887)),
        Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(589)]).then(__nccwpck_require__.bind(__nccwpck_require__, 3589)),
    ]);
    const { owner, repo, number, key, title, label, run } = kept;
    const marker = markerOf(key);
    const body = printComment({ marker, title, label, run, jobUrl, state }, host.redact);
    await upsertComment(api, { owner, repo, number, marker, body, creates });
}

;// CONCATENATED MODULE: ./build/js/action/report/step-review.js






/**
 * Runs before the agent, which could change the event's file. Undefined if there is no review to post. Throws
 * InputError if posting is impossible, before a run costs anything.
 */
async function prepareReview(host, { inputs, context, github }) {
    if (inputs.report.review === 'off')
        return undefined;
    if (github === undefined)
        throw new values/* InputError */.dz('`review`: `github_token` is empty. Remove that input to use the token of the job');
    const { readEvent } = await __nccwpck_require__.e(/* import() */ 435).then(__nccwpck_require__.bind(__nccwpck_require__, 3435));
    const { subject, head, sha: commit } = readEvent(context) ?? {};
    if (subject?.kind !== 'pull_request' || head === undefined || commit === undefined)
        throw new values/* InputError */.dz(`\`review\`: the event ${context.eventName ?? 'of this job'} has no pull request with a commit. Start the workflow on \`pull_request\``);
    const pull = { number: subject.number, commit };
    return async ({ result }, signal) => {
        const { postReview } = await Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(357), __nccwpck_require__.e(732)]).then(__nccwpck_require__.bind(__nccwpck_require__, 3732));
        const api = await github({ limitMs: gitHubLimits.review, signal });
        const key = keyOfStep({ inputs, context });
        return await postReview({ host, context, pull, github: api, answer: result?.structured, key });
    };
}
/** Never throws. */
async function settleReview(verdict, post, signal) {
    try {
        signal.throwIfAborted();
        const posted = await waitWithin(signal, post(signal));
        return { posted, verdict: 'secret' in posted ? (0,verdict_verdict/* decideUnposted */.Bi)(verdict, posted.secret) : verdict };
    }
    catch (error) {
        return { verdict: (0,verdict_verdict/* decideUnposted */.Bi)(verdict, (0,cause/* messageOf */.bD)(error)) };
    }
}

;// CONCATENATED MODULE: ./build/js/action/report/report.js
/**
 * Reports a step's end: outputs, result, comment, summary, and finally the reason, where a person looks. The most
 * valuable parts come first, so that they exist even if later ones fail. A failed part becomes a warning and does not
 * affect the others. The summary lists every warning, so it follows everything that may fail.
 */













/** Ends within `times`, and soon after the step is canceled. Never throws. */
async function reportEnd(end, times = reportTimes) {
    const time = startReportTime(end.signal, times);
    try {
        await reportParts(end, time);
    }
    finally {
        time.end();
    }
}
async function reportParts(end, time) {
    const { host, inputs, signal, liveLog, connection } = end;
    let { run } = end;
    // In parallel with what has the shorter limit.
    const settling = startReview(end, time);
    let settled = { verdict: end.verdict };
    const attempt = async (what, write) => {
        try {
            await write();
        }
        catch (error) {
            host.warn(`${what}: ${(0,cause/* messageOf */.bD)(error)}`);
        }
    };
    const usage = run?.request_usage ?? liveLog?.usage();
    let result = resultOf(run);
    let file = '';
    let changes;
    await attempt('the outputs could not be written', () => {
        if (settling === undefined)
            tellVerdict(end, end.verdict);
        setOutputs(host, {
            ...(run && outputsOfRun(run, { usage, link: connection?.linkOf(run) })),
            ...(run && outputsOfResult(run, result, '')),
            ...(end.verdict.code !== undefined && { error_code: end.verdict.code }),
        });
    });
    if (run !== undefined) {
        const ended = run;
        let late = {};
        let made;
        const folder = () => (made ??= makeKeptFolder(end.context.tempDir));
        const patch = (0,saved_patch/* findPatch */.Yn)(run);
        const paths = new Map();
        // A server keeps its runs' files.
        const isLeaving = connection?.isEmbedded === true;
        // In parallel, so that one missing file does not use up the others' time.
        if (connection !== undefined && !signal.aborted)
            await Promise.all([
                result.isPart &&
                    attempt('the complete result could not be read', async () => {
                        result = await waitWithin(time.reading, readResult(ended, connection, time.reading));
                        late = { ...late, ...outputsOfResult(ended, result, '') };
                    }),
                patch !== undefined &&
                    attempt('the patch could not be written', async () => {
                        const path = (0,external_node_path_.join)(await waitWithin(time.reading, folder()), 'changes.patch');
                        changes = await waitWithin(time.reading, (0,saved_patch/* writePatchFile */.Ub)(connection, patch, { path, signal: time.reading }));
                        late = { ...late, patch_file: path };
                        paths.set(patch, path);
                    }),
                isLeaving &&
                    hasFiles(run, patch) &&
                    attempt('some files that the agent left could not be copied', async () => {
                        const place = (0,external_node_path_.join)(await waitWithin(time.reading, folder()), 'artifacts');
                        const keeping = { folder: place, except: patch, signal: time.reading };
                        const kept = await waitWithin(time.reading, keepArtifacts(connection, ended, keeping));
                        for (const [uid, path] of kept.paths)
                            paths.set(uid, path);
                        if (kept.paths.size > 0)
                            late = { ...late, artifacts_folder: place };
                        if (kept.faults.length > 0)
                            throw new Error(kept.faults.join('; '));
                    }),
            ]);
        if (isLeaving) {
            run = addPaths(ended, paths);
            late = { ...late, ...outputOfArtifacts(run) };
        }
        await attempt('the result file could not be written', async () => {
            const path = await waitWithin(time.writing, resultPath(inputs.resultFile, folder, end.context));
            const outputs = await waitWithin(time.writing, keepResult(ended, result, path));
            file = outputs.result_file ?? '';
            late = { ...late, ...outputs };
            if (result.isPart && result.text !== '')
                host.warn(`the result is incomplete ${(0,result_words/* noteOnPart */.M)(result)}. \`result_file\` is empty; the part that was read is in ${path}`);
        });
        await attempt('the outputs could not be written', () => setOutputs(host, late));
        if (result.cut !== undefined && !result.isPart)
            host.warn(`the result is incomplete: ${(0,result_words/* describeWhere */.t)(result, file === '' ? undefined : `in ${file}`)}`);
    }
    const facts = { run, durationSeconds: run && workedSeconds(run), usage, changes };
    warnOfRun(end);
    if (settling !== undefined) {
        settled = await settling;
        await attempt('the outputs could not be written', () => tellVerdict(end, settled.verdict));
    }
    const { verdict, posted } = settled;
    const sentence = sayReason(verdict);
    const hasSecret = posted !== undefined && 'secret' in posted;
    if (hasSecret)
        result = { text: '', isPart: false };
    // A canceled step has no time for it. The post step does it.
    if (end.comment !== undefined && !signal.aborted) {
        const told = reportComment(end, { settled, result, facts, resultFile: file, signal: time.telling });
        await attempt('the comment could not be written', () => waitWithin(time.telling, told));
    }
    if (inputs.summary)
        await attempt('the summary could not be written', async () => {
            const { printSummary } = await Promise.all(/* import() */[__nccwpck_require__.e(251), __nccwpck_require__.e(795)]).then(__nccwpck_require__.bind(__nccwpck_require__, 7795));
            const summary = printSummary({
                ...facts,
                conclusion: verdict.conclusion,
                title: end.title,
                label: end.label,
                sentence,
                result,
                resultFile: file,
                known: end.runId === undefined ? undefined : { runId: end.runId, address: end.address },
                isWithinStep: connection?.isEmbedded,
                // The agent may have printed the secret, too.
                lastLines: hasSecret ? [] : (liveLog?.lastLines() ?? []),
                states: liveLog?.states() ?? [],
                warnings: host.warned(),
                roomBytes: host.summaryRoom(),
            }, host.redact);
            if (summary !== '')
                await host.appendSummary(summary);
            else
                host.warn('the summary of this step is full (1 MiB), so the report of the run is left out');
        });
    printEnd(end, verdict);
}
/** Undefined if there is no review to post. */
function startReview({ run, review, verdict }, time) {
    const hasAnswer = verdict.conclusion === 'succeeded' || verdict.conclusion === 'rejected';
    if (run === undefined || review === undefined || !hasAnswer)
        return undefined;
    return settleReview(verdict, signal => review(run, signal), time.telling);
}
function tellVerdict({ host, keepVerdict }, verdict) {
    keepVerdict?.(verdict);
    setOutputs(host, {
        conclusion: verdict.conclusion,
        failure_reason: sayReason(verdict) ?? '',
        failure_phase: verdict.phase ?? '',
    });
}
/** For people. A run's own fields are data and stay as they are. */
function sayReason({ sentence }) {
    return sentence && (0,budget/* keepHead */.sc)((0,terminal_text/* plainLine */.h0)((0,terminal_text/* terminalText */.eR)(sentence)), { surface: 'annotation' });
}
async function reportComment({ comment, run, runId, title, address, inputs }, { settled: { verdict, posted }, result, facts, resultFile, signal }) {
    const { conclusion } = verdict;
    const review = posted !== undefined && 'title' in posted ? posted : undefined;
    const shown = review === undefined ? { result, resultFile } : { result: undefined, review };
    await comment?.end({
        state: { kind: 'ended', conclusion, sentence: sayReason(verdict), facts, ...shown },
        title: run?.title ?? title,
        run: runId === undefined ? undefined : { runId, address },
        isRed: (0,verdict_verdict/* isRed */.iI)(verdict, inputs.failOn),
        signal,
    });
}
function warnOfRun({ host, verdict, liveLog, run }) {
    for (const warning of liveLog?.warnings() ?? [])
        host.warn(warning);
    const code = run && (0,verdict_verdict/* readCode */.wr)(run);
    if (run?.state === 'SUCCEEDED' && code !== undefined)
        host.warn(`the run succeeded, but the server also reported ${code}: ${run.status_message?.message}`);
    if (verdict.conclusion === 'succeeded' && run !== undefined && (0,verdict_verdict/* isResultEmpty */.xm)(run))
        host.warn('the run succeeded but left no result. To make that a failure, set `require_result: true`');
}
/** Prints the end of the log. Only the verdict sets the exit code. */
function printEnd({ host, inputs, liveLog, address, connection }, verdict) {
    const { conclusion } = verdict;
    const sentence = sayReason(verdict);
    // A run inside the step is shown in this same log.
    const where = address === '' || connection?.isEmbedded === true ? '' : `. See ${address}`;
    const isStepRed = (0,verdict_verdict/* isRed */.iI)(verdict, inputs.failOn);
    const named = isStepRed ? `conclusion: ${conclusion}, which \`fail_on\` lists` : `conclusion: ${conclusion}`;
    const line = `${sentence ?? named}${where}`;
    if (isStepRed) {
        printLastLines(host, liveLog?.unseenLines() ?? []);
        host.fail(line);
    }
    else if (sentence !== undefined)
        host.warn(line);
    host.print(`conclusion: ${conclusion}`);
}

// EXTERNAL MODULE: ./build/js/base/text.js
var base_text = __nccwpck_require__(9199);
;// CONCATENATED MODULE: ./build/js/action/start/base-instructions.js
/**
 * A pull request from a fork: while an agent works in the step, the instruction files of the checkout are those of the
 * base branch.
 */



/** Events whose GITHUB_SHA is a commit of the repository itself, not of the pull request. */
const insideCommits = new Set(['issue_comment', 'pull_request_target', 'workflow_run']);
const namedMax = 10;
/** Undefined if nothing had to be replaced. Throws git's and the file system's errors: the agent must not start then. */
async function useBaseInstructions(request) {
    const { host, context, folder, signal } = request;
    const { eventName, sha } = context;
    if (eventName === undefined || !(eventName.startsWith('pull_request') || insideCommits.has(eventName)))
        return;
    const { readEvent } = await __nccwpck_require__.e(/* import() */ 435).then(__nccwpck_require__.bind(__nccwpck_require__, 3435));
    const event = readEvent(context);
    // Most events are not about a pull request of a fork.
    if (event === undefined || event.head?.isFork === false)
        return;
    const { findCheckouts } = await __nccwpck_require__.e(/* import() */ 838).then(__nccwpck_require__.bind(__nccwpck_require__, 9838));
    const found = await findCheckouts(folder, host.readVariable('PATH') ?? '');
    const isInside = (checkout) => insideCommits.has(eventName) && checkout.head === sha;
    const checkouts = found.filter(checkout => !isInside(checkout) && isOfEvent(checkout, event));
    if (checkouts.length === 0)
        return;
    const github = await request.github?.({ limitMs: gitHubLimits.gate, signal });
    const { findForkPull } = await __nccwpck_require__.e(/* import() */ 126).then(__nccwpck_require__.bind(__nccwpck_require__, 2126));
    const mainCommit = insideCommits.has(eventName) ? sha : undefined;
    const pull = await findForkPull(event, { mainCommit, github });
    signal.throwIfAborted();
    if (pull === undefined)
        return;
    const { base } = pull;
    const listed = await readFiles(request, base, github);
    const done = [];
    const end = async () => {
        for (const { undo } of done)
            await undo().catch((error) => host.warn(`the instruction files of the fork could not all be put back after the run: ${(0,cause/* messageOf */.bD)(error)}`));
    };
    try {
        for (const checkout of checkouts)
            done.push(await replaceIn(checkout, { base, github, listed }));
    }
    catch (error) {
        await end();
        throw new Error(`the instruction files of the fork could not be replaced: ${(0,cause/* messageOf */.bD)(error)}`, { cause: error });
    }
    printReplaced(host, base, done);
    return { end };
}
/** Another repository's checkout is not the fork's. */
function isOfEvent({ origin }, { repository, head }) {
    const [, name] = /([^/:]+\/[^/]+?)(?:\.git)?\/?$/.exec(origin) ?? [];
    const own = [repository, head?.repository].map(known => known?.toLowerCase());
    return name === undefined || own.includes(undefined) || own.includes(name.toLowerCase());
}
/** Without the base's files the agent works without any. */
async function readFiles({ host, signal }, base, github) {
    const { listBaseFiles } = await __nccwpck_require__.e(/* import() */ 126).then(__nccwpck_require__.bind(__nccwpck_require__, 2126));
    try {
        if (base === undefined)
            throw new Error('the event does not name it');
        if (github === undefined)
            throw new Error('`github_token` is empty');
        return await listBaseFiles(github, base);
    }
    catch (error) {
        signal.throwIfAborted();
        host.warn(`the instruction files of the base branch could not be read, so the agent works without any: ${(0,cause/* messageOf */.bD)(error)}`);
        return [];
    }
}
async function replaceIn(checkout, { base, github, listed }) {
    const [{ listInstructions, replaceFiles }, { readBaseFile }] = await Promise.all([
        __nccwpck_require__.e(/* import() */ 838).then(__nccwpck_require__.bind(__nccwpck_require__, 9838)),
        __nccwpck_require__.e(/* import() */ 126).then(__nccwpck_require__.bind(__nccwpck_require__, 2126)),
    ]);
    const own = await listInstructions(checkout);
    const lacks = (files) => {
        const known = new Set(files.map(({ path, mode, sha }) => `${mode} ${sha} ${path}`));
        return ({ path, mode, sha }) => !known.has(`${mode} ${sha} ${path}`);
    };
    const other = [];
    if (github !== undefined && base !== undefined)
        for (const file of listed.filter(lacks(own)))
            other.push({ ...file, bytes: await readBaseFile(github, base, file) });
    return await replaceFiles(checkout, own.filter(lacks(listed)), other);
}
function printReplaced({ print }, base, done) {
    const all = (name) => done.flatMap(replacement => replacement[name]);
    const [taken, hidden] = [[...all('replaced'), ...all('added')], all('hidden')];
    const origin = `the base branch${base === undefined ? '' : ` at ${base.commit.slice(0, 7)}`}`;
    if (taken.length > 0)
        print(`pull request from a fork: the agent gets ${nameFew(taken)} from ${origin}`);
    if (hidden.length > 0)
        print(`pull request from a fork: hidden from the agent, because they are not in ${origin}: ${nameFew(hidden)}`);
}
function nameFew(paths) {
    const more = paths.length - namedMax;
    return `${paths.slice(0, namedMax).join(', ')}${more > 0 ? ` and ${(0,base_text/* counted */.hS)(more, 'more file')}` : ''}`;
}

// EXTERNAL MODULE: ./build/js/base/wording/prompt-title.js
var prompt_title = __nccwpck_require__(5184);
;// CONCATENATED MODULE: ./build/js/action/start/run-body.js


/** Label by which a re-run of a job finds the run of an earlier attempt. */
const stepLabel = 'agent_run_step';
/** The step's task, the same for every attempt of its job. */
function printTask(task, prompt, extras) {
    const config = defined({
        name: task.name,
        model_id: task.modelId,
        environment_id: task.environmentId,
        skill_spec: task.skill?.text,
        base_prompt: task.basePrompt,
        mcp_servers: task.mcpServers,
        output_schema: task.outputSchema,
        harness: task.harness === undefined ? undefined : { type: task.harness },
    });
    return defined({ prompt, title: task.title, metadata: task.metadata, ...extras, config });
}
function completeBody(task, { stepKey, leaseSeconds }) {
    const metadata = { ...task.metadata, ...defined({ [stepLabel]: stepKey }) };
    // The server validates the rest and names what it rejects.
    return {
        ...task,
        ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
        ...defined({ lease_seconds: leaseSeconds }),
    };
}
/** AGENT_RUN_LEASE_SECONDS changes the lease. The server's lower bound still applies. Throws InputError. */
function readLeaseSeconds(host) {
    const text = host.readVariable('AGENT_RUN_LEASE_SECONDS')?.trim() ?? '';
    if (text === '')
        return sizes/* sizes */.L.followerLeaseSeconds;
    const seconds = Number(text);
    if (!(seconds > 0 && seconds <= sizes/* sizes */.L.leaseSecondsMax))
        throw new values/* InputError */.dz(`AGENT_RUN_LEASE_SECONDS: must be a number of seconds above 0, at most ${sizes/* sizes */.L.leaseSecondsMax}, not ${(0,values/* quote */.hD)(text)}`);
    return seconds;
}
function defined(members) {
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

;// CONCATENATED MODULE: ./build/js/action/start/start-run.js
/** Starts one run per step, even if a response, an attempt of the job or an earlier step is lost. */





const warningsMax = 20;
/** Starts the step's run or takes up the existing one. Throws InputError and the client's errors. */
async function startRun(start) {
    const earlier = start.looksForEarlier ? await findEarlier(start) : undefined;
    if (earlier !== undefined) {
        start.print(`an earlier attempt of this job has a run that is still open; following it (\`rerun: attach\`)`);
        return { answer: answerOf(earlier), attached: true };
    }
    const key = start.key?.ofAttempt;
    start.onStart(start.key?.ofStep);
    const first = await create(start, key);
    if (!first.isForeign)
        return { answer: first.answer, attached: false };
    if (!(0,js_client/* isFinal */.dR)(first.answer.state)) {
        start.print('a step with the same job, matrix leg and inputs already started this run; following it. Set a different `name` or `title` to start another one');
        return { answer: first.answer, attached: true };
    }
    // A runner may give the same number to several workflow runs. A run that ended under it is not this step's task.
    start.print('a step with the same inputs started a run that has ended; starting a new one');
    const again = await create(start, `${key}-${crypto.randomUUID()}`);
    return { answer: again.answer, attached: false };
}
/** `isForeign`: the server had a run with the key before this process sent a request. */
async function create({ client, task, key, leaseSeconds, limitMs, signal }, idempotencyKey) {
    let isRepeated = false;
    const { data, response } = await client.runs
        .create(completeBody(task, { stepKey: key?.ofStep, leaseSeconds }), {
        source: 'GITHUB_ACTION',
        totalTimeoutMs: limitMs,
        signal,
        onRetry: () => {
            isRepeated = true;
        },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    })
        .withResponse()
        .catch(explainOtherBody);
    return { answer: data, isForeign: !isRepeated && response.headers.get(headers/* headerNames */.Qb.idempotentReplayed) === 'true' };
}
/** The key covers the whole request except the lease, so no other request can have the same key. */
function explainOtherBody(error) {
    const isOther = error instanceof js_client/* ApiError */.hD && error.status === 422 && error.headers.has('location');
    if (!isOther)
        throw error;
    throw new values/* InputError */.dz('another step of this job has the same inputs and differs only in `wait` or `lease`; give each step its own `name` or `title`');
}
/** Finds a live run that an earlier attempt of the job started. A service without label search has none. */
async function findEarlier({ client, key, signal }) {
    return key === undefined ? undefined : await findAlive(client, key.ofStep, { signal });
}
/** Returns the newest one. Throws the client's errors, except if the service lacks the search. */
async function findAlive(client, stepKey, options = {}) {
    const filter = { metadata: { [stepLabel]: stepKey }, sort_by: 'created_at', sort_order: 'desc', limit: 10 };
    try {
        const page = await retryProxyResponses(async () => await client.runs.list(filter, options), {
            limitMs: options.totalTimeoutMs,
            signal: options.signal,
        });
        return page.runs.find(run => run.metadata?.[stepLabel] === stepKey && isAlive(run));
    }
    catch (error) {
        if (error instanceof js_client/* ApiError */.hD && cannotLook(error))
            return undefined;
        throw error;
    }
}
/** Believes a non-JSON response only if it says "no such address" or "no such method". */
function cannotLook(error) {
    if (error.status === 404 || error.status === 405)
        return true;
    return error.status < 500 && ![401, 403, 429].includes(error.status) && !isProxyResponse(error);
}
/** A run that is being canceled counts as ended. */
function isAlive(run) {
    return !(0,js_client/* isFinal */.dR)(run.state) && (run.cancel_requested_at ?? undefined) === undefined;
}
/** The server's warnings about the request. Another service may send any value. */
function readWarnings({ warnings }) {
    const said = Array.isArray(warnings) ? warnings : [];
    return said.slice(0, warningsMax).filter(warning => typeof warning === 'string');
}
function answerOf(run) {
    const { run_id, task_id, state, session_link } = run;
    return { run_id, task_id, state, ...(session_link === undefined ? {} : { session_link }) };
}

// EXTERNAL MODULE: ./build/js/base/json.js
var json = __nccwpck_require__(6910);
;// CONCATENATED MODULE: ./build/js/action/start/step-key.js
/**
 * Identifies a step, so that a repeated create finds its run. Two identical steps of a job differ by the runner's
 * names for them. Two calls of a reusable workflow do not, and need different `name` or `title` inputs.
 */


/** Undefined outside a workflow run, where one start looks like the next. */
function makeStepKey(context, { leg }, task) {
    const { repository, repositoryId, runId, workflow, job, step, attempt } = context;
    if (runId === undefined || job === undefined)
        return undefined;
    const identity = {
        repository: repositoryId ?? repository ?? '',
        run: runId,
        workflow: workflow ?? '',
        job,
        step: step ?? '',
        matrix: readLeg(leg.matrix),
        job_index: leg.jobIndex,
        task,
    };
    const ofStep = (0,external_node_crypto_.createHash)('sha256').update((0,json/* canonicalJson */.dj)(identity)).digest('hex').slice(0, 40);
    return { ofStep, ofAttempt: `step-${ofStep}-${attempt}` };
}
/** Normalizes the leg, whatever the runner's formatting. */
function readLeg(matrix) {
    try {
        return JSON.parse(matrix);
    }
    catch {
        return matrix;
    }
}

;// CONCATENATED MODULE: ./build/js/action/start/begin-run.js












const noNews = { block: undefined, fields: {} };
/** Limits for a server that accepts a create and does not respond. The least covers a restart. */
const startLimits = { leastMs: 30_000, mostMs: 180_000 };
/** Starts a run or takes up the existing one. Throws InputError and the client's errors. */
async function beginRun(begin) {
    const { host, inputs, context, connection, event, signal } = begin;
    const { client } = connection;
    const { task, follow } = inputs;
    if (follow.runId !== undefined)
        return { answer: answerOf(await readRun(client, follow.runId, signal)), attached: true };
    const leaseSeconds = follow.wait && follow.lease ? readLeaseSeconds(host) : undefined;
    // The block comes first: after a prompt with an open fence it would be part of that fence.
    const prompt = [event.block, task.prompt].filter(part => part !== undefined).join('\n');
    const { repository, ref, sha } = event.fields;
    // The server takes the title from the prompt's first line, which would be the block's.
    const made = event.block && (0,prompt_title/* makeTitle */.X)(task.prompt ?? '', task.skill === undefined ? '' : (0,skill_spec/* skillName */.F)(task.skill));
    const title = task.title ?? (made || undefined);
    const body = printTask({ ...task, title }, prompt === '' ? undefined : prompt, {
        trigger_url: context.jobUrl,
        repository,
        ref,
        sha,
    });
    const starting = startRun({
        client,
        task: body,
        key: makeStepKey(context, inputs, body),
        looksForEarlier: context.attempt > 1 && follow.rerun === 'attach' && !connection.isEmbedded,
        leaseSeconds,
        limitMs: Math.min(Math.max(follow.timeoutMs, startLimits.leastMs), startLimits.mostMs),
        signal,
        print: host.print,
        onStart: key => {
            if (key !== undefined && !connection.isEmbedded)
                saveStepState(host, 'step_key', key);
            begin.onStart();
        },
    });
    const started = await (connection.isEmbedded ? starting.catch(explainOwnRefusal(inputs, context)) : starting);
    if (started.attached && leaseSeconds !== undefined)
        await renewLease(connection, started.answer, leaseSeconds);
    return started;
}
async function readRun(client, runId, signal) {
    return await retryProxyResponses(() => client.runs.retrieve(runId, { signal }), { signal });
}
/** The addresses of the server inside the step mean nothing to a user, so name the inputs. */
function explainOwnRefusal({ task }, { workspace = '.' }) {
    return (error) => {
        if (!(error instanceof js_client/* ApiError */.hD) || error.status >= 500)
            throw error;
        const isChecked = error.status !== 404 || task.skill === undefined || (0,external_node_fs_.existsSync)((0,external_node_path_.join)(workspace, '.git'));
        const hint = isChecked ? '' : '. Add a step with actions/checkout before this one';
        throw new values/* InputError */.dz(`${nameMembers(error.detail ?? error.message)}${hint}`);
    };
}
/** Renews the lease of an earlier attempt's run, which may be about to end. */
async function renewLease({ client }, { run_id }, seconds) {
    try {
        await client.runs.renewLease(run_id, seconds, { totalTimeoutMs: 10_000 });
    }
    catch {
        // A service without leases ends no runs. Following renews the lease as well.
    }
}

;// CONCATENATED MODULE: ./build/js/action/start/learn-event.js


/** Events that outsiders cannot cause and that concern only the ref. */
const plainEvents = new Set(['push', 'schedule', 'workflow_dispatch']);
async function learnEvent({ inputs, context, stepGitHub, signal }) {
    const { eventName, repository, ref, sha, actor, triggeringActor } = context;
    const { trust } = inputs;
    const tells = trust.eventContext === 'auto';
    if (eventName === undefined)
        return { news: noNews };
    const seed = [context.runId ?? '', context.job ?? ''].join('/');
    if (plainEvents.has(eventName)) {
        if (!tells)
            return { news: noNews };
        // A manual start may have inputs, which are only in the payload.
        const block = eventName === 'workflow_dispatch' && context.eventPath === undefined
            ? undefined
            : await printPlainEvent(context, seed);
        return { news: { block, fields: { repository, ref, sha } } };
    }
    const [{ readEvent }, { checkGate }] = await Promise.all([__nccwpck_require__.e(/* import() */ 435).then(__nccwpck_require__.bind(__nccwpck_require__, 3435)), __nccwpck_require__.e(/* import() */ 802).then(__nccwpck_require__.bind(__nccwpck_require__, 5802))]);
    const event = readEvent(context);
    // All permission checks share one deadline, so many names take no longer than one.
    let asking;
    const github = stepGitHub && (() => (asking ??= stepGitHub({ limitMs: gitHubLimits.gate, signal })));
    const { allowBots, requirePermission } = trust;
    const answer = await checkGate({ event, actor, triggeringActor, allowBots, requirePermission, github });
    if (!answer.allowed) {
        const refusal = { phase: 'permission', why: `No run was started: ${answer.reason}` };
        return { refusal: { kind: answer.isKnown ? 'skipped' : 'not_started', ...refusal }, news: noNews };
    }
    if (!tells || event === undefined)
        return { news: noNews };
    const { printEventContext, requestFieldsOf } = await __nccwpck_require__.e(/* import() */ 83).then(__nccwpck_require__.bind(__nccwpck_require__, 3083));
    return {
        news: {
            block: printEventContext(event, { mayQuoteText: answer.mayQuoteText, seed }),
            fields: requestFieldsOf(event),
        },
    };
}
async function printPlainEvent(context, seed) {
    const [{ readEvent }, { printEventContext }] = await Promise.all([
        __nccwpck_require__.e(/* import() */ 435).then(__nccwpck_require__.bind(__nccwpck_require__, 3435)),
        __nccwpck_require__.e(/* import() */ 83).then(__nccwpck_require__.bind(__nccwpck_require__, 3083)),
    ]);
    const event = readEvent(context);
    return event && printEventContext(event, { mayQuoteText: false, seed });
}

;// CONCATENATED MODULE: ./build/js/action/start/refusal.js







async function explainRefusal({ host, error, context, inputs, network, isOpen }) {
    const refuse = (phase, why) => ({ kind: 'not_started', phase, why });
    const message = (0,cause/* messageOf */.bD)(error);
    const isSkipped = inputs?.trust.onMissingCredentials === 'skip';
    const lacks = (why) => isSkipped
        ? { kind: 'skipped', phase: 'inputs', why: `No run was started: ${why}` }
        : refuse('inputs', `No run was started: ${why}`);
    if (error instanceof values/* MissingCredentialError */.ug) {
        const why = error.lack === undefined ? undefined : await explainByEvent(context, isSkipped);
        return lacks(why === undefined ? message : `${error.lack}: ${why}`);
    }
    if (error instanceof values/* InputError */.dz)
        return refuse('inputs', `No run was started: ${message}`);
    const server = findServer(host, inputs?.place.baseUrl);
    if (error instanceof js_client/* ConfigurationError */.j1) {
        if (error.option !== 'apiKey')
            return refuse('inputs', `No run was started: ${error.option === 'allowHttp' ? explainPlainHttp(server) : error.describe(nameInput)}`);
        return lacks(`\`api_key\` is empty: ${(await explainByEvent(context, isSkipped)) ?? noSecret}`);
    }
    const option = server?.option ?? '`base_url`';
    const hint = await explainNetwork(error, { inputs, network, server });
    if (isOpen && !isForeignResponse(error)) {
        const why = message.replace(/^it is unclear whether the run was started: /, '');
        const isTold = error instanceof js_client/* StartUnknownError */.pH || server === undefined;
        const look = isTold ? undefined : 'Check the list of runs before you start it again';
        const said = [why, look, hint].filter(part => part !== undefined).join('. ');
        return refuse('start', `It is unclear whether a run was started: ${said}`);
    }
    if (error instanceof js_client/* ConnectionError */.Rc)
        return refuse('start', `No run was started, because the server cannot be reached: ${message}. ${hint ?? `Check ${option}`}`);
    if (isForeignResponse(error)) {
        // Proxies refuse keys with these statuses too.
        const key = error.status === 401 || error.status === 403 ? ', `api_key`' : '';
        return refuse('start', `Probably no run was started: a proxy or firewall seems to have answered in place of the server: ${message}. Check ${option}${key}, and the proxy or firewall`);
    }
    if (error instanceof js_client/* AuthenticationError */.v3 || error instanceof js_client/* PermissionDeniedError */.Ll)
        return refuse('start', `No run was started, because the server does not accept the key. Check \`api_key\` (${numbersOf(error)})`);
    // Longer than the client was willing to wait.
    const askedMs = error instanceof js_client/* ApiError */.hD ? (0,answers/* readRetryAfterMs */.jR)(name => error.headers.get(name), Date.now()) : undefined;
    const patience = askedMs !== undefined && askedMs > 60_000 ? ', which is longer than the step waits' : '';
    return refuse('start', `No run was started: ${nameMembers(message)}${patience}${hintAtAddress(error, server)}`);
}
/** Details for the server's operator: `401 authentication_required, request id 0192f000-…`. */
function numbersOf({ status, code, requestId }) {
    const said = code === undefined ? `${status}` : `${status} ${code}`;
    return requestId === undefined ? said : `${said}, request id ${requestId}`;
}
/** Shows only the origin, because an address may contain a password. */
function explainPlainHttp({ option = '`base_url`', address = '' } = {}) {
    const origin = URL.parse(address)?.origin ?? 'http://…';
    return `${option} "${origin}" would send the key unencrypted. Use "${origin.replace('http:', 'https:')}", or set \`allow_http: true\` if you trust the network`;
}
/**
 * Returns true if a failed create may have started a run. A proxy may have changed the response, and an unexpected
 * error does not tell what the server did.
 */
function mayHaveStarted(error) {
    if (error instanceof js_client/* StartUnknownError */.pH || isForeignResponse(error))
        return true;
    if (error instanceof js_client/* ConnectionError */.Rc)
        return !error.neverLeft;
    return !(error instanceof js_client/* AgentRunsError */.qr || error instanceof values/* InputError */.dz);
}
function isForeignResponse(error) {
    return error instanceof js_client/* ApiError */.hD && isProxyResponse(error) && ![404, 405, 501].includes(error.status);
}
/**
 * A wrong address is answered by a web page, by another service without one of our codes, or by the server itself for
 * an unknown path. Returns '' if none of these applies.
 */
function hintAtAddress(error, server) {
    const isStrange = error instanceof js_client/* UnexpectedResponseError */.dk && !error.cut;
    const isNowhere = error instanceof js_client/* ApiError */.hD && (error.status === 404 || error.status === 405);
    if (!isStrange && !isNowhere)
        return '';
    const { option = '`base_url`', address = '' } = server ?? {};
    const path = URL.parse(address)?.pathname.replace(/(?:\/api\/v1)?\/*$/, '') ?? '';
    if (path !== '')
        return `. Check ${option}: its path is ${path}, but a server usually has none. Do not use the URL of a page`;
    return error instanceof js_client/* NotFoundError */.m_ && error.code !== undefined ? '' : `. Check ${option}`;
}
const noSecret = "the secret is not set, or its name is misspelled (GitHub replaces a missing secret with nothing). See Settings > Secrets and variables > Actions. A reusable workflow gets secrets only if its caller passes them, for example with `secrets: inherit`. A job gets an environment's secrets only if it names that environment";
async function explainByEvent(context, isSkipped) {
    const [{ readEvent }, { explainByEvent: explain }] = await Promise.all([
        __nccwpck_require__.e(/* import() */ 435).then(__nccwpck_require__.bind(__nccwpck_require__, 3435)),
        __nccwpck_require__.e(/* import() */ 674).then(__nccwpck_require__.bind(__nccwpck_require__, 2674)),
    ]);
    return explain({ event: readEvent(context), actor: context.actor, isSkipped });
}
async function explainNetwork(error, { inputs, network, server }) {
    const fault = error instanceof js_client/* StartUnknownError */.pH ? error.cause : error;
    if (!(fault instanceof js_client/* ConnectionError */.Rc))
        return undefined;
    const { explainNetworkFault } = await __nccwpck_require__.e(/* import() */ 490).then(__nccwpck_require__.bind(__nccwpck_require__, 5490));
    const caFile = inputs?.place.caFile;
    const proxy = network?.proxyOf(server?.address ?? `https://${fault.host}`);
    return explainNetworkFault(error, { hasCaFile: caFile !== undefined, proxy, option: server?.option });
}

;// CONCATENATED MODULE: ./build/js/action/run-action.js
/**
 * The main step: read the inputs, check who may start it, start the run, save its ID before anything else, follow it,
 * decide, report. Only events decide the verdict. Of the reports, only a review that was not posted changes it.
 */























async function runAction(host) {
    const cancellation = listenForCancel(host);
    const step = { host, cancellation, context: readStepContext(host) };
    try {
        setOutputs(host, emptyOutputs);
        const refusal = await begin(step);
        const ending = refusal === undefined ? await followOrCancel(step) : { outcome: refusal, isDone: false };
        await end(step, ending);
    }
    finally {
        cancellation.stopListening();
        await step.connection?.close();
        await step.instructions?.end();
        // For an agent that had not ended earlier.
        await putFilesBack(host, { isLast: true });
        await step.network?.close();
    }
}
/** Ends when the run exists. After a failure here, there is no run, or none that is known. Returns the reason. */
async function begin(step) {
    const { host, context, cancellation } = step;
    try {
        step.inputs = await readInputs(host);
        if (!step.inputs.report.annotations)
            host.leaveOutAnnotations();
        // The run to take up is known, whatever happens to it.
        const { runId } = step.inputs.follow;
        if (runId !== undefined)
            setOutputs(host, { run_id: runId, attached: 'true' });
        step.network = await openStepNetwork(host, step.inputs.place);
        const { inputs, network } = step;
        const { githubToken: token } = inputs.report;
        step.github = token === undefined ? undefined : createStepGitHub(host, { token, apiUrl: context.apiUrl, network });
        const event = await learnEvent({ inputs, context, stepGitHub: step.github, signal: cancellation.signal });
        // Treat an unfinished permission check as "unknown", not as a refusal.
        if (event.refusal !== undefined)
            cancellation.signal.throwIfAborted();
        if (event.refusal !== undefined)
            return event.refusal;
        step.review = await prepareReview(host, { inputs, context, github: step.github });
        step.connection = await connect(host, { inputs, context, network, signal: cancellation.signal });
        const { connection } = step;
        if (connection.isEmbedded) {
            saveEmbeddedState(host);
            const folder = inputs.embedded.workingDirectory ?? context.workspace ?? '.';
            const { github } = step;
            step.instructions = await useBaseInstructions({ host, context, folder, github, signal: cancellation.signal });
        }
        const signal = cancellation.lateSignal;
        const onStart = () => {
            step.mayHaveStarted = true;
        };
        step.started = await beginRun({ host, inputs, context, connection, event: event.news, signal, onStart });
        return undefined;
    }
    catch (error) {
        const runId = step.inputs?.follow.runId;
        if (cancellation.signal.aborted)
            return { kind: 'step_cancelled', stopping: explainEarly(step) };
        if (error instanceof js_client/* NotFoundError */.m_ && runId !== undefined)
            return {
                kind: 'lost',
                why: `The server has no run ${runId} (${numbersOf(error)}). Check \`run_id\`${hintAtAddress(error, findServer(host, step.inputs?.place.baseUrl))}`,
            };
        const isOpen = step.mayHaveStarted === true && mayHaveStarted(error);
        // After a refusal, the post step has nothing to look for.
        if (step.inputs !== undefined && !isOpen)
            warnOfFault(host, 'could not record that no run was started', () => saveStepState(host, 'step_key', ''));
        return await explainRefusal({ host, error, context, inputs: step.inputs, network: step.network, isOpen });
    }
}
function explainEarly({ mayHaveStarted = false, connection }) {
    if (!mayHaveStarted)
        return 'No run was started';
    if (connection?.isEmbedded === true)
        return 'The run that it was starting ended with it';
    return 'It is unclear whether the server started a run. The post step looks for it, and a run that no step follows ends with its lease';
}
function noteRun({ host }, { answer, attached }, connection) {
    const address = connection.addressOf(answer);
    // The run exists even if the runner's disk fails. The step follows it, and its lease is the safety net.
    warnOfFault(host, 'could not record the id of the run', () => {
        saveStepState(host, 'run_id', answer.run_id);
        setOutputs(host, {
            run_id: answer.run_id,
            run_url: connection.pageOf(answer),
            session_link: connection.linkOf(answer) ?? '',
            state: answer.state,
            attached: attached ? 'true' : 'false',
            ...unendedOutputs,
        });
    });
    const waits = answer.at_capacity === true ? ' is waiting for a free slot' : '';
    host.print(`run ${answer.run_id}${waits}`);
    // A run inside the step is shown only here.
    if (address !== '' && !connection.isEmbedded)
        host.print(`see ${address}`);
}
async function followOrCancel(step) {
    const { host, context, inputs, connection, started, cancellation } = step;
    if (inputs === undefined || connection === undefined || started === undefined)
        throw new Error('there is no run');
    noteRun(step, started, connection);
    for (const warning of readWarnings(started.answer))
        host.warn(warning);
    const { follow } = inputs;
    const runId = started.answer.run_id;
    // Nobody needs the run of a workflow that was canceled in the meantime.
    if (!follow.wait && !follow.cancel) {
        const run = await lookOnce(connection.client, runId, cancellation.signal);
        if (!cancellation.signal.aborted)
            return { outcome: { kind: 'started' }, run, isDone: true };
    }
    const address = connection.addressOf(started.answer);
    const { signal } = cancellation;
    step.comment = beginComment(host, { inputs, context, github: step.github, run: { runId, address }, signal });
    // A killed step leaves a state that is as recent as its log.
    const onState = (state) => setOutputs(host, { state });
    // A run inside the step is shown nowhere else.
    const elsewhere = connection.isEmbedded ? undefined : address;
    step.liveLog = startLiveLog(host, connection, { level: inputs.report.log, address: elsewhere, onState });
    const following = { connection, runId, inputs: follow, cancellation, liveLog: step.liveLog };
    try {
        return await (follow.cancel ? cancelAndFollow(following) : followToEnd(following));
    }
    finally {
        step.liveLog.stop();
    }
}
function warnOfFault(host, what, act) {
    try {
        act();
    }
    catch (error) {
        host.warn(`${what}: ${(0,cause/* messageOf */.bD)(error)}`);
    }
}
/**
 * An agent inside the step has the step's own user. Its changes to the runner's files are removed before the step
 * writes more. A step that cannot guarantee that fails.
 */
async function putFilesBack(host, { isLast }) {
    const what = 'the agent changed files of the runner that pass outputs, variables and the event to later steps';
    try {
        const changed = await host.restoreFiles();
        if (changed.length === 0)
            return;
        const named = `${what} (${changed.join(', ')})`;
        // The agent had ended, so one of its processes survived and may do it again.
        if (isLast)
            host.fail(`${named} after its run had ended. A process of it may still be running: do not trust these files`);
        else
            host.warn(`${named}. Its changes were undone`);
    }
    catch (error) {
        const why = (0,cause/* messageOf */.bD)(error);
        if (isLast)
            host.fail(`${what}, and the changes cannot be undone: ${why}. Do not trust these files`);
    }
}
async function end(step, { outcome, run, isDone }) {
    const { host, context, inputs, connection, started, liveLog, cancellation } = step;
    await putFilesBack(host, { isLast: false });
    if (isDone)
        warnOfFault(host, 'could not record the end of the run', () => {
            saveStepState(host, 'last_state', run?.state ?? '');
            saveStepState(host, 'is_done', 'true');
        });
    const { signal } = cancellation;
    // A step without a run still reports its end, except to a person who may not start it.
    if (inputs !== undefined && outcome.kind !== 'skipped' && !isOfStranger(outcome) && !signal.aborted)
        step.comment ??= beginComment(host, { inputs, context, github: step.github, run: undefined, signal });
    const asked = inputs?.report.requireResult ?? 'auto';
    const requiresResult = asked === 'auto' ? (connection?.features().has('result') ?? false) : asked === 'true';
    const report = inputs?.report ?? plainReport;
    const isReview = report.review === 'on' || inputs?.task.outputSchema === review_schema/* reviewSchema */.Yg;
    const decided = (0,verdict_verdict/* decide */.LD)(outcome, run, { requiresResult, isReview, failWhen: report.failWhen });
    const isOfProgram = decided.conclusion === 'failed' && connection?.isEmbedded && inputs?.embedded.command;
    const hint = isOfProgram ? hintAtUnpassed(host, inputs.embedded.passEnv, liveLog?.lastLines() ?? []) : '';
    const verdict = hint === '' ? decided : { ...decided, sentence: `${decided.sentence}${hint}` };
    const keepSettled = (settled) => {
        if (step.comment === undefined)
            return;
        const { conclusion, sentence } = settled;
        warnOfFault(host, 'could not record the verdict', () => {
            // The post step knows more about a canceled step: how the run ended.
            if (outcome.kind === 'step_cancelled' && conclusion === 'cancelled')
                keepCancelled(host, run?.title);
            else
                keepVerdict(host, { conclusion, sentence, isRed: (0,verdict_verdict/* isRed */.iI)(settled, report.failOn), title: run?.title });
        });
    };
    await reportEnd({
        host,
        context,
        inputs: report,
        verdict,
        run,
        runId: started?.answer.run_id,
        connection,
        liveLog,
        address: (started && connection?.addressOf(started.answer)) ?? '',
        signal,
        label: inputs && (0,heading/* labelOfStep */.w4)({ matrix: inputs.leg.matrix, name: inputs.task.name }),
        title: host.readInput('title').trim(),
        comment: step.comment,
        review: step.review,
        keepVerdict: keepSettled,
    });
}
/** True if a person who may not start the step may have caused it. */
function isOfStranger(outcome) {
    return outcome.kind === 'not_started' && outcome.phase === 'permission';
}
const plainReport = {
    failOn: verdict_verdict/* badConclusions */.Ce,
    failWhen: undefined,
    requireResult: 'auto',
    log: 'normal',
    summary: true,
    comment: 'off',
    review: 'off',
    commentKey: undefined,
    githubToken: undefined,
    resultFile: undefined,
    annotations: true,
};

;// CONCATENATED MODULE: ./build/js/action/main.js


/** GitHub's local-action starts a step under this name. */
const run = () => enterMain(runAction);

;// CONCATENATED MODULE: ./build/js/action/post-action.js
/** The post step: cancels a run left running, and fixes a comment that still says "running". */










/** Short, so that cleanup does not delay the job. */
const limits = { requestMs: 10_000, lookMs: 2000 };
async function postAction(host) {
    const isRunOpen = mayLeaveRun(host);
    const isCommentOpen = mayLeaveComment(host);
    if (!isRunOpen && !isCommentOpen)
        return;
    const state = readStepState(host, 'last_state');
    let sentence = state === undefined
        ? 'The step was stopped before it knew the outcome of the run'
        : `The step was stopped. The run is ${state}`;
    await attempt(host, 'the clean-up could not begin', async () => {
        const place = readPlace(host);
        const network = await openStepNetwork(host, place);
        try {
            if (isRunOpen)
                await attempt(host, 'the run could not be stopped, and ends with its lease if it has one', async () => {
                    const fate = await stopRun(host, connectToServer(host, { place, network, logLevel: 'warn' }));
                    if (fate !== undefined)
                        sentence = `The step was stopped. ${fate}`;
                });
            if (isCommentOpen)
                await attempt(host, 'the comment could not be corrected', async () => {
                    const token = (0,values/* readSecret */.n5)(host, 'github_token');
                    await repairComment(host, readStepContext(host), { token, network, sentence });
                });
        }
        finally {
            await network.close();
        }
    });
}
async function attempt(host, what, act) {
    try {
        await act();
    }
    catch (error) {
        host.warn(`${what}: ${(0,cause/* messageOf */.bD)(error)}`);
    }
}
function mayLeaveRun(host) {
    // A server inside the step ended with it, and its watchdog stopped the agent.
    if (readStepState(host, 'is_done') !== undefined || readStepState(host, 'is_embedded') !== undefined)
        return false;
    return readStepState(host, 'run_id') !== undefined || readStepState(host, 'step_key') !== undefined;
}
function mayLeaveComment(host) {
    return readStepState(host, 'comment') !== undefined && readStepState(host, 'is_comment_final') === undefined;
}
/** The run as last seen, in a sentence without its period. Undefined without a run. */
async function stopRun(host, { client }) {
    const { requestMs, lookMs } = limits;
    const [knownId, stepKey] = [readStepState(host, 'run_id'), readStepState(host, 'step_key')];
    const run = knownId === undefined
        ? await findAlive(client, stepKey ?? '', { totalTimeoutMs: requestMs })
        : await client.runs.retrieve(knownId, { totalTimeoutMs: lookMs, maxRetries: 1 }).catch(() => undefined);
    const runId = knownId ?? run?.run_id;
    if (runId === undefined)
        return undefined;
    if (run !== undefined && (0,js_client/* isFinal */.dR)(run.state))
        return `The run is ${run.state}`;
    try {
        // Also cancels a run that cannot be read. Canceling an ended run is harmless.
        const last = await cancelRun(client, runId, { ...limits, reason: 'the step that followed it is over' });
        const state = last?.state ?? run?.state;
        const now = state === undefined ? 'its state is unknown' : `it is now ${state}`;
        host.print(`run ${runId} was still running and was told to stop; ${now}`);
        return `The run ${state === undefined ? 'was told to stop' : `is ${state}`}`;
    }
    catch (error) {
        if (!(error instanceof js_client/* RunLostError */.iJ))
            throw error;
        const fate = explainNoCancel(error, runId);
        host.print(fate);
        return fate;
    }
}

;// CONCATENATED MODULE: ./build/js/action/post.js


/** GitHub's local-action starts a step under this name. */
const post_run = () => enterPost(postAction);

;// CONCATENATED MODULE: ./build/js/action/index.js
/** Both steps of the action share one bundled file. */



var __webpack_exports__runMain = __webpack_exports__.V;
var __webpack_exports__runPost = __webpack_exports__.a;
export { __webpack_exports__runMain as runMain, __webpack_exports__runPost as runPost };
