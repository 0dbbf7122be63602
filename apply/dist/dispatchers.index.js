// src/action/connect/dispatchers.ts
export const id = 598;
export const ids = [598];
export const modules = {

/***/ 5217:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createDispatcher: () => (/* binding */ createDispatcher),
/* harmony export */   fetchThrough: () => (/* binding */ fetchThrough)
/* harmony export */ });
/* harmony import */ var undici_index_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6752);
// The bundle contains undici under this name. The toolkit's import of `undici`, which nothing here uses, is left out.

/** `secureContext` is set only if the step trusts more certificates than the process does. */
function createDispatcher(proxy, secureContext) {
    const trusting = secureContext === undefined ? {} : { secureContext };
    if (proxy === undefined)
        return new undici_index_js__WEBPACK_IMPORTED_MODULE_0__/* .Agent */ .g6({ connect: trusting });
    return new undici_index_js__WEBPACK_IMPORTED_MODULE_0__/* .ProxyAgent */ .kT({
        uri: proxy.origin,
        ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
        requestTls: trusting,
        proxyTls: trusting,
        // Many proxies open tunnels to TLS ports only.
        proxyTunnel: false,
        clientFactory: (origin, options) => new ProxyConnections(origin, options),
    });
}
/** If a proxy closes the connection instead of opening a tunnel, undici retries at once and without end. */
class ProxyConnections extends undici_index_js__WEBPACK_IMPORTED_MODULE_0__/* .Pool */ .bC {
    async connect(options) {
        try {
            return await super.connect(options);
        }
        catch (error) {
            if (!(error instanceof undici_index_js__WEBPACK_IMPORTED_MODULE_0__/* .errors */ .sO.SocketError))
                throw error;
            throw Object.assign(new Error(error.message), { code: 'ECONNRESET', syscall: 'connect' });
        }
    }
}
/** A redirect uses the proxy of the first address. */
async function fetchThrough(dispatcher, url, init) {
    const given = { ...init, dispatcher };
    return (await (0,undici_index_js__WEBPACK_IMPORTED_MODULE_0__/* .fetch */ .hd)(url, given));
}


/***/ })

};
