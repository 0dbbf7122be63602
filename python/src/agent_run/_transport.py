"""Sends requests: attempts with deadlines, retried by `_retry.py`."""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx

from ._address import encode_body, join_address, merge_headers
from ._answer import Answer, Expectation, read_answer
from ._connection import describe_failure
from ._errors import (
    ApiKeyError,
    AuthenticationError,
    ConfigurationError,
    ConnectionTimeoutError,
    RateLimitError,
    UnexpectedResponseError,
    headline_of,
)
from ._io import BodyTooLong, Io, Stream, Wants
from ._options import LOGGER, ApiKey, Settings, is_key
from ._retry import is_proxy_answer, judge, may_be_done, retry_delay, server_delay
from ._text import KnownKeys, plain_line
from ._version import __version__

T = TypeVar("T")

LONGEST_MARGIN = 60.0
"""A key is renewed after nine tenths of its life, and at most this long before it expires."""

IDEMPOTENT = {"GET": True, "HEAD": True, "PUT": True, "DELETE": True, "POST": False, "PATCH": False}
"""Whether each method is idempotent (RFC 9110, 9.2.2)."""

_ACCEPTED = {
    "json": "application/json",
    "any-json": "application/json",
    "text": "text/plain",
    "any-text": "text/*",
    "bytes": "*/*",
}
_NO_BODY = object()


@dataclass(frozen=True)
class Request(Expectation):
    """One call of the service."""

    as_: str = "json"
    body: Any = _NO_BODY
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    """CallOptions of the caller."""
    is_idempotent: bool = False
    """Safe to carry out twice, so it is retried after a failure of unknown outcome."""
    idempotency_key: str | None = None
    """Sent as a header. It makes the call idempotent."""
    retries_proxy_pages: bool = False
    """Whether a proxy's response counts as a failed attempt, to be retried, and not as the answer."""
    wants_stream: Wants | None = None


@dataclass(repr=False)
class Prepared:
    """A request as every attempt sends it, and the state of its attempts."""

    call: Request
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout: float
    total_timeout: float
    max_retries: int
    on_retry: Callable[[Exception], object] | None
    sends_key: bool
    pinned_key: str | None = None
    """The API key under which it may have been carried out. Idempotency keys count per caller, so retries must use
    the same one."""
    count: int = 0
    is_perhaps_done: bool = False
    """Whether an attempt may have been carried out."""
    has_left: bool = False
    """Whether the last attempt was sent and may have been carried out."""
    key: str | None = None
    is_refused: bool = False
    """Whether a 401 made the client ask for another key."""


