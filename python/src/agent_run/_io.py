"""Input and output of both clients.

The client's logic is written once, as coroutines over an `Io`. `AsyncIo` awaits. The methods of `SyncIo` are
coroutines too, but they block and never suspend, so `run` and `iterate` carry a coroutine to its end without an event
loop.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import httpx

from ._errors import ConfigurationError
from ._headers import is_compressed

T = TypeVar("T")

BODY_BYTES_MAX = 64 * 1024 * 1024
"""Far above any answer of this service. The limit stops an endless body from filling the memory."""
LONGEST_WAIT = 1e6
"""Sockets refuse longer time limits, such as infinity."""


class Clock(Protocol):
    """Measures time and waits, in seconds. `sleep` serves `AgentRuns`, `asleep` serves `AsyncAgentRuns`."""

    def now(self) -> float: ...

    def monotonic(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...

    async def asleep(self, seconds: float) -> None: ...


class SystemClock:
    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def asleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class BodyTooLong(Exception):
    """The body is longer than `BODY_BYTES_MAX`."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__(f"is longer than {BODY_BYTES_MAX} bytes")
        self.response = response


@dataclass
class Reply:
    """A response with its whole body."""

    response: httpx.Response
    content: bytes


@dataclass(eq=False)
class Stream:
    """An open response whose body is read in pieces."""

    response: httpx.Response
    pieces: Any


Wants = Callable[[httpx.Response], bool]


class Io(Protocol):
    """What the logic needs from the outside. Times are in seconds."""

    clock: Clock
    build_request: Callable[..., httpx.Request]

    @property
    def is_closed(self) -> bool: ...

    async def send(self, request: httpx.Request, timeout: float, wants: Wants | None) -> Reply | Stream:
        """The answer with its whole body within `timeout`, or its open stream if `wants` accepts it."""

    async def read(self, stream: Stream, timeout: float) -> bytes | None:
        """The next piece; None at the end."""

    async def close(self, stream: Stream) -> None: ...

    async def sleep(self, seconds: float) -> None: ...

    async def within(self, seconds: float, work: Coroutine[Any, Any, T]) -> T:
        """Limits the time of work that sends nothing; only the asyncio client can."""

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function of the caller. Only the asyncio client awaits what it returns."""


class BlockingLock:
    """An asyncio.Lock for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0

    async def __aenter__(self) -> None:
        if self._owner == threading.get_ident():
            raise ConfigurationError("the api_key function must not use the client that calls it")
        self._lock.acquire()
        self._owner = threading.get_ident()

    async def __aexit__(self, *_: object) -> None:
        self._owner = 0
        self._lock.release()


class SyncIo:
    """Blocks."""

    def __init__(self, http: httpx.Client, clock: Clock) -> None:
        self._http = http
        self.clock = clock
        self.build_request: Callable[..., httpx.Request] = http.build_request

    @property
    def is_closed(self) -> bool:
        return self._http.is_closed

    async def send(self, request: httpx.Request, timeout: float, wants: Wants | None) -> Reply | Stream:
        ends_at = time.monotonic() + timeout
        _limit(request, timeout)
        # Each step of the transport (connect, send, receive) looks up its limit when it begins.
        extensions = cast("dict[str, Any]", request.extensions)
        extensions["trace"] = lambda *_: _limit(request, ends_at - time.monotonic())
        response = self._http.send(request, stream=True, follow_redirects=False, **_auth(self._http))
        if wants is not None and wants(response):
            del extensions["trace"]
            return Stream(response, response.iter_bytes())
        body = _Body(response)
        try:
            if is_compressed(response.headers):
                return Reply(response, b"")
            for piece in response.iter_bytes():
                body.add(piece)
                if time.monotonic() >= ends_at:
                    raise httpx.ReadTimeout("the body took too long", request=request)
        finally:
            response.close()
        return Reply(response, body.whole())

    async def read(self, stream: Stream, timeout: float) -> bytes | None:
        _limit(stream.response.request, timeout)
        piece: bytes | None = next(stream.pieces, None)
        return piece

    async def close(self, stream: Stream) -> None:
        stream.response.close()

    async def sleep(self, seconds: float) -> None:
        self.clock.sleep(seconds)

    async def within(self, seconds: float, work: Coroutine[Any, Any, T]) -> T:
        return await work

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        result = function(*arguments)
        if inspect.iscoroutine(result):
            result.close()
            raise ConfigurationError("AgentRuns cannot await a function; use AsyncAgentRuns or a plain function")
        return result


