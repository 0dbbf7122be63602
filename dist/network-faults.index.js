// src/action/connect/network-faults.ts
export const id = 490;
export const ids = [490];
export const modules = {

/***/ 5490:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   explainNetworkFault: () => (/* binding */ explainNetworkFault)
/* harmony export */ });
/* harmony import */ var _base_json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6910);
/* harmony import */ var _base_network_loopback_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4270);
/* harmony import */ var _client_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2765);
/* harmony import */ var _proxy_faults_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7659);
/** Advice for network faults, in addition to the client's own message. */




const usualOption = '`base_url`';
/** Sentences without the last period. Undefined if the client's message is enough. */
function explainNetworkFault(error, way) {
    if (error instanceof _client_index_js__WEBPACK_IMPORTED_MODULE_0__/* .StartUnknownError */ .pH)
        return explainNetworkFault(error.cause, way);
    if (error instanceof _proxy_faults_js__WEBPACK_IMPORTED_MODULE_1__/* .ProxyError */ .T)
        return error.remedy;
    if (!(error instanceof _client_index_js__WEBPACK_IMPORTED_MODULE_0__/* .ConnectionError */ .Rc))
        return undefined;
    const through = way.proxy === undefined ? undefined : `The request to ${error.host} goes through the proxy ${way.proxy}`;
    const hint = explainers[error.fault]?.(error, way);
    return [through, hint].filter(sentence => sentence !== undefined).join('. ') || undefined;
}
const proxyVariables = 'If this network needs a proxy, set HTTPS_PROXY under `env:` of the step';
const explainers = {
    certificate: explainCertificate,
    unresolved: (_error, { proxy, option = usualOption }) => proxy === undefined
        ? `Check the spelling of the host in ${option}, and that the runner's DNS can resolve it. ${proxyVariables}`
        : undefined,
    refused: ({ host }, { option = usualOption }) => (0,_base_network_loopback_js__WEBPACK_IMPORTED_MODULE_2__/* .isLoopback */ .U)(new URL(`http://${host}`).hostname)
        ? `Nothing is listening at ${host} on the runner. In a container job, this address is the container itself; use the name of the machine that runs the server`
        : `Nothing is listening at ${host}. Check the host and port in ${option}, and that the server is running`,
    unreachable: explainSilence,
    timeout: explainSilence,
    tls: (_error, { proxy }) => proxy === undefined
        ? undefined
        : 'If the proxy itself speaks plain http, its address must start with http://, even for https servers',
};
function explainSilence({ neverLeft }, { proxy }) {
    if (proxy !== undefined || !neverLeft)
        return undefined;
    return `Check that the runner can reach that host. GitHub-hosted runners reach only public addresses. ${proxyVariables}`;
}
function explainCertificate(error, { hasCaFile, proxy, option = usualOption }) {
    const code = readCode(error.cause);
    const whose = proxy === undefined ? 'The server' : 'The server, or a proxy that inspects its traffic,';
    if (code === 'CERT_HAS_EXPIRED')
        return `${whose} needs a new certificate, or the clock of the runner is wrong`;
    if (code === 'CERT_NOT_YET_VALID')
        return 'Compare the clocks of the runner and of the server';
    if (code?.startsWith('ERR_TLS_CERT_ALTNAME'))
        return `Use a host name in ${option} that the certificate lists, or issue a certificate for this one`;
    return hasCaFile
        ? `\`ca_file\` does not contain the authority of this certificate. It needs the root certificate, and any intermediate ones that the server does not send`
        : `${whose} uses a certificate from an authority that the runner does not trust. Set \`ca_file\` to the authority's PEM file, or set NODE_EXTRA_CA_CERTS under \`env:\` of the step`;
}
function readCode(thrown) {
    let code;
    for (let error = thrown, depth = 0; depth < 5 && (0,_base_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isObject */ .Gv)(error); depth += 1, error = error.cause)
        if (typeof error.code === 'string')
            code = error.code;
    return code;
}


/***/ })

};