class Transport:
    def __init__(self, settings: Settings, io: Io, keys: KeySource) -> None:
        self.settings = settings
        self.io = io
        self.clock = settings.clock
        self.host = urlsplit(settings.base_url).netloc
        self.keys = keys

    def log(self, level: int, message: str) -> None:
        LOGGER.log(level, "%s", plain_line(self.keys.known.redact(message))[:2000])

    def limit(self, name: str, options: Mapping[str, Any]) -> Any:
        """`timeout`, `total_timeout`, `max_retries` or `on_retry` of a call."""
        return options.get(name, getattr(self.settings, name))

    async def send(self, call: Request) -> Answer:
        """Raises ConfigurationError, and what `carry_out` raises."""
        return await self.carry_out(self.prepare(call))

    def prepare(self, call: Request) -> Prepared:
        """Raises ConfigurationError for an invalid call, before anything is sent."""
        if self.io.is_closed:
            raise ConfigurationError("the client is closed")
        if call.method not in IDEMPOTENT:
            raise ConfigurationError(f"the method must be one of {', '.join(IDEMPOTENT)}, not {call.method!r}")
        has_body = call.body is not _NO_BODY
        if has_body and call.method in ("GET", "HEAD"):
            raise ConfigurationError(f"a {call.method} request cannot have a body")
        options, key = call.options, call.idempotency_key
        if key is not None and not (is_key(key) and len(key) <= 255):
            raise ConfigurationError("idempotency_key must be 1 to 255 visible ASCII characters without spaces")
        own = {"user-agent": f"agent-run-python/{__version__}", "accept": _ACCEPTED[call.as_], "authorization": ""}
        own["accept-encoding"] = "identity"
        if has_body:
            own["content-type"] = "application/json"
        headers = merge_headers(own, self.settings.headers, call.headers, options.get("headers", {}))
        # A header that the caller set or removed stays as it is.
        sends_key = headers.get("authorization") == ""
        for name in ("authorization", "proxy-authorization", "x-api-key"):
            self.keys.known.add(headers.get(name, "").rpartition(" ")[2])
        if key is not None:
            headers["idempotency-key"] = key
        query = {**self.settings.query, **call.query, **options.get("query", {})}
        return Prepared(
            # A query may be private, so errors and log lines omit it.
            call=replace(
                call,
                path=self.keys.known.redact(str(call.path).partition("?")[0]),
                is_idempotent=call.is_idempotent or key is not None,
            ),
            url=join_address(self.settings.base_url, call.path, query),
            headers=headers,
            body=encode_body(call.body) if has_body else None,
            timeout=self.limit("timeout", options),
            total_timeout=self.limit("total_timeout", options),
            max_retries=self.limit("max_retries", options),
            on_retry=self.limit("on_retry", options),
            sends_key=sends_key,
        )

    async def carry_out(self, request: Prepared) -> Answer:
        """Raises ApiKeyError, ConnectionFailedError, ApiError or UnexpectedResponseError. A prepared request can be
        sent again."""
        call = request.call
        began = self.clock.monotonic()
        attempts = retries = 0
        while True:
            attempt_began = self.clock.monotonic()
            ends_at = began + request.total_timeout
            try:
                return await self._attempt_with_good_key(request, ends_at)
            except Exception as error:
                if not IDEMPOTENT[call.method] and may_be_done(error):
                    request.pinned_key = request.pinned_key or request.key
                    request.is_perhaps_done = True
                verdict = _verdict(error, call)
                # A rate limit with a delay is not a connection fault. Only the total time bounds it.
                counts = not (isinstance(error, RateLimitError) and (server_delay(error, self.clock.now()) or 0) >= 1)
                delay = retry_delay(error, attempts, self.clock.now())
                ends = delay >= ends_at - self.clock.monotonic()
                if verdict == "final" or ends or (counts and retries >= request.max_retries):
                    raise
                took = self.clock.monotonic() - attempt_began
                self.log(20, f"{headline_of(error)} after {took:.2f} s; retrying in {delay:.2f} s")
                if verdict == "not-done":
                    request.has_left = False
                await self.note_retry(request.on_retry, error)
            await self.io.sleep(delay)
            attempts += 1
            retries += counts

    async def _attempt_with_good_key(self, request: Prepared, ends_at: float) -> Answer:
        """A request answered with 401 was not carried out. It is sent again once per call if the api_key function
        returns another key."""
        request.key = None
        if request.sends_key:
            request.key = request.pinned_key or self.keys.kept()
            if request.key is None:
                request.key = await self._ask_for_key(request, ends_at, self.keys.renew(self.io))
        try:
            return await self._attempt(request, ends_at)
        except AuthenticationError:
            if request.is_refused or request.key is None or request.pinned_key is not None:
                raise
            request.is_refused = True
            other = await self._ask_for_key(request, ends_at, self.keys.replace(self.io, request.key))
            if other is None:
                raise
            request.key = other
        return await self._attempt(request, ends_at)

    async def _ask_for_key(self, request: Prepared, ends_at: float, asking: Coroutine[Any, Any, T]) -> T:
        seconds = min(request.timeout, ends_at - self.clock.monotonic())
        try:
            return await self.io.within(seconds, asking)
        except httpx.ReadTimeout:
            words = "no key from the api_key function (which must not call this client)"
            raise ApiKeyError(f"{words} within {seconds:.3g} s", retryable=True) from None

    async def _attempt(self, request: Prepared, ends_at: float) -> Answer:
        call, left = request.call, ends_at - self.clock.monotonic()
        headers = dict(request.headers)
        if request.key is not None:
            self.keys.known.add(request.key)
            headers["authorization"] = f"Bearer {request.key}"
        headers["x-retry-count"] = str(request.count)
        timeout = max(min(request.timeout, left), 0.001)
        began = self.clock.monotonic()
        try:
            sent = self.io.build_request(call.method, request.url, headers=headers, content=request.body)
        except (httpx.InvalidURL, TypeError, ValueError) as error:
            raise ConfigurationError(f"the address cannot be sent: {error}") from error
        request.count += 1
        request.has_left = True
        name, host = f"{call.method} {call.path}", sent.url.netloc.decode("ascii", "replace")
        try:
            reply = await self.io.send(sent, timeout, call.wants_stream)
        except BodyTooLong as error:
            status, answered = error.response.status_code, self.keys.known.redact_headers(error.response.headers)
            raise UnexpectedResponseError(call.method, call.path, status, answered, "", str(error)) from None
        except UnicodeError as error:
            # httpx looks at the target of a redirect, also if it does not follow it.
            why = "redirects to an address that cannot be read"
            raise UnexpectedResponseError(call.method, call.path, 302, httpx.Headers(), "", why) from error
        except httpx.TimeoutException as error:
            bound = f"{request.timeout:g} s" if request.timeout <= left else f"{request.total_timeout:g} s in total"
            never_left = isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout))
            raise ConnectionTimeoutError(
                f"{name}: {host}: no complete answer within {bound}",
                host=host,
                fault="timeout",
                never_left=never_left,
            ) from self.keys.known.cause(error)
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            raise describe_failure(error, sent, name, self.keys.known) from self.keys.known.cause(error)
        took = (self.clock.monotonic() - began) * 1000
        status, answered = reply.response.status_code, reply.response.headers
        request_id = answered.get("x-request-id")
        closing = f" (request id {request_id})" if request_id else ""
        self.log(10, f"{name}: {status} in {took:.0f} ms{closing}")
        if isinstance(reply, Stream):
            return Answer(status, answered, b"", stream=reply)
        return read_answer(call, reply, self.keys.known)

    async def note_retry(self, listener: Callable[[Exception], object] | None, failure: Exception) -> None:
        """Tells the listener. What it raises is ignored."""
        if listener is None:
            return
        try:
            await self.io.call(listener, failure)
        except Exception:
            pass