class AsyncIo:
    """Awaits."""

    def __init__(self, http: httpx.AsyncClient, clock: Clock) -> None:
        self._http = http
        self.clock = clock
        self.build_request: Callable[..., httpx.Request] = http.build_request

    @property
    def is_closed(self) -> bool:
        return self._http.is_closed

    async def send(self, request: httpx.Request, timeout: float, wants: Wants | None) -> Reply | Stream:
        _limit(request, timeout)
        return await _within(timeout, request, self._send(request, wants))

    async def _send(self, request: httpx.Request, wants: Wants | None) -> Reply | Stream:
        async def trace(event: str, _: Any) -> None:
            # A proxy is asked first, and TLS begins afterwards.
            if "send_request" in event or "start_tls" in event:
                extensions["is_sent"] = "send_request" in event

        extensions = cast("dict[str, Any]", request.extensions)
        extensions["trace"] = trace
        response = await self._http.send(request, stream=True, follow_redirects=False, **_auth(self._http))
        if wants is not None and wants(response):
            return Stream(response, response.aiter_bytes())
        body = _Body(response)
        try:
            if is_compressed(response.headers):
                return Reply(response, b"")
            async with aclosing(response.aiter_bytes()) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    body.add(piece)
        finally:
            await response.aclose()
        return Reply(response, body.whole())

    async def read(self, stream: Stream, timeout: float) -> bytes | None:
        request = stream.response.request
        _limit(request, timeout)
        piece: bytes | None = await _within(timeout, request, anext(stream.pieces, None))
        return piece

    async def close(self, stream: Stream) -> None:
        # Otherwise the garbage collector would close it, in a task of its own.
        await stream.pieces.aclose()
        await stream.response.aclose()

    async def sleep(self, seconds: float) -> None:
        await self.clock.asleep(seconds)

    async def within(self, seconds: float, work: Coroutine[Any, Any, T]) -> T:
        return await _within(seconds, None, work)

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        result = function(*arguments)
        return await result if inspect.isawaitable(result) else result


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine over a SyncIo, which never suspends."""
    try:
        work.send(None)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    raise AssertionError("a SyncIo must not suspend")


def iterate(values: AsyncGenerator[T, None]) -> Generator[T, None, None]:
    """The values of an asynchronous generator over a SyncIo."""
    try:
        while True:
            try:
                value: T = run(values.__anext__())  # type: ignore[arg-type]
            except StopAsyncIteration:
                return
            yield value
    finally:
        run(values.aclose())  # type: ignore[arg-type]


class _Body:
    """Collects a body up to the limit."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._pieces: list[bytes] = []
        self._size = 0

    def add(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > BODY_BYTES_MAX:
            raise BodyTooLong(self._response)

    def whole(self) -> bytes:
        return b"".join(self._pieces)


def _auth(http: httpx.Client | httpx.AsyncClient) -> dict[str, Any]:
    """Keeps httpx from sending what stands in ~/.netrc."""
    return {"auth": httpx.Auth()} if http.auth is None else {}


def _limit(request: httpx.Request, seconds: float) -> None:
    seconds = max(0.001, min(seconds, LONGEST_WAIT))
    limits = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
    cast("dict[str, Any]", request.extensions)["timeout"] = limits


async def _within(seconds: float, request: httpx.Request | None, work: Awaitable[T]) -> T:
    """Unlike `asyncio.wait_for` before Python 3.12, it never loses a cancellation."""
    task = asyncio.ensure_future(work)
    try:
        # The transport's own limits say what took too long, so they come first.
        await asyncio.wait((task,), timeout=min(seconds, LONGEST_WAIT) + 0.05)
    except asyncio.CancelledError:
        await _stop(task)
        raise
    if not task.done():
        await _stop(task)
        raise httpx.ReadTimeout("no complete answer in time", request=request)
    return task.result()


async def _stop(task: asyncio.Future[Any]) -> None:
    while not task.done():
        task.cancel()
        # A task that is just connecting may lose a cancellation.
        await asyncio.wait((task,), timeout=0.5)
    if not task.cancelled() and task.exception() is None and isinstance(task.result(), Stream):
        await task.result().response.aclose()
