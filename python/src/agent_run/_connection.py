"""Describes a failed request: the host, the fault, and whether the request can have reached a server."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from urllib.request import getproxies, proxy_bypass

import httpx

from ._errors import ConnectionFailedError
from ._options import is_loopback
from ._text import KnownKeys

_NEVER_LEFT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    ssl.SSLCertVerificationError,
)
_NO_TLS = "WRONG_VERSION_NUMBER"
_CERTIFICATES = {
    10: "certificate has expired",
    9: "certificate is not valid yet",
    62: "certificate is for another host name",
    64: "certificate is for another host name",
}
_ERRNOS = {
    errno.ECONNREFUSED: ("refused", "connection refused"),
    errno.EHOSTUNREACH: ("unreachable", "host cannot be reached"),
    errno.ENETUNREACH: ("unreachable", "host cannot be reached"),
    errno.ENETDOWN: ("unreachable", "host cannot be reached"),
    errno.EADDRNOTAVAIL: ("unreachable", "host cannot be reached"),
    errno.ETIMEDOUT: ("timeout", "timed out while connecting"),
}


def describe_failure(thrown: Exception, sent: httpx.Request, call: str, keys: KnownKeys) -> ConnectionFailedError:
    """The typed error for what httpx raised. `call` is the method and the path."""
    fault, words = _find_fault(thrown)
    host = sent.url.netloc.decode("ascii", "replace")
    # asyncio's error of TLS is the same before and after the request was sent.
    is_early = getattr(thrown, "reason", None) == _NO_TLS and not sent.extensions.get("is_sent")
    detail = f"{type(thrown).__name__}{_name_proxy(thrown)}"
    return ConnectionFailedError(
        keys.redact(f"{call}: {host}: {words or str(thrown) or detail} ({detail})"),
        host=host,
        fault=fault,
        never_left=isinstance(thrown, _NEVER_LEFT) or is_early,
        headline=keys.redact(f"{call}: {host}: {words or 'no complete answer'} ({detail})"),
    )


def _name_proxy(thrown: Exception) -> str:
    """httpx says the same of a proxy that it cannot reach as of the server."""
    request = getattr(thrown, "_request", None)
    if not isinstance(thrown, (httpx.ConnectError, httpx.ConnectTimeout)) or request is None:
        return ""
    proxies, url = getproxies(), request.url
    name = next((name for name in (url.scheme, "all") if name in proxies), None)
    if name is None or is_loopback(url.host) or proxy_bypass(url.host):
        return ""
    return f", perhaps of the proxy in {name.upper()}_PROXY"


def _find_fault(thrown: Exception) -> tuple[str, str | None]:
    # httpcore passes errors of asyncio's TLS on as they are.
    for error in _chain(thrown) if isinstance(thrown, (httpx.ConnectError, ssl.SSLError)) else ():
        if isinstance(error, ssl.SSLCertVerificationError):
            trust = "certificate not trusted; pass an http_client with `verify` set to its authority's file"
            return "certificate", _CERTIFICATES.get(error.verify_code, trust)
        if isinstance(error, ssl.SSLError):
            return "tls", "no TLS there; use http instead of https?" if error.reason == _NO_TLS else None
        if isinstance(error, socket.gaierror):
            return "unresolved", "name does not resolve"
        if isinstance(error, OSError) and error.errno in _ERRNOS:
            return _ERRNOS[error.errno]
    if isinstance(thrown, httpx.UnsupportedProtocol):
        return "fetch", "httpx refuses this address"
    if isinstance(thrown, httpx.TimeoutException):
        return "timeout", "timed out"
    if isinstance(thrown, httpx.ConnectError) and "name" in str(thrown).lower():
        return "unresolved", "name does not resolve"
    if isinstance(thrown, httpx.ConnectError) and "all connection attempts failed" in str(thrown).lower():
        return "refused", "connection refused"
    if isinstance(thrown, (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError, httpx.CloseError)):
        return "closed", "connection closed before the answer was complete"
    return "other", None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(8):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