def _verdict(error: Exception, call: Request) -> str:
    """Also `final` if the request may have been carried out and is not idempotent."""
    verdict = "unknown" if call.retries_proxy_pages and is_proxy_answer(error) else judge(error)
    return "final" if verdict == "unknown" and not call.is_idempotent else verdict


class KeySource:
    """The source of a request's key: a string, or a function whose key is kept until shortly before it expires."""

    def __init__(self, settings: Settings, lock: Any) -> None:
        self.known = KnownKeys()
        # Concurrent calls share a new key.
        self._lock = lock
        self._clock = settings.clock
        self._function = settings.api_key if callable(settings.api_key) else None
        self._key: str | None = None
        self._due = math.inf
        if isinstance(settings.api_key, str):
            self._key = settings.api_key
            self.known.add(self._key)

    async def renew(self, io: Io) -> str:
        """Raises ApiKeyError."""
        async with self._lock:
            return self.kept() or await self._renew(io)

    async def replace(self, io: Io, refused: str) -> str | None:
        """A key to replace the refused one; None if there is no other. Raises ApiKeyError."""
        if self._function is None:
            return None
        async with self._lock:
            # Another request may have renewed it already.
            key = self._key if self._key not in (None, refused) else await self._renew(io)
        return None if key == refused else key

    def kept(self) -> str | None:
        """The key; None if it has to be renewed."""
        return self._key if self._clock.monotonic() < self._due else None

    async def _renew(self, io: Io) -> str:
        assert self._function is not None
        began = self._clock.monotonic()
        try:
            given = await io.call(self._function)
        except ConfigurationError:
            raise
        except Exception as error:
            shown = self.known.redact(f"the api_key function failed: {error}")
            raise ApiKeyError(shown, retryable=True) from self.known.cause(error)
        answer = given if isinstance(given, ApiKey) else ApiKey(given)
        if not is_key(answer.key) or not answer.expires_in > 0:
            raise ApiKeyError(
                "the api_key function failed: it must return a key of visible ASCII characters or "
                f"ApiKey(key, expires_in), not {'another expires_in' if is_key(answer.key) else 'another value'}",
                retryable=False,
            )
        self._key = answer.key
        self.known.add(answer.key)
        self._due = began + answer.expires_in - min(LONGEST_MARGIN, answer.expires_in / 10)
        return answer.key
